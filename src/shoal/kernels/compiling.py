"""How kernels are compiled: kept on the disk where that is possible, without holding the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile a loop over arrays; where no folder for the compiled code can be written, anew in each process."""
    compile_: Callable[..., Callable[[Function], Function]] = njit
    try:
        return compile_(cache=True, nogil=True)(function)
    except RuntimeError:
        return compile_(nogil=True)(function)
