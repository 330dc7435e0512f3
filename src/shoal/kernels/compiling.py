"""How kernels are compiled: kept on disk if possible, and without holding the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

import numba
from numba.core import event as _event, types as _types

from shoal.kernels.compilations import COMPILATIONS
from shoal.kernels.kept_code import KernelCache, archive_of, cache_folder, places

Function = TypeVar("Function", bound=Callable[..., object])
SOURCES = Path(__file__).parent
event: Any = _event
Listener: Any = _event.Listener
compile_: Any = numba.njit
types: Any = _types


class Compiler(Listener):  # type: ignore[misc]
    """numba's compiler, whose compilations are announced and timed."""

    def on_start(self, event: Any) -> None:
        """Say what is compiled."""
        function = event.data["dispatcher"].py_func
        COMPILATIONS.start(function.__code__.co_filename, f"{function.__module__}.{function.__qualname__}")

    def on_end(self, event: Any) -> None:
        """Say that it is compiled."""
        COMPILATIONS.end()


event.register("numba:compile", Compiler())


def compiled(function: Function) -> Function:
    """Compile a loop over arrays; if no cache folder can be written, in each process anew.

    Only kernels can call one whose name begins with an underscore: what Python needs to call it takes time to compile.
    """
    return _kernel(function)


def lean(function: Function) -> Function:
    """Compile a loop that makes and returns no arrays, so that numba need not count references.

    Counting takes longer than the work itself where a kernel passes many arrays to small functions.
    """
    return _kernel(function, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a lean loop into each kernel that calls it, where passing many arrays would take longer than its work."""
    return _kernel(function, _nrt=False, forceinline=True)


def _kernel(function: Function, **options: bool) -> Function:
    """Compile a function when it is first called."""
    only_kernels = function.__name__.startswith("_")
    kernel = compile_(nogil=True, no_cfunc_wrapper=True, no_cpython_wrapper=only_kernels, **options)(function)
    name = f"{function.__module__}.{function.__qualname__}"
    folder = cache_folder(SOURCES)
    kernel._cache = KernelCache(places(SOURCES), folder, archive_of(SOURCES), name)
    COMPILATIONS.files.add(function.__code__.co_filename)
    COMPILATIONS.kept = folder is not None
    kernel.get_call_template = partial(_call_template, kernel)
    if only_kernels:

        def refuse(*args: object, **named: object) -> NoReturn:
            raise TypeError(f"only kernels can call {name}")

        kernel._compile_for_args = refuse
        kernel._insert = lambda *args, **named: None  # a call from Python finds no code
    return cast(Function, kernel)


def _call_template(kernel: Any, args: Any, kws: Any) -> Any:
    """Have a kernel called with 64-bit integers: numba would compile it anew for each constant and width."""
    wide = {name: _wide(kind) for name, kind in kws.items()}
    return type(kernel).get_call_template(kernel, tuple(_wide(kind) for kind in args), wide)


def _wide(kind: Any) -> Any:
    """Return the type that an argument is converted to."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind
