"""Tables that were once released wrongly or not at all."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import shoal
from shoal import InputError, KAnonymity, PrivacyWarning
from shoal.cli.app import app

# Some of these tables are too small for two classes, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore:The table has:shoal.PrivacyWarning")


def release(frame, **options):
    given = {"quasi_identifiers": "a", "model": KAnonymity(2)}
    return shoal.anonymize(frame, **(given | options))


@pytest.mark.parametrize("kind", ["pandas", "pyarrow", "polars"])
def test_dropped_rows_leave_no_trace_in_categories(kind, tmp_path):
    towns = ["u1", "u2", "SECRET", "u4", "u5"]
    frame = {
        "pandas": lambda: pd.DataFrame({"a": [1, 1, None, 2, 2], "town": pd.Categorical(towns, ordered=True)}),
        "pyarrow": lambda: pa.table({"a": [1, 1, None, 2, 2], "town": pa.array(towns).dictionary_encode()}),
        "polars": lambda: pl.DataFrame({"a": [1, 1, None, 2, 2], "town": pl.Series(towns, dtype=pl.Enum(towns))}),
    }[kind]()
    made = release(frame, drop_missing=True)
    if kind == "pandas":
        assert list(made.frame["town"].cat.categories) == ["u1", "u2", "u4", "u5"]
        assert made.frame["town"].cat.ordered
    made.save(tmp_path / "out.parquet")
    assert b"SECRET" not in (tmp_path / "out.parquet").read_bytes()
    assert pq.read_table(tmp_path / "out.parquet")["town"].to_pylist() == ["u1", "u2", "u4", "u5"]


def test_whole_numbers_beyond_63_bits_stay_apart():
    frame = pa.table({"a": pa.array([2**64 - 1, 2**64 - 2, 0, 1], pa.uint64())})
    assert release(frame).frame["a"].to_pylist()[:2] == [f"{2**64 - 2}-{2**64 - 1}"] * 2


def test_the_range_of_the_largest_doubles():
    made = release(pa.table({"a": [1e308, -1e308, 0.0, 1.0]}), model=KAnonymity(4))
    assert made.report.metrics["loss"] == 1.0
    assert made.report.to_json()


def test_nanoseconds_are_not_cut():
    frame = pa.table({"a": pa.array([1, 2, 1500, 2500], pa.timestamp("ns"))})
    assert "00:00:00.000002500" in release(frame).frame["a"].to_pylist()[3]


def test_a_group_named_like_a_value_outside_it_is_pointed_out():
    tree = shoal.Hierarchy.from_parents(["*", "m", "f", "x", "B", "m", "z"], [-1, 0, 1, 1, 0, 4, 4])
    with pytest.warns(PrivacyWarning, match="has 'm' as a value and as a group without that value"):
        release(pa.table({"a": ["f", "x", "m", "m"]}), hierarchies={"a": tree})


def test_a_value_that_reads_like_a_set_is_pointed_out():
    with pytest.warns(PrivacyWarning, match="holds 'x | y', which reads like a set"):
        release(pa.table({"a": ["x | y", "x | y", "x", "y"]}))


def test_numbers_that_became_text_are_pointed_out():
    frame = pa.table({"a": ["1", "2", "3", "4", "", "5", "6", "7"]})
    with pytest.warns(PrivacyWarning, match="holds numbers and '', so it is released as sets"):
        release(frame)
    assert release(frame, missing_values="").frame["a"].to_pylist()[-1] == "6-7"


def test_empty_lines_of_a_one_column_file_are_rows(tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("a\n1\n\n3\n4\n\n6\n")
    made = release(source, missing_values="")
    assert made.report.rows == 6
    made.save(target)
    assert len(target.read_text().splitlines()) == 7


def test_sensitive_values_that_csv_would_blur_are_refused(tmp_path):
    frame = pa.table({"a": [1, 1, 2, 2], "s": ["", None, "", None]})
    made = release(frame, sensitive="s", model=shoal.DistinctDiversity(2))
    with pytest.raises(InputError, match="which CSV cannot tell apart: write Parquet"):
        made.save(tmp_path / "out.csv")
    made.save(tmp_path / "out.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


def test_a_missing_label_that_is_a_value_is_refused():
    with pytest.raises(InputError, match="choose another label for them"):
        release(pa.table({"a": [30, None, 31, 32]}), style=shoal.Style(missing="30"))


def test_an_ordered_categorical_is_shown_in_its_order():
    sizes = pd.Categorical(["S", "M", "L", "M"], categories=["S", "M", "L", "XL"], ordered=True)
    assert release(pd.DataFrame({"a": sizes}), model=KAnonymity(3)).frame["a"].tolist() == ["S - L"] * 4


@pytest.mark.parametrize("text", ["0e99999999999999999999999999", "1e-999999999999999999999"])
def test_numbers_beyond_all_measure_are_text(text):
    assert release(pa.table({"a": [text, text, "1", "1"]})).frame["a"].to_pylist() == [text, text, "1", "1"]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: shoal.Mondrian(seed=-1), "Mondrian's seed is a whole number from 0 to 4294967295, not -1."),
        (lambda: shoal.Mondrian(seed="x"), "Mondrian's seed is a whole number from 0 to 4294967295, not 'x'."),
        (lambda: shoal.Mondrian(relaxed="no"), "Mondrian's relaxed is True or False, not 'no'."),
        (lambda: shoal.Mondrian(dimension=[]), "Mondrian's dimension is one of loss, widest, random, not []."),
        (lambda: shoal.Style(missing=None), "The label style missing=None must be text."),
        (lambda: shoal.Ordered(5), "The order 5 must be a list of values, such as ['low', 'high']."),
        (
            lambda: release(pa.table({"a": [1, 2]}), missing_values=5),
            "5 is not text; give a text, or a list of texts such as ['?', 'NA'].",
        ),
    ],
    ids=range(7),
)
def test_refusals(make, sentence):
    with pytest.raises(InputError) as refusal:
        make()
    assert str(refusal.value) == sentence


def test_missing_values_may_be_none():
    assert release(pa.table({"a": [1, 1]}), missing_values=None).report.k == 2


@pytest.mark.parametrize("frame", [pd.DataFrame({"a": [2**70, 1]}), pd.DataFrame({"a": ["\ud800", "x"]}, dtype=object)])
def test_what_arrow_does_not_know_is_refused(frame):
    with pytest.raises(InputError, match="convert it to text"):
        release(frame)


def test_a_hierarchy_in_a_folder_is_never_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkdir("trees")
    tree = tmp_path / "trees" / "a.txt"
    tree.write_text("*\n\tx\n\ty\n")
    (tmp_path / "t.csv").write_text("a\nx\ny\n")
    command = ["anonymize", "t.csv", "--quasi", "a", "--k", "2", "--hierarchies", "trees", "-o", "trees/a.txt"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert tree.read_text() == "*\n\tx\n\ty\n"


def test_long_names_are_refused_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("a\nx\ny\n")
    for options in (["-o", "o" * 300 + ".csv"], ["--hierarchies", "h" * 300], ["--hierarchy", "a=" + "f" * 300]):
        result = CliRunner().invoke(app, ["anonymize", "t.csv", "--quasi", "a", "--k", "2", *options])
        assert result.exit_code == 2, options
        assert result.stderr.startswith("shoal: ")


def test_columns_complete(tmp_path, monkeypatch):
    from shoal.cli.options import complete_column

    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("age,sex\n1,f\n")
    monkeypatch.setenv("COMP_WORDS", "shoal anonymize t.csv --quasi a")
    assert complete_column("a") == ["age"]
    assert complete_column("age,s") == ["age,sex"]


def test_kernels_compile_where_nothing_can_be_cached(tmp_path):
    code = (
        "import numba.core.caching as c\n"
        "def no(*a, **k): raise RuntimeError('no locator available')\n"
        "c.FunctionCache.__init__ = no\n"
        "import shoal, pyarrow as pa\n"
        "print(shoal.Hierarchy.flat(['x', 'y']).cover([0], [1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[0]", done.stderr


def test_many_columns_are_no_trouble(tmp_path):
    columns = {"a": ["1", "1", "2", "2"], **{f"c{i}": ["x"] * 4 for i in range(3000)}}
    source = tmp_path / "wide.csv"
    source.write_text("\n".join(",".join(row) for row in [columns, *np.array(list(columns.values())).T]) + "\n")
    made = release(source)
    made.save(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == source.read_text()
