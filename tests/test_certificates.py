"""Random releases through certify(), and what it certifies through the second verifier."""

from __future__ import annotations

import json
import random
import warnings
from pathlib import Path

import numpy as np
import pytest

import shoal
from oracles.build_verifier import sources_sha256
from oracles.second_verifier import Verifier
from oracles.second_verifier.command import read, without_marks
from oracles.second_verifier.matching import flow
from shoal.certificates.matching import transported
from shoal.certificates.second_verifier import SOURCES
from soak.cases import draw_case
from soak.ways import asked, in_memory, run


def certified(case, folder, report):
    """The certificate of the release of a case, made by the arguments that made the release."""
    (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
    people = folder / "population.csv" if case.people else None
    given = asked(case, folder, people) | in_memory(case)
    given.pop("key")
    return shoal.certify(
        folder / "safe.csv", folder / "table.csv", report=folder / "report.json", separator=case.separator, **given
    )


def test_what_is_certified_the_second_verifier_repeats(tmp_path):
    done = 0
    for seed in range(60):
        case, folder = draw_case(seed, ("csv",)), tmp_path / str(seed)
        folder.mkdir()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", shoal.PrivacyWarning)
            try:
                made = run(case, folder)
            except (shoal.InfeasibleError, shoal.InputError):
                continue
            certificate = certified(case, folder, made.report)
        told = json.loads(certificate.case_json(), parse_float=str)["case"]
        people = read(folder / "population.csv", case.separator) if case.people else None
        original, released = (read(folder / name, case.separator) for name in ("table.csv", "safe.csv"))
        assert Verifier(original, released, told, people).run() == [], seed
        done += 1
    assert done >= 30


def test_the_certificate_names_the_verifier_that_is_here():
    assert sources_sha256() == SOURCES, "the second verifier has changed: `make verifier` tells its new SHA-256"


def test_both_ways_to_match_rows_agree_with_each_other():
    draw = random.Random(5)
    found = []
    for _ in range(400):
        supply, room = ([draw.randint(1, 3) for _ in range(draw.randint(1, 6))] for _ in range(2))
        fits = np.array([[draw.random() < 0.5 for _ in room] for _ in supply])
        ours = transported(np.array(supply), np.array(room), fits)
        allowed = {one: [other for other in range(len(room)) if fits[one, other]] for one in range(len(supply))}
        theirs = flow(dict(enumerate(supply)), dict(enumerate(room)), allowed)
        assert (ours is None) == (theirs is None) == (not _feasible(supply, room, fits))
        found.append(ours is not None)
        if ours is not None:
            assert (ours.sum(axis=1) == supply).all()
            assert (ours.sum(axis=0) <= room).all()
            assert not ours[~fits].any()
            assert sum(theirs.values()) == sum(supply)
    assert 50 < sum(found) < 350


def _feasible(supply, room, fits):
    """Hall's condition: every set of supplies has room enough."""
    for chosen in range(1, 1 << len(supply)):
        some = [one for one in range(len(supply)) if chosen >> one & 1]
        if sum(supply[one] for one in some) > sum(room[other] for other in range(len(room)) if fits[some, other].any()):
            return False
    return True


def test_formulas_lose_one_apostrophe():
    rows = [{"a": "'=1"}, {"a": "''=1"}, {"a": "'x"}, {"a": ""}, {"a": "'\n="}]
    assert [row["a"] for row in without_marks(rows)] == ["=1", "'=1", "'x", "", "\n="]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"date": "16.11.2026"}, "date = '16.11.2026' is no date: write it as 2026-11-16."),
        ({"key": "short"}, "The key has 5 bytes: use a random one of at least 16."),
        ({"report": "nowhere.json"}, "nowhere.json: cannot be read (No such file or directory)."),
        ({"report": "a.csv"}, "a.csv: this is no whole JSON file: name the .json report of the release."),
        ({"report": "empty.json"}, "empty.json: this is no report of a release"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, monkeypatch, change, sentence):
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("age\n1\n1\n")
    Path("empty.json").write_text("{}")
    with pytest.raises(shoal.InputError) as caught:
        shoal.certify("a.csv", "a.csv", quasi_identifiers="age", model=shoal.KAnonymity(2), **change)
    assert str(caught.value).startswith(sentence)


def test_a_database_is_no_file(tmp_path):
    with pytest.raises(shoal.InputError, match="a certificate names files, and this is a database"):
        shoal.certify("a.csv", "sqlite:///clinic.db#t", quasi_identifiers="age", model=shoal.KAnonymity(2))
