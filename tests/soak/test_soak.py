"""A short run of the campaign; `make soak` is the long one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from soak.cases import WAYS, draw_case
from soak.checking import BROKEN, RELEASED
from soak.people import IN_MEMORY, draw_people_case, unit_of
from soak.soak import campaign


def test_every_release_keeps_its_promises_whoever_asks():
    verdicts = campaign(154, 7)  # every way with each of its algorithms
    broken = [(verdict.seed, verdict.why) for verdict in verdicts if verdict.outcome == BROKEN]
    assert not broken
    by_way = Counter(verdict.way for verdict in verdicts if verdict.outcome == RELEASED)
    assert set(by_way) == set(WAYS)
    assert by_way.total() > len(verdicts) / 2


def test_every_release_counts_people_whoever_they_are():
    verdicts = campaign(98, 7, ways=IN_MEMORY, draw=draw_people_case)
    assert not [(verdict.seed, verdict.why) for verdict in verdicts if verdict.outcome == BROKEN]
    released = [draw_people_case(verdict.seed) for verdict in verdicts if verdict.outcome == RELEASED]
    assert {unit_of(case)["promise"] for case in released} == {"classes", "profiles", "households"}
    assert {case.way for case in released} == set(IN_MEMORY)
    assert any(case.unit.get("strict") for case in released)


def test_rows_counted_as_people_are_reported(monkeypatch):
    """The campaign catches classes of too few people even if shoal counts rows everywhere."""
    from shoal.engines.memory import count

    honest = count.people_of

    def careless(source, request):
        units, owners = honest(source, request)
        return (units, owners) if owners is not None else (np.arange(len(source), dtype=np.int32), None)

    monkeypatch.setattr(count, "people_of", careless)
    monkeypatch.setattr("shoal.release.verification.release.people_of", lambda *given: None)
    outcomes = Counter(verdict.outcome for verdict in campaign(60, 7, ways=IN_MEMORY, draw=draw_people_case))
    assert outcomes[BROKEN] >= 5


def test_a_case_is_the_same_whenever_it_is_drawn():
    for seed in range(40):
        first, second = draw_case(seed), draw_case(seed)
        assert (first.columns, first.parameters, first.style) == (second.columns, second.parameters, second.style)
        assert [guide.meaning(["1"]) for guide in first.guides.values() if guide.tree] == [
            guide.meaning(["1"]) for guide in second.guides.values() if guide.tree
        ]


def test_a_release_that_breaks_its_promise_is_reported(monkeypatch):
    """The campaign catches labels that are too narrow even if shoal's own verification is switched off."""
    from shoal.release import labelling

    honest = labelling.one_per_label

    def careless(labels, ids, tops):
        labels, ids = honest(labels, ids, tops)
        name = next(iter(labels))
        return labels | {name: [labels[name][0]] * len(labels[name])}, ids

    monkeypatch.setattr("shoal.release.labelling.one_per_label", careless)
    monkeypatch.setattr("shoal.release.verification.classes._failing", lambda classes, model: classes.sizes < 0)
    outcomes = Counter(verdict.outcome for verdict in campaign(40, 7))
    assert outcomes[BROKEN] >= 5


@pytest.mark.parametrize("way", WAYS)
def test_neighbouring_cases_go_through_all_ways(way):
    assert way in {draw_case(seed).way for seed in range(len(WAYS))}
