"""Too little memory: one sentence that says what to do, and the old files."""

from __future__ import annotations

import sys

import pytest

from faults.writers import ALL

SENTENCE = (
    "shoal: there is not enough memory. Let shoal anonymize read a CSV or Parquet file part by part with --memory 1GB, "
    "or free some.\n"
)
MIB = 1 << 20


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is one of Linux")
@pytest.mark.parametrize("name", ["large"])
def test_too_little_memory_leaves_the_old_files(cases, name):
    case = cases(name)
    told = 0
    for size in range(0, 400, 10) if ALL else (20, 60, 100, 150):
        case.reset()
        ended = case.run({"kind": "memory", "bytes": size * MIB})
        assert case.hidden() == []
        if ended["code"] == 0:
            assert case.seen() == case.new
            continue
        assert (ended["code"], ended["err"]) == (2, SENTENCE), (size, ended)
        assert case.seen() == case.old
        told += 1
    assert told
