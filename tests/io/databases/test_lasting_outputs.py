"""Outputs that would be lost, or would replace an input, are refused before anything is written."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import pytest

import shoal
from databases.clinic import released
from shoal import InputError
from shoal.io.outputs import check_targets

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def refused_everywhere(release, target, part, **named):
    """A target is refused before any work, and when it is written."""
    with pytest.raises(InputError, match=part):
        check_targets(target, None, **named)
    with pytest.raises(InputError, match=part):
        release.save(target, **named)


@pytest.mark.parametrize("place", [":memory:#safe", ":memory:name#safe", "./:memory:#safe"])
@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_database_in_memory_is_refused(sqlite, kind, place, tmp_path):
    pytest.importorskip("duckdb")
    before = sorted(tmp_path.iterdir())
    refused_everywhere(released(sqlite.url("patients")), f"{kind}:///{place}", "Name a file instead")
    with pytest.raises(InputError, match="in memory"):
        shoal.read_database(f"{kind}:///:memory:#patients")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@pytest.mark.parametrize("schema", ["temp", "TEMP"])
def test_a_temporary_table_of_a_file_is_refused(request, kind, schema):
    clinic = request.getfixturevalue(kind)
    said = r"a temporary table is lost when shoal ends\. Leave 'temp\.' out: #safe\.$"
    refused_everywhere(released(clinic.url("patients")), clinic.url(f"{schema}.safe"), said)


@pytest.mark.parametrize("content", ["csv", "sqlite", "empty"])
def test_a_file_that_is_no_duckdb_database_is_refused_and_left_alone(duckdb, sqlite, content, tmp_path):
    given = {"csv": b"age,zip\n1,2\n", "sqlite": Path(sqlite.place).read_bytes(), "empty": b""}[content]
    file = tmp_path / f"other.{content}"
    file.write_bytes(given)
    release = released(duckdb.url("patients"))
    refused_everywhere(release, f"duckdb:///{file.name}#safe", rf"'other\.{content}' is not a DuckDB database\. Name")
    with pytest.raises(InputError, match="is not a DuckDB database"):
        shoal.read_database(f"duckdb:///{file.name}#patients")
    assert file.read_bytes() == given


def test_a_name_with_a_colon_is_a_file_of_duckdb_and_no_extension(duckdb, tmp_path):
    released(duckdb.url("patients")).save("duckdb:///sqlite:new.db#safe")
    assert (tmp_path / "sqlite:new.db").read_bytes()[8:12] == b"DUCK"


@pytest.mark.parametrize("place", ["'p.csv'", "read_text('p.csv')", "outside", "sqlite_scan('a', 'b')"])
def test_a_query_of_duckdb_reads_no_files(duckdb, place, tmp_path):
    (tmp_path / "p.csv").write_text("age\n" + "1\n" * 5)
    duckdb.run("CREATE VIEW outside AS SELECT * FROM 'p.csv'")
    with pytest.raises(InputError, match=r"this reads more than the database, and shoal reads the database only\."):
        shoal.read_database(duckdb.url(), query=f"SELECT * FROM {place}")


@pytest.mark.parametrize("schema", ["pg_temp", "search_path"])
def test_a_temporary_table_of_postgresql_is_refused(postgresql, schema):
    temporary = postgresql.url("pg_temp.safe")
    if schema == "search_path":
        temporary = postgresql.url().partition("#")[0] + "?options=-csearch_path%3Dpg_temp,public#safe"
    said = r"a table in pg_temp\w* is lost when the connection ends\. Name another schema, such as #public\.safe\.$"
    refused_everywhere(released(postgresql.url("patients")), temporary, said)


@pytest.fixture
def parts(postgresql):
    """A partitioned table with a partition of a partition, and a table with a child."""
    postgresql.run(
        "CREATE TABLE part (age integer, sex text) PARTITION BY LIST (sex)",
        "CREATE TABLE part_m PARTITION OF part FOR VALUES IN ('m') PARTITION BY RANGE (age)",
        "CREATE TABLE part_m_young PARTITION OF part_m FOR VALUES FROM (0) TO (50)",
        "INSERT INTO part SELECT i % 10, 'm' FROM generate_series(1, 50) AS t(i)",
        "CREATE TABLE above (age integer)",
        "CREATE TABLE below () INHERITS (above)",
        "INSERT INTO below SELECT i % 10 FROM generate_series(1, 50) AS t(i)",
    )
    return postgresql


@pytest.mark.parametrize(
    ("given", "target", "part"),
    [
        ("part_m", "part", "this is the input|has 'part_m' as a partition or child"),
        ("part_m_young", "part", "has 'part_m' as a partition or child"),
        ("part", "part_m_young", "this is the input|is a partition or child of 'part_m'"),
        ("patients", "part_m_young", "is a partition or child of 'part_m'"),
        ("below", "above", "has 'below' as a partition or child"),
        ("patients", "below", "is a partition or child of 'above'"),
    ],
)
def test_a_table_is_not_replaced_with_its_partitions_or_children(parts, given, target, part):
    kept = ["name", "disease"] if given == "patients" else ()
    release = released(parts.url(given), quasi_identifiers=["age"], keep=kept)
    refused_everywhere(release, parts.url(target), part, replace=True)
    assert parts.rows("SELECT count(*) FROM part_m_young") == parts.rows("SELECT count(*) FROM below") == [(50,)]


def test_a_table_that_another_run_makes_meanwhile_is_there_already(postgresql):
    release = released(postgresql.url("patients"))
    with closing(postgresql.connect()) as other:
        other.execute("CREATE TABLE safe (old integer)")
        waiting = threading.Timer(1, other.commit)
        waiting.start()
        with pytest.raises(InputError) as error:
            release.save(postgresql.url("safe"))
        waiting.join()
    assert str(error.value) == (
        f"{postgresql.shown('safe')}: this table already exists. Choose another one, or say --replace (replace=True)."
    )
    assert postgresql.rows("SELECT * FROM safe") == []
