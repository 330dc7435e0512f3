"""The command line as a process: what it loads, how it is interrupted, and what it leaves behind."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from typer.main import get_command

from depth import every
from shoal.cli.app import app

HEAVY = ["matplotlib", "narwhals", "numba", "numpy", "pandas", "polars", "pyarrow"]
COMMAND = "from shoal.cli import main; main()"
LINE = [
    "anonymize",
    "patients.csv",
    "--quasi",
    "age,sex",
    "--identifying",
    "name",
    "--k",
    "3",
    "--accept",
    "range-ends,rare-value",
    "-o",
    "safe.csv",
]


def python(code, *arguments, **options):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60, check=False, **options
    )


def commands(group=None, path=()):
    """Yield every command and group as words."""
    group = group or get_command(app)
    yield path
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_every_help_shows_an_example(run, words):
    result = run(" ".join([*words, "--help"]))
    assert result.exit_code == 0
    lines = [line.strip() for line in result.stdout.splitlines()]
    example = next(at for at, line in enumerate(lines) if line in ("Example", "Examples"))
    assert any(line.startswith(" ".join(["shoal", *words])) for line in lines[example:])


@pytest.mark.parametrize("words", [[], ["anonymize"]], ids=["shoal", "anonymize"])
@pytest.mark.usefixtures("shipped_patients")
def test_the_examples_with_the_shipped_patients_run(run, words):
    said = run(" ".join([*words, "--help"])).stdout
    lines = [" ".join(line.split()) for line in re.split(r"\n\s*\n", said)]
    examples = [line for line in lines if line.startswith("shoal anonymize patients.csv")]
    assert examples
    for example in examples:
        assert run(example.removeprefix("shoal ")).exit_code == 0


def test_importing_shoal_loads_nothing_heavy():
    code = f"import sys, shoal; print([name for name in {HEAVY} if name in sys.modules])"
    assert python(code).stdout == "[]\n"


@pytest.mark.parametrize(
    "arguments", [["--help"], ["anonymize", "--help"], ["--version"], ["hierarchy", "build", "--help"]]
)
def test_help_loads_nothing_heavy(arguments):
    code = f"""
import sys
from shoal.cli import main
try:
    main()
except SystemExit as end:
    print(end.code, [name for name in {HEAVY} if name in sys.modules])
"""
    assert python(code, *arguments).stdout.splitlines()[-1] == "0 []"


def test_json_is_all_that_a_process_prints(folder):
    result = python(COMMAND, *LINE, "--json")
    assert json.loads(result.stdout)["k"] == 3
    assert (result.returncode, result.stderr) == (0, "")


def test_a_terminal_that_knows_only_ascii_is_served(folder):
    (folder / "t.csv").write_text("größe\n1\n1\n")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    shown = python(COMMAND, "anonymize", "t.csv", "--quasi", "größe", "--k", "2", env=ascii_only)
    assert (shown.returncode, "gr??e" in shown.stdout) == (0, True)
    found = python(COMMAND, "assess", "t.csv", "--quasi", "größe", "--sensitive", "", "--json", env=ascii_only)
    assert json.loads(found.stdout)["k"] == 2
    refused = python(COMMAND, "assess", "t.csv", "--quasi", "grösse", env=ascii_only)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_a_closed_pipe_is_no_error(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *LINE, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(60), errors) == (0, "")


BEST_SO_FAR = "shoal: the search was interrupted: this is the best release so far.\n"
WRITING = """
def slow(table, file, kind, dialect):
    file.write_text("half")
    wait()
files.write = slow
"""
RECODING = """
def slow(self, table, model, **options):
    wait()
LocalRecoding.recode = slow
"""
READING = """
def slow(*arguments, **options):
    wait()
files.read = slow
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for others")
@pytest.mark.parametrize("slow", [READING, RECODING, WRITING], ids=["reading", "recoding", "writing"])
def test_ctrl_c_leaves_the_old_file_and_nothing_else(folder, slow):
    (folder / "safe.csv").write_text("old")
    code = f"""
import time
from shoal.io import files
from shoal.algorithms import LocalRecoding
from shoal.cli import main
def wait():
    print("now", flush=True)
    for _ in range(600):  # a signal just before a sleep ends it as late as its own end
        time.sleep(0.1)
{slow}
main()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *LINE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "now\n"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (130, "", "shoal: interrupted; no half-written file is left.\n")
    assert (folder / "safe.csv").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["patients.csv", "safe.csv"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for others")
def test_ctrl_c_in_a_search_releases_the_best_so_far(folder):
    rows = [",".join(str((row * (j + 3)) ** 2 % 7) for j in range(20)) for row in range(400)]
    (folder / "wide.csv").write_text("\n".join([",".join(f"q{j}" for j in range(20)), *rows]) + "\n")
    code = """
import time
from shoal.cli import main
from shoal.algorithms.full_domain.branch_and_bound import Search
follow = Search._follow
def told(self, levels, *lists):
    if len(levels) == 4:
        print("now", flush=True)
        while not self._pressed():
            time.sleep(0.01)
    follow(self, levels, *lists)
Search._follow = told
main()
"""
    quasi = ",".join(f"q{j}" for j in range(20))
    line = f"anonymize wide.csv --quasi {quasi} --k 3 --algorithm full-domain --max-suppression 0.1 -o safe.csv"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *shlex.split(line)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "now\n"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, BEST_SO_FAR)
    assert "stopped (interrupted) with" in " ".join(output.split())
    assert len((folder / "safe.csv").read_text().splitlines()) == 401


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for others")
@pytest.mark.alone("measures time")
@pytest.mark.parametrize("options", every(2, ["", "--sensitive ill --l 2"]), ids=["by size", "judged"])
def test_ctrl_c_is_answered_within_a_long_round(folder, options):
    """A round of this search takes more than a minute, and Ctrl-C comes within a second or two."""
    random = np.random.RandomState(1)
    cells = np.column_stack([*(random.randint(0, 300, 3000) for _ in range(4)), random.randint(0, 9, 3000)])
    (folder / "many.csv").write_text("a,b,c,d,ill\n" + "\n".join(",".join(map(str, row)) for row in cells) + "\n")
    code = """
from shoal.algorithms.local_recoding import ruin_and_recreate
from shoal.cli import main
ruin_and_recreate.Pace.by_work = classmethod(lambda cls, *how: cls(100, 10**11))
plain = ruin_and_recreate.Recreation._stops
def told(self):
    if not hasattr(self, "seen"):
        self.seen = print("now", flush=True)
    return plain(self)
ruin_and_recreate.Recreation._stops = told
main()
"""
    line = f"anonymize many.csv --quasi a,b,c,d --k 5 {options} --algorithm local --set effort=fast -q -o safe.csv"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *shlex.split(line)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "now\n"
    time.sleep(1)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline() == BEST_SO_FAR
    assert time.monotonic() - sent < 5  # 2 where the machine has nothing else to do
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert len((folder / "safe.csv").read_text().splitlines()) == 3001


SWALLOWED = """
import ctypes, importlib, signal, sys, types
import shoal.cli

send = lambda: signal.raise_signal(int(sys.argv[1]))
called_back = types.FunctionType(send.__code__, {**globals(), "__name__": "llvmlite.binding"})

def command():
    ctypes.CFUNCTYPE(None)(called_back)()  # as LLVM tells llvmlite that an object is compiled
    print("back", flush=True)
    import time
    for _ in range(600):
        time.sleep(0.1)

app = types.ModuleType("app")
app.app = command
sys.modules["app"] = app
shoal.cli.run("app")
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_llvm_calls_back_ends_the_command_afterwards(number, code):
    """ctypes prints an exception of a callback and goes on, so that nothing would have ended."""
    result = python(SWALLOWED, str(int(number)))
    assert result.stdout == "back\n"
    assert result.returncode == code, result.stderr
    assert "ignored" not in result.stderr
    assert "no half-written file is left" in result.stderr
