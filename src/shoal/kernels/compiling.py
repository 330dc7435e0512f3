"""How kernels are compiled: cached on disk if possible, and without holding the interpreter lock.

A compiled kernel contains those that it calls, also from other files. So the cache folder is named by a digest of all
sources and versions: after an upgrade nothing outdated is found.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba.core import caching, config as _config, runtime as _runtime, serialize as _serialize
from numba.core.compiler import CompileResult

Function = TypeVar("Function", bound=Callable[..., object])
SOURCES = Path(__file__).parent
config: Any = _config
compile_: Any = numba.njit
NullCache: Any = caching.NullCache
result: Any = CompileResult
runtime: Any = _runtime
serialize: Any = _serialize


def compiled(function: Function) -> Function:
    """Compile a loop over arrays; if no cache folder can be written, in each process anew."""
    return _kernel(function)


def lean(function: Function) -> Function:
    """Compile a loop that makes no arrays, so that numba need not count references.

    Counting takes longer than the work itself where a kernel passes many arrays to small functions.
    """
    return _kernel(function, _nrt=False)


def _kernel(function: Function, **options: bool) -> Function:
    kernel = compile_(nogil=True, **options)(function)
    folder = cache_folder(SOURCES)
    if folder is not None:
        kernel._cache = KernelCache(folder, f"{function.__module__}.{function.__qualname__}")
    return cast(Function, kernel)


class KernelCache(NullCache):  # type: ignore[misc]
    """The machine code of one kernel, a file for each signature and processor.

    numba's own cache makes the compiler ready before it reads anything, which takes a third of a second. And it numbers
    its files, so that of two processes that compile at the same time one can overwrite the code that the other names.
    """

    def __init__(self, folder: Path, name: str):
        self.folder, self.name = folder, name

    @property
    def cache_path(self) -> str:
        """Return the folder of the files."""
        return str(self.folder)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return what was compiled for a signature; None if nothing was."""
        with suppress(OSError, EOFError, pickle.UnpicklingError):  # damaged code is compiled anew
            code = self._file(signature, context.codegen()).read_bytes()
            runtime.rtsys.initialize(context)  # the code allocates arrays
            return result._rebuild(context, *pickle.loads(code))  # noqa: S301 (as safe as the .pyc files beside it)
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled for a signature, in one piece or not at all."""
        if compiled.library.has_dynamic_globals:
            raise TypeError(f"{self.name} reads an array from outside, which compiled code cannot keep")
        with suppress(OSError), tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as part:
            try:
                part.write(serialize.dumps(compiled._reduce()))
                part.close()
                os.replace(part.name, self._file(signature, compiled.codegen))
            except BaseException:
                os.unlink(part.name)
                raise

    def _file(self, signature: Any, codegen: Any) -> Path:
        """Return the file of a signature."""
        key = hashlib.sha256(repr((signature, codegen.magic_tuple())).encode()).hexdigest()
        return self.folder / f"{self.name}-{key[:16]}.code"


@cache
def cache_folder(sources: Path) -> Path | None:
    """Return the folder for the compiled code of a folder of sources; None if none can be written."""
    name = f"shoal-{digest(sources)}"
    for place in (config.CACHE_DIR,) if config.CACHE_DIR else (sources / "__pycache__", _of_the_user()):
        folder = Path(place).absolute() / name
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return None


def digest(sources: Path) -> str:
    """Return a digest of the sources and of the versions that compile them."""
    found = hashlib.sha256(repr((sys.version, numba.__version__, llvmlite.__version__, np.__version__)).encode())
    for path in sorted(sources.rglob("*.py")):
        content = path.read_bytes()
        found.update(repr((path.relative_to(sources).as_posix(), len(content))).encode() + content)
    return found.hexdigest()[:16]


def _of_the_user() -> str:
    """Return the cache folder of this user."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches")
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
