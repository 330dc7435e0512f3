"""A search by local recoding that Ctrl-C has ended is repeated by the number of its rounds."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import shoal
from depth import every
from shoal.algorithms.local_recoding.local_recoding import LocalRecoding
from shoal.algorithms.local_recoding.ruin_and_recreate import Recreation
from shoal.data.encoding import encode
from shoal.data.style import Style
from shoal.models import Closeness, DistinctDiversity, FrequencyDiversity, KAnonymity

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for others"),
    pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning"),
]
ROWS = 400


def columns():
    random = np.random.RandomState(3)
    return {
        "x": random.randint(0, 90, ROWS),
        "y": random.randint(0, 40, ROWS),
        "word": random.choice(list("abcdef"), ROWS),
        "disease": random.choice(["flu", "cold", "mumps"], ROWS),
    }


def encoded(model):
    frame = pa.table(columns())
    secret = ["disease"] if model.uses_sensitive else []
    arrays = {name: frame[name] for name in ["x", "y", "word", *secret]}
    return encode(arrays, quasi=["x", "y", "word"], sensitive=secret, guides={}, missing_values=(), style=Style())


def press_in_round(number, monkeypatch):
    """Press Ctrl-C while the round of this number goes on, whichever part of the search it belongs to."""
    done, usual = [], Recreation.round

    def round_(self, heat, work):
        usual(self, heat, work)
        done.append(heat)
        if len(done) == number:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Recreation, "round", round_)
    return done


CASES = [
    (KAnonymity(5), "fast"),
    (KAnonymity(5), "balanced"),
    (KAnonymity(3) & FrequencyDiversity(1.5), "balanced"),
    (KAnonymity(4) & Closeness(0.5), "balanced"),
    (KAnonymity(4) & Closeness(0.5), "fast"),
    (KAnonymity(2) & DistinctDiversity(2), "balanced"),
]


@pytest.mark.parametrize("part", every(5, [0.5, 0, 0.2, 0.9, 1]))
@pytest.mark.parametrize(("model", "effort"), every(2, CASES), ids=str)
def test_the_same_classes_after_as_many_rounds(model, effort, part, monkeypatch):
    table = encoded(model)
    whole = LocalRecoding(effort).recode(table, model)
    assert not whole.certificate.interrupted
    number = max(1, round(part * whole.certificate.rounds))
    with monkeypatch.context() as patch:
        done = press_in_round(number, patch)
        found = LocalRecoding(effort).recode(table, model)
    assert len(done) == number  # parts of the search that come later have no round
    assert (found.certificate.rounds, found.certificate.interrupted, found.certificate.repeatable) == (
        number,
        True,
        True,
    )
    again = LocalRecoding(effort, rounds=number).recode(table, model)
    assert (again.ids == found.ids).all()
    assert again.certificate.loss == found.certificate.loss
    assert (again.certificate.rounds, again.certificate.interrupted) == (number, False)


@pytest.mark.parametrize("stage", ["several starts", "loss"])
@pytest.mark.parametrize("model", [KAnonymity(5), KAnonymity(4) & Closeness(0.5)], ids=str)
def test_ctrl_c_while_it_is_told_how_far_the_search_is(model, stage):
    table, told = encoded(model), []

    def progress(share):
        told.append(getattr(share, "note", "").startswith(stage))
        if sum(told) == 3 and told[-1]:
            signal.raise_signal(signal.SIGINT)

    found = LocalRecoding("balanced").recode(table, model, progress=progress)
    assert found.certificate.interrupted
    again = LocalRecoding("balanced", rounds=found.certificate.rounds).recode(table, model)
    assert (again.ids == found.ids).all()


def test_no_round_is_a_search_too():
    table = encoded(KAnonymity(5))
    found, whole = (LocalRecoding(rounds=rounds).recode(table, KAnonymity(5)) for rounds in (0, 10**9))
    assert found.certificate.rounds == 0 < whole.certificate.rounds
    assert found.certificate.loss > whole.certificate.loss
    assert (LocalRecoding().recode(table, KAnonymity(5)).ids == whole.ids).all()


@pytest.mark.parametrize("rounds", [-1, 1.5, True, "7"])
def test_rounds_are_whole_numbers(rounds):
    with pytest.raises(shoal.InputError) as refused:
        LocalRecoding(rounds=rounds)
    assert str(refused.value) == f"LocalRecoding's rounds are a whole number from 0, or None, not {rounds!r}."


@pytest.mark.parametrize("algorithm", ["auto", "local", shoal.LocalRecoding(effort="fast", rounds=9, seed=2)], ids=str)
def test_a_release_says_how_it_is_repeated(algorithm, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(columns()).to_csv("t.csv", index=False)
    with monkeypatch.context() as patch:
        press_in_round(2, patch)
        with pytest.warns(UserWarning, match=r"^The search was interrupted: this is the best release so far.$"):
            release = shoal.anonymize(
                "t.csv", quasi_identifiers=["x", "y"], model=shoal.KAnonymity(5), algorithm=algorithm
            )
    assert release.request.algorithm.rounds == release.report.certificate["rounds"] == 2
    assert "rounds=2" in release.report.parameters["algorithm"]
    page = release.to_html()
    assert "The same release in Python" in page
    assert "The search was ended before its time." in page
    space = {}
    exec(release.to_python(), space)
    release.save("safe.csv")
    space["release"].save("again.csv")
    assert Path("again.csv").read_bytes() == Path("safe.csv").read_bytes()


def test_rounds_by_the_clock_are_told_and_not_asked_for_again(monkeypatch):
    press_in_round(1, monkeypatch)
    with pytest.warns(UserWarning, match="interrupted"):
        release = shoal.anonymize(
            pa.table(columns()),
            quasi_identifiers=["x", "y"],
            model=shoal.KAnonymity(5),
            algorithm=shoal.LocalRecoding(effort=60),
        )
    assert release.report.certificate["rounds"] == 1
    assert not release.report.certificate["repeatable"]
    assert release.request.algorithm.rounds is None
    assert "The search had a time limit, so another run may give another release" in release.to_html()


@pytest.mark.parametrize(("model", "effort"), every(2, CASES), ids=str)
def test_work_in_slices_gives_the_same_classes(model, effort, monkeypatch):
    table = encoded(model)
    whole = LocalRecoding(effort, rounds=5).recode(table, model)
    monkeypatch.setattr("shoal.algorithms.local_recoding.ruin_and_recreate.CELLS_PER_CALL", 1000)
    monkeypatch.setattr("shoal.algorithms.local_recoding.boxes.CELLS_PER_CALL", 1)
    monkeypatch.setattr("shoal.algorithms.local_recoding.exchange.PAIRS_PER_CALL", 1)
    found = LocalRecoding(effort, rounds=5).recode(table, model)
    assert (found.ids == whole.ids).all()
    assert found.certificate == whole.certificate


@pytest.mark.parametrize("model", [KAnonymity(5), KAnonymity(4) & Closeness(0.5)], ids=str)
def test_a_round_that_is_cut_short_counts_for_nothing(model, monkeypatch):
    table = encoded(model)
    monkeypatch.setattr("shoal.algorithms.local_recoding.ruin_and_recreate.CELLS_PER_CALL", 1000)
    plain, asked = Recreation._stops, []

    def stops(self):
        asked.append(self)
        if len(asked) == 40:
            signal.raise_signal(signal.SIGINT)
        return plain(self)

    with monkeypatch.context() as patch:
        patch.setattr(Recreation, "_stops", stops)
        found = LocalRecoding("balanced").recode(table, model)
    assert len(asked) == 40
    assert found.certificate.interrupted
    again = LocalRecoding("balanced", rounds=found.certificate.rounds).recode(table, model)
    assert (again.ids == found.ids).all()
