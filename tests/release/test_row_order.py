"""The order of rows: shuffled releases have the same rows in an order that cannot be reproduced."""

from __future__ import annotations

from collections import Counter
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal import InputError, KAnonymity
from shoal.release.row_order import IN_NUMBERS, SAMPLE_ROWS, RowOrder, in_order, shuffled

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

ROWS = 60
TABLE = pa.table(
    {
        "age": [20 + i // 2 for i in range(ROWS)],
        "disease": ["flu", "cold", "mumps"] * (ROWS // 3),
        "note": [f"note {i:02}" for i in range(ROWS)],
    }
)


def released(data=TABLE, **options):
    options = {
        "quasi_identifiers": "age",
        "sensitive": "disease",
        "keep": "note",
        "model": KAnonymity(4),
        "order": "shuffled",
    } | options
    return shoal.anonymize(data, **options)


def rows(frame):
    columns = frame.to_pydict() if isinstance(frame, pa.Table) else frame.to_dict(as_series=False)
    return list(zip(*columns.values(), strict=True))


def test_a_shuffled_release_has_the_rows_of_the_other_in_another_order_each_time():
    plain, one, two = rows(released(order="rows").frame), rows(released().frame), rows(released().frame)
    assert Counter(plain) == Counter(one) == Counter(two)
    assert len({tuple(plain), tuple(one), tuple(two)}) == 3


def test_every_order_comes_about_equally_often():
    counts = Counter(tuple(shuffled(3).tolist()) for _ in range(6000))
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())  # 1000 each, five standard deviations either side


def test_a_seed_has_no_say():
    np.random.seed(1)
    first = shuffled(ROWS).tolist()
    np.random.seed(1)
    assert shuffled(ROWS).tolist() != first


@pytest.mark.parametrize("name", ["safe.csv", "safe.parquet", "sqlite:///safe.db#safe"])
def test_files_hold_the_rows_as_the_frame_has_them(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    release = released()
    release.save(name)
    written = shoal.read(name)
    assert rows(written.frame.to_native()) == rows(release.frame)
    assert shoal.verify(written, quasi_identifiers="age", model=KAnonymity(4)).sizes.min() >= 4


def test_groups_are_those_of_the_original_rows():
    release, plain = released(), released(order="rows")
    assert release.groups.statistics() == plain.groups.statistics()
    assert [group.rows.tolist() for group in release.groups] == [group.rows.tolist() for group in plain.groups]


def test_suppressed_rows_and_class_numbers_move_along():
    options = {"max_suppression": 8, "model": KAnonymity(7), "algorithm": "full-domain", "class_column": "class"}
    options |= {"hierarchies": {"age": "intervals:4,8"}}
    plain, one = released(order="rows", **options), released(**options)
    assert plain.report.suppressed_rows > 0
    assert Counter(rows(plain.frame)) == Counter(rows(one.frame))
    assert len(one.frame) == ROWS > len(released(suppressed="drop", **options).frame)


def test_the_index_of_a_frame_does_not_tell_the_first_order():
    frame = TABLE.to_pandas()
    assert released(frame).frame.index.tolist() == list(range(ROWS))
    assert released(frame.set_index(pd.Index(frame["note"], name="key"))).frame.index.tolist() == list(range(ROWS))


def categories(frame, tmp_path):
    """Return the values of the notes as they are in a file."""
    released(frame).save(tmp_path / "safe.parquet")
    column = pq.read_table(tmp_path / "safe.parquet")["note"]
    return column.chunk(0).dictionary.to_pylist(), column.to_pylist()


def test_categories_do_not_tell_the_first_order(tmp_path):
    notes = TABLE["note"].to_pylist()
    for frame in (
        TABLE.set_column(2, "note", TABLE["note"].dictionary_encode()),
        TABLE.to_pandas().astype({"note": "category"}),
        pl.from_arrow(TABLE).with_columns(pl.col("note").cast(pl.Categorical)),
    ):
        names, values = categories(frame, tmp_path)
        assert names == values != notes
    arrow = released(TABLE.set_column(2, "note", TABLE["note"].dictionary_encode())).frame
    assert arrow["note"].chunk(0).dictionary.to_pylist() == arrow["note"].to_pylist()
    pandas = released(TABLE.to_pandas().astype({"note": "category"})).frame
    assert pandas["note"].cat.categories.tolist() == pandas["note"].tolist()


def test_an_order_of_categories_is_kept():
    sizes = pd.Categorical(["s", "m", "l"] * 20, categories=["s", "m", "l"], ordered=True)
    frame = released(TABLE.to_pandas().assign(note=sizes)).frame
    assert frame["note"].cat.categories.tolist() == ["s", "m", "l"]
    assert frame["note"].cat.ordered


def test_what_is_said_of_a_shuffled_release():
    release = released()
    assert release.report.parameters["order"] == "shuffled"
    assert "# The rows are shuffled at random: each run gives them in another order." in release.to_python()
    assert 'order="shuffled"' in release.to_python()
    assert "another run gives the same rows in another order" in release.to_html()
    assert "shuffled at random" not in released(order="rows").to_html() + released(order="rows").to_python()


def test_the_next_delivery_is_shuffled_too():
    first = released(algorithm="full-domain", hierarchies={"age": "intervals:5,10"})
    plain = rows(
        shoal.apply(released(order="rows", algorithm="full-domain", hierarchies={"age": "intervals:5,10"}), TABLE).frame
    )
    again = shoal.apply(first, TABLE)
    assert Counter(rows(again.frame)) == Counter(plain)
    assert rows(again.frame) != plain
    assert "shuffled at random" in again.to_python()


def test_files_that_are_read_part_by_part_are_refused(tmp_path):
    pq.write_table(TABLE, tmp_path / "t.parquet")
    with pytest.raises(InputError) as error:
        shoal.anonymize_files(
            tmp_path / "t.parquet",
            tmp_path / "safe.parquet",
            quasi_identifiers="age",
            model=KAnonymity(4),
            order="shuffled",
        )
    assert str(error.value) == (
        "order = 'shuffled' needs the whole table in memory: leave it out, and shuffle the table first, or release it "
        "with shoal.anonymize()."
    )
    assert not (tmp_path / "safe.parquet").exists()


IN_ORDER = {
    "numbers": [1, 2, 2, 3],
    "falling": [3.5, 2.0, 1.0],
    "texts": ["a", "a", "b"],
    "numbers as text": ["9", "10", "11"],
    "with missing ones": [None, "a", None, "b"],
    "not a number": [1.0, float("nan"), 2.0],
    "dates": [date(2020, 1, 1), date(2020, 1, 2)],
    "views": pa.array(["a", "b"], pa.string_view()),
    "dictionary": pa.array(["b", "a"]).dictionary_encode(),
    "ordered": pa.DictionaryArray.from_arrays([0, 1, 2], ["small", "medium", "large"], ordered=True),
    "bytes": pa.array([bytes([i]) * 16 for i in range(3)], pa.binary(16)),
}
NOT_IN_ORDER = {
    "mixed": [1, 3, 2],
    "alike": [1, 1, 1],
    "one": [1],
    "none": pa.nulls(3),
    "lists": [[1], [2]],
    "text and numbers": ["9", "10", "x", "b"],
    "ordered": pa.DictionaryArray.from_arrays([1, 0, 2], ["a", "b", "c"], ordered=True),
}


@pytest.mark.parametrize("values", IN_ORDER.values(), ids=IN_ORDER)
def test_values_in_order(values):
    assert in_order(pa.array(values))
    assert in_order(pa.chunked_array([pa.array(values)[:1], pa.array(values)[1:]]))


@pytest.mark.parametrize("values", NOT_IN_ORDER.values(), ids=NOT_IN_ORDER)
def test_values_in_no_order(values):
    assert not in_order(pa.array(values))


def test_the_last_of_many_rows_counts():
    many = list(range(3 * SAMPLE_ROWS))
    assert in_order(pa.array(many)) == "sorted"
    assert in_order(pa.array([*many, 0])) == "largely sorted"


@pytest.mark.parametrize("rows", [60, 1000, 5000])
def test_rows_that_are_largely_sorted(rows):
    random = np.random.RandomState(0)
    ages = np.sort(random.randint(18, 95, rows))
    misplaced = ages.copy()
    some = random.choice(rows, rows // 20, replace=False)
    misplaced[some] = random.permutation(misplaced[some])
    blocks = np.concatenate([np.sort(part) for part in np.array_split(random.permutation(ages), 5)])
    for values in (misplaced, misplaced[::-1], blocks):
        assert in_order(pa.array(values)) == "largely sorted"
        order = RowOrder()
        for part in np.array_split(values.astype(np.int32), 7):
            order.add(part)
        assert order.sorted == "largely sorted"


@pytest.mark.parametrize("rows", [20, 60, 1000, 5000])
@pytest.mark.parametrize("different", [2, 3, 7, 1000])
def test_random_rows_are_in_no_order(rows, different):
    random = np.random.RandomState(1)
    assert not any(in_order(pa.array(random.randint(0, different, rows))) for _ in range(50))


def test_what_wavers_is_in_no_order():
    assert not in_order(pa.array(np.round(np.sin(np.arange(2000) / 50), 3)))


def test_many_equal_or_missing_values_come_first():
    assert in_order(pa.array([0] * 2 * SAMPLE_ROWS + [1]))
    assert in_order(pa.array([None] * 2 * SAMPLE_ROWS + [0, 1]))
    assert not in_order(pa.array([0] * 2 * SAMPLE_ROWS))


@pytest.mark.parametrize("gone", [{"identifying": "note"}, {"pseudonymize": "note", "key": "sixteen bytes !!"}])
def test_files_in_order_are_warned_of(tmp_path, gone):
    pq.write_table(TABLE, tmp_path / "t.parquet")
    made = shoal.anonymize_files(
        tmp_path / "t.parquet",
        tmp_path / "safe.parquet",
        quasi_identifiers="age",
        sensitive="disease",
        model=KAnonymity(4) & shoal.DistinctDiversity(2),
        **gone,
    )
    assert made.report.warnings == [
        "The first 60 rows are sorted by 'note' and keep their order, which reveals whose rows they are. "
        "Shuffle the table first.",
        "The rows are sorted by 'age' and keep their order, which reveals more than the released labels. "
        "Shuffle the table first.",
    ]


def test_texts_that_spell_numbers_have_only_characters_of_numbers():
    for text in map(chr, range(1, 0x250)):
        for spelled in (text, f"1{text}", f"{text}1", f"1{text}1"):
            try:
                pa.array([spelled]).cast(pa.float64())
            except pa.ArrowInvalid:
                continue
            assert text in IN_NUMBERS
    assert all(set(word) <= IN_NUMBERS for word in ("inf", "-Infinity", "NaN", "1e-05"))
    assert in_order(pa.array(["9", "10", "1e2"]))
    assert not in_order(pa.array(["n9", "n10", "n100"]))
