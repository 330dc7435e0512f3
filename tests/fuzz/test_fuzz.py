"""A short run of the campaign, and every member of the corpus unchanged; `make fuzz` is the long one."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from fuzz.fuzz import drawn_cases
from fuzz.judging import drawn, judge, verdicts, working
from fuzz.outcomes import BROKEN, DONE, REFUSED, WrongError, check_sentence
from fuzz.targets import TARGETS, members


@pytest.fixture(scope="module")
def place():
    before = os.getcwd()
    with working() as found:
        yield found
        os.chdir(before)


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_is_read_or_refused_in_a_sentence(place, target):
    found = [judge(place, target, seed, content) for seed, content in enumerate(members(TARGETS[target].corpus))]
    assert not [verdict.why for verdict in found if verdict.outcome == BROKEN]
    assert {verdict.outcome for verdict in found} == {DONE, REFUSED}


def test_damaged_input_gives_a_right_result_or_a_sentence():
    found = list(verdicts(drawn_cases(216, 7)))
    assert len(found) == 216
    assert not [(verdict.target, verdict.seed, verdict.why) for verdict in found if verdict.outcome == BROKEN]
    outcomes = Counter(verdict.outcome for verdict in found)
    assert min(outcomes[DONE], outcomes[REFUSED]) > 20


def test_a_case_is_the_same_whenever_it_is_drawn():
    for seed in range(30):
        for target in TARGETS:
            assert drawn(target, seed)[1] == drawn(target, seed)[1]


@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("shoal.io.source.files.read", lambda: (_ for _ in ()).throw(KeyError("a bug"))),
        ("shoal.data.hierarchies.detect", lambda: (_ for _ in ()).throw(RecursionError("a bug"))),
    ],
)
def test_what_is_no_sentence_is_told_of(place, monkeypatch, name, mend):
    monkeypatch.setattr(name, lambda *given, **options: mend())
    target = "tables" if "source" in name else "hierarchies"
    assert judge(place, target, 1).outcome == BROKEN


def test_a_file_that_is_left_after_a_refusal_is_told_of(place, monkeypatch):
    from shoal import InputError

    def careless(*given, **options):
        (place.folder / "half.csv").write_text("half")
        raise InputError("This refusal comes too late to be a good one.")

    monkeypatch.setattr("shoal.io.source.files.read", careless)
    verdict = judge(place, "tables", 1)
    assert verdict.outcome == BROKEN
    assert "half.csv" in verdict.why
    assert place.differences() == []


@pytest.mark.parametrize("sentence", ["No.", "A sentence of two\nlines is none that is clear.", "x" * 3000 + "."])
def test_what_a_sentence_is_not(sentence):
    with pytest.raises(WrongError):
        check_sentence(sentence)
