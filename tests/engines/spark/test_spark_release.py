"""A release of a Spark DataFrame equals that of the same table in memory, row by row."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.spark
from depth import every
from shoal.engines.lookup import Labels, Lookup
from shoal.engines.spark import solve

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
NAMES = ["age", "sex", "education", "occupation", "hours-per-week"]
ASKED = {
    "quasi_identifiers": NAMES[:3],
    "sensitive": "occupation",
    "hierarchies": {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name != "age"},
}


def adult(rows: int = 1500) -> pa.Table:
    return shoal.datasets.adult().select(NAMES).slice(0, rows)


def same(spark, table: pa.Table, **asked):
    """Release a DataFrame and compare the result with that of the table in memory."""
    data = spark.createDataFrame(table)
    plain = shoal.anonymize(data.toArrow(), **asked)
    release = shoal.spark.release(data, **asked)
    got, wanted = release.frame.toArrow(), plain.frame
    assert got.column_names == wanted.column_names
    for name in wanted.column_names:
        assert list(map(str, got[name].to_pylist())) == list(map(str, wanted[name].to_pylist())), name
    assert release.report.metrics == pytest.approx(plain.report.metrics)
    for fact in ("k", "classes", "rows", "suppressed_rows", "dropped_rows", "distinct_sensitive", "loss_by_attribute"):
        assert getattr(release.report, fact) == pytest.approx(getattr(plain.report, fact)), fact
    assert sorted(release.classes.sizes) == sorted(plain.classes.sizes)
    return release


@pytest.mark.parametrize(
    ("algorithm", "model"),
    every(
        2,
        [
            ("mondrian", shoal.KAnonymity(3) & shoal.Closeness(0.4)),
            ("mondrian", shoal.KAnonymity(5)),
            ("full-domain", shoal.KAnonymity(4) & shoal.DistinctDiversity(2)),
        ],
    ),
    ids=str,
)
def test_the_release_is_that_of_the_table_in_memory(spark, algorithm, model):
    release = same(spark, adult(), algorithm=algorithm, model=model, missing_values="?", **ASKED)
    assert release.report.input == {"file": None, "sha256": None, "sha256_of": None, "rows": 1500}


@pytest.mark.parametrize("suppressed", every(2, ["drop", "keep"]))
def test_suppressed_rows(spark, suppressed):
    release = same(
        spark,
        adult(600),
        algorithm="datafly",
        model=shoal.KAnonymity(8),
        max_suppression=0.1,
        suppressed=suppressed,
        **ASKED,
    )
    assert release.report.suppressed_rows > 0
    assert (release.frame.count() < 600) == (suppressed == "drop")


def odd_columns(rows: int = 240) -> dict[str, pa.Array]:
    """Return a column of each type, with missing values."""
    random = np.random.RandomState(3)
    day = dt.date(1960, 2, 28)
    moment = dt.datetime(1999, 12, 31, 22, 0, 1, 250000)

    def some(make, kind):
        return pa.array([None if random.rand() < 0.05 else make(int(random.randint(8))) for _ in range(rows)], kind)

    return {
        "date": some(lambda n: day + dt.timedelta(n), pa.date32()),
        "moment": some(lambda n: (moment + dt.timedelta(hours=n)).replace(tzinfo=dt.UTC), pa.timestamp("us", "UTC")),
        "local time": some(lambda n: moment + dt.timedelta(minutes=n), pa.timestamp("us")),
        "midnight": some(lambda n: dt.datetime(2001, 1, 1) + dt.timedelta(n), pa.timestamp("us")),
        "wage": some(lambda n: Decimal(n) / 4 - 1, pa.decimal128(10, 2)),
        "smokes": some(lambda n: n > 3, pa.bool_()),
        "tiny": some(lambda n: n - 4, pa.int8()),
        "large": some(lambda n: n + 2**40, pa.int64()),
        "single": some(lambda n: n / 10, pa.float32()),
        "double": some(lambda n: [float("nan"), -0.0, 0.0][n % 3] if n < 4 else n / 7, pa.float64()),
        "lasted": some(lambda n: dt.timedelta(seconds=n), pa.duration("us")),
        "Wörter.`x`": some(lambda n: ["", "ß", "日本", "a|b", "𝔘", "'", "ü ", "?"][n], pa.string()),
    }


@pytest.mark.parametrize("ranges", ["closed", "stepped"])
def test_ranges_that_do_not_end_at_values_of_people(spark, ranges):
    asked = {"model": shoal.KAnonymity(5), "algorithm": "mondrian", "ranges": ranges, "key": "a key of many characters"}
    same(spark, adult(), **ASKED | asked)


def test_columns_of_every_type(spark):
    columns = odd_columns()
    release = same(
        spark,
        pa.table(columns | {"disease": columns["Wörter.`x`"]}),
        quasi_identifiers=list(columns),
        sensitive="disease",
        model=shoal.KAnonymity(4),
        algorithm="mondrian",
    )
    assert release.report.k >= 4


@pytest.mark.parametrize("name", every(4, ["double", "moment", "wage", "Wörter.`x`"]))
def test_a_column_of_one_type(spark, name):
    columns = odd_columns()
    table = pa.table({name: columns[name], "secret": columns["single"]})
    same(spark, table, quasi_identifiers=name, sensitive="secret", model=shoal.KAnonymity(2), algorithm="mondrian")


def test_rows_that_miss_values_are_dropped(spark):
    columns = odd_columns()
    names = ["date", "double", "tiny"]
    release = same(
        spark,
        pa.table({name: columns[name] for name in [*names, "Wörter.`x`"]}),
        quasi_identifiers=names,
        sensitive="Wörter.`x`",
        missing_values=["?", "-2"],
        drop_missing=True,
        model=shoal.KAnonymity(3),
        algorithm="mondrian",
    )
    assert 0 < release.report.dropped_rows < 240


def test_columns_with_other_roles(spark):
    names = [f"person {at % 40}" for at in range(200)]
    table = adult(200).append_column("name", pa.array(names)).append_column("note", pa.array([["x"]] * 200))
    asked = {"model": shoal.KAnonymity(3), "algorithm": "mondrian", "key": "0123456789abcdef", **ASKED}
    linked = {"pseudonymize": "name", "rows_are_people": True}  # five rows have the same name
    release = same(spark, table, identifying="hours-per-week", **linked, **asked)
    shown = release.frame.toArrow()
    assert "hours-per-week" not in shown.column_names
    assert len(set(shown["name"].to_pylist())) == 40
    assert "0123456789abcdef" not in repr(release)
    assert shoal.spark.anonymize(spark.createDataFrame(table), identifying="name", **asked).columns == [*NAMES, "note"]


def test_two_hundred_columns(spark):
    random = np.random.RandomState(0)
    table = pa.table({f"c{at}": random.randint(0, 3, 60) for at in range(200)})
    names = table.column_names
    same(
        spark,
        table,
        quasi_identifiers=names[:150],
        sensitive=names[150],
        model=shoal.KAnonymity(5),
        algorithm="mondrian",
    )


def test_small_tables(spark):
    one = spark.createDataFrame(pa.table({"age": [30], "sex": ["f"]}))
    with pytest.raises(shoal.InfeasibleError, match="k can be at most 1"):
        shoal.spark.release(one, quasi_identifiers=["age", "sex"], model=shoal.KAnonymity(2))
    with pytest.raises(shoal.InputError, match="The table has no rows"):
        shoal.spark.release(one.limit(0), quasi_identifiers=["age", "sex"], model=shoal.KAnonymity(2))
    two = one.union(one)
    release = shoal.spark.release(two, quasi_identifiers=["age", "sex"], model=shoal.KAnonymity(2))
    assert release.frame.toArrow().to_pylist() == [{"age": "30", "sex": "f"}] * 2
    with pytest.raises(shoal.InputError, match="Every row misses"):
        shoal.spark.release(
            two, quasi_identifiers="age", model=shoal.KAnonymity(2), drop_missing=True, missing_values="30"
        )


def test_what_is_refused(spark):
    data = spark.createDataFrame(pa.table({"age": [1, 2], "tags": [["a"], ["b"]], "Age": [1, 2]}))
    asked = {"model": shoal.KAnonymity(2)}
    for wrong, sentence in [
        ({"quasi_identifiers": "tags"}, "'tags' holds values of type array<string>, which shoal cannot group"),
        ({"quasi_identifiers": "aged"}, "There is no column 'aged'"),
        ({"quasi_identifiers": "age", "algorithm": "kmember"}, "There is no algorithm 'kmember'"),
        ({"quasi_identifiers": "age", "algorithm": "k-member"}, "every row individually"),
        ({"quasi_identifiers": "age", "block_rows": 0}, "block_rows = 0 must be a whole number"),
        ({"quasi_identifiers": "age", "pseudonymize": "Age"}, "a secret key"),
    ]:
        with pytest.raises(shoal.InputError, match=sentence):
            shoal.spark.release(data, **asked, **wrong)
    with pytest.raises(shoal.InputError, match="A Table is not a Spark DataFrame"):
        shoal.spark.release(adult(), **asked, quasi_identifiers="age")
    with pytest.raises(shoal.InputError, match="appears twice"):
        shoal.spark.release(data.toDF("age", "age", "x"), **asked, quasi_identifiers="age")
    with pytest.raises(shoal.InputError, match="a stream without an end"):
        shoal.spark.release(spark.readStream.format("rate").load(), **asked, quasi_identifiers="value")
    both = shoal.spark.release(data, quasi_identifiers=["age", "Age"], **asked)
    assert both.frame.toArrow()["Age"].to_pylist() == ["1-2", "1-2"]


def test_weak_points_are_told(spark):
    from pyspark.sql import functions

    table = pa.table({"age": sorted(range(40)), "mail": [f"{at}@x.org" for at in range(40)]})
    data = spark.createDataFrame(table)
    asked = {"quasi_identifiers": "age", "model": shoal.KAnonymity(2), "algorithm": "mondrian"}
    with pytest.raises(shoal.ReviewError, match="Column 'mail' has no role and holds e-mail addresses"):
        shoal.spark.release(data, **asked)
    told = shoal.spark.release(data, keep="mail", **asked).report
    assert [(finding["code"], finding["columns"]) for finding in told.review["answered"]] == [
        ("identifying-column", ["mail"]),
        ("derived-column", ["mail"]),  # 17@x.org is 17 years old
        ("unique-combination", ["mail"]),
    ]
    assert [sentence.split(",")[0] for sentence in told.warnings] == [
        "With k = 2 each of the two people of a class knows everything that is released about the other",
        "The ends of the ranges of 'age' are values of single rows: 80% of the rows are the only ones of their class "
        "at an end",
        "The rows are sorted by 'age' and keep their order",
    ]
    changing = data.withColumn("mail", functions.rand())
    warned = shoal.spark.release(changing, **asked).report.warnings
    assert [sentence for sentence in warned if "draws at random" in sentence]
    assert [sentence for sentence in warned if "'mail' has no role and makes 100% of the rows unique" in sentence]


def test_a_row_that_was_not_there_before_is_refused(spark, tmp_path):
    from pyspark.errors import PySparkException

    file = tmp_path / "in.csv"
    file.write_text("age\n" + "31\n32\n" * 5)
    data = spark.read.csv(str(file), header=True)
    release = shoal.spark.release(data, quasi_identifiers="age", model=shoal.KAnonymity(3), algorithm="mondrian")
    file.write_text("age\n" + "31\n33\n" * 5)
    with pytest.raises(PySparkException, match="not there before"):
        release.frame.toArrow()


def test_a_wrong_release_is_not_returned(spark, monkeypatch):
    def single(answers, rows):
        """Put each different row into its own class."""
        return Lookup(lambda: [(codes, np.arange(len(ids), dtype=np.int32)) for codes, ids in answers()], rows)

    monkeypatch.setattr(solve, "Lookup", single)
    monkeypatch.setattr(solve, "Labels", lambda shown, top: Labels([str(at) for at in range(100)], top))
    with pytest.raises(shoal.VerificationError, match="does not cover that row's value"):
        shoal.spark.release(spark.createDataFrame(adult(100)), model=shoal.KAnonymity(3), algorithm="mondrian", **ASKED)


def test_columns_are_taken_by_their_exact_names(spark, tmp_path):
    names = ["^s.*$", "*", "a.b", "`a`", "a", 'q"', "b c", "é", "[x]", "rows"]
    table = pa.table({name: [f"{at}{row}" for row in "vwxy"] for at, name in enumerate(names)})
    table = table.set_column(2, "a.b", pa.array(["30", "31", "47", "48"]))
    asked = {
        "quasi_identifiers": "a.b",
        "sensitive": "*",
        "identifying": ["^s.*$", "`a`"],
        "model": shoal.KAnonymity(2),
    }
    wanted = table.drop_columns(["^s.*$", "`a`"]).set_column(1, "a.b", pa.array(["30-31", "30-31", "47-48", "47-48"]))
    release = shoal.spark.release(spark.createDataFrame(table), **asked)
    assert repr(release).startswith("<Release: rows 4, suppressed 0, dropped 0, classes 2, k 2, ")
    assert "0v" not in repr(release) + release._repr_html_()
    released = release.frame.toArrow()
    assert released.column_names == wanted.column_names
    assert released.to_pylist() == wanted.to_pylist()
    for ending, write in (("parquet", pq.write_table), ("csv", pa.csv.write_csv)):
        write(table, tmp_path / f"given.{ending}")
        written = shoal.spark.anonymize_files(tmp_path / f"given.{ending}", tmp_path / ending, **asked).path
        [part] = written.iterdir()
        assert shoal.read(part).to_arrow().to_pylist() == wanted.to_pylist(), ending


def test_two_zeros_are_one_value_and_large_numbers_are_exact(spark):
    zeros = spark.createDataFrame([(1, 0.0), (1, -0.0)] * 2, ["q", "s"])
    with pytest.raises(shoal.InfeasibleError, match="column 's' has 1 different value"):
        shoal.spark.release(zeros, quasi_identifiers="q", sensitive="s", model=shoal.DistinctDiversity(2))
    same(spark, pa.table({"s": [0.0, -0.0] * 2}), quasi_identifiers="s", model=shoal.KAnonymity(4))
    large = pa.table({"id": [2**60, 2**60 + 1, 2**60 + 4, 2**60 + 5]})
    release = same(spark, large, quasi_identifiers="id", model=shoal.KAnonymity(2), algorithm="mondrian")
    assert release.report.loss_by_attribute["id"] == pytest.approx(1 / 5)
