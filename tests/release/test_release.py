"""Release: saved in the form of the input, completely or not at all, and only if it verifies."""

from __future__ import annotations

import csv
import io
import json
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import shoal
from shoal import InputError, KAnonymity, VerificationError
from shoal.data.recoding import Recoding
from shoal.io import files
from shoal.io.outputs import check_targets
from shoal.io.source import Source

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

TABLE = "age,note\n30,a\n31,b\n47,c\n48,d\n"
SAFE = "age,note\n30-31,a\n30-31,b\n47-48,c\n47-48,d\n"
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
AWKWARD = st.text(st.sampled_from(list('ab0",;\t|\n\r \u2028\x85\x0cé?*-')), max_size=6)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text(TABLE)
    return tmp_path


def release(data="table.csv", **options):
    return shoal.anonymize(data, **{"quasi_identifiers": "age", "model": KAnonymity(2), **options})


def csv_text(rows, **dialect):
    out = io.StringIO(newline="")
    csv.writer(out, **dialect).writerows(rows)
    return out.getvalue()


# As the input was


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    cells=st.lists(st.tuples(TEXT, AWKWARD, TEXT), min_size=2, max_size=8),
    sign=st.sampled_from([",", ";", "\t", "|"]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_other_columns_are_written_byte_for_byte(folder, cells, sign, end):
    cells = [tuple(cell.replace("\r", "") for cell in row) for row in cells]  # Python 3.11 does not quote a lone \r

    def text(ages):
        rows = [(a, age, b, c) for (a, b, c), age in zip(cells, ages, strict=True)]
        return csv_text([("a", "age", "b b", "ü"), *rows], delimiter=sign, lineterminator=end)

    (folder / "table.csv").write_text(text(range(30, 30 + len(cells))), newline="")
    saved = release(model=KAnonymity(len(cells))).save("out.csv")
    assert saved.read_bytes().decode() == text([f"30-{29 + len(cells)}"] * len(cells))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(cells=st.lists(st.tuples(TEXT, AWKWARD), min_size=2, max_size=8))
def test_other_columns_read_back_equal(folder, cells):
    rows = [("a", "b", "age"), *((a, b, 30) for a, b in cells)]
    (folder / "table.csv").write_text(csv_text(rows), newline="")
    with release(keep=["a", "b"]).save("out.csv").open(newline="") as file:
        assert [tuple(row[:2]) for row in csv.reader(file)][1:] == [(a, b) for a, b in cells]


def test_values_keep_their_spelling(folder):
    (folder / "table.csv").write_text("age,zip,price,code\n30,007,1.50,1e3\n30,0010,2.0,+5\n")
    assert release().save("out.csv").read_text() == "age,zip,price,code\n30,007,1.50,1e3\n30,0010,2.0,+5\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_the_encoding_is_kept(folder, encoding):
    (folder / "table.csv").write_bytes("age,näme\r\n30,é\r\n31,é\r\n".encode(encoding))
    source = Source.of("table.csv", encoding=encoding)
    assert release(source).save("out.csv").read_bytes() == "age,näme\r\n30-31,é\r\n30-31,é\r\n".encode(encoding)


def test_parquet_keeps_the_types_of_other_columns(folder):
    table = pa.table(
        {
            "age": pa.array([30, 31], pa.int8()),
            "price": pa.array([1.5, None], pa.float32()),
            "kind": pa.array(["x", None]).dictionary_encode(),
            "when": pa.array([0, None], pa.timestamp("us", "UTC")),
            "list": [[1], None],
        }
    )
    pq.write_table(table, "table.parquet")
    written = pq.read_table(release("table.parquet").save("out.parquet"))
    assert written["age"].to_pylist() == ["30-31", "30-31"]
    assert written.drop_columns("age").equals(pq.read_table("table.parquet").drop_columns("age"))


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".txt", ".CSV"])
def test_a_csv_has_several_endings(folder, ending):
    assert release().save("out" + ending).read_text() == SAFE


@pytest.mark.parametrize("ending", [".parquet", ".pq"])
def test_a_csv_can_become_parquet_and_back(folder, ending):
    saved = release().save("out" + ending)
    assert shoal.anonymize(saved, quasi_identifiers="note", model=KAnonymity(4)).save("back.csv").read_text() == (
        "age,note\n30-31,a | b | c | d\n30-31,a | b | c | d\n47-48,a | b | c | d\n47-48,a | b | c | d\n"
    )


# Whole or not at all


@pytest.mark.parametrize("error", [RuntimeError("no"), KeyboardInterrupt(), OSError(28, "No space left on device")])
@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_a_failure_in_the_middle_leaves_the_old_file_and_no_other(folder, monkeypatch, error, name):
    def write(table, file, kind, dialect):
        file.write_text("half")
        raise error

    (folder / name).write_text("old")
    made = release()
    monkeypatch.setattr(files, "write", write)
    with pytest.raises(InputError if isinstance(error, OSError) else type(error)):
        made.save(name, report="report.json")
    assert (folder / name).read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == sorted([name, "table.csv"])


def test_what_does_not_verify_as_written_is_not_written(folder, monkeypatch):
    made = release()
    monkeypatch.setattr(files, "csv_bytes", lambda table, dialect: [memoryview(TABLE.encode())])
    with pytest.raises(VerificationError, match=r"^The release does not satisfy k = 2"):
        made.save("out.csv")
    assert [path.name for path in folder.iterdir()] == ["table.csv"]


def test_a_file_with_too_few_rows_is_not_written(folder, monkeypatch):
    made = release()
    monkeypatch.setattr(files, "csv_bytes", lambda table, dialect: [memoryview(SAFE.encode()[:-16])])
    with pytest.raises(VerificationError):
        made.save("out.csv")
    assert [path.name for path in folder.iterdir()] == ["table.csv"]


def test_an_old_file_is_replaced(folder):
    (folder / "out.csv").write_text("old")
    assert release().save("out.csv").read_text() == SAFE


def test_the_input_is_left_as_it_was(folder):
    release().save("out.csv")
    assert (folder / "table.csv").read_text() == TABLE


# The report


def test_the_report_is_json_and_says_what_was_done(folder):
    made = release()
    made.save("out.csv", report="report.json")
    found = json.loads((folder / "report.json").read_text())
    assert found.pop("generalization")["version"] == 1
    assert found.pop("release") == {"sha256": files.checksum(folder / "out.csv")}
    assert found == json.loads(json.dumps(made.report.to_dict()))
    assert (found["k"], found["classes"], found["rows"], found["input"]["file"]) == (2, 2, 4, "table.csv")


# Where nothing may be written


@pytest.mark.parametrize(
    ("target", "report", "sentence"),
    [
        ("table.csv", None, "table.csv: this is the input, which shoal never overwrites. Choose another file."),
        (
            "sub/../table.csv",
            None,
            "sub/../table.csv: this is the input, which shoal never overwrites. Choose another file.",
        ),
        ("link.csv", None, "link.csv: this is the input, which shoal never overwrites. Choose another file."),
        ("hard.csv", None, "hard.csv: this is the input, which shoal never overwrites. Choose another file."),
        ("out.csv", "table.csv", "table.csv: this is the input, which shoal never overwrites. Choose another file."),
        ("out.csv", "out.csv", "out.csv: the release and its report need two files."),
        ("out.csv", "sub/../out.csv", "out.csv: the release and its report need two files."),
        ("no/out.csv", None, "no/out.csv: there is no folder 'no'. Make it first."),
        ("out.csv", "no/r.json", "no/r.json: there is no folder 'no'. Make it first."),
        ("sub", None, "sub: the suffix '' is not supported: use .csv, .tsv, .txt, .csv.gz, .csv.zst, .parquet, .pq."),
        ("sub.csv", None, "sub.csv: this is a folder. Name a file in it."),
        ("out.csv", "sub", "sub: this is a folder. Name a file in it."),
        (
            "out.xlsx",
            None,
            "out.xlsx: shoal reads such files but does not write them. "
            "Name a .csv or .parquet file, or a table in a database.",
        ),
    ],
)
def test_a_target_that_cannot_be_is_refused(folder, target, report, sentence):
    (folder / "sub").mkdir()
    (folder / "sub.csv").mkdir()
    os.symlink("table.csv", "link.csv")
    os.link("table.csv", "hard.csv")
    with pytest.raises(InputError) as error:
        release().save(target, report=report)
    assert str(error.value) == sentence
    assert (folder / "table.csv").read_text() == TABLE
    assert sorted(path.name for path in folder.iterdir()) == ["hard.csv", "link.csv", "sub", "sub.csv", "table.csv"]


def test_no_other_file_that_was_read_is_overwritten(folder):
    (folder / "key.txt").write_text("secret")
    with pytest.raises(InputError, match=r"^key\.txt: this is the input"):
        check_targets("key.txt", None, "table.csv", None, "key.txt", "flat")


# The frame


def test_suppressed_rows_can_be_left_out(folder):
    class Suppressor:
        name = "suppressor"

        def recode(self, table, model, *, max_suppressed=0, progress=None):
            return Recoding.of_groups(table, np.array([0, 0, -1, 0], np.int32))

    kept = release(algorithm=Suppressor(), max_suppression=1)
    dropped = release(algorithm=Suppressor(), max_suppression=1, suppressed="drop")
    assert kept.frame.to_pydict() == {"age": ["30-48", "30-48", "*", "30-48"], "note": ["a", "b", "c", "d"]}
    assert dropped.frame.to_pydict() == {"age": ["30-48"] * 3, "note": ["a", "b", "d"]}
    assert kept.report.suppressed_rows == dropped.report.suppressed_rows == 1
    assert dropped.save("out.csv").read_text() == "age,note\n30-48,a\n30-48,b\n30-48,d\n"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("categorical", [False, True])
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_sensitive_values_that_are_missing_or_categories_are_verified_as_they_are_written(
    folder, kind, categorical, ending
):
    import pandas as pd
    import polars as pl

    columns = {"a": [1, 1, 2, 2, 3, 3, 4, 4], "s": ["x", None, "x", None, "x", None, "x", "x"]}
    frame = pa.table(columns)
    if categorical:
        frame = frame.set_column(1, "s", frame["s"].dictionary_encode())
    if kind == "polars":
        frame = pl.from_arrow(frame)
    if kind == "pandas":
        frame = pd.DataFrame(
            {"a": columns["a"], "s": pd.Series(columns["s"], dtype="category" if categorical else None)}
        )
    made = shoal.anonymize(frame, quasi_identifiers="a", sensitive="s", model=shoal.DeltaDisclosure(1))
    made.save(f"safe.{ending}")
    written, _ = files.read(folder / f"safe.{ending}")
    assert [value or None for value in written["s"].to_pylist()] == columns["s"]
