"""Fixtures of the fault tests: a process with everything imported, and the command lines that write."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from faults.writers import ALL, WRITERS

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")


class Warm:
    """A process with everything imported that runs each command line in a fork."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(Path(__file__).parent / "warm.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"},
        )

    def ask(self, folder: Path, words: list[str], fault: dict | None = None, **others) -> dict:
        """Run a command line in a folder with a fault."""
        request = {"folder": str(folder), "words": words, "fault": fault, "log": str(self.place / "log"), **others}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the warm process has died"
        return json.loads(line)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(30)


class Case:
    """A command line that writes files, with the state of its outputs before and after."""

    def __init__(self, warm: Warm, name: str, place: Path) -> None:
        self.warm, self.name, self.writer = warm, name, WRITERS[name]
        self.template, self.folder = place / "template", place / "folder"
        self.template.mkdir()
        self.writer.prepare(self.template)
        for words in self.writer.before:
            ended = warm.ask(self.template, words, warm=True)
            assert ended["code"] == 0, ended
        self.old = self.seen(self.template)
        self.reset()
        ended = self.run()
        assert ended["code"] == 0, ended
        self.steps = ended["steps"]
        self.new = self.seen()
        assert self.hidden() == []
        assert all(self.old[output] != self.new[output] for output in self.writer.outputs), "old and new are the same"
        self.repaired: set[str] = set()
        self.reset()

    def reset(self) -> None:
        """Restore the folder to its state before the run."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder)

    def run(self, fault: dict | None = None) -> dict:
        return self.warm.ask(self.folder, self.writer.words, fault)

    def seen(self, folder: Path | None = None) -> dict:
        """Return what a reader finds in each output; None if the output does not exist."""
        folder = folder or self.folder
        return {output: self.writer.read(folder / output) for output in self.writer.outputs}

    def hidden(self) -> list[str]:
        """Return the names of all files other than inputs and outputs."""
        known = {*self.writer.outputs, *(path.name for path in self.template.iterdir())}
        return sorted(path.name for path in self.folder.iterdir() if path.name not in known)

    def check_whole(self) -> None:
        """Check that each output is the old or the new one, and that all are new if the release is."""
        found = self.seen()
        for output, content in found.items():
            assert content in (self.old[output], self.new[output]), f"{output} is neither the old one nor the new one"
        if self.writer.release_last and found[self.writer.outputs[0]] == self.new[self.writer.outputs[0]]:
            assert found == self.new

    def check_next_run(self) -> None:
        """Check that another run makes the new outputs and cleans up; once for each kind of state, unless ALL."""
        left = [re.sub("[0-9]+-[0-9a-f]{8}", "", name) for name in self.hidden()]
        state = repr((left, [self.seen()[output] == self.new[output] for output in self.writer.outputs]))
        if state in self.repaired and not ALL:
            return
        self.repaired.add(state)
        ended = self.run()
        if ended["code"] == 2 and "the folder is not empty" in ended["err"]:
            assert self.seen() == self.new
        else:
            assert (ended["code"], ended["err"].count("Traceback")) == (0, 0), ended
            assert self.seen() == self.new
        assert self.hidden() == []


@pytest.fixture(scope="session")
def room():
    """A folder in memory if possible, so that no test waits for a disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as place:
        yield Path(place)


@pytest.fixture(scope="session")
def warm(room):
    """The process that runs the commands."""
    process = Warm(room)
    yield process
    process.close()


@pytest.fixture(scope="session")
def cases(warm, room):
    """A function that returns the case with this name, prepared once."""
    made: dict[str, Case] = {}

    def case(name: str) -> Case:
        if name not in made:
            (room / name).mkdir()
            made[name] = Case(warm, name, room / name)
        made[name].reset()
        return made[name]

    return case
