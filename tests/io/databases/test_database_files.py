"""SQLite and DuckDB files: created when needed, left unchanged when something fails, other types as text."""

from __future__ import annotations

import sqlite3

import pytest

import shoal
from databases.clinic import released
from shoal import InputError
from shoal.io import databases

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


@pytest.fixture(params=["sqlite", "duckdb"])
def clinic(request):
    return request.getfixturevalue(request.param)


def test_a_new_file_is_made(clinic, tmp_path):
    release = released(clinic.url("patients"))
    release.save(f"{clinic.kind}:///new.db#safe")
    assert shoal.read_database(f"{clinic.kind}:////{tmp_path}/new.db#safe".replace("////", "///", 1)).num_rows == 60


def test_a_new_file_goes_again_where_the_release_fails(clinic, tmp_path, monkeypatch):
    release = released(clinic.url("patients"))
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(databases, "as_given", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        release.save(f"{clinic.kind}:///new.db#safe")
    assert sorted(tmp_path.iterdir()) == before


def test_a_check_makes_no_file(clinic, tmp_path):
    from shoal.io.outputs import check_targets

    before = sorted(tmp_path.iterdir())
    check_targets(f"{clinic.kind}:///new.db#safe", None)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("no.db#t", "{}:///no.db#t: there is no file 'no.db'."),
        ("sub#t", "sub: this is a folder. Name a file in it."),
    ],
)
def test_a_file_that_cannot_be_read(clinic, tmp_path, place, sentence):
    (tmp_path / "sub").mkdir()
    with pytest.raises(InputError) as error:
        shoal.read_database(f"{clinic.kind}:///{place}")
    assert str(error.value) == sentence.format(clinic.kind)


def test_a_file_of_another_kind(clinic, tmp_path):
    (tmp_path / "text.db").write_text("hello" * 1000)
    with pytest.raises(InputError, match=r"text\.db.*(not a|is not a DuckDB) database"):
        shoal.read_database(f"{clinic.kind}:///text.db#t")
    with pytest.raises(InputError, match="there is no folder 'no'"):
        released(clinic.url("patients")).save(f"{clinic.kind}:///no/x.db#t")


def test_names_are_the_same_in_capitals(clinic):
    release = released(clinic.url("PATIENTS"))
    with pytest.raises(InputError, match="this is the input"):
        release.save(clinic.url("Patients"), replace=True)


def test_reports_do_not_overwrite_the_database(clinic, tmp_path):
    clinic.run("CREATE TABLE x (a integer)")
    (tmp_path / "link.html").symlink_to(tmp_path / clinic.place)
    with pytest.raises(InputError, match=r"link\.html: this is the input"):
        released(clinic.url("patients")).save(clinic.url("safe"), report="link.html")


def test_a_locked_file_is_told(sqlite, monkeypatch):
    release = released(sqlite.url("patients"))
    monkeypatch.setattr("shoal.io.databases.sqlite.TIMEOUT", 0.1)
    other = sqlite.connect()
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(InputError, match="database is locked"):
        release.save(sqlite.url("safe"))
    other.close()


def test_a_column_of_sqlite_may_mix_numbers_and_text(sqlite):
    sqlite.run("CREATE TABLE mixed (age integer, score integer)")
    sqlite.run(*[f"INSERT INTO mixed VALUES (1, {score})" for score in ("1", "2", "'n/a'", "NULL", "2.5")])
    assert shoal.read_database(sqlite.url("mixed"))["score"].to_pylist() == ["1", "2", "n/a", None, "2.5"]
    released(sqlite.url("mixed"), quasi_identifiers=["age"]).save(sqlite.url("safe"))
    assert sqlite.rows("SELECT score FROM safe") == sqlite.rows("SELECT score FROM mixed")


def test_bytes_beside_text_are_refused(sqlite):
    sqlite.run("CREATE TABLE mixed (a)", "INSERT INTO mixed VALUES ('x'), (x'00')")
    with pytest.raises(InputError, match="column 'a': bytes and other values are mixed"):
        shoal.read_database(sqlite.url("mixed"))


def test_a_number_that_is_none_is_not_lost_in_sqlite(sqlite):
    import pyarrow as pa

    release = released(pa.table({"age": [1] * 5, "x": [1.0, float("nan")] * 2 + [2.0]}), quasi_identifiers=["age"])
    with pytest.raises(InputError, match="column 'x' holds NaN, which SQLite does not have"):
        release.save(sqlite.url("safe"))
    assert not sqlite.has("safe")


def test_a_declared_type_is_no_way_to_more_sql(sqlite):
    connection = sqlite3.connect("clinic.db")
    connection.execute('CREATE TABLE odd (age integer, x "int); DROP TABLE patients; --")')
    connection.executemany("INSERT INTO odd VALUES (?, ?)", [(1, 2)] * 5)
    connection.commit()
    connection.close()
    released(sqlite.url("odd"), quasi_identifiers=["age"]).save(sqlite.url("safe"))
    assert sqlite.has("patients")
    assert sqlite.rows("SELECT x FROM safe") == [(2,)] * 5


DUCKDB = [
    "1::HUGEINT", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID", """'{"a": 1}'::JSON""", "INTERVAL 3 MONTH", "[1, 2]",
    "{'a': 1}", "1.5::DECIMAL(10,2)", "'2020-01-02 03:04:05+02'::TIMESTAMPTZ", "'12:00:00+02'::TIMETZ", "'x'::BLOB",
    "'101'::BIT", "'infinity'::DATE", "'-infinity'::TIMESTAMP", "18446744073709551615::UBIGINT", "TIME '12:00'",
    "340282366920938463463374607431768211455::UHUGEINT", "MAP {'a': 1}", "'NaN'::DOUBLE", "1.1::FLOAT",
    "'2020-01-02 03:04:05'::TIMESTAMP_NS", "[INTERVAL 1 DAY]", "'12:00:00+02'::TIMETZ",
]  # fmt: skip


@pytest.mark.parametrize("value", DUCKDB)
def test_every_type_of_duckdb_survives(duckdb, value):
    duckdb.run(f"CREATE TABLE given AS SELECT 1 AS age, {value} AS thing FROM range(5)")
    duckdb.run("INSERT INTO given(age) VALUES (1)")
    released(duckdb.url("given"), quasi_identifiers=["age"], keep="thing").save(duckdb.url("safe"))
    found = "SELECT thing::VARCHAR, typeof(thing) FROM {}"
    assert duckdb.rows(found.format("safe")) == duckdb.rows(found.format("given"))


def test_an_enum_of_duckdb_becomes_text_as_it_lists_values_that_no_row_has(duckdb):
    duckdb.run("CREATE TABLE given AS SELECT 1 AS age, 'a'::ENUM('a', 'rare') AS x FROM range(5)")
    released(duckdb.url("given"), quasi_identifiers=["age"]).save(duckdb.url("safe"))
    assert duckdb.rows("SELECT DISTINCT typeof(x), x FROM safe") == [("VARCHAR", "a")]


def test_names_in_a_query_of_duckdb_are_tables_and_no_variables(duckdb):
    patient = shoal.datasets.adult()
    assert patient.num_rows
    with pytest.raises(InputError, match="Table with name patient does not exist"):
        shoal.read_database(duckdb.url(), query="SELECT * FROM patient")
