"""Too little memory: a message that says what to do, and the old files stay."""

from __future__ import annotations

import signal
import sys

import pytest

from faults.writers import ALGORITHM, ALL, ROLES

ROWS = 1_500_000
SENTENCE = (
    "shoal: there is not enough memory. Let shoal anonymize read a CSV or Parquet file in parts with --memory 1GB, "
    "or free some memory.\n"
)


@pytest.fixture(scope="module")
def folder(cases, room):
    """A folder with a table that needs a few hundred megabytes."""
    cases("csv")  # loads everything that this run needs
    place = room / "large"
    place.mkdir()
    lines = "".join(f"n{row},{18 + row % 60},{'fm'[row % 2]},{row},flu{row % 7}\n" for row in range(1000))
    (place / "in.csv").write_text("name,age,sex,zip,disease\n" + lines * (ROWS // 1000))
    return place


@pytest.mark.alone("fills memory")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is one of Linux")
@pytest.mark.parametrize("megabytes", range(0, 200, 10) if ALL else (0, 40))
def test_too_little_memory_leaves_the_old_files(warm, folder, megabytes):
    names = ("safe.csv", "safe.json")
    for name in names:
        (folder / name).write_text("old")
    words = ["anonymize", "in.csv", *ROLES, *ALGORITHM, "--k", "5", "-o", "safe.csv", "--report", "safe.json"]
    ended = warm.ask(folder, words, {"kind": "memory", "bytes": megabytes << 20})
    assert sorted(path.name for path in folder.iterdir()) == ["in.csv", *names]
    if megabytes > 60 and ended["code"] == 0:
        assert (folder / "safe.csv").read_text().count("\n") == ROWS + 1
        return
    if ended["code"] == -signal.SIGABRT:  # Arrow and LLVM abort the process if they cannot go on
        assert any(sentence in ended["err"] for sentence in ("Out of memory", "Unable to allocate section memory"))
    else:
        assert (ended["code"], ended["err"]) == (2, SENTENCE), ended
    assert [(folder / name).read_text() for name in names] == ["old", "old"]
