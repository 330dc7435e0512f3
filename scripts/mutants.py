"""Change the code that says whether a release is sound, one place at a time, and count the changes that no test sees.

mutmut does the work (settings: tool.mutmut in pyproject.toml) in the folder .mutants, on a copy of the package. It
changes plain functions alone, so properties and flags of classes are written as functions in that copy.
"""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORK = ROOT / ".mutants"
# Flags are also asked of classes, where a property would return itself.
FLAG = 'type("Flag", (), {{"__get__": lambda flag, model, kind: kind.get_{name}(model)}})()'
COPIED = ("src", "tests", "pyproject.toml")
# As mutmut numbers the ends of a run of pytest; all others are timeouts or crashes, which a test sees, too.
SURVIVED, UNTESTED, FAILED = 0, (5, 33), (1, 3)


def forgotten() -> None:
    """Throw away the last run, but not the kernels that it has compiled."""
    for meta in (WORK / "mutants").rglob("*.py.meta"):
        for ending in ("", ".meta", ".spans"):
            meta.with_name(meta.name.removesuffix(".meta") + ending).unlink(missing_ok=True)
    (WORK / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)


def prepared() -> None:
    """Copy what is new, and leave the rest alone, so that kernels that are compiled already stay so."""
    for name in COPIED:
        for file in [ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                _copy(file, WORK / file.relative_to(ROOT))


def _copy(file: Path, target: Path) -> None:
    content = file.read_bytes()
    if (
        file.is_relative_to(ROOT / "src" / "shoal" / "models")
        or file == ROOT / "src" / "shoal" / "release" / "release.py"
    ):
        content = with_functions(content.decode()).encode()
    if not target.exists() or target.read_bytes() != content:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        shutil.copystat(file, target)


def with_functions(source: str) -> str:
    """The source with `name = property(get_name)` in place of decorators, and such functions in place of flags.

    >>> print(with_functions("class A:\\n    flag: ClassVar[bool] = True\\n    other = False"))
    class A:
        def get_flag(self): return True
        flag = type("Flag", (), {"__get__": lambda flag, model, kind: kind.get_flag(model)})()
        def get_other(self): return False
        other = type("Flag", (), {"__get__": lambda flag, model, kind: kind.get_other(model)})()
    """
    lines = source.splitlines()
    places = [node for kind in ast.walk(ast.parse(source)) if isinstance(kind, ast.ClassDef) for node in kind.body]
    for node in sorted(places, key=lambda node: -node.lineno):
        if isinstance(node, ast.FunctionDef) and [ast.unparse(name) for name in node.decorator_list] == ["property"]:
            lines.insert(node.end_lineno or node.lineno, f"    {node.name} = property(get_{node.name})")
            lines[node.lineno - 1] = lines[node.lineno - 1].replace(f"def {node.name}(", f"def get_{node.name}(")
            del lines[node.decorator_list[0].lineno - 1]
        annotation = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else "ClassVar[bool]"
        if (
            isinstance(node, ast.Assign | ast.AnnAssign)
            and annotation == "ClassVar[bool]"
            and ast.unparse(node.value or node) in ("True", "False")
        ):
            *targets, shown = lines[node.lineno - 1].strip().split(" = ")
            names = [target.partition(":")[0] for target in targets]
            lines[node.lineno - 1] = "\n".join(
                f"    def get_{name}(self): return {shown}\n    {name} = {FLAG.format(name=name)}" for name in names
            )
    return "\n".join(lines)


def verdicts() -> dict[str, dict[str, int | None]]:
    """How pytest ended for each mutant of each module."""
    found = {}
    for meta in sorted((WORK / "mutants").rglob("*.py.meta")):
        module = str(meta.relative_to(WORK / "mutants" / "src" / "shoal")).removesuffix(".meta")
        found[module] = json.loads(meta.read_text())["exit_code_by_key"]
    return {module: ends for module, ends in found.items() if ends}


def kind(end: int | None) -> str:
    """The word for how pytest ended."""
    if end is None:
        return "not run"
    if end in UNTESTED:
        return "untested"
    return "survived" if end == SURVIVED else "killed" if end in FAILED else "timed out"


def main(names: list[str]) -> None:
    """Run the mutants that are named, or all anew; print the counts of each module and where the differences are."""
    if not names:
        forgotten()
    prepared()
    mutmut = [str(Path(sys.executable).with_name("mutmut"))]
    subprocess.run([*mutmut, "run", "--max-children", "2", *names], cwd=WORK, check=True)
    kinds = ("killed", "timed out", "survived", "untested", "not run")
    print(f"\n{'module':32}" + "".join(f"{name:>11}" for name in kinds))
    total: Counter[str] = Counter()
    shown = []
    for module, ends in verdicts().items():
        counts = Counter(map(kind, ends.values()))
        total += counts
        print(f"{module:32}" + "".join(f"{counts[name]:11}" for name in kinds))
        shown += [name for name, end in ends.items() if kind(end) in ("survived", "untested")]
    print(f"{'all':32}" + "".join(f"{total[name]:11}" for name in kinds))
    texts = [subprocess.run([*mutmut, "show", name], cwd=WORK, capture_output=True, text=True).stdout for name in shown]
    (WORK / "survivors.diff").write_text("\n".join(texts))
    print(f"\nThe {len(shown)} changes that no test saw: {(WORK / 'survivors.diff').relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
