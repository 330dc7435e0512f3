"""Files of any size in which several rows are about one person: people are counted, and rows are shuffled."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.engines import scan
from shoal.engines.people import PeopleTable
from shoal.engines.streams import people, person_numbers, row_counts, shuffle, verify_people
from shoal.engines.streams.person_numbers import PersonNumbers
from shoal.engines.streams.shuffle import Shuffle
from streams.test_anonymize_files import written

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {
    "quasi_identifiers": ["age", "month"],
    "sensitive": "ill",
    "unit": "person",
    "keep": "row",
    "model": shoal.KAnonymity(3),
}
TREE = {"month": "intervals:2,6"}


def visits(seed: int = 1, people: int = 60, *, static: bool = False) -> pa.Table:
    """Make a table of visits, sorted by person."""
    random = np.random.default_rng(seed)
    whose = np.repeat(np.arange(people), random.integers(1, 7, people))
    month = random.integers(1, 13, people)[whose] if static else random.integers(1, 13, whose.size)
    return pa.table(
        {
            "person": [f"P{number}" for number in whose],
            "age": random.integers(20, 40, people)[whose],
            "month": month,
            "ill": np.array(["flu", "cold", "HIV", "none"])[random.integers(0, 4, whose.size)],
            "row": np.arange(whose.size),
        }
    )


def rows_of(table: pa.Table) -> Counter:
    return Counter(tuple(map(str, row.values())) for row in table.to_pylist())


def in_files(table: pa.Table, folder: Path, ending: str = ".parquet", **asked):
    """Return the release of a file and its rows."""
    source, target = written(table, folder / f"in{ending}"), folder / f"out{ending}"
    made = shoal.anonymize_files(source, target, **{"algorithm": "mondrian", **ASKED, **asked})
    return made, pq.read_table(target) if ending == ".parquet" else pa.csv.read_csv(target)


def fewest_people(table: pa.Table, release: pa.Table) -> int:
    """Count the people of each class, literally; the column `row` says which row each released row was."""
    person, inside = table["person"].to_pylist(), defaultdict(set)
    for row in release.to_pylist():
        inside[row["age"], row["month"]].add(person[int(row["row"])])
    return min(map(len, inside.values()))


@pytest.fixture(params=["in memory", "merged often"])
def sizes(request, monkeypatch):
    """Read small batches, and merge or spill as if they were large ones."""
    monkeypatch.setattr(scan, "BATCH_ROWS", 25)
    if request.param == "merged often":
        monkeypatch.setattr(people, "MIN_PENDING", 30)
        monkeypatch.setattr(row_counts, "MIN_ROWS", 20)
        monkeypatch.setattr(verify_people, "MIN_NAMES", 5)
        monkeypatch.setattr(verify_people, "MIN_PAIRS", 30)
        monkeypatch.setattr(shuffle, "BUCKET_BYTES", 500)


@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"strict": True},
        {"model": shoal.KAnonymity(2) & shoal.DistinctDiversity(3)},
        {"model": shoal.KAnonymity(2) & shoal.Closeness(0.4)},
        {"model": shoal.KAnonymity(2) & shoal.EntropyDiversity(2)},
        {"algorithm": "datafly", "hierarchies": TREE, "max_suppression": 0.2},
        {"algorithm": "datafly", "hierarchies": TREE, "max_suppression": 0.2, "suppressed": "drop"},
        {
            "algorithm": "datafly",
            "hierarchies": TREE,
            "max_suppression": 0.3,
            "suppressed": "drop",
            "model": shoal.KAnonymity(2) & shoal.Closeness(0.3),
        },
    ],
    ids=str,
)
def test_the_release_is_that_of_the_table_in_memory(tmp_path, ending, asked):
    table = visits()
    made, release = in_files(table, tmp_path, ending, **asked)
    expected = shoal.anonymize(table, **{"algorithm": "mondrian", **ASKED, **asked})
    assert rows_of(release) == rows_of(expected.frame)
    assert (made.report.k, made.report.people) == (expected.report.k, expected.report.people)
    assert made.report.metrics == pytest.approx(expected.report.metrics)
    assert sorted(made.classes.sizes.tolist()) == sorted(expected.classes.sizes.tolist())
    if not asked.get("max_suppression"):
        assert fewest_people(table, release) == made.report.k >= 2


@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("algorithm", ["auto", "local", "mondrian"])
def test_quasi_identifiers_that_do_not_vary(tmp_path, algorithm):
    """Equal rows of people with other values can be in other classes."""
    table = visits(people=200, static=True)
    made, release = in_files(
        table, tmp_path, algorithm=algorithm, model=shoal.KAnonymity(3) & shoal.DistinctDiversity(2)
    )
    assert fewest_people(table, release) == made.report.k >= 3
    assert Counter(release["row"].to_pylist()) == Counter(table["row"].to_pylist())
    assert made.report.people["varying"] == {}


def same_row_in_two_classes() -> tuple[pa.Table, dict]:
    """Return a table, and a request that puts an equal row of two people into two classes, for their other rows."""
    random = np.random.default_rng(12)
    whose = np.repeat(np.arange(24), random.integers(1, 4, 24))
    age = random.integers(20, 26, 24)[whose]
    ill = np.array(["flu", "cold", "HIV"])[np.minimum(random.integers(0, 6, whose.size), 2)]
    table = pa.table({"person": [f"P{number}" for number in whose], "age": age, "ill": ill})
    model = shoal.KAnonymity(2) & shoal.DistinctDiversity(3)
    asked = {**ASKED, "quasi_identifiers": "age", "model": model, "algorithm": "local"}
    return table.append_column("row", [list(range(len(table)))]), asked


def test_an_equal_row_of_two_people_can_be_in_two_classes(tmp_path, monkeypatch):
    monkeypatch.setattr(scan, "BATCH_ROWS", 10)
    table, asked = same_row_in_two_classes()
    expected = shoal.anonymize(table, **asked)
    classes = defaultdict(set)
    for age, ill, number in zip(table["age"].to_pylist(), table["ill"].to_pylist(), expected.ids.tolist(), strict=True):
        classes[age, ill].add(number)
    assert max(map(len, classes.values())) > 1
    made, release = in_files(table, tmp_path, **asked)
    assert rows_of(release) == rows_of(expected.frame)
    assert made.report.people == expected.report.people


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@pytest.mark.parametrize("missing", [False, True])
def test_classes_are_looked_up_by_person(tmp_path, monkeypatch, ending, missing):
    """The same release is made if the class of a row is found by its person, too, although its values suffice."""
    monkeypatch.setattr(scan, "BATCH_ROWS", 10)
    monkeypatch.setattr(PeopleTable, "classes_of_rows", lambda self, ids: None)
    table = visits()
    if missing:
        names = [None if row % 10 == 3 else name for row, name in enumerate(table["person"].to_pylist())]
        table = table.set_column(0, "person", [names])
    made, release = in_files(table, tmp_path, ending, missing_units="own" if missing else "refuse")
    expected = shoal.anonymize(table, algorithm="mondrian", **ASKED, missing_units="own" if missing else "refuse")
    assert rows_of(release) == rows_of(expected.frame)
    assert made.report.people == expected.report.people


@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "c", "d", "e", "é", " a", None, " "]), st.integers(0, 3), st.integers(0, 3)
        ),
        min_size=6,
        max_size=40,
    )
)
@settings(max_examples=40, deadline=None)
def test_any_table_gives_the_classes_of_memory(tmp_path_factory, rows):
    names = ["person", "age", "month"]
    table = pa.table(
        dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) | {"row": list(range(len(rows)))}
    )
    asked = {"sensitive": (), "model": shoal.KAnonymity(2), "missing_units": "own"}
    try:
        expected = shoal.anonymize(table, **{"algorithm": "mondrian", **ASKED, **asked})
    except shoal.InfeasibleError:
        with pytest.raises(shoal.InfeasibleError):
            in_files(table, tmp_path_factory.mktemp("files"), **asked)
        return
    made, release = in_files(table, tmp_path_factory.mktemp("files"), **asked)
    assert rows_of(release) == rows_of(expected.frame)
    assert made.report.people == expected.report.people


def test_rows_are_shuffled(tmp_path):
    table = visits(people=400)
    made, release = in_files(table, tmp_path)
    order = release["row"].to_numpy()
    assert abs(np.corrcoef(order, np.arange(order.size))[0, 1]) < 0.2
    person = np.array(table["person"].to_pylist())[order]
    assert (person[1:] == person[:-1]).mean() < 0.05  # most rows of the input follow one of the same person
    assert made.request.order == "shuffled"
    assert not [warning for warning in made.report.warnings if "sorted" in warning]


@pytest.mark.parametrize("max_bytes", [0, 10_000, 10**9])
def test_a_shuffle_keeps_every_row(tmp_path, monkeypatch, max_bytes):
    monkeypatch.setattr(shuffle, "BUCKET_BYTES", 1 << 12)
    mixed = Shuffle(5000, max_bytes=max_bytes, folder=tmp_path)
    categories = [pa.array([f"{part}{number % 7}" for number in range(500)]).dictionary_encode() for part in range(10)]
    for part in range(10):
        numbers = pa.array(range(500 * part, 500 * part + 500))
        mixed.add(pa.record_batch({"n": numbers, "c": categories[part], "l": [[n.as_py()] for n in numbers]}))
    assert mixed.spilled == (max_bytes < 10**9)
    rows = [row for batch in mixed.batches() for row in batch.to_pylist()]
    assert sorted(row["n"] for row in rows) == list(range(5000))
    assert all(row["c"] == f"{row['n'] // 500}{row['n'] % 500 % 7}" and row["l"] == [row["n"]] for row in rows)
    assert [row["n"] for row in rows] != sorted(row["n"] for row in rows)
    assert not list(tmp_path.iterdir())


def test_every_order_is_equally_likely():
    """Chi-square of where each of 8 rows goes; 49 degrees of freedom, so that one run in 10⁶ exceeds 110."""
    times = np.zeros((8, 8))
    for _ in range(2000):
        mixed = Shuffle(10**9, max_bytes=10**9, folder=Path())
        mixed.add(pa.record_batch({"n": list(range(8))}))
        order = [n for batch in mixed.batches() for n in batch["n"].to_pylist()]
        times[order, range(8)] += 1
    assert ((times - 250) ** 2 / 250).sum() < 110


def test_people_whose_names_have_the_same_hash_are_different(tmp_path, monkeypatch):
    monkeypatch.setattr(person_numbers, "text_hashes", lambda offsets, letters: np.ones(offsets.size - 1, np.uint64))
    table = visits(people=30)
    made, _ = in_files(table, tmp_path)
    assert made.report.people["people"] == 30
    assert made.report.people == shoal.anonymize(table, algorithm="mondrian", **ASKED).report.people


@pytest.mark.parametrize(
    "values", [[1, 2, 1, None], [1.5, float("nan"), 1.5, None], [b"x", b"", b"x", b"xy"], ["", "a", "?", "a"]]
)
def test_numbers_of_people(values):
    """Missing names are numbered from −1 down, and the same when the table is read again."""
    numbers = PersonNumbers("who", ["?"])
    parts = [pa.array(values[:2], pa.array(values).type), pa.array(values[2:], pa.array(values).type)]
    first = [numbers.add(part, learn=True).tolist() for part in parts]
    seen: dict[object, int] = {}
    missing = iter(range(-1, -9, -1))
    absent = {None, "", "?"}
    expected = [
        next(missing) if value != value or value in absent else seen.setdefault(value, len(seen)) for value in values
    ]
    assert first[0] + first[1] == expected
    numbers.restart()
    assert [numbers.add(part.dictionary_encode(), learn=False).tolist() for part in parts] == first
    with pytest.raises(shoal.InputError, match="was not there before"):
        numbers.add(pa.array([{"a": "z", 1: 77, 1.5: 77.5, b"x": b"z"}.get(values[1] or values[0], 77.5)]), learn=False)


def test_missing_people(tmp_path):
    names = visits()["person"].to_pylist()
    table = visits().set_column(0, "person", [[None if row % 10 == 3 else name for row, name in enumerate(names)]])
    count = table["person"].null_count
    with pytest.raises(shoal.InputError, match=f"whose row it is in {count} rows, the first of them row 4: fill it in"):
        in_files(table, tmp_path)
    made, _ = in_files(table, tmp_path, missing_units="own")
    expected = shoal.anonymize(table, algorithm="mondrian", missing_units="own", **ASKED)
    assert made.report.people == expected.report.people
    assert made.report.k == expected.report.k


def test_a_missing_name_in_a_row_that_is_dropped(tmp_path):
    table = visits()
    names, ages = table["person"].to_pylist(), table["age"].to_pylist()
    names[5], ages[5] = None, None
    table = table.set_column(0, "person", [names]).set_column(1, "age", [ages])
    made, release = in_files(table, tmp_path, drop_missing=True)
    assert 5 not in release["row"].to_pylist()
    expected = shoal.anonymize(table, algorithm="mondrian", drop_missing=True, **ASKED)
    assert made.report.people == expected.report.people


def test_too_little_memory_says_how_much_is_needed(tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.engines.streams.solve.memory_for_people", lambda rows, columns: 7_260_000_000)
    with pytest.raises(shoal.InputError, match=r"solved all together, which needs a memory of 7\.3GB"):
        in_files(visits(), tmp_path)


def refused(table: pa.Table, folder: Path, ending: str) -> str:
    with pytest.raises(shoal.VerificationError) as refusal:
        in_files(table, folder, ending)
    assert [path.name for path in folder.iterdir()] == [f"in{ending}"]
    return str(refusal.value)


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
class TestWrongReleases:
    """What makes the release is wrong, and the verification notices."""

    @pytest.mark.parametrize("parts", [2, 100], ids=["two people of each", "each row a person"])
    def test_people_are_taken_for_several(self, tmp_path, monkeypatch, ending, parts):
        honest = PersonNumbers.add

        def wrong(self, column, **given):
            numbers = honest(self, column, **given) * parts + np.arange(len(column), dtype=np.int32) % parts
            self.people = 10**6
            return numbers

        monkeypatch.setattr(PersonNumbers, "add", wrong)
        message = refused(visits(), tmp_path, ending)
        assert "does not satisfy k = 3" in message
        assert re.search(r"the first with (1 person|\d+ people) ", message)

    def test_a_row_is_lost_in_the_shuffle(self, tmp_path, monkeypatch, ending):
        self._spoil(monkeypatch, lambda batch: batch.slice(1))
        refused(visits(), tmp_path, ending)

    def test_a_row_is_written_twice_for_another(self, tmp_path, monkeypatch, ending):
        self._spoil(monkeypatch, lambda batch: batch.take(pa.array([1, *range(1, len(batch))])))
        assert "rows were not written as they are" in refused(visits(), tmp_path, ending)

    def test_two_rows_exchange_a_value(self, tmp_path, monkeypatch, ending):
        def exchange(batch):
            rows = batch["row"].take(pa.array([1, 0, *range(2, len(batch))]))
            return batch.set_column(batch.schema.get_field_index("row"), "row", rows)

        self._spoil(monkeypatch, exchange)
        assert "rows were not written as they are" in refused(visits(), tmp_path, ending)

    @staticmethod
    def _spoil(monkeypatch, change):
        honest = Shuffle.batches

        def wrong(self):
            first, *others = honest(self)
            yield from [change(first), *others]

        monkeypatch.setattr(Shuffle, "batches", wrong)


RUN = """
import os, signal, sys
sys.path[:0] = {folders!r}
import warnings; warnings.simplefilter("ignore")
import shoal
from shoal.engines.streams import run
from streams.test_people_in_files import ASKED

class Small(run.Shuffle):
    def __init__(self, rows, *, max_bytes, folder):
        super().__init__(rows, max_bytes=0, folder=folder)

    def batches(self):
        assert self.spilled
        os.kill(os.getpid(), signal.SIGINT)
        yield from super().batches()

run.Shuffle = Small
shoal.anonymize_files("in.parquet", "out.parquet", algorithm="mondrian", **ASKED)
"""


def test_ctrl_c_leaves_no_bucket_of_the_shuffle(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(visits(), tmp_path / "in.parquet")
    code = RUN.format(folders=[str(folder) for folder in Path(__file__).parents[1:3]])
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == -signal.SIGINT, ended.stderr[-500:]
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]
