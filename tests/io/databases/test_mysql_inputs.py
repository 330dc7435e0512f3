"""MySQL: a table that was read is never overwritten, whichever name, view, function or address leads to it."""

from __future__ import annotations

from urllib.parse import quote

import pytest

import shoal
from databases.clinic import PASSWORD, PATIENTS, released
from shoal import InputError
from shoal.io.source import Source

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

WAYS = {
    "view of a view": ("CREATE VIEW b AS SELECT age, zip FROM patients", "CREATE VIEW a AS SELECT * FROM b"),
    "view in another database": ("CREATE VIEW other.a AS SELECT age, zip FROM clinic.patients",),
    "function": (
        "CREATE FUNCTION Oldest() RETURNS int READS SQL DATA RETURN (SELECT max(age) FROM patients)",
        "CREATE TABLE b AS SELECT age, zip FROM patients",
        "CREATE VIEW a AS SELECT age + 0 * oldest() AS age, zip FROM b",
    ),
    "procedure in a function": (
        "CREATE PROCEDURE p(OUT x int) READS SQL DATA SELECT max(age) INTO x FROM patients",
        "CREATE FUNCTION f() RETURNS int READS SQL DATA BEGIN CALL p(@x); RETURN @x; END",
        "CREATE VIEW a AS SELECT f() AS age, '1' AS zip FROM information_schema.collations",
    ),
    "odd name": (
        "CREATE TABLE `pati``ents ä.b` AS SELECT * FROM patients",
        "CREATE VIEW a AS SELECT age, zip FROM `pati``ents ä.b`",
    ),
    "merge": (
        "ALTER TABLE patients ENGINE=MyISAM",
        "CREATE TABLE a (name varchar(20), age integer, zip text, disease text, cost numeric(10,2)) "
        "ENGINE=MERGE UNION=(patients)",
    ),
}


def refused(release, address, part="this is the input, which shoal never overwrites"):
    with pytest.raises(InputError) as error:
        release.save(address, replace=True)
    assert part in str(error.value)


@pytest.fixture
def other(mysql):
    """The clinic beside another database."""
    mysql.run("DROP DATABASE IF EXISTS other", "CREATE DATABASE other CHARACTER SET utf8mb4")
    yield mysql
    mysql.run("DROP DATABASE other")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("form", ["table", "query"])
def test_whatever_leads_to_a_table_it_is_not_replaced(other, way, form):
    other.run(*WAYS[way])
    table = "other.a" if "another" in way else "a"
    data = other.url(table) if form == "table" else Source.of(other.url(), query=f"SELECT age, zip FROM {table}")
    release = released(data, keep=("name", "disease", "cost") if (way, form) == ("merge", "table") else ())
    refused(release, other.url('"pati`ents ä.b"' if way == "odd name" else "patients"))
    assert other.rows("SELECT count(*), count(name) FROM patients") == [(len(PATIENTS), len(PATIENTS))]


def test_every_address_of_a_server_is_known(mysql, mysql_server):
    release = released(mysql.url("patients"))
    password, socket = quote(PASSWORD, safe=""), quote(mysql_server.socket, safe="")
    for address in (
        mysql.url("patients").replace("127.0.0.1", "localhost"),
        mysql.url("clinic.patients").replace("/clinic", "/mysql"),
        mysql.url("patients").replace("mysql:", "MariaDB:"),
        f"mysql://admin:{password}@/clinic?socket={socket}#patients",
    ):
        refused(release, address)
    assert len(mysql.rows("SELECT name FROM patients")) == len(PATIENTS)


def test_names_that_differ_in_case_are_two_tables_where_the_server_says_so(mysql):
    mysql.run("CREATE TABLE Patients (old integer)", "CREATE VIEW seen AS SELECT age, zip FROM patients")
    for data in (mysql.url("seen"), Source.of(mysql.url(), query="SELECT age, zip FROM patients")):
        refused(released(data, keep=()), mysql.url("patients"))
    released(mysql.url("seen"), keep=()).save(mysql.url("Patients"), replace=True)
    assert mysql.rows("SELECT count(*) FROM Patients") == mysql.rows("SELECT count(name) FROM patients") == [(60,)]


@pytest.fixture
def reader(mysql):
    """The address of what an account sees that has one view and may not see what is behind it."""
    mysql.run(
        "CREATE VIEW seen AS SELECT age, zip FROM patients",
        "CREATE USER 'reader'@'%' IDENTIFIED BY 'x'",
        "GRANT SELECT ON clinic.seen TO 'reader'@'%'",
    )
    yield mysql.url("seen", user="reader", password="x")
    mysql.run("DROP USER 'reader'@'%'")


def test_behind_a_view_that_hides_its_definition_may_be_any_table(mysql, reader):
    mysql.run("CREATE TABLE safe (old integer)")
    release = released(reader, keep=())
    for table in ("patients", "safe"):
        refused(release, mysql.url(table), "hides from you what it reads, and it may be this table")
    release.save(mysql.url("new"))
    assert shoal.read_database(mysql.url("new")).num_rows == len(PATIENTS)


def test_behind_a_view_that_shows_its_definition_is_a_table_that_the_account_cannot_see(mysql, reader):
    mysql.run("GRANT SHOW VIEW ON clinic.seen TO 'reader'@'%'", "CREATE TABLE safe (old integer)")
    release = released(reader, keep=())
    refused(release, mysql.url("patients"))
    release.save(mysql.url("safe"), replace=True)
    assert mysql.rows("SELECT count(*) FROM safe") == [(len(PATIENTS),)]
