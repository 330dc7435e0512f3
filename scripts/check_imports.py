"""Check that imports go one way, that no modules import each other in a circle, and that kernels stay kernels."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "shoal"

# A room may import from its own line and from the lines above it; of `ui`, only public names.
ROOMS = [
    ["errors", "kernels", "system"],
    ["data"],
    ["io", "models", "metrics", "datasets"],
    ["algorithms", "documents"],
    ["release"],
    ["engines", "analysis", "certificates"],
    ["api", "next_delivery", "spark", "comp430", "cli", "ui"],
]
LINE = {room: line for line, rooms in enumerate(ROOMS) for room in rooms}


def module_of(path: Path) -> str:
    """Return the dotted name of a file's module within shoal."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST, modules: set[str]) -> Iterator[tuple[int, str]]:
    """Find every import of shoal, wherever it is: in functions and under TYPE_CHECKING, too.

    >>> list(imports(ast.parse("def f():\\n    from shoal.data import table, x\\nimport shoal.api"), {"data.table"}))
    [(3, 'api'), (2, 'data.table'), (2, 'data')]
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.split(".")[0] == "shoal"]
            yield from ((node.lineno, name.removeprefix("shoal").removeprefix(".")) for name in names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield node.lineno, "." * node.level
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "shoal":
            home = node.module.removeprefix("shoal").removeprefix(".")
            for alias in node.names:
                inner = f"{home}.{alias.name}" if home else alias.name
                yield node.lineno, inner if inner in modules or not home else home


def problems(module: str, tree: ast.Module, modules: set[str], public: set[str]) -> Iterator[str]:
    """List what is wrong with one module, a line each."""
    room = module.split(".")[0]
    if room not in LINE:
        yield f"{module}: give {room!r} a place in ROOMS"
        return
    for line, target in imports(tree, modules):
        other = target.split(".")[0]
        if target.startswith("."):
            yield f"{module}:{line}: write imports in full"
        elif target and target not in modules and not (target in public and "." not in target):
            yield f"{module}:{line}: there is no module {target}"
        elif room == "ui" and other != "ui" and target not in public and target != "":
            yield f"{module}:{line}: ui calls public names alone, not {target}"
        elif room != "ui" and not target:
            yield f"{module}:{line}: import from the module that defines a name, not from the root"
        elif room == "kernels" and other != "kernels":
            yield f"{module}:{line}: kernels import nothing of shoal's, not {target}"
        elif other in LINE and room != "ui" and LINE[other] > LINE[room]:
            yield f"{module}:{line}: {room} must not import {target}"
    if room == "kernels":
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                for argument in node.args.args:
                    if argument.arg in ("k", "l", "t"):
                        yield f"{module}:{node.lineno}: a kernel knows no privacy model: rename {argument.arg}"


def circle(trees: dict[str, ast.Module]) -> list[str]:
    """Return modules that import each other in a circle, if any."""
    graph = {
        module: {target for _, target in imports(tree, set(trees)) if target in trees and target != module}
        for module, tree in trees.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def public_names() -> set[str]:
    """Return the public names of shoal, from the list of them."""
    stub = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    return {alias.name for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}


def main() -> int:
    """Print what is wrong in all files; 1 if anything is."""
    files = {module_of(path): path for path in sorted(SOURCE.rglob("*.py")) if module_of(path) not in ("", "__main__")}
    trees = {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in files.items()}
    found = [
        problem for module, tree in trees.items() for problem in problems(module, tree, set(trees), public_names())
    ]
    if around := circle(trees):
        found.append(f"modules import each other in a circle: {' → '.join(around)}")
    print("\n".join(found) or "imports go one way")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
