"""Local recoding by the clock, Ctrl-C while it goes on, and large classes."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from pace import stopwatch
from shoal.algorithms.local_recoding.local_recoding import LocalRecoding
from shoal.algorithms.local_recoding.lower_bound import least_loss
from shoal.algorithms.local_recoding.ruin_and_recreate import Pace, Recreation, Rounds
from shoal.algorithms.row_moves import measure_of
from shoal.data.domain import NumericDomain, SetDomain
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.compilations import clock
from shoal.kernels.local_recoding.ruin_and_recreate import MAX_ROWS_IN_PAIRS
from shoal.metrics import METRICS
from shoal.models import KAnonymity
from shoal.system.interrupts import deferred

MODEL = KAnonymity(5)
NO_SIGINT = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for others")


def numbers_table(rows, values):
    """Random numbers and words."""
    random = np.random.RandomState(0)
    numbers = NumericDomain(tuple(map(str, range(values))), -1, np.arange(float(values)))
    words = SetDomain(tuple("abcdefgh"))
    codes = [random.randint(0, values, rows), random.randint(0, values, rows), random.randint(0, 8, rows)]
    return Table(
        quasi=("x", "y", "word"),
        domains=(numbers, numbers, words),
        codes=np.stack(codes, axis=1).astype(np.int32),
        sensitive=(),
        sensitive_domains=(),
        sensitive_codes=np.zeros((rows, 0), np.int32),
        weights=np.ones(rows, np.int64),
    )


@pytest.fixture(scope="module")
def table():
    found = numbers_table(1000, 200)
    LocalRecoding("fast").recode(found, MODEL)  # so that nothing has to be compiled later
    return found


def press_after(seconds):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.alone("measures time")
def test_it_takes_as_long_as_it_may(table):
    LocalRecoding(0.01).recode(table, MODEL)
    began = time.monotonic()
    recoding = LocalRecoding(1).recode(table, MODEL)
    assert 0.9 < time.monotonic() - began < 10
    assert recoding.sizes.min() >= 5
    fast = LocalRecoding("fast").recode(table, MODEL)
    assert METRICS["loss"](table, recoding) <= METRICS["loss"](table, fast) * 1.02


def test_it_ends_where_nothing_is_lost():
    rows = numbers_table(50, 10)
    often = replace(
        rows,
        codes=np.repeat(rows.codes, 5, axis=0),
        sensitive_codes=np.zeros((250, 0), np.int32),
        weights=np.ones(250, np.int64),
    )
    began = time.monotonic()
    assert METRICS["loss"](often, LocalRecoding(60).recode(often, MODEL)) == 0
    assert time.monotonic() - began < 30


def test_it_ends_where_all_rows_are_one_class():
    few = numbers_table(9, 200)
    began = time.monotonic()
    recoding = LocalRecoding(60).recode(few, MODEL)
    assert time.monotonic() - began < 30
    assert recoding.sizes.tolist() == [9]


@NO_SIGINT
def test_ctrl_c_ends_the_rounds_and_keeps_the_best(table):
    ids = (np.argsort(np.argsort(table.codes[:, 0], kind="stable")) // 5).astype(np.int32)
    found = Recreation.of(table, MODEL, measure_of(table, "loss"), ids, 0)
    before, usual = found.cost, signal.getsignal(signal.SIGINT)
    began, timer = time.monotonic(), press_after(1)
    try:
        rounds = Rounds()
        found.improve(Pace.by_clock(1000, 60), lambda share: None, rounds)
        assert rounds.stopped
    finally:
        timer.join()
    assert time.monotonic() - began < 20
    assert signal.getsignal(signal.SIGINT) is usual
    assert found.least == Recreation.of(table, MODEL, measure_of(table, "loss"), found.best, 0).cost < before
    assert np.bincount(found.best).min() >= 5


@NO_SIGINT
@pytest.mark.alone("measures time")
@pytest.mark.parametrize(("effort", "share"), [(60, 0.25), (5, 0.26)], ids=["of a start", "of the best start"])
def test_ctrl_c_ends_the_search_and_releases_the_best_so_far(table, effort, share):
    timers = []

    def progress(now):
        if not timers and now >= share:
            timers.append(press_after(0.3))

    began = time.monotonic()
    recoding = LocalRecoding(effort).recode(table, MODEL, progress=progress)
    timers[0].join()
    assert time.monotonic() - began < effort / 2
    assert recoding.sizes.min() >= 5
    assert recoding.certificate.interrupted


@NO_SIGINT
def test_ctrl_c_twice_is_raised():
    with deferred() as pressed:
        assert not pressed()
        signal.raise_signal(signal.SIGINT)
        assert pressed()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.deep("measures time on 16,000 rows")
def test_large_classes_take_no_more_room_or_time_than_small_ones():
    """Every two values of 16,000 rows as a table would be 2 GB, and a round for each of many orders minutes."""
    rows = 4 * MAX_ROWS_IN_PAIRS
    wide = numbers_table(rows, rows)
    with stopwatch() as watch:
        recoding = LocalRecoding("fast").recode(wide, KAnonymity(MAX_ROWS_IN_PAIRS // 4))
    assert watch.seconds < 30
    assert recoding.sizes.min() >= MAX_ROWS_IN_PAIRS // 4
    assert LocalRecoding("fast").recode(wide, KAnonymity(MAX_ROWS_IN_PAIRS)).sizes.min() >= MAX_ROWS_IN_PAIRS


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ({"age": 2}, "'age' is not a quasi-identifier: choose from x, y, word."),
        ({"x": 0, "y": 0.0, "word": 0}, "Every weight is 0: give at least one attribute a weight."),
    ],
)
def test_weights_that_do_not_fit_the_table_are_refused(table, weights, sentence):
    with pytest.raises(InputError) as refused:
        LocalRecoding(weights=weights).recode(table, MODEL)
    assert str(refused.value) == sentence


def test_weights_are_whole_parts_of_the_largest(table):
    assert LocalRecoding().whole_weights(table) is None
    assert LocalRecoding(weights={"x": 3, "word": 0.5}).whole_weights(table) == [6, 2, 1]
    assert LocalRecoding(weights={"x": 1, "y": 7}).whole_weights(table) == [1, 7, 1]
    assert LocalRecoding(weights={"x": 1e308, "y": 0}).whole_weights(table) == [10**6, 0, 1]


def test_the_bound_of_a_number_of_seconds_holds_however_little_time_is_left(table):
    fixed = LocalRecoding("fast").recode(table, MODEL).certificate
    hurried = LocalRecoding(0.01).recode(table, MODEL).certificate
    assert 0 < hurried.bound <= hurried.loss
    assert hurried.bound <= fixed.bound  # no round of it was raised
    measure = measure_of(table, "loss")
    base = least_loss(table, measure, 5, rounds=0)
    assert least_loss(table, measure, 5, rounds=3, deadline=clock()) == base
    assert least_loss(table, measure, 5, rounds=3, deadline=clock() + 600) == least_loss(table, measure, 5, rounds=3)


def test_progress_tells_the_loss_the_bound_and_the_time_left(table):
    for effort, pattern in (
        ("fast", r"loss 0\.\d+, at best 0\.\d+, about \d+ s left"),
        (0.3, r"loss 0\.\d+, \d+ s left"),
    ):
        notes = []
        LocalRecoding(effort).recode(table, MODEL, progress=lambda share: notes.append(getattr(share, "note", "")))  # noqa: B023
        assert any(re.fullmatch(pattern, note) for note in notes), notes
