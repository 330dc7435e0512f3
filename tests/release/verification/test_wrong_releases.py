"""Wrong releases from spoiled algorithms, labels, frames and writers: each is refused with a message."""

from __future__ import annotations

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest

import shoal
from shoal import VerificationError, next_delivery
from shoal.engines.memory import relabel
from shoal.io import files
from shoal.release import labelling
from verification.wrong import ANSWERS, ASKED, TABLE, TABLES, TYPED, Answering

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

FRAMES = {
    "pyarrow": (lambda table: table, lambda frame: frame),
    "pandas": (
        lambda table: table.to_pandas(),
        lambda frame: pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None),
    ),
    "polars": (pl.from_arrow, lambda frame: frame.to_arrow()),
}
ALGORITHM = {"algorithm": "mondrian"}


def refused(work):
    """Return the message of a refused release."""
    with pytest.raises(VerificationError) as refusal:
        work()
    sentence = str(refusal.value)
    assert sentence.endswith("Nothing was released.")
    assert "\n" not in sentence
    return sentence


def changed(change, table):
    """Change a released table, and check that it differs."""
    found = change(table)
    assert found.schema != table.schema or not found.equals(table)
    return found


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_wrong_answer_of_an_algorithm(kind):
    assert shoal.anonymize(TABLE, algorithm=Answering(lambda table, found: found), **ASKED).report.k >= 4
    refused(lambda: shoal.anonymize(TABLE, algorithm=Answering(ANSWERS[kind]), **ASKED))


def patch_frames(monkeypatch, change, frame):
    """Change the frames that are made of labels."""
    there, back = FRAMES[frame]
    honest = relabel.released_frame
    monkeypatch.setattr(relabel, "released_frame", lambda *given, **named: there(change(back(honest(*given, **named)))))


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("kind", [*TABLES, *TYPED])
def test_a_wrong_frame(kind, frame, monkeypatch):
    there, _ = FRAMES[frame]
    patch_frames(monkeypatch, lambda table: table, frame)
    assert shoal.anonymize(there(TABLE), **ALGORITHM, **ASKED).report.k >= 4
    patch_frames(monkeypatch, lambda table: changed((TABLES | TYPED)[kind], table), frame)
    refused(lambda: shoal.anonymize(there(TABLE), **ALGORITHM, **ASKED))


@pytest.mark.parametrize("options", [{"order": "shuffled"}, {"order": "classes"}], ids=lambda given: given["order"])
@pytest.mark.parametrize("kind", TABLES)
def test_a_wrong_frame_in_another_order(kind, options, monkeypatch):
    monkeypatch.setattr(relabel, "shuffled", lambda rows: np.random.RandomState(3).permutation(rows))
    patch_frames(monkeypatch, lambda table: changed(TABLES[kind], table), "pyarrow")
    refused(lambda: shoal.anonymize(TABLE, **ALGORITHM, **options, **ASKED))


@pytest.mark.parametrize("kind", ["a row is lost", "a row is doubled", "the labels are rolled by one row"])
def test_a_wrong_frame_without_some_rows(kind, monkeypatch):
    options = {"max_suppression": 0.2, "suppressed": "drop", "drop_missing": True, "missing_values": "gout"}
    right = shoal.anonymize(TABLE, algorithm="datafly", **options, **ASKED)
    assert right.report.dropped_rows
    patch_frames(monkeypatch, lambda table: changed(TABLES[kind], table), "pyarrow")
    refused(lambda: shoal.anonymize(TABLE, algorithm="datafly", **options, **ASKED))


@pytest.mark.parametrize("kind", ["rows", "names", "several", "constant"])
def test_class_numbers_that_carry_something(kind, monkeypatch):
    numbers = {
        "rows": [str(row) for row in range(len(TABLE))],
        "names": TABLE["id"].to_pylist(),
        "several": [str(row % 2 + 1) for row in range(len(TABLE))],
        "constant": ["1"] * len(TABLE),
    }[kind]
    monkeypatch.setattr(relabel, "class_numbers", lambda ids, style: pa.array(numbers))
    refused(lambda: shoal.anonymize(TABLE, class_column="class", **ALGORITHM, **ASKED))


@pytest.mark.parametrize("kind", ["other labels", "labels of another column", "one label"])
def test_wrong_labels(kind, monkeypatch):
    honest = labelling.class_labels

    def labels(*given):
        found = honest(*given)
        if kind == "labels of another column":
            return found | {"age": found["town"]}
        ages = found["age"]
        return found | {"age": [*ages[1:], ages[0]] if kind == "other labels" else ["20"] * len(ages)}

    monkeypatch.setattr(labelling, "class_labels", labels)
    refused(lambda: shoal.anonymize(TABLE, **ALGORITHM, **ASKED))


def test_a_mean_that_is_not_the_mean(monkeypatch):
    style = shoal.Style(numbers="mean")
    asked = ASKED | {"quasi_identifiers": ["age", "job"]}
    assert shoal.anonymize(TABLE, style=style, **ALGORITHM, **asked).report.k >= 4
    honest = labelling.class_labels

    def labels(*given):
        found = honest(*given)
        return found | {"age": [repr(float(age) + 0.5) for age in found["age"]]}

    monkeypatch.setattr(labelling, "class_labels", labels)
    assert "which is not their mean" in refused(lambda: shoal.anonymize(TABLE, style=style, **ALGORITHM, **asked))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("kind", [*TABLES, *TYPED])
def test_a_wrong_file(kind, ending, tmp_path, monkeypatch):
    if ending == "csv" and kind in TYPED and kind != "raw numbers keep their type":
        pytest.skip("a CSV has no types")
    made = shoal.anonymize(TABLE, **ALGORITHM, **ASKED)
    target = made.save(tmp_path / f"out.{ending}")
    before = target.read_bytes()
    honest, change = files.write, (TABLES | TYPED)[kind]
    monkeypatch.setattr(files, "write", lambda table, *rest: honest(changed(change, table), *rest))
    refused(lambda: made.save(target))
    assert [file.name for file in tmp_path.iterdir()] == [target.name]
    assert target.read_bytes() == before


@pytest.mark.parametrize("kind", TABLES)
def test_a_wrong_next_delivery(kind, monkeypatch):
    first = shoal.anonymize(TABLE, algorithm="mondrian", **ASKED)
    assert shoal.apply(first, TABLE, key=ASKED["key"]).report.k >= 4
    patch_frames(monkeypatch, lambda table: changed(TABLES[kind], table), "pyarrow")
    refused(lambda: next_delivery.apply(first, TABLE, key=ASKED["key"]))


def test_a_frame_that_was_changed_after_the_check_is_not_saved(tmp_path):
    made = shoal.anonymize(TABLE.to_pandas(), **ALGORITHM, **ASKED)
    made.frame.loc[3, "ill"] = "SECRET"
    assert "row 4" in refused(lambda: made.save(tmp_path / "out.csv"))
    assert list(tmp_path.iterdir()) == []


def test_there_are_enough_kinds():
    assert len(TABLES) + len(TYPED) + len(ANSWERS) >= 60


def test_whole_numbers_that_stay_do_not_become_doubles(monkeypatch):
    given = pa.table({"age": [30, 30, 40, 40]})
    asked = {"quasi_identifiers": "age", "model": shoal.KAnonymity(2), "algorithm": "mondrian"}
    assert shoal.anonymize(given, **asked).frame["age"].type == pa.int64()
    patch_frames(monkeypatch, lambda table: table.cast(pa.schema([("age", pa.float64())])), "pyarrow")
    assert "neither text nor int64" in refused(lambda: shoal.anonymize(given, **asked))


def test_a_row_that_misses_a_value_in_any_column(monkeypatch):
    """A release that drops rows by the columns with a role only does not keep the promise to look at all of them."""
    from shoal.engines.memory import count

    asked = ASKED | ALGORITHM | {"drop_missing": "all"}
    right = shoal.anonymize(TABLE, **asked)
    assert right.report.dropped_rows == sum(None in row.values() for row in TABLE.to_pylist()) == 20
    honest = count.whole_rows
    monkeypatch.setattr(count, "whole_rows", lambda source, roles, missing, drop: honest(source, roles, missing, True))
    refused(lambda: shoal.anonymize(TABLE, **asked))
