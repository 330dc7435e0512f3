"""Characters and numbers that other tools stumble over: each is released unchanged, or refused with a message."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal import InputError, KAnonymity

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
INFINITE = "Column {!r} holds the value {}: replace it by a number or a missing value."


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return the bytes of the release of a CSV file."""
    monkeypatch.chdir(tmp_path)

    def release(content, encoding="utf-8", **asked):
        (tmp_path / "in.csv").write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        given = {"quasi_identifiers": "a", "model": KAnonymity(2), "algorithm": "mondrian"} | asked
        shoal.anonymize(shoal.read("in.csv", encoding=encoding), **given).save("out.csv")
        return (tmp_path / "out.csv").read_bytes()

    return release


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (["x\0", "x\0", "x", "x"], ["x\0", "x\0", "x", "x"]),  # NUL
        (["\u202ex", "\u202ex", "y", "y"], ["\u202ex", "\u202ex", "y", "y"]),  # from right to left
        (["e\u0301", "é", "z", "z"], ["e\u0301 | é", "e\u0301 | é", "z", "z"]),  # combined and not: two values
        (["=cmd()", "=cmd()", "@x", "@x"], ["=cmd()", "=cmd()", "@x", "@x"]),
        (["NaN", "NaN", "5", "6"], ["NaN", "NaN", "5 | 6", "5 | 6"]),  # text, unless it is named as missing
        (["1e999", "1e998", "5", "6"], ["1e998 | 1e999", "1e998 | 1e999", "5 | 6", "5 | 6"]),  # beyond doubles
    ],
)
def test_signs_and_numbers_of_a_csv_file(written, values, shown):
    table = "a,b\n{},{}\n{},{}\n{},{}\n{},{}\n"

    def filled(one):
        return table.format(*(cell for value in one for cell in (value, value)))

    expected = [label + "," + value for label, value in zip(shown, values, strict=True)]
    assert written(filled(values)).decode().splitlines()[1:] == expected


def test_nan_that_is_named_as_missing(written):
    assert written("a\nNaN\nNaN\n5\n6\n", missing_values=["NaN"]) == b"a\n?\n?\n5-6\n5-6\n"


def test_nan_in_a_frame_is_missing():
    frame = pd.DataFrame({"a": [1.0, np.nan, 2.0, np.nan]})
    made = shoal.anonymize(frame, quasi_identifiers="a", model=KAnonymity(2))
    assert made.frame["a"].tolist() == ["1-2", "?", "1-2", "?"]


def with_nan():
    dose = pa.array([0.5, float("nan"), 1.5, None])
    return pa.table({"a": ["1", "1", "2", "2"], "dose": dose, "wide": dose.cast(pa.float32()).dictionary_encode()})


FRAMES = {
    "pyarrow": with_nan,
    "pandas": lambda: (
        with_nan().drop_columns("wide").to_pandas().assign(wide=np.array([0.5, np.nan, 1.5, np.nan], np.float32))
    ),
    "polars": lambda: pl.DataFrame(with_nan()),
}
LINES = "a,dose,wide\n1,0.5,0.5\n1,,\n2,1.5,1.5\n2,,\n"


@pytest.mark.parametrize("sensitive", [(), "dose", "wide"])
@pytest.mark.parametrize("kind", FRAMES)
def test_nan_is_an_empty_cell_of_a_csv_as_any_missing_value(tmp_path, kind, sensitive):
    made = shoal.anonymize(FRAMES[kind](), quasi_identifiers="a", sensitive=sensitive, model=KAnonymity(2))
    assert made.save(tmp_path / "out.csv").read_text() == LINES
    assert made.save(tmp_path / "marked.csv", escape_formulas=True).read_text() == LINES


@pytest.mark.parametrize("sensitive", [(), "dose"])
def test_nan_of_a_parquet_file_is_an_empty_cell_of_a_csv(tmp_path, sensitive):
    pq.write_table(with_nan(), tmp_path / "in.parquet")
    options = {"quasi_identifiers": "a", "sensitive": sensitive, "model": KAnonymity(2)}
    shoal.anonymize(tmp_path / "in.parquet", **options).save(tmp_path / "whole.csv", report=tmp_path / "whole.json")
    shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "parts.csv", **options)
    assert (tmp_path / "whole.csv").read_text() == (tmp_path / "parts.csv").read_text() == LINES
    assert shoal.certify(tmp_path / "whole.csv", tmp_path / "in.parquet", **options).sentences


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("sensitive", [False, True])
def test_infinite_numbers_are_refused(value, sensitive):
    frame = pa.table({"a": [1.0, 1.0], "b": [2.0, value]})
    roles = {"quasi_identifiers": "a", "sensitive": "b"} if sensitive else {"quasi_identifiers": ["a", "b"]}
    with pytest.raises(InputError) as error:
        shoal.anonymize(frame, model=KAnonymity(2), **roles)
    assert str(error.value) == INFINITE.format("b", value)


def test_mixed_types_beside_the_quasi_identifiers_cannot_be_written(tmp_path):
    frame = pd.DataFrame({"a": [1, 1], "b": np.array([1, "x"], object)})
    made = shoal.anonymize(frame, quasi_identifiers="a", model=KAnonymity(2))
    with pytest.raises(InputError, match=r"Column 'b' mixes values of different types \(int, str\)"):
        made.save(tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_what_is_read_in_an_encoding_is_written_in_it(written, encoding):
    text = "a,b\n1,é\n1,z\n"
    assert written(text, encoding) == text.encode(encoding)


@pytest.mark.parametrize(
    ("content", "encoding", "sentence"),
    [
        ("a\n1\n".encode("utf-16"), "utf-8", "in.csv, line 1: the file is not UTF-8 text. "),
        ("a,b\n1,2\n".encode("utf-16-le"), "utf-8", "in.csv, line 1: the file is not UTF-8 text. "),
        ("a\n1\n".encode("utf-16-le"), "utf-16", "in.csv, line 1: the file is not UTF-16 text. "),
        (
            "a\n1\n".encode("utf-16"),
            "utf-16-le",
            "the column name '\\ufeffa' begins with a byte order mark. Remove it.",
        ),
        (b"\n\xef\xbb\xbfa,b\n1,2\n", "utf-8", "the column name '\\ufeffa' begins with a byte order mark. Remove it."),
    ],
)
def test_marks_and_encodings_that_do_not_fit(written, content, encoding, sentence):
    with pytest.raises(InputError) as error:
        written(content, encoding)
    assert sentence in str(error.value)


@pytest.mark.parametrize("path", ["a\0b.csv", "a\0b.parquet"])
def test_a_name_that_no_file_can_have(path):
    with pytest.raises(InputError, match=r"^a\\x00b\.\w+: '\\x00' in the name of a file is a control character"):
        shoal.read(path)


def test_a_sentence_is_one_line_of_bearable_length():
    assert str(InputError("a\nb\u202e\ud800 é.")) == "a\\nb\\u202e\\ud800 é."
    long = str(InputError("a" * 5000 + "\n" * 5000))
    assert len(long) <= 1001
    assert long.isprintable()


@pytest.mark.parametrize("number", ["9" * 400, "9" * 5000, "1e999"])
def test_numbers_beyond_measure_in_a_requirement(number):
    frame = pa.table({"a": ["1", "2"], "b": ["x", "y"]})
    with pytest.raises(InputError, match="in a requirement is too large for a number"):
        shoal.assess(frame, quasi_identifiers="a", sensitive="b", require=f"entropy l>={number}")


def test_numbers_beyond_measure_in_a_spelling():
    for spelling in ("intervals:" + "9" * 5000, "intervals:5@1e400", "cuts:1e-400,1"):
        with pytest.raises(InputError, match="is too large, too small or too long: write it in other units"):
            shoal.anonymize(
                pa.table({"a": ["1", "2"]}),
                quasi_identifiers="a",
                hierarchies={"a": spelling},
                model=KAnonymity(2),
            )
