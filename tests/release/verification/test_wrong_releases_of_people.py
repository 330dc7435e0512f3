"""Wrong releases in which a person hides where rows are enough: each is refused, whoever counts rows alone."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal import AlphaK, KAnonymity, VerificationError
from shoal.data.recoding import Recoding
from shoal.engines.memory import relabel
from shoal.io import files
from shoal.release import linked_rows
from verification.test_wrong_releases import FRAMES, patch_frames, refused

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

K, KEY = 3, "a key of at least sixteen bytes"
WHO = "aaabbbcccdddeeefffggghhhiii"
TABLE = pa.table(
    {
        "who": list(WHO),
        "home": [f"home of {min(person, chr(ord(person) ^ 1))}" for person in WHO],
        "age": pa.array([20 + row * 5 % 27 for row in range(len(WHO))], pa.int64()),
        "ward": [("east", "west")[row // 3 % 2] for row in range(len(WHO))],
        "ill": [("flu", "cold", "gout")[row % 3] for row in range(len(WHO))],
        "row": list(range(len(WHO))),
    }
)
ASKED = {"quasi_identifiers": ["age", "ward"], "sensitive": "ill", "keep": "row", "model": KAnonymity(K)}
CLASSES = {"unit": "who", "identifying": "home"}
PROFILES = {"unit": "who", "identifying": "home", "pseudonymize": "who", "key": KEY}
HOUSEHOLDS = {"unit": "who", "group": "home", "model": KAnonymity(2), "max_suppression": 4}


@dataclass(frozen=True)
class Given:
    """An algorithm that answers with given classes, each under its minimal generalization."""

    ids: tuple[int, ...]

    name = title = "given"
    suppresses = counts_people = True
    needs_hierarchies = False

    def recode(self, table, model, **options):
        """Return the classes."""
        return Recoding.of_groups(table, np.array(self.ids, np.int32))


def release(table=TABLE, **options):
    return shoal.anonymize(table, **(ASKED | options))


def rows_and_people(ids):
    """The fewest rows and the fewest people of a class."""
    people = defaultdict(set)
    for number, person in zip(ids, WHO, strict=True):
        people[number].add(person)
    return min(Counter(ids).values()), min(map(len, people.values()))


HIDING = {
    "one person alone": [int(person != "a") for person in WHO],
    "two people with six rows": [int(person not in "ab") for person in WHO],
    "three rows of one person and one of another": [int(row > 3) for row in range(len(WHO))],
    "a person below k in most classes": ["abcdefghi".index(person) // 2 % 4 for person in WHO],
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("kind", HIDING)
def test_classes_of_enough_rows_and_too_few_people(kind, frame):
    rows, people = rows_and_people(HIDING[kind])
    assert rows >= K > people
    there, _ = FRAMES[frame]
    right = release(there(TABLE), algorithm=Given(tuple(row % 3 for row in range(len(WHO)))), **CLASSES)
    assert right.report.k == 9
    sentence = refused(lambda: release(there(TABLE), algorithm=Given(tuple(HIDING[kind])), **CLASSES))
    assert re.search(r"classes fail, the first with (1 person|\d+ people) ", sentence)


def test_without_the_unit_the_same_classes_are_released():
    for ids in HIDING.values():
        table = TABLE.drop_columns(["who", "home"])
        assert release(table, algorithm=Given(tuple(ids))).report.k >= K


def test_somebody_with_more_than_a_share_of_a_class():
    ids = tuple(int(row not in (0, 1, 2, 3, 6)) for row in range(len(WHO)))  # a has three of five rows
    assert release(algorithm=Given(ids), **CLASSES).report.k == K
    assert "at most 1/3" in refused(lambda: release(algorithm=Given(ids), strict=True, **CLASSES))


def test_a_value_that_half_of_the_rows_and_most_people_have():
    ids = tuple(int(row >= 9) for row in range(len(WHO)))  # a, b and c have each value in one of their three rows
    model = AlphaK(0.5, K)
    assert release(TABLE.drop_columns(["who", "home"]), algorithm=Given(ids), model=model).report.k == 9
    with pytest.raises(shoal.InfeasibleError, match="alpha"):
        release(algorithm=Given(ids), model=model, **CLASSES)
    once = TABLE.set_column(4, "ill", pa.array(["flu", "cold", "cold"] * 3 + ["flu", "gout", "gout"] + ["gout"] * 15))
    rows = once.drop_columns(["who", "home"])
    assert release(rows, algorithm=Given(ids), model=AlphaK(0.95, K)).report.k == 9
    assert " people at row " in refused(lambda: release(once, algorithm=Given(ids), model=AlphaK(0.95, K), **CLASSES))


def test_a_label_moved_to_another_class(monkeypatch):
    """The labels of both classes cover the row, and both still have k rows, but one no longer has k people."""
    ids = tuple(0 if row in (0, 1, 2, 3, 9) else 1 for row in range(len(WHO)))  # a, a, a, b, d
    monkeypatch.setattr(relabel, "shuffled", lambda rows: np.arange(rows))
    made = release(algorithm=Given(ids), **CLASSES).frame
    labels = [tuple(made[name][row].as_py() for name in ("age", "ward")) for row in range(len(WHO))]
    low, high = (int(end) for end in labels[-1][0].split("-"))
    assert low <= TABLE["age"][9].as_py() <= high
    assert labels[-1][1] == "east | west"

    def moved(table):
        for name in ("age", "ward"):
            cells = table[name].to_pylist()
            cells[9] = cells[-1]
            table = table.set_column(table.column_names.index(name), name, pa.array(cells))
        return table

    patch_frames(monkeypatch, moved, "pyarrow")
    assert "the first with 2 people" in refused(lambda: release(algorithm=Given(ids), **CLASSES))


def pseudonyms_changed(change):
    """Change the column of pseudonyms as a list."""

    def changed(table):
        cells = change(table["who"].to_pylist())
        assert cells != table["who"].to_pylist()
        return table.set_column(table.column_names.index("who"), "who", pa.array(cells, pa.string()))

    return changed


def others_row(cells):
    """Give a row to another person."""
    other = next(cell for cell in cells if cell != cells[0])
    return [other, *cells[1:]]


def swapped(cells):
    """Swap the owners of two rows."""
    at = next(at for at, cell in enumerate(cells) if cell != cells[0])
    return [cells[at], *cells[1:at], cells[0], *cells[at + 1 :]]


WRONG_PSEUDONYMS = {
    "a row of another person": others_row,
    "two rows of two people": swapped,
    "a row of nobody": lambda cells: [None, *cells[1:]],
    "a row of somebody new": lambda cells: ["0" * 32, *cells[1:]],
    "all rows of one person": lambda cells: [cells[0]] * len(cells),
    "two people as one": lambda cells: [cells[0] if c == next(o for o in cells if o != cells[0]) else c for c in cells],
    "the people themselves": lambda cells: [f"{cell:.1}" for cell in cells],
}


@pytest.mark.parametrize("kind", WRONG_PSEUDONYMS)
def test_pseudonyms_that_link_other_rows(kind, monkeypatch):
    assert release(**PROFILES).report.k >= K
    patch_frames(monkeypatch, pseudonyms_changed(WRONG_PSEUDONYMS[kind]), "pyarrow")
    refused(lambda: release(**PROFILES))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("kind", ["a row of another person", "two rows of two people", "a row of nobody"])
def test_files_with_pseudonyms_that_link_other_rows(kind, ending, tmp_path, monkeypatch):
    made, honest = release(**PROFILES), files.write
    change = pseudonyms_changed(WRONG_PSEUDONYMS[kind])
    monkeypatch.setattr(files, "write", lambda table, *rest: honest(change(table), *rest))
    refused(lambda: made.save(tmp_path / f"out.{ending}"))
    assert list(tmp_path.iterdir()) == []


def without(row):
    """Groups of people that leave out one more row."""
    honest = linked_rows.group_bags

    def grouped(table, owners, **options):
        found = honest(table, owners, **options)
        slots = found.slots.copy()
        slots[row] = -1
        return replace(found, slots=slots)

    return grouped


@pytest.mark.parametrize("row", [0, 5, 13])
@pytest.mark.parametrize("asked", [PROFILES | {"max_suppression": 3}, HOUSEHOLDS], ids=["profile", "household"])
def test_a_set_of_rows_of_which_one_is_missing(asked, row, monkeypatch):
    assert release(**asked).report.suppressed_rows < asked["max_suppression"]
    monkeypatch.setattr(linked_rows, "group_bags", without(row))
    sentence = refused(lambda: release(**asked))
    assert "sets of rows that can be linked fail" in sentence or re.search(
        r"the first with (1 person|\d+ people) ", sentence
    )


@pytest.mark.parametrize("asked", [PROFILES, HOUSEHOLDS], ids=["profile", "household"])
def test_a_row_that_is_lost(asked, monkeypatch):
    patch_frames(monkeypatch, lambda table: table.slice(1), "pyarrow")
    refused(lambda: release(**asked))


@pytest.mark.parametrize("asked", [PROFILES, HOUSEHOLDS], ids=["profile", "household"])
def test_sets_of_rows_that_few_share_in_classes_of_many(asked, monkeypatch):
    """Every class has rows of all people or households, but each of these has another set of them."""
    whose = [WHO.index(person) // 3 for person in WHO]

    class Apart:
        def recoding(self, table):
            ids = [(whose[row] >> (row % 3)) % 2 for row in range(len(WHO))]
            return Recoding.of_groups(table, np.array(ids, np.int32))

    monkeypatch.setattr(linked_rows, "group_bags", lambda *given, **options: Apart())
    assert "sets of rows that can be linked fail" in refused(lambda: release(**asked))


def test_a_release_with_the_unit_in_another_column(monkeypatch):
    patch_frames(monkeypatch, lambda table: table.append_column("x", pa.array(list(WHO))), "pyarrow")
    with pytest.raises(VerificationError):
        release(**CLASSES)
