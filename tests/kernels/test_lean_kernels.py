"""Kernels that count no references make and return no arrays: numba refuses the former, these tests find the latter."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from numba.core.errors import NumbaError

from shoal.kernels import kept_code
from shoal.kernels.compiling import SOURCES, lean

SCALARS = ("int", "float", "bool", "None", "Any", "np.uint64")


def kernels() -> dict[str, dict[str, tuple[bool, ast.FunctionDef]]]:
    """All kernels by file and name, and whether they are lean."""
    found = {}
    for path in sorted(SOURCES.rglob("*.py")):
        own = found[path.relative_to(SOURCES).with_suffix("").as_posix()] = {}
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                decorator = ast.unparse(node.decorator_list[0])
                if decorator in ("compiled", "lean"):
                    own[node.name] = (decorator != "compiled", node)
    return found


def imported(file: str) -> dict[str, str]:
    """The names that a file imports from others, with their files."""
    tree = ast.parse((SOURCES / f"{file}.py").read_text("utf-8"))
    return {
        alias.asname or alias.name: node.module.removeprefix("shoal.kernels.").replace(".", "/")
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("shoal.kernels.")
        for alias in node.names
    }


LEAN = [(file, name) for file, own in kernels().items() for name, (is_lean, _) in own.items() if is_lean]


@pytest.mark.parametrize(("file", "name"), LEAN)
def test_lean_kernels_call_lean_ones_and_return_numbers(file, name):
    every, homes = kernels(), imported(file)
    _, node = every[file][name]
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            home = homes.get(call.func.id, file)
            is_lean, _ = every.get(home, {}).get(call.func.id, (True, None))
            assert is_lean, f"{name} calls {call.func.id}, which may make arrays"
    assert ast.unparse(node.returns) in SCALARS
    arguments = {argument.arg for argument in node.args.args}
    for result in ast.walk(node):
        if isinstance(result, ast.Return) and result.value is not None:
            for part in result.value.elts if isinstance(result.value, ast.Tuple) else [result.value]:
                annotation = next((a.annotation for a in node.args.args if a.arg == getattr(part, "id", None)), None)
                assert getattr(part, "id", None) not in arguments or ast.unparse(annotation) in SCALARS
                assert not any(isinstance(inner, ast.Slice) for inner in ast.walk(part))


def test_there_are_lean_kernels():
    assert len(LEAN) > 20


def test_a_lean_kernel_that_makes_an_array_is_refused(tmp_path):
    @lean
    def makes(size):
        return np.zeros(size, np.int64)[0]

    makes._cache = kept_code.KernelCache([], None, tmp_path / "none.zip", "makes")
    with pytest.raises((NumbaError, NotImplementedError)):
        makes(3)
