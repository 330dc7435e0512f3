"""How kernels are compiled: kept on the disk where that is possible, without holding the interpreter.

A compiled kernel holds those that it calls, also from other files, and numba keeps it by the source of its own file
alone. So the folder of the compiled code goes by all sources and versions: after an upgrade nothing old is found there.
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
from numba.core import config as _config

Function = TypeVar("Function", bound=Callable[..., object])
SOURCES = Path(__file__).parent
config: Any = _config
compile_: Any = numba.njit


def compiled(function: Function) -> Function:
    """Compile a loop over arrays; where no folder for the compiled code can be written, anew in each process."""
    folder = cache_folder(SOURCES)
    if folder is not None:
        with _kept_in(folder), suppress(RuntimeError):  # where numba finds that it cannot
            kept = compile_(cache=True, nogil=True)(function)
            if folder in Path(kept.stats.cache_path).parents:  # else it has chosen another one
                return cast(Function, kept)
    return cast(Function, compile_(nogil=True)(function))


@cache
def cache_folder(sources: Path) -> Path | None:
    """A folder for what is compiled of the sources in another one, None where none can be written."""
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
    """A text that is another one where a source, or a version of what compiles it, is another one."""
    found = hashlib.sha256(repr((sys.version, numba.__version__, llvmlite.__version__, np.__version__)).encode())
    for path in sorted(sources.rglob("*.py")):
        content = path.read_bytes()
        found.update(repr((path.relative_to(sources).as_posix(), len(content))).encode() + content)
    return found.hexdigest()[:16]


def _of_the_user() -> str:
    """The folder in which programs of this user keep what they can make again."""
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
