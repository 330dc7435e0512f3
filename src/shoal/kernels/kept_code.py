"""Compiled code that is kept: in a folder for this processor, and in an archive for any processor of its kind.

A compiled kernel contains those that it calls, also from other files. So folder and archive are named by a digest of
all sources and versions: after an upgrade nothing outdated is found. The archive comes with the wheels (see
scripts/build_wheel.py); what it does not have is compiled.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import platform
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import (
    caching,
    codegen as _codegen,
    config as _config,
    environment as _environments,
    runtime as _runtime,
    serialize as _serialize,
)
from numba.core.compiler import CompileResult

config: Any = _config
environment: Any = _environments
JITCodeLibrary: Any = _codegen.JITCodeLibrary
NullCache: Any = caching.NullCache
result: Any = CompileResult
runtime: Any = _runtime
serialize: Any = _serialize
Reader = Callable[[Any, Any], bytes | None]  # of a signature, compiled by some code generator
DAMAGED = (OSError, EOFError, KeyError, ValueError, pickle.UnpicklingError, zipfile.BadZipFile, zlib.error)

CHECKSUM = 4  # bytes


class KernelCache(NullCache):  # type: ignore[misc]
    """The machine code of one kernel, a file for each signature and processor.

    numba's own cache makes the compiler ready before it reads anything, which takes a third of a second. And it numbers
    its files, so that of two processes that compile at the same time one can overwrite the code that the other names.
    Code is read from all places, as an image of a container may hold it where nothing can be written.
    """

    def __init__(self, places: Sequence[Path], folder: Path | None, archive: Path, name: str):
        self.places, self.folder, self.archive, self.name = places, folder, archive, name

    @property
    def cache_path(self) -> str:
        """Return the folder of the files."""
        return str(self.folder)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return what was compiled for a signature; None if nothing was."""
        folders: list[Reader] = [partial(self._from_folder, folder) for folder in self.places]
        for read in (*folders, self._from_archive):
            with suppress(*DAMAGED):  # damaged code is compiled anew
                code = read(signature, context.codegen())
                if code is not None:
                    runtime.rtsys.initialize(context)  # the code allocates arrays
                    return _rebuilt(context, *Unpickler(io.BytesIO(_unsealed(code))).load())
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled for a signature, in one piece or not at all."""
        if compiled.library.has_dynamic_globals:
            raise TypeError(f"{self.name} reads an array from outside, which compiled code cannot keep")
        if self.folder is None:
            return
        with suppress(OSError), tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as part:
            try:
                part.write(_sealed(serialize.dumps(compiled._reduce())))
                part.close()
                os.chmod(part.name, 0o644)  # others may run it, as they may the .pyc files beside it
                os.replace(part.name, self.file(self.folder, signature, compiled.codegen))
            except BaseException:
                os.unlink(part.name)
                raise

    def file(self, folder: Path, signature: Any, codegen: Any) -> Path:
        """Return the file of a signature on this processor."""
        return folder / f"{self.name}-{_hash((signature, codegen.magic_tuple()))}.code"

    def member(self, signature: Any) -> str:
        """Return the name of a signature in an archive."""
        return f"{self.name}-{_hash(signature)}"

    def _from_folder(self, folder: Path, signature: Any, codegen: Any) -> bytes:
        """Read what this machine has compiled."""
        return self.file(folder, signature, codegen).read_bytes()

    def _from_archive(self, signature: Any, codegen: Any) -> bytes | None:
        """Read what came with the wheel."""
        archive = _opened(self.archive)
        return None if archive is None else archive.read(self.member(signature))


class Unpickler(pickle.Unpickler):
    """Reads compiled code, which is as safe as the .pyc files beside it, without importing the modules of numba.

    Machine code needs the constants of a function that it contains, not the module; some import half of scipy.
    """

    def find_class(self, module: str, name: str) -> Any:
        """Return what is named in the code."""
        return _environment if name == "_rebuild_env" else super().find_class(module, name)


def _sealed(code: bytes) -> bytes:
    """Return code behind its checksum: damaged machine code would run, and crash or worse."""
    return zlib.crc32(code).to_bytes(CHECKSUM) + code


def _unsealed(content: bytes) -> bytes:
    """Return code whose checksum is right."""
    code = content[CHECKSUM:]
    if int.from_bytes(content[:CHECKSUM]) != zlib.crc32(code):
        raise ValueError("the code is damaged")
    return code


def _environment(module: str, constants: list[object], name: str) -> Any:
    """Return the constants of a function."""
    kept = environment.lookup_environment(name)
    if kept is None:
        imported = sys.modules.get(module)
        kept = environment.Environment({"__name__": module} if imported is None else imported.__dict__)
        kept.consts[:], kept.env_name = constants, name
        environment.Environment._memo[name] = kept
    return kept


class KeptLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Machine code from the disk; its bitcode is parsed only if a kernel that is compiled calls it."""

    def __init__(self, codegen: Any, name: str, code: bytes, bitcode: bytes, symbol: str) -> None:
        super().__init__(codegen, name)
        self._bitcode = bitcode
        self._shared_module: Any = None
        self.enable_object_caching()
        self._set_compiled_object(code)
        self._finalize_final_module()
        if symbol.encode() in code:  # a kernel that only kernels call has no wrapper for Python
            codegen._engine._defined_symbols.add(symbol)

    def _get_module_for_linking(self) -> Any:
        """Return the bitcode as a module that others can contain."""
        if self._shared_module is None:
            self._shared_module = llvmlite.binding.parse_bitcode(self._bitcode)
        return self._shared_module

    def serialize_using_object_code(self) -> Any:
        """Refuse: what comes from the disk is there already."""
        raise TypeError(f"{self.name} is kept already")


def _rebuilt(context: Any, library: Any, described: Any, constants: Any, *others: Any) -> Any:
    """Return a compiled function as numba does, with a library whose bitcode is not parsed."""
    signature, object_mode, lifted, annotation, reload_init, referenced = others
    name, kind, (code, bitcode) = library
    if kind != "object" or object_mode or lifted:
        raise ValueError(f"{name} is not machine code")
    for initialize in reload_init:
        initialize()
    kept = KeptLibrary(context.codegen(), name, code, bitcode, described.llvm_cpython_wrapper_name)
    rebuilt = result(
        target_context=context,
        typing_context=context.typing_context,
        library=kept,
        environment=constants,
        entry_point=context.get_executable(kept, described, constants),
        fndesc=described,
        type_annotation=annotation,
        signature=signature,
        objectmode=object_mode,
        lifted=lifted,
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=referenced,
    )
    for used in referenced:
        kept.codegen.set_env(used.env_name, used)
    return rebuilt


@cache
def cache_folder(sources: Path) -> Path | None:
    """Return the folder for the compiled code of a folder of sources; None if none can be written."""
    for folder in places(sources):
        try:
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return None


@cache
def places(sources: Path) -> tuple[Path, ...]:
    """Return where compiled code of a folder of sources may be, whether or not it can be written there."""
    name = f"shoal-{digest(sources)}"
    own = (config.CACHE_DIR,) if config.CACHE_DIR else (sources / "__pycache__", _of_the_user())
    return tuple(Path(place).absolute() / name for place in own)


@cache
def archive_of(sources: Path) -> Path:
    """Return the place of the archive for these sources, versions and kind of machine, whether or not it is there."""
    python = f"{sys.implementation.cache_tag}-{sys.platform}-{platform.machine()}"
    numpy = ".".join(np.__version__.split(".")[:2])
    versions = (python, sys.maxsize, numba.__version__, llvmlite.__version__, numpy)
    return sources / f"code-{python}-{_digest(sources, versions)}.zip"


@cache
def _opened(archive: Path) -> zipfile.ZipFile | None:
    """Open an archive; None if there is none or it is damaged."""
    try:
        return zipfile.ZipFile(archive)
    except (OSError, zipfile.BadZipFile):
        return None


def digest(sources: Path) -> str:
    """Return a digest of the sources and of the versions that compile them."""
    return _digest(sources, (sys.version, numba.__version__, llvmlite.__version__, np.__version__))


def _digest(sources: Path, versions: tuple[object, ...]) -> str:
    """Return a digest of the sources and of versions."""
    found = hashlib.sha256(repr(versions).encode())
    for path in sorted(sources.rglob("*.py")):
        content = path.read_bytes()
        found.update(repr((path.relative_to(sources).as_posix(), len(content))).encode() + content)
    return found.hexdigest()[:16]


def _hash(key: object) -> str:
    """Return a short name for a key."""
    return hashlib.sha256(repr(key).encode()).hexdigest()[:16]


def _of_the_user() -> str:
    """Return the cache folder of this user."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches")
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
