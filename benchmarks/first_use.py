"""The first use of shoal and later ones: CPU seconds of whole processes, and what they compile.

Each case runs in a fresh process with an empty cache of kernels, then in another with what the first has compiled.
Python's own bytecode is there in both, as after an installation. With SHOAL_REFERENCE_DATA, a full-domain run from CSV
to CSV is that of the folder `arx`; with --wheel FILE, `shoal demo` also runs in a new environment from that wheel.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from notes import note
from pyarrow import csv

import shoal

ADULT = "workclass,education,marital-status,race,sex,native-country"
WATCHED = """
import json, sys
from shoal.cli import main
try:
    main()
finally:
    from shoal.kernels.compilations import COMPILATIONS
    json.dump({"kernels": COMPILATIONS.names, "seconds": COMPILATIONS.seconds}, open(sys.argv[0], "w"))
"""


NAMES = {  # of the figures
    "demo": "demo",
    "Mondrian": "mondrian",
    "full-domain": "full_domain",
    "full-domain, CSV to CSV, 30,162 rows": "full_domain_arx",
    "demo, from the wheel": "wheel",
}


def cases(folder: Path) -> dict[str, list[str]]:
    """The command lines, by name."""
    table = folder / "adult.csv"
    csv.write_csv(shoal.datasets.adult().select(["age", *ADULT.split(","), "occupation"]), table)
    trees = folder / "trees"
    trees.mkdir()
    for name, tree in shoal.datasets.adult_hierarchies().items():
        tree.save(trees / f"{name}.txt")
    asked = ["anonymize", str(table), "--quasi", f"age,{ADULT}", "--sensitive", "occupation", "--k", "10"]
    asked += ["--hierarchies", str(trees), "-o", str(folder / "safe.csv"), "--algorithm"]
    found = {
        "demo": ["demo"],
        "Mondrian": [*asked, "mondrian"],
        "full-domain": [*asked, "full-domain"],
    }
    if reference := os.environ.get("SHOAL_REFERENCE_DATA"):
        found["full-domain, CSV to CSV, 30,162 rows"] = arx(Path(reference) / "arx", folder)
    return found


def arx(source: Path, folder: Path) -> list[str]:
    """The nine columns of ARX's Adult table, k = 5, with up to 5 % of the rows suppressed."""
    trees = folder / "arx"
    trees.mkdir()
    names = []
    for path in sorted(source.glob("adult_hierarchy_*.csv")):
        names.append(path.stem.removeprefix("adult_hierarchy_"))
        (trees / f"{names[-1]}.csv").write_bytes(path.read_bytes())
    asked = ["anonymize", str(source / "adult.csv"), "--separator", ";", "--quasi", ",".join(names), "--k", "5"]
    asked += ["--hierarchies", str(trees), "--max-suppression", "0.05", "--algorithm", "full-domain"]
    return [*asked, "-o", str(folder / "arx.csv")]


def cpu_seconds(command: list[str], **more: str) -> float:
    """The CPU seconds of a process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | more
    done = subprocess.run(command, env=environment, cwd=tempfile.gettempdir(), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show(name: str, first: float, later: float, compiled: dict[str, object]) -> None:
    kernels = compiled["kernels"]
    note(NAMES[name], first=first, later=later)
    print(f"{name:40} {first:6.2f} {later:7.2f}   {len(kernels):3} kernels in {compiled['seconds']:.1f} s")


def use(name: str, arguments: list[str], folder: Path) -> None:
    """Run a command line twice, and show what each run takes."""
    notes = folder / "compiled.json"
    with tempfile.TemporaryDirectory() as cache:
        script = f"import sys; sys.argv[0] = {str(notes)!r}\n{WATCHED}"
        command = [sys.executable, "-c", script, *arguments]
        first = cpu_seconds(command, NUMBA_CACHE_DIR=cache)
        compiled = json.loads(notes.read_text())
        later = min(cpu_seconds(command, NUMBA_CACHE_DIR=cache) for _ in range(3))
    show(name, first, later, compiled)


def use_wheel(wheel: Path) -> None:
    """Install a wheel into a new environment, and show what the first demo there takes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder, "bin", "python"))
        subprocess.run([python, "-m", "pip", "install", "--quiet", wheel.absolute()], check=True)
        notes = Path(folder, "compiled.json")
        script = f"import sys; sys.argv[0] = {str(notes)!r}\n{WATCHED}"
        command, alone = [python, "-c", script, "demo"], {"PYTHONPATH": "", "NUMBA_CACHE_DIR": ""}
        first = cpu_seconds(command, **alone)
        compiled = json.loads(notes.read_text())
        later = min(cpu_seconds(command, **alone) for _ in range(3))
    show("demo, from the wheel", first, later, compiled)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, help="also run the demo from this wheel, in a new environment")
    parser.add_argument("--only", help="only the cases whose name begins so")
    options = parser.parse_args()
    print(f"{'CPU s':40} {'first':>6} {'later':>7}   compiled at first")
    for code in ("import shoal", "from shoal.cli import main; main()"):
        seconds = min(cpu_seconds([sys.executable, "-c", code, *["--help"]]) for _ in range(5))
        note("import" if code == "import shoal" else "help", later=seconds)
        print(f"{code if code == 'import shoal' else 'shoal --help':40} {'':6} {seconds:7.2f}")
    with tempfile.TemporaryDirectory() as temporary:
        for case, arguments in cases(Path(temporary)).items():
            if case.startswith(options.only or ""):
                use(case, arguments, Path(temporary))
    if options.wheel:
        use_wheel(options.wheel)
