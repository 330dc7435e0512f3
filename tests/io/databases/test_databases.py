"""Every database: tables are read; releases are written completely, verified and never over the input."""

from __future__ import annotations

import pyarrow as pa
import pytest

import shoal
from databases.clinic import PATIENTS, released
from shoal import InputError, VerificationError
from shoal.io import databases
from shoal.io.source import Source
from shoal.release.report.redaction import public_place

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def refusal(action, *args, **named):
    with pytest.raises(InputError) as error:
        action(*args, **named)
    return str(error.value)


def test_a_table_is_read_as_it_is(clinic):
    table = shoal.read_database(clinic.url("patients"))
    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert [(*row[:4], float(row[4])) for row in rows] == PATIENTS


def test_a_query_stands_in_place_of_a_table(clinic):
    table = shoal.read_database(clinic.url(), query="SELECT age, zip FROM patients WHERE age < 22;  ")
    assert table.column_names == ["age", "zip"]
    assert set(table["age"].to_pylist()) == {20, 21}


def test_a_release_is_written_and_found_again(clinic):
    release = released(clinic.url("patients"), sensitive="disease", identifying="name")
    written = release.save(clinic.url("safe"))
    assert str(written) == clinic.shown("safe")
    assert Source.of(clinic.url("safe")).to_arrow().to_pylist() == release.frame.to_pylist()
    found = shoal.assess(clinic.url("safe"), quasi_identifiers=["age", "zip"])
    assert found.k >= 5


def test_other_columns_keep_their_type_and_labels_are_text(clinic):
    released(clinic.url("patients")).save(clinic.url("safe"))
    before, after = (shoal.read_database(clinic.url(name)).schema for name in ("patients", "safe"))
    for name in ("name", "disease", "cost"):
        assert before.field(name).equals(after.field(name), check_metadata=True)
        assert after.field(name).metadata
    assert [str(after.field(name).type) for name in ("age", "zip")] == ["string", "string"]


def test_a_table_that_is_there_is_left_alone_unless_it_is_to_be_replaced(clinic):
    clinic.run("CREATE TABLE safe (old integer)", "INSERT INTO safe VALUES (1)")
    release = released(clinic.url("patients"))
    assert refusal(release.save, clinic.url("safe")) == (
        f"{clinic.shown('safe')}: this table already exists. Choose another one, or say --replace (replace=True)."
    )
    assert clinic.rows("SELECT * FROM safe") == [(1,)]
    release.save(clinic.url("safe"), replace=True)
    assert len(clinic.rows("SELECT age FROM safe")) == 60


@pytest.mark.parametrize("via", ["table", "query", "view", "frame"])
def test_the_input_is_never_overwritten(clinic, via):
    clinic.run("CREATE VIEW seen AS SELECT age, zip FROM patients")
    query = "SELECT age, zip FROM seen"
    data = {
        "table": clinic.url("patients"),
        "view": clinic.url("seen"),
        "query": Source.of(clinic.url(), query=query),
        "frame": shoal.read_database(clinic.url(), query=query),
    }[via]
    release = released(data, keep="name" if via == "table" else ())
    said = refusal(release.save, clinic.url("patients"), replace=True)
    assert said == (
        f"{clinic.shown('patients')}: this is the input, which shoal never overwrites. Choose another table."
    )
    assert len(clinic.rows("SELECT name FROM patients")) == 60


def test_a_population_is_never_overwritten(clinic):
    clinic.run("CREATE TABLE everyone AS SELECT age, zip FROM patients")
    model = shoal.KAnonymity(5) & shoal.KMap(5, clinic.url("everyone"))
    release = released(clinic.url("patients"), model=model)
    assert "this is the input" in refusal(release.save, clinic.url("everyone"), replace=True)


FAILURES = [VerificationError("no"), KeyboardInterrupt(), OSError("full"), SystemExit(1)]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda one: type(one).__name__)
def test_what_fails_while_it_is_written_leaves_everything_as_it_was(clinic, monkeypatch, tmp_path, failure):
    clinic.run("CREATE TABLE safe (old integer)", "INSERT INTO safe VALUES (1)")
    release = released(clinic.url("patients"))

    def fail(*_):
        raise failure

    monkeypatch.setattr(databases, "read_back", fail)
    for table, replace in (("new", False), ("safe", True)):
        with pytest.raises(type(failure)):
            release.save(clinic.url(table), replace=replace, report=tmp_path / "report.json")
    assert not clinic.has("new")
    assert clinic.rows("SELECT * FROM safe") == [(1,)]
    assert not (tmp_path / "report.json").exists()


def test_a_report_that_cannot_be_written_leaves_no_table(clinic, monkeypatch, tmp_path):
    release = released(clinic.url("patients"))

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shoal.release.json_report.write_text", full)
    assert "No space left" in refusal(release.save, clinic.url("safe"), report=tmp_path / "report.json")
    assert not clinic.has("safe")


def test_what_comes_back_changed_is_not_released(clinic, monkeypatch):
    release = released(clinic.url("patients"), sensitive="disease")
    read = databases.read_back

    def forged(database):
        found = read(database)
        return found.set_column(3, found.schema.field(3), found["disease"].take([1, 0, *range(2, 60)]))

    monkeypatch.setattr(databases, "read_back", forged)
    with pytest.raises(VerificationError, match="Column 'disease' was not written unchanged"):
        release.save(clinic.url("safe"))
    assert not clinic.has("safe")


ODD = ['select "x"', "Füße ☃", "a b;--", 'x"; DROP TABLE patients; --', "ta'ble", "a#b", "a@b"]


@pytest.mark.parametrize("name", ODD)
def test_any_name_is_a_name(clinic, name):
    release = released(clinic.url("patients"))
    release.save(clinic.url(name))
    assert shoal.read_database(clinic.url(name)).num_rows == 60
    assert clinic.has(name)
    assert clinic.has("patients")


def test_names_with_dots_are_quoted(clinic):
    released(clinic.url("patients")).save(clinic.url('"a.b"'))
    assert clinic.has("a.b")
    schema = {"postgresql": "public", "mysql": "clinic", "mssql": "dbo"}.get(clinic.kind, "main")
    assert shoal.read_database(clinic.url(f'{schema}."a.b"')).num_rows == 60


WRITES = [
    "DELETE FROM patients",
    "DROP TABLE patients",
    "SELECT 1; DELETE FROM patients",
    "COMMIT; DELETE FROM patients",
    "SELECT 1) AS x; COMMIT; DELETE FROM patients; SELECT * FROM (SELECT 1",
    "INSERT INTO patients(age) VALUES (1) RETURNING age",
    "UPDATE patients SET age = 1",
    "WITH x AS (SELECT 1) DELETE FROM patients",
    "CREATE TABLE y AS SELECT 1",
    "",
    " ; ",
]


@pytest.mark.parametrize("query", WRITES)
def test_a_query_that_writes_is_refused(clinic, query):
    refusal(shoal.read_database, clinic.url(), query=query)
    assert [row[0] for row in clinic.rows("SELECT age FROM patients")] == [age for _, age, *_ in PATIENTS]


@pytest.mark.parametrize(
    ("table", "query", "sentence"),
    [
        ("patient", None, "there is no table 'patient'. Did you mean 'patients'?"),
        ("zzz", None, "there is no table 'zzz'. There are patients."),
        ("", None, "name the table after #, such as {}#patients, or give a query."),
        ("patients", "SELECT 1", "a table after # and a query are two inputs. Leave one of them out."),
        ("", " ", "the query is empty."),
        ("", "SELECT age FROM patients WHERE age < 0", "the query returns no rows."),
        (
            "",
            "SELECT age, zip AS age FROM patients",
            "the column name 'age' appears twice. Rename one of the two with AS.",
        ),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(clinic, table, query, sentence):
    said = refusal(shoal.read_database, clinic.url(table), query=query)
    assert said == f"{clinic.shown(table)}: " + sentence.format(clinic.shown())


def test_mistakes_in_a_query_are_told_in_one_line(clinic):
    for query in ("SELCT 1", "SELECT nothing FROM patients", "SELECT * FROM nowhere"):
        said = refusal(shoal.read_database, clinic.url(), query=query)
        assert said.startswith(f"{clinic.shown()}: ")
        assert "\n" not in said


def test_an_empty_table_is_refused_and_one_row_is_enough(clinic):
    clinic.run("CREATE TABLE vacant (a integer)", "CREATE TABLE one (a integer)", "INSERT INTO one VALUES (7)")
    assert refusal(shoal.read_database, clinic.url("vacant")) == f"{clinic.shown('vacant')}: the table has no rows."
    assert shoal.read_database(clinic.url("one"))["a"].to_pylist() == [7]


def test_missing_values_empty_texts_and_odd_signs_survive(clinic):
    texts = [None, "", "NULL", "\\N", "\\.", 'a"b', "a,b", "a\nb\r\nc", " ", "☃", "a\\b", "'"] * 2
    clinic.run("CREATE TABLE odd (age integer, note text, gone text)")
    literals = ["NULL" if one is None else "'" + one.replace("'", "''") + "'" for one in texts]
    values = ", ".join(f"(1, {literal}, NULL)" for literal in literals)
    clinic.run(f"INSERT INTO odd VALUES {values}")
    assert shoal.read_database(clinic.url("odd"))["note"].to_pylist() == texts
    released(clinic.url("odd"), quasi_identifiers=["age"], sensitive="note").save(clinic.url("safe"))
    assert [row[1:] for row in clinic.rows("SELECT * FROM safe")] == [(one, None) for one in texts]


def test_two_hundred_columns(clinic):
    names = [f"c{number}" for number in range(200)]
    clinic.run(f"CREATE TABLE wide ({', '.join(f'{name} integer' for name in names)})")
    row = ", ".join(map(str, range(200)))
    clinic.run("INSERT INTO wide VALUES " + ", ".join([f"({row})"] * 5))
    released(clinic.url("wide"), quasi_identifiers=names[:3]).save(clinic.url("safe"))
    assert clinic.rows("SELECT c0, c199 FROM safe") == [(0, 199)] * 5


def test_a_release_goes_from_any_frame_to_any_database(clinic):
    import pandas as pd

    table = {
        "age": [23, 27, 41, 45],
        "when": pd.to_datetime(["2020-01-02 03:04:05"] * 4),
        "zoned": pd.to_datetime(["2020-01-02 03:04:05+02:00"] * 4),
        "seen": [True, False] * 2,
        "share": [0.5, 1e300 if clinic.kind in ("mysql", "mssql") else float("inf"), 1e-300, 2.0],
        "kind": pd.Categorical(["a", "b", "a", "b"], categories=["a", "b", "rare"]),
        "raw": [b"\x00\xff", b"", b"x", b"y"],
    }
    released(pd.DataFrame(table), quasi_identifiers=["age"], model=shoal.KAnonymity(2)).save(clinic.url("safe"))
    found = shoal.read_database(clinic.url("safe"))
    assert found["share"].to_pylist() == table["share"]
    assert found["kind"].to_pylist() == ["a", "b", "a", "b"]
    assert set(found["age"].to_pylist()) == {"23-27", "41-45"}
    assert found["raw"].to_pylist() == table["raw"]
    assert "rare" not in str(found.schema)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql", "mysql", "mssql"])
def test_a_type_without_a_like_is_refused(request, kind):
    clinic = request.getfixturevalue(kind)
    release = released(pa.table({"age": [1] * 5, "many": [[1, 2]] * 5}), quasi_identifiers=["age"])
    assert "Column 'many' of type list<item: int64> has no equivalent in" in refusal(release.save, clinic.url("safe"))
    assert not clinic.has("safe")


def test_the_output_needs_a_table(clinic):
    release = released(clinic.url("patients"))
    assert refusal(release.save, clinic.url()) == (
        f"{clinic.shown()}: name the table to write after #, such as {clinic.shown()}#safe."
    )


def test_a_driver_that_is_missing_is_named_with_its_command(monkeypatch):
    import sys

    for name, url in (
        ("psycopg", "postgresql://h/d#t"),
        ("pymysql", "mysql://h/d#t"),
        ("pytds", "mssql://u@h/d#t"),
        ("duckdb", "duckdb:///x#t"),
    ):
        monkeypatch.setitem(sys.modules, name, None)
        assert refusal(shoal.read_database, url).endswith(f"need {name}: pip install 'shoal[databases]'.")


def test_reports_show_where_a_table_came_from_without_server_and_password(clinic, tmp_path):
    release = released(clinic.url("patients"))
    release.save(clinic.url("safe"), report=[tmp_path / "report.html", tmp_path / "report.json"])
    page = (tmp_path / "report.html").read_text() + (tmp_path / "report.json").read_text()
    assert public_place(clinic.shown("patients")) in page
    assert release.to_python().count(clinic.shown("patients")) == 1
    assert release.report.input["file"] == "patients"
    assert release.report.input["sha256_of"] == "encoded columns"
    assert "%C3%B6" not in page
    assert "p@ss" not in page
    assert "%C3%B6" not in repr(release.source)
