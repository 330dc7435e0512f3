"""Ctrl-C and SIGTERM, at each step and at any time."""

from __future__ import annotations

import signal

import pytest

from faults.writers import ALL, QUICK

SIGNALS = {
    signal.SIGINT: (130, "shoal: interrupted; no half-written file is left.\n"),
    signal.SIGTERM: (143, "shoal: ended by a signal; no half-written file is left.\n"),
    signal.SIGHUP: (129, "shoal: ended by a signal; no half-written file is left.\n"),
}
WHOLE = [name for name in QUICK if name != "lattice"]  # its search ends at Ctrl-C with the best release so far
TWO = [signal.SIGINT, signal.SIGTERM]


def pairs(numbers, names):
    """Each signal with each writer; unless ALL are asked for, --depth=quick takes one signal for each writer."""
    deep = pytest.mark.deep("the other signal comes at the same steps")
    for at, number in enumerate(numbers):
        for turn, name in enumerate(names):
            marks = deep if (at + turn) % 2 and not ALL else ()
            yield pytest.param(number, name, id=f"{number.name}-{name}", marks=marks)


AT_STEPS = list(pairs(SIGNALS if ALL else TWO, QUICK if ALL else ["views", "memory", "folder", "sqlite"]))
AT_TIMES = list(pairs(TWO, WHOLE if ALL else ["views", "memory"]))


def check(case, ended, number):
    """Check that all files are old or all are new, with no others, and one message."""
    assert case.hidden() == []
    if ended["code"] == 0:  # the run had finished
        assert case.seen() == case.new
        assert not ended["err"] or ended["err"].startswith("Exception ignored")  # raised in a library that goes on
        return
    # DuckDB takes any signal within its queries for Ctrl-C.
    endings = [SIGNALS[number], *([SIGNALS[signal.SIGINT]] if case.name == "duckdb" else [])]
    assert (ended["code"], ended["err"]) in endings
    assert case.seen() in (case.old, case.new)


@pytest.mark.parametrize(("number", "name"), AT_STEPS)
def test_a_signal_at_any_step_leaves_one_set(cases, name, number):
    case = cases(name)
    for step in range(1, case.steps + 1):
        case.reset()
        check(case, case.run({"kind": "signal", "number": number, "at": step}), number)


@pytest.mark.parametrize(("number", "name"), AT_TIMES)
def test_a_signal_at_any_time_leaves_one_set(cases, name, number):
    case = cases(name)
    for moment in range(60 if ALL else 8):
        case.reset()
        ended = case.run({"number": number, "after": 0.02 + moment * (0.005 if ALL else 0.02)})
        if ended["code"] == -number or not ended["err"]:  # before it began, or after it finished
            assert ended["code"] in (0, -number, SIGNALS[number][0])
            assert case.seen() in (case.old, case.new)
            assert case.hidden() == []
        else:
            check(case, ended, number)
