"""Runs the benchmarks one after another, keeps what they note in figures/, and writes the pages anew (`make bench`).

    python benchmarks/run.py [NAME ...]

A benchmark that fails does not stop the others; its earlier figures stay, and the exit code tells. The figures of the
docs are those on the tables of other tools and courses, which SHOAL_REFERENCE_DATA names.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import figures  # noqa: E402

PEERS = ["--peers", ".venv-peers/bin/python"]
PYCANON = ["--pycanon", ".venv-peers-pycanon/bin/python"]
BENCHMARKS: dict[str, list[str]] = {
    "first_use": [],
    "mondrian": PEERS,
    "assess": PYCANON,
    "full_domain": ["--peers", ".venv-peers-full-domain/bin/python", "--rows", "1000000", "--time-limit", "10"],
    "full_domain_models": [],
    "local_recoding": [*PEERS, "--parts", "arx,peers,models,suppression,default,hospital,rows"],
    "scale": [],
    "mysql": [],
    "verification": PYCANON,
    "hospital": [],
    "people": [],
    "people_bags": [],
    "people_at_scale": [],
    "review": [],
    "range_ends": ["--shipped"],
    "minimality": [],
    "any_size": ["--growth", "--algorithm", "mondrian"],
    "wide_sensitive": [*PYCANON, "--rows", "300000", "--different", "1000000", "--checked", "1500"],
    "spark": ["--master", "local[2]"],
    "workbench": [],
    "clustering": [],
    "course": [],
}


def main() -> None:
    """Run all benchmarks or those that are named."""
    asked = sys.argv[1:] or list(BENCHMARKS)
    if unknown := [name for name in asked if name not in BENCHMARKS]:
        sys.exit(f"There is no benchmark {unknown[0]!r}. There are: {', '.join(BENCHMARKS)}.")
    if "SHOAL_REFERENCE_DATA" not in os.environ:
        print("SHOAL_REFERENCE_DATA names no folder: what is measured on its tables keeps its earlier figures.")
    problems = [problem for name in asked for problem in run(name)]
    problems += write_pages()
    print("\n".join(problems) or "All done.")
    sys.exit(bool(problems))


def run(name: str) -> list[str]:
    """Run a benchmark and keep its figures; return what went wrong."""
    command = command_of(name)
    print(f"\n$ {command}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        notes.touch()
        load, start = os.getloadavg()[0], time.perf_counter()
        environment = os.environ | {"SHOAL_FIGURES": str(notes)}
        done = subprocess.run([sys.executable, *command.split()[1:]], cwd=ROOT, env=environment)
        seconds = time.perf_counter() - start
        found: dict[str, float] = {}
        for line in notes.read_text("utf-8").splitlines():
            found |= json.loads(line)
    print(f"{name}: {seconds:.0f} s", flush=True)
    if done.returncode:
        return [f"{name} failed (exit code {done.returncode}): its earlier figures stay."]
    wanted = {figure for benchmark, figure in figures.shown_by_pages() if benchmark == name}
    if lacking := sorted(wanted - found.keys()):
        return [
            f"{name} did not measure {lacking[0]} ({len(lacking)} in all), which pages show: its earlier figures "
            "stay. Are the other tools installed, and does SHOAL_REFERENCE_DATA name their tables?"
        ]
    about = {"command": command, **machine(), "load_before": round(load, 1), "seconds": round(seconds)}
    figures.KEPT.mkdir(exist_ok=True)
    text = json.dumps(about | {"figures": found}, indent=1, ensure_ascii=False)
    (figures.KEPT / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    return []


def command_of(name: str) -> str:
    """Return the command line of a benchmark."""
    return " ".join(["python", f"benchmarks/{name}.py", *BENCHMARKS[name]])


def machine() -> dict[str, object]:
    """Return the day, the machine and Python."""
    info = Path("/proc/cpuinfo")
    models = [line for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "date": date.today().isoformat(),
        "processor": models[0].partition(":")[2].strip() if models else platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(memory / 1e9),
        "system": platform.system(),
        "python": platform.python_version(),
        "reference_data": "SHOAL_REFERENCE_DATA" in os.environ,
    }


def write_pages() -> list[str]:
    """Write the figures into the pages, and draw how time and memory grow; return what went wrong."""
    problems = []
    for script in ("figures.py", "algorithm_pictures.py"):
        if subprocess.run([sys.executable, str(ROOT / "scripts" / script)], cwd=ROOT).returncode:
            problems.append(f"scripts/{script} failed: see above.")
    return problems


if __name__ == "__main__":
    main()
