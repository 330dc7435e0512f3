"""Random releases are certified, and the second verifier repeats the checks."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import shoal
from depth import every
from oracles.build_verifier import sources_sha256
from oracles.second_verifier import Verifier
from oracles.second_verifier.command import read, without_marks
from oracles.second_verifier.matching import flow
from oracles.second_verifier.models import MODELS
from shoal.certificates.matching import transport
from shoal.certificates.second_verifier import KNOWN_MODELS, SOURCES
from soak.cases import draw_case
from soak.ways import asked, in_memory, run


@dataclass
class Made:
    """A release in files, and the arguments that made it."""

    folder: Path
    separator: str
    given: dict
    people: Path | None

    def certified(self, name="safe.csv", report=None):
        """Certify a file with the arguments that made the release."""
        path = self.folder / name
        return shoal.certify(path, self.folder / "table.csv", report=report, separator=self.separator, **self.given)

    def rows(self, name):
        """Read the rows of a file."""
        return read(self.folder / name, self.separator)

    def problems(self, case, name="safe.csv"):
        """Return the problems that the second verifier finds in a file."""
        people = read(self.people, self.separator) if self.people else None
        return Verifier(self.rows("table.csv"), self.rows(name), case, people).run()


def releases(seeds, folder):
    """Make random releases of CSV files, sometimes shuffled or without the column that is unique in each row."""
    for seed in seeds:
        rng, place = random.Random(seed), folder / str(seed)
        case = draw_case(seed, ("csv",))
        hidden = ("row",) if rng.random() < 0.5 else ()
        order = "shuffled" if rng.random() < 0.2 else case.order
        case = replace(case, order=order, identifying=(*case.identifying, *hidden))
        place.mkdir()
        try:
            made = run(case, place)
        except (shoal.InfeasibleError, shoal.InputError):
            continue
        (place / "report.json").write_text(json.dumps(made.report), encoding="utf-8")
        people = place / "population.csv" if case.people else None
        given = asked(case, place, people) | in_memory(case)
        given.pop("key")
        if case.style.get("numbers") != "mean":
            yield rng, Made(place, case.separator, given, people)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize(("seeds", "least"), every(2, [(range(20), 15), (range(80), 60)]))
def test_what_is_certified_the_second_verifier_repeats(tmp_path, seeds, least):
    done = 0
    for _, made in releases(seeds, tmp_path):
        for report in (made.folder / "report.json", None):
            case = json.loads(made.certified(report=report).case_json(), parse_float=str)["case"]
            assert made.problems(case) == [], made.folder
            done += 1
    assert done >= least


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize(
    ("seeds", "refused", "accepted"), every(2, [(range(1000, 1020), 33, 1), (range(1000, 1060), 100, 3)])
)
def test_both_verifiers_refuse_the_same(tmp_path, seeds, refused, accepted):
    """A cell is changed, a row lost or doubled: both verifiers accept or both refuse."""
    found = Counter()
    for rng, made in releases(seeds, tmp_path):
        case = json.loads(made.certified().case_json(), parse_float=str)["case"] | {"report": {}}
        for _ in range(4):
            rows = made.rows("safe.csv")
            changed(rows, rng)
            with (made.folder / "changed.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]), delimiter=made.separator, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
            try:
                made.certified("changed.csv")
                ours = True
            except shoal.VerificationError:
                ours = False
            assert ours == (made.problems(case, "changed.csv") == []), made.folder
            found[ours] += 1
    assert found[False] > refused
    assert found[True] > accepted


def changed(rows, rng):
    """Change, remove or duplicate a random row."""
    one, other, name = rng.randrange(len(rows)), rng.randrange(len(rows)), rng.choice(list(rows[0]))
    match rng.choice(["swapped", "copied", "odd", "lost", "twice"]):
        case "swapped":
            rows[one][name], rows[other][name] = rows[other][name], rows[one][name]
        case "copied":
            rows[one][name] = rows[other][name]
        case "odd":
            rows[one][name] = rng.choice(["*", "?", "x", rows[one][name] + "0"])
        case "lost" if len(rows) > 1:
            del rows[one]
        case _:
            rows.append(dict(rows[one]))


def test_the_certificate_names_the_verifier_that_is_here():
    assert sources_sha256() == SOURCES, "the second verifier has changed: `make verifier` tells its new SHA-256"


def test_the_models_said_to_be_known_are_those_of_the_verifier():
    assert set(MODELS) == KNOWN_MODELS


@pytest.mark.filterwarnings("ignore:The sensitive column 'illness'")
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_range_of_texts_that_are_numbers_is_certified_and_swapped_files_are_refused(tmp_path, kind):
    rows = range(24)
    texts = {"age": [str(30 + i % 4) for i in rows], "zip": [f"1305{i % 3}" for i in rows]}
    table = pa.table(texts | {"illness": [("flu", "cold", "gout")[i % 3] for i in rows]})
    original, released = tmp_path / f"table.{kind}", tmp_path / "safe.csv"
    {"csv": pyarrow.csv.write_csv, "parquet": pyarrow.parquet.write_table}[kind](table, original)
    asked = {
        "quasi_identifiers": ["age", "zip"],
        "sensitive": "illness",
        "model": shoal.KAnonymity(2) & shoal.DistinctDiversity(2),
        "algorithm": "mondrian",
    }
    release = shoal.anonymize(original, **asked)
    release.save(released)
    assert "13050-13052" in released.read_text()
    assert shoal.certify(released, original, **asked).sentences
    with pytest.raises(shoal.VerificationError, match="Column 'zip' shows '13050' in row 1"):
        shoal.certify(original, released, **asked)


def test_both_ways_to_match_rows_agree_with_each_other():
    draw = random.Random(5)
    found = []
    for _ in range(400):
        supply, room = ([draw.randint(1, 3) for _ in range(draw.randint(1, 6))] for _ in range(2))
        fits = np.array([[draw.random() < 0.5 for _ in room] for _ in supply])
        ours = transport(np.array(supply), np.array(room), fits)
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
    """Check Hall's condition: every set of supplies has enough room."""
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
        ({"date": "16.11.2026"}, "date = '16.11.2026' is not a date; write it as 2026-11-16."),
        ({"key": "short"}, "The key has 5 bytes: use a random one of at least 16."),
        ({"report": "nowhere.json"}, "nowhere.json: cannot be read (No such file or directory)."),
        ({"report": "a.csv"}, "a.csv: this is not a complete JSON file; name the .json report of a release."),
        ({"report": "empty.json"}, "empty.json: not a report of a release"),
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
    with pytest.raises(shoal.InputError, match="a certificate is about files, not databases"):
        shoal.certify("a.csv", "sqlite:///clinic.db#t", quasi_identifiers="age", model=shoal.KAnonymity(2))
