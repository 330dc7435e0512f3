"""Columns are found by their exact names, even if a library could read them as patterns, paths or quotes."""

from __future__ import annotations

import csv
import sqlite3
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

import shoal
from shoal.engines.scan import Scan

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ODD = [
    *(
        "^s.*$",
        "*",
        "^.*$",
        "s1",
        "s2",
        ".",
        "a",
        "a.b",
        "a.b.c",
        "`a`",
        "a`b",
        '"',
        '""',
        "'",
        "[a]",
        "]",
        "(?i)a",
        "\\",
    ),
    *(
        " ",
        "  a",
        "a ",
        "\t",
        "\n",
        "a\nb",
        "\r\n",
        "",
        ",",
        ";",
        "|",
        "#",
        "%s",
        "{}",
        "$1",
        "é",
        "e\u0301",
        "名",
        "\u202ex",
    ),
    *("c0", "rows", "given", "shoal_given_table", "label0", "code0", "None", "null", "0", "-1", "select", "--", "/*"),
]
SIGNS = "^$.*+?()[]{}|\\`'\"#,;:/ \n\t_-asé名0"
NAMES = st.lists(
    st.one_of(st.sampled_from(ODD), st.text(SIGNS, min_size=1, max_size=5)),
    min_size=5,
    max_size=5,
    unique_by=lambda name: name.lower(),  # databases do not distinguish a and A
)
WORST = ["^s.*$", "*", "s1", "s2", "a.b"]
DOTS = ["a", "a.b", "a.b.c", "`a`", ""]
ROWS = 5


def cells(names):
    """Return a column for each role and two without a role; a row without its quasi-identifier is dropped."""
    texts = [[f"{at}{row}" for row in "vwxyz"] for at in range(4)]
    return dict(zip(names, [["30", "31", "", "47", "48"], *texts], strict=True))


def asked(names, **more):
    quasi, secret, gone, *_ = names
    return {
        "quasi_identifiers": [quasi],
        "sensitive": [secret],
        "identifying": [gone],
        "model": shoal.KAnonymity(2),
        "algorithm": "mondrian",
        "missing_values": [""],
        "drop_missing": True,
    } | more


def expected(names):
    """Return the columns of the release by name."""
    table = cells(names)
    shown = {name: [value for at, value in enumerate(table[name]) if at != 2] for name in names if name != names[2]}
    return shown | {names[0]: ["30-31", "30-31", "47-48", "47-48"]}


def in_order(names, table):
    """Return the columns in an order other than that of their roles."""
    return {name: table[name] for name in sorted(names, key=lambda name: (len(name), name)) if name in table}


def check(names, found):
    wanted = in_order(names, expected(names))
    assert list(found) == list(wanted)
    assert {name: list(values) for name, values in found.items()} == wanted


def quiet(function):
    """Call a function without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()


FRAMES = {
    "pandas": (pd.DataFrame, lambda frame: {name: frame.iloc[:, at] for at, name in enumerate(frame.columns)}),
    "pandas categories": (
        lambda table: pd.DataFrame({name: pd.Categorical(values) for name, values in table.items()}),
        lambda frame: {name: frame.iloc[:, at] for at, name in enumerate(frame.columns)},
    ),
    "polars": (pl.DataFrame, lambda frame: {series.name: series for series in frame.get_columns()}),
    "polars categories": (
        lambda table: pl.DataFrame(
            {
                name: pl.Series(values, dtype=pl.String if "30" in values else pl.Enum(sorted(set(values))))
                for name, values in table.items()
            }
        ),
        lambda frame: {series.name: series for series in frame.get_columns()},
    ),
    "pyarrow": (
        pa.table,
        lambda frame: {name: frame.column(at).to_pylist() for at, name in enumerate(frame.column_names)},
    ),
}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(WORST)
@example(WORST[::-1])
@example(["s1", "s2", "^s.*$", "*", "a"])
@example(["s1", "s2", "*", "^s.*$", ""])
@example(DOTS)
@given(NAMES)
def test_frames(names):
    for make, columns in FRAMES.values():
        frame = make(in_order(names, cells(names)))
        check(names, columns(quiet(lambda frame=frame: shoal.anonymize(frame, **asked(names))).frame))
        kept = quiet(lambda frame=frame: shoal.anonymize(frame, **asked(names, order="shuffled"))).frame
        assert list(columns(kept)) == list(in_order(names, expected(names)))


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("gone", ["^s.*$", "*", "^.*$"])
def test_a_name_that_is_a_pattern_takes_no_other_column_with_it(kind, gone):
    make, columns = FRAMES[kind]
    frame = make({"age": list("1122"), gone: list("abcd"), "s1": list("efgh"), "*x": list("ijkl")})
    made = shoal.anonymize(
        frame, quasi_identifiers="age", identifying=gone, class_column="^a.*$", model=shoal.KAnonymity(2)
    )
    found = {name: list(values) for name, values in columns(made.frame).items()}
    assert found == {"age": list("1122"), "s1": list("efgh"), "*x": list("ijkl"), "^a.*$": list("1122")}


def from_csv(path):
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


def to_csv(table, path):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))


FILES = {
    "csv": (to_csv, from_csv),
    "parquet": (
        lambda table, path: pq.write_table(pa.table(table), path),
        lambda path: pq.read_table(path).to_pydict(),
    ),
}


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(WORST)
@example(DOTS)
@given(NAMES)
def test_files(names):
    with TemporaryDirectory() as folder:
        for ending, (write, read) in FILES.items():
            given, safe, parts = (Path(folder) / f"{name}.{ending}" for name in ("given", "safe", "parts"))
            write(in_order(names, cells(names)), given)
            quiet(lambda given=given, safe=safe: shoal.anonymize(given, **asked(names)).save(safe))
            check(names, read(safe))
            quiet(lambda given=given, parts=parts: shoal.anonymize_files(given, parts, **asked(names)))
            check(names, read(parts))


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def connected(kind, path):
    if kind == "sqlite":
        return sqlite3.connect(path)
    return pytest.importorskip("duckdb").connect(str(path))


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(names=WORST)
@example(names=["a", "a.b", '"', "`a`", "given"])
@given(names=NAMES)
def test_databases(kind, names):
    names = [name or "no name" for name in names] if kind == "duckdb" else names  # DuckDB has no columns without a name
    with TemporaryDirectory() as folder:
        path = Path(folder) / "clinic.db"
        table = in_order(names, cells(names))
        one = connected(kind, path)
        one.execute(f"CREATE TABLE patients ({', '.join(quoted(name) + ' TEXT' for name in table)})")
        marks = ", ".join("?" * len(table))
        one.executemany(f"INSERT INTO patients VALUES ({marks})", list(zip(*table.values(), strict=True)))
        one.commit()
        one.close()
        address = f"{kind}:///{path}"
        quiet(lambda: shoal.anonymize(f"{address}#patients", **asked(names)).save(f"{address}#safe"))
        one = connected(kind, path)
        found = one.execute("SELECT * FROM safe")
        header = [column[0] for column in found.description]
        check(names, dict(zip(header, zip(*found.fetchall(), strict=True), strict=True)))
        one.close()


def test_columns_of_parquet_with_dots_beside_structs(tmp_path):
    table = pa.table(
        {
            "a": ["x", "y", "z", "w"],
            "a.b": [1, 1, 2, 2],
            "s": [{"b": 1}] * 4,
            "s.b": ["u", "v", "u", "v"],
            "": [1.5, 2.5, 3.5, 4.5],
        }
    )
    pq.write_table(table, tmp_path / "given.parquet")
    options = {"quasi_identifiers": "a.b", "sensitive": "s.b", "identifying": "a", "model": shoal.KAnonymity(2)}
    wanted = table.drop_columns("a").to_pylist()
    shoal.anonymize(tmp_path / "given.parquet", **options).save(tmp_path / "safe.parquet")
    assert pq.read_table(tmp_path / "safe.parquet").to_pylist() == wanted
    shoal.anonymize_files(tmp_path / "given.parquet", tmp_path / "parts.parquet", **options)
    assert pq.read_table(tmp_path / "parts.parquet").to_pylist() == wanted


def test_texts_of_a_struct_beside_a_column_with_its_path(tmp_path):
    table = pa.table({"q": [1, 1, 2, 2], "s": [{"b": "x"}, {"b": "y"}] * 2, "s.b": ["u", "v", "u", "v"]})
    pq.write_table(table, tmp_path / "given.parquet")
    for sensitive in ([], ["s.b"]):
        options = {"quasi_identifiers": "q", "sensitive": sensitive, "model": shoal.KAnonymity(2)}
        shoal.anonymize_files(tmp_path / "given.parquet", tmp_path / "parts.parquet", **options)
        assert pq.read_table(tmp_path / "parts.parquet").to_pylist() == table.to_pylist()
        shoal.anonymize(tmp_path / "given.parquet", **options).save(tmp_path / "safe.parquet")
        assert pq.read_table(tmp_path / "safe.parquet").to_pylist() == table.to_pylist()


@pytest.mark.parametrize(("asked", "beside"), [("a", "a.b"), ("a.b", "a")])
def test_what_arrow_reads_with_a_column_counts_for_the_size_of_batches(tmp_path, monkeypatch, asked, beside):
    monkeypatch.setattr("shoal.engines.scan.BATCH_BYTES", 1 << 16)
    wide = [f"{row:01000}" for row in range(2000)]
    other = pa.array([{"b": text} for text in wide]) if beside == "a" else pa.array(wide)
    pq.write_table(pa.table({asked: range(2000), beside: other}), tmp_path / "x.parquet")
    sizes = [batch.num_rows for batch in Scan.of(tmp_path / "x.parquet").batches([asked])]
    assert sum(sizes) == 2000
    assert max(sizes) <= 66
