"""Tables that are queries which have not run yet: polars LazyFrames and DuckDB relations."""

from __future__ import annotations

import duckdb
import narwhals as nw
import polars as pl
import pyarrow as pa
import pytest

import shoal

FRAME = pl.DataFrame({"age": [20 + at % 10 for at in range(60)], "disease": ["flu", "cold", "mumps"] * 20})
ROLES = {"quasi_identifiers": "age", "sensitive": "disease", "model": shoal.KAnonymity(7), "algorithm": "mondrian"}


def test_a_lazy_frame_is_collected() -> None:
    release = shoal.anonymize(FRAME.lazy().filter(pl.col("age") < 30), **ROLES)
    assert isinstance(release.frame, pl.DataFrame)
    assert release.frame.equals(shoal.anonymize(FRAME, **ROLES).frame)
    assert shoal.assess(nw.from_native(FRAME.lazy()), quasi_identifiers="age").k == 6
    assert shoal.assess(FRAME.lazy(), quasi_identifiers="age").k == 6


def test_a_relation_becomes_an_arrow_table() -> None:
    connection = duckdb.connect()
    connection.register("visits", FRAME.to_arrow())
    release = shoal.anonymize(connection.sql("SELECT age, disease FROM visits WHERE age < 30"), **ROLES)
    assert isinstance(release.frame, pa.Table)
    assert release.frame.to_pylist() == shoal.anonymize(FRAME, **ROLES).frame.to_dicts()
    safe = release.frame  # noqa: F841  which DuckDB finds by its name
    assert connection.sql("SELECT count(*) FROM safe").fetchall() == [(60,)]
    assert shoal.assess(connection.table("visits"), quasi_identifiers="age").k == 6


@pytest.mark.parametrize("make", [lambda: FRAME.head(0).lazy(), lambda: duckdb.sql("SELECT 1 AS age WHERE false")])
def test_queries_without_rows_are_refused(make) -> None:
    with pytest.raises(shoal.InputError, match="The table has no rows"):
        shoal.anonymize(make(), **ROLES)


def closed_relation() -> duckdb.DuckDBPyRelation:
    connection = duckdb.connect()
    relation = connection.sql("SELECT 1 AS age")
    connection.close()
    return relation


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: FRAME.lazy().select("nothing"), 'The LazyFrame cannot be computed: unable to find column "nothing"'),
        (closed_relation, "The DuckDBPyRelation cannot be computed: .*closed"),
    ],
)
def test_queries_that_fail_are_refused_in_one_line(make, reason: str) -> None:
    with pytest.raises(shoal.InputError, match=reason) as caught:
        shoal.anonymize(make(), **ROLES)
    assert "\n" not in str(caught.value)
