"""Check that imports go one way, and that kernels stay kernels."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "shoal"

# A module may import from its own line and from the lines above it.
LAYERS = [
    ["errors", "kernels", "interrupts", "extras", "temporary", "writing", "room", "csv_mistakes"],
    ["labels", "hierarchy", "budget", "python_values", "data"],
    ["domain", "hierarchies", "datasets"],
    [
        "table",
        "csv_files",
        "formulas",
        "parquet_files",
        "databases",
        "workbooks",
        "spreadsheets",
        "statistics_files",
        "files",
        "roles",
    ],
    ["recoding", "models", "source"],
    ["encoding", "coding", "metrics", "verification", "covering", "linking", "overlaps", "row_order"],
    ["leveled", "demand", "prefixes", "lattice", "objectives", "search", "space"],
    ["scales", "kept_trees", "kept_columns", "kept_models", "generalization", "keeping"],
    ["grouping", "moving", "judging", "parts", "fitting"],
    ["boxes", "recreating", "composing", "exchanging", "bounds", "exchange_rows", "placing", "kept_classes"],
    ["algorithms"],
    ["plotting", "pages", "solution_plots", "solutions", "groups", "request"],
    ["arguments", "solving", "targets"],
    ["release", "assessment", "cautions", "comp430_files", "pseudonyms", "findings", "reading"],
    ["plan", "cuts", "by_blocks"],
    ["api", "streams", "applying", "attacks", "intersection", "comp430", "measurement", "suggestions"],
    ["comparison", "report", "spark", "certificates"],
    ["ui"],
    ["cli"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def imported(tree: ast.Module) -> list[tuple[int, str]]:
    """The modules of shoal that a module imports at its top, by their first name."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "shoal":
            parts = node.module.split(".")[1:]
            found += [(node.lineno, parts[0])] if parts else [(node.lineno, alias.name) for alias in node.names]
        if isinstance(node, ast.Import):
            found += [(node.lineno, a.name.split(".")[1]) for a in node.names if a.name.startswith("shoal.")]
    return found


def inner(tree: ast.Module) -> list[tuple[int, str]]:
    """What a module of the workbench imports of shoal, anywhere in it, that is neither public nor of the workbench."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        if isinstance(node, ast.ImportFrom) and node.level:
            found.append((node.lineno, "." * node.level))
        elif isinstance(node, ast.ImportFrom) and node.module == "shoal":
            found += [(node.lineno, f"shoal.{alias.name}") for alias in node.names if alias.name not in PUBLIC]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.lineno, node.module or ""))
    return [(line, name) for line, name in found if name[:1] == "." or (name.startswith("shoal.") and not of_ui(name))]


def of_ui(name: str) -> bool:
    """Whether a module belongs to the workbench."""
    return name == "shoal.ui" or name.startswith("shoal.ui.")


def public_names() -> set[str]:
    """The public names of shoal."""
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    lists = [node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"]
    return set(ast.literal_eval(lists[0]))


PUBLIC = public_names()


def problems(path: Path) -> list[str]:
    """What is wrong with one file, a line each."""
    inside = path.relative_to(SOURCE)
    home = inside.parts[0].removesuffix(".py")
    if home in ("__init__", "__main__"):
        return []
    if home not in LEVEL:
        return [f"{inside}: give the module {home!r} a place in LAYERS"]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [
        f"{inside}:{line}: {home} must not import {target}"
        for line, target in imported(tree)
        if LEVEL.get(target, 0) > LEVEL[home] or (home == "kernels" and target != "kernels")
    ]
    if home == "ui":
        found += [f"{inside}:{line}: ui calls public names alone, not {name}" for line, name in inner(tree)]
    if home == "kernels":
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                found += [
                    f"{inside}:{node.lineno}: a kernel knows no privacy model, so no parameter is named {argument.arg}"
                    for argument in node.args.args
                    if argument.arg in ("k", "l", "t")
                ]
    return found


def main() -> int:
    """Print what is wrong in all files; 1 if anything is."""
    found = [problem for path in sorted(SOURCE.rglob("*.py")) for problem in problems(path)]
    print("\n".join(found) or "imports go one way")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
