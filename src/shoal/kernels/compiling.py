"""How kernels are compiled: cached on disk if possible, and without holding the interpreter lock.

A compiled kernel contains those that it calls, also from other files, but numba caches it by the source of its own file
alone. So the cache folder is named by a digest of all sources and versions: after an upgrade nothing outdated is found.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba.core import caching, config as _config

Function = TypeVar("Function", bound=Callable[..., object])
SOURCES = Path(__file__).parent
config: Any = _config
compile_: Any = numba.njit
CacheFile: Any = caching.IndexDataCacheFile


def compiled(function: Function) -> Function:
    """Compile a loop over arrays; if no cache folder can be written, in each process anew."""
    folder = cache_folder(SOURCES)
    if folder is not None:
        with _kept_in(folder), suppress(RuntimeError):  # numba cannot cache it
            kept = compile_(cache=True, nogil=True)(function)
            if folder in Path(kept.stats.cache_path).parents:  # otherwise numba has chosen another folder
                kept._cache._cache_file = CodeBySignature.like(kept._cache._cache_file)
                return cast(Function, kept)
    return cast(Function, compile_(nogil=True)(function))


class CodeBySignature(CacheFile):  # type: ignore[misc]
    """A cache file of numba's whose data files are named by what they hold.

    numba numbers them, so that of two processes which compile at the same time one can overwrite the code that the
    index of the other names: a kernel would then run with the code for other types.
    """

    @classmethod
    def like(cls, file: Any) -> CodeBySignature:
        """Return the same cache file with other names of data files."""
        return cls(file._cache_path, file._index_name.removesuffix(".nbi"), file._source_stamp)

    def save(self, key: Any, data: Any) -> None:
        """Save the code first and then the index, which never names code that is not there."""
        name = f"{self._index_name.removesuffix('.nbi')}.{hashlib.sha256(self._dump(key)).hexdigest()[:16]}.nbc"
        self._save_data(name, data)
        self._save_index(self._load_index() | {key: name})


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


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before
