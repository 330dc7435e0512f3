"""MySQL and MariaDB: values of every type come back unchanged, names are kept, rights are respected, failures told."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest

import shoal
from databases.clinic import released
from depth import every
from shoal import InputError
from shoal.io.databases import Address, check_output, opened

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

# A declared type, a value as SQL writes it, and the value in Python.
TYPES = [
    ("tinyint", "-128", -128),
    ("smallint unsigned", "65535", 65535),
    ("mediumint unsigned zerofill", "42", 42),
    ("int unsigned", "4294967295", 2**32 - 1),
    ("bigint", "-9223372036854775808", -(2**63)),
    ("bigint unsigned", "18446744073709551615", 2**64 - 1),
    ("decimal(10,2)", "-12.3", Decimal("-12.30")),
    ("decimal(10,0) unsigned", "12", Decimal(12)),
    ("decimal(65,30)", "12345678901234567890123456789012345.5", f"12345678901234567890123456789012345.5{'0' * 29}"),
    ("double", "1e-300", 1e-300),
    ("bit(1)", "b'1'", 1),
    ("bit(64)", "18446744073709551615", 2**64 - 1),
    ("date", "'2020-01-02'", dt.date(2020, 1, 2)),
    ("date", "'0000-00-00'", "0000-00-00"),
    ("date", "'2020-00-15'", "2020-00-15"),
    ("datetime(6)", "'2020-01-02 03:04:05.6'", dt.datetime(2020, 1, 2, 3, 4, 5, 600000)),
    ("datetime", "'0000-00-00 00:00:00'", "0000-00-00 00:00:00"),
    ("timestamp", "'2020-01-02 03:04:05'", dt.datetime(2020, 1, 2, 1, 4, 5, tzinfo=dt.UTC)),
    ("timestamp", "'0000-00-00 00:00:00'", "0000-00-00 00:00:00"),
    ("time(6)", "'12:34:56.7'", dt.time(12, 34, 56, 700000)),
    ("time", "'838:59:59'", "838:59:59"),
    ("time", "'-01:00:00'", "-01:00:00"),
    ("year", "2020", 2020),
    ("year", "0", 0),
    ("char(5)", "'ab'", "ab"),
    ("varchar(5)", "'ab '", "ab "),
    ("varchar(5) CHARACTER SET latin1 COLLATE latin1_german1_ci", "'äß€'", "äß€"),
    ("varchar(9) CHARACTER SET utf16 COLLATE utf16_bin", "'a🙂'", "a🙂"),
    ("mediumtext", "'🙂\\'''", "🙂\\'"),
    ("binary(3)", "'a'", b"a\0\0"),
    ("varbinary(3)", "X'00ff5c'", b"\x00\xff\\"),
    ("blob", "X'27'", b"'"),
    ("json", """'{"a":  "ä"}'""", None),  # MySQL keeps the content, MariaDB the text
]
MARIADB = [
    ("uuid", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("inet6", "'2001:db8::ff00:42:8329'", "2001:db8::ff00:42:8329"),
]


def refusal(action, *args, **named):
    with pytest.raises(InputError) as error:
        action(*args, **named)
    assert "\n" not in str(error.value)
    return str(error.value)


def given(mysql, kind, written):
    """Make a table with a column of a type, of which every sixth row is missing."""
    values = ", ".join([f"(1, {written})"] * 5 + ["(1, NULL)"])
    mysql.run(
        f"CREATE TABLE given (age int, thing {kind} NULL)",
        "SET time_zone = '+02:00'",
        f"INSERT INTO given VALUES {values}",
    )


@pytest.mark.parametrize(("kind", "written", "value"), TYPES + MARIADB, ids=lambda one: str(one)[:20])
def test_every_type_survives(mysql, mysql_server, kind, written, value):
    if (kind, written, value) in MARIADB and not mysql_server.is_mariadb:
        pytest.skip("a type of MariaDB")
    given(mysql, kind, written)
    if value is not None:
        assert shoal.read_database(mysql.url("given"))["thing"].to_pylist() == [value] * 5 + [None]
    released(mysql.url("given"), quasi_identifiers=["age"], keep="thing").save(mysql.url("safe"))
    assert mysql.rows("SELECT thing FROM safe") == mysql.rows("SELECT thing FROM given")
    declared = "SELECT column_type, collation_name FROM information_schema.columns WHERE column_name = 'thing'"
    first, second = mysql.rows(declared + " AND table_schema = 'clinic'")
    assert first == second


@pytest.mark.parametrize("role", every(2, ["quasi", "sensitive"]))
@pytest.mark.parametrize(("kind", "written"), [(kind, written) for kind, written, _ in TYPES], ids=lambda one: one[:20])
def test_every_type_has_a_role_or_is_refused(mysql, kind, written, role):
    given(mysql, kind, written)
    mysql.run("INSERT INTO given VALUES (1, NULL), (1, NULL), (1, NULL), (1, NULL)")
    roles = (
        {"quasi_identifiers": ["thing"]} if role == "quasi" else {"quasi_identifiers": ["age"], "sensitive": "thing"}
    )
    if "bina" in kind or kind == "blob":
        assert "shoal cannot group" in refusal(released, mysql.url("given"), **roles)
        return
    released(mysql.url("given"), **roles).save(mysql.url("safe"))
    assert mysql.rows("SELECT count(*) FROM safe") == [(10,)]


def test_a_float_keeps_every_digit(mysql):
    mysql.run(
        "CREATE TABLE given (age int, thing float)", "INSERT INTO given VALUES (1, 16777215), (1, 1.1), (1, 1e-40)"
    )
    found = shoal.read_database(mysql.url("given"))["thing"]
    assert found.equals(pa.chunked_array([pa.array([16777215, 1.1, 1e-40], pa.float32())]))
    released(mysql.url("given"), quasi_identifiers=["age"], keep="thing", model=shoal.KAnonymity(3)).save(
        mysql.url("safe")
    )
    assert mysql.rows("SELECT thing * 1e0 FROM safe") == mysql.rows("SELECT thing * 1e0 FROM given")


def test_a_type_that_lists_its_values_is_not_passed_on(mysql):
    mysql.run(
        "CREATE TABLE given (age int, one enum('flu', 'rabies'), some set('flu', 'rabies'), place point)",
        "INSERT INTO given VALUES " + ", ".join(["(1, 'flu', 'flu', ST_GeomFromText('POINT(1 2)'))"] * 5),
    )
    released(mysql.url("given"), quasi_identifiers=["age"], keep="place").save(mysql.url("safe"))
    kinds = "SELECT data_type FROM information_schema.columns WHERE table_name = 'safe' ORDER BY ordinal_position"
    assert [kind for (kind,) in mysql.rows(kinds)] == ["int", "longtext", "longtext", "longblob"]
    assert mysql.rows("SELECT one, some FROM safe LIMIT 1") == [("flu", "flu")]
    assert mysql.rows("SELECT ST_AsText(place) FROM safe LIMIT 1") == [("POINT(1 2)",)]


def test_a_type_that_the_other_server_does_not_have_is_replaced(mysql):
    kind = "varchar(9) CHARACTER SET latin9 COLLATE latin9_x_ci"
    field = pa.field("thing", pa.string(), metadata={"shoal.mysql": kind})
    table = pa.table([[1] * 5, ["ä"] * 5], schema=pa.schema([pa.field("age", pa.int64()), field]))
    released(table, quasi_identifiers=["age"], keep="thing").save(mysql.url("safe"))
    assert mysql.rows("SELECT thing FROM safe LIMIT 1") == [("ä",)]


@pytest.mark.parametrize("mode", ["PAD_CHAR_TO_FULL_LENGTH", "ANSI", "TRADITIONAL", "", "NO_BACKSLASH_ESCAPES"])
def test_the_mode_of_the_server_changes_no_value(mysql, mode):
    given(mysql, "char(5)", "'a\\'")
    before = mysql.rows("SELECT @@global.sql_mode")[0][0]
    mysql.run(f"SET GLOBAL sql_mode = '{mode}'")
    try:
        assert shoal.read_database(mysql.url("given"))["thing"].to_pylist() == ["a\\"] * 5 + [None]
        released(mysql.url("given"), quasi_identifiers=["age"], keep="thing").save(mysql.url("safe"))
    finally:
        mysql.run(f"SET GLOBAL sql_mode = '{before}'")
    assert mysql.rows("SELECT thing FROM safe") == [("a\\",)] * 5 + [(None,)]


def test_a_value_that_would_be_changed_is_not_written(mysql):
    long = pa.table({"age": [1] * 5, "when": pa.array([1] * 5, pa.timestamp("ns"))})
    with pytest.raises(shoal.VerificationError, match="'when' was not written unchanged"):
        released(long, quasi_identifiers=["age"], keep="when").save(mysql.url("safe"))
    for value in (float("nan"), float("inf")):
        table = pa.table({"age": [1] * 5, "share": [value] * 5})
        said = refusal(released(table, quasi_identifiers=["age"], keep="share").save, mysql.url("safe"))
        assert "which MySQL does not have" in said
    assert not mysql.has("safe")


@pytest.mark.parametrize("name", ["a`b", "a.b", "ä" * 64, "%s", "a\\b", "select", "x\ty", "a  b"])
def test_names_of_columns_and_tables_are_kept(mysql, name):
    column = name.replace("%", "%%")
    table = pa.table({"age": [1] * 5, column: ["x"] * 5})
    address = mysql.url('"' + name + '"')
    released(table, quasi_identifiers=["age"], keep=column).save(address)
    assert mysql.has(name)
    assert shoal.read_database(address).column_names == ["age", column]
    safer = mysql.url("safer")
    released(address, quasi_identifiers=["age"], keep=column).save(safer)
    assert shoal.read_database(safer).column_names == ["age", column]


@pytest.mark.parametrize(
    ("name", "part"),
    [("ä" * 65, "longer than the 64 characters"), ("🙂", "has '🙂', which no name"), ("a ", "ends with a blank")],
)
def test_names_that_the_server_would_not_take_are_refused(mysql, name, part):
    release = released(mysql.url("patients"))
    assert part in refusal(release.save, mysql.url(name))
    table = pa.table({name: [1] * 5})
    assert part in refusal(released(table, quasi_identifiers=[name]).save, mysql.url("safe"))
    assert not mysql.has("safe")


@pytest.mark.parametrize("size", every(2, [254, 17_000_000, 70_000]))
def test_long_values_and_many_rows(mysql, size):
    mysql.run("SET GLOBAL max_allowed_packet = 67108864")
    mysql.run(
        "CREATE TABLE given (age int, note longtext)",
        "INSERT INTO given SELECT a.age, concat(a.name, b.name) FROM patients a, patients b, patients c LIMIT 70000",
        f"INSERT INTO given SELECT 7, repeat('x', {size} + age) FROM patients LIMIT 4",
    )
    released(mysql.url("given"), quasi_identifiers=["age"], keep="note").save(mysql.url("safe"))
    found = "SELECT count(*), max(length(note)), sum(crc32(note)) FROM "
    assert mysql.rows(found + "safe") == mysql.rows(found + "given")


def test_a_row_that_is_longer_than_the_server_takes_is_told(mysql):
    mysql.run("SET GLOBAL max_allowed_packet = 1048576")
    try:
        table = pa.table({"age": [1] * 5, "note": ["x" * 1_048_576] * 5})
        said = refusal(released(table, quasi_identifiers=["age"], keep="note").save, mysql.url("safe"))
        assert "Set its max_allowed_packet, which is 1,048,576, higher." in said
        fits = pa.table({"age": [1] * 5, "note": ["x" * 1_048_000] * 5})
        released(fits, quasi_identifiers=["age"], keep="note").save(mysql.url("safe"))
    finally:
        mysql.run("SET GLOBAL max_allowed_packet = DEFAULT")
    assert mysql.rows("SELECT sum(length(note)) FROM safe") == [(5 * 1_048_000,)]


def test_more_columns_of_text_than_a_row_can_hold_are_told(mysql):
    for count, fits in ((190, True), (250, False)):
        table = pa.table({"age": [1] * 5, **{f"c{number}": ["x" * 40] * 5 for number in range(count)}})
        release = released(table, quasi_identifiers=["age"], keep=table.column_names[1:])
        if fits:
            release.save(mysql.url("safe"))
        else:
            said = refusal(release.save, mysql.url("wide"))
            assert "a table of InnoDB cannot hold so many columns of text. Leave some out, or write a Parquet" in said
    assert mysql.rows("SHOW TABLES") == [("patients",), ("safe",)]


WRITES = [
    "SELECT NEXTVAL(numbers)",
    "SELECT writes()",
    "SELECT 1 INTO OUTFILE '{0}'",
    "SELECT 1) AS a UNION SELECT 1 INTO OUTFILE '{0}' FROM (SELECT 2",
    "SELECT 1) AS a INTO OUTFILE '{0}' /*",
    "SELECT age FROM patients FOR UPDATE",
    "SELECT 1) AS a, (SELECT 2",
    "CALL deletes()",
]


@pytest.mark.parametrize("query", WRITES)
def test_a_query_only_reads(mysql, mysql_server, tmp_path, query):
    numbers = "SEQUENCE numbers" if mysql_server.is_mariadb else "TABLE numbers (next_not_cached_value int DEFAULT 1)"
    mysql.run(
        f"CREATE {numbers}",
        "CREATE TABLE seen (a int)",
        "CREATE FUNCTION writes() RETURNS int BEGIN INSERT INTO seen VALUES (1); RETURN 1; END",
        "CREATE PROCEDURE deletes() DELETE FROM patients",
    )
    refusal(shoal.read_database, mysql.url(), query=query.format(tmp_path / "out"))
    with pytest.raises(InputError, match="READ ONLY"), opened(Address.of(mysql.url())) as database:
        database.run("DROP TABLE patients")  # if a query found a way to
    assert mysql.rows("SELECT count(*) FROM patients") == [(60,)]
    assert mysql.rows("SELECT * FROM seen") == []
    assert mysql.rows("SELECT next_not_cached_value FROM numbers") in ([], [(1,)])
    assert not (tmp_path / "out").exists()


@pytest.fixture
def reader(mysql):
    """An account that may read the patients and nothing else."""
    mysql.run("CREATE USER 'reader'@'%' IDENTIFIED BY 'x'", "GRANT SELECT ON clinic.patients TO 'reader'@'%'")
    yield lambda table, **named: mysql.url(table, user="reader", password="x", **named)
    mysql.run("DROP USER 'reader'@'%'")


@pytest.mark.parametrize("missing", ["SELECT", "CREATE", "INSERT", "ALTER", "DROP", None])
def test_a_right_that_is_missing_is_told_before_any_work(mysql, reader, missing):
    rights = ", ".join(right for right in ("SELECT", "CREATE", "INSERT", "ALTER", "DROP") if right != missing)
    mysql.run(f"GRANT {rights} ON clinic.* TO 'reader'@'%'", "CREATE TABLE safe (old int)")
    address = Address.of(reader("safe"))
    if missing is None:
        check_output(address, replace=True, inputs=frozenset())
        released(reader("patients")).save(address, replace=True)
        assert mysql.rows("SELECT count(*) FROM safe") == [(60,)]
        return
    said = refusal(check_output, address, replace=True, inputs=frozenset())
    assert f"{missing} command denied to user 'reader'@" in said


def test_what_an_account_may_not_read_is_told(mysql, reader):
    mysql.run("CREATE TABLE secret (a int)")
    assert "there is no table 'secret'. There are patients." in refusal(shoal.read_database, reader("secret"))
    said = refusal(shoal.read_database, reader(""), query="SELECT * FROM secret")
    assert "SELECT command denied to user 'reader'@" in said


def test_a_place_that_is_no_table_of_the_account_is_refused(mysql):
    mysql.run("CREATE VIEW above AS SELECT 1 AS a")
    release = released(mysql.url("patients"))
    for place, part in {
        "mysql.safe": "'mysql' is the server's own database",
        "Information_Schema.safe": "is the server's own database",
        "nowhere.safe": "there is no database 'nowhere'",
        "above": "this is no table but a view",
    }.items():
        assert part in refusal(release.save, mysql.url(place), replace=True)
    assert mysql.rows("SELECT * FROM above") == [(1,)]


def test_the_servers_own_tables_can_be_read(mysql):
    found = shoal.read_database(mysql.url("information_schema.SCHEMATA"))
    assert "clinic" in found["SCHEMA_NAME"].to_pylist()


def test_a_server_that_is_not_as_expected_is_told_in_a_sentence(mysql):
    port = mysql.place["port"]
    cases = {
        "mysql://127.0.0.1:1/d#t": "Connection refused",
        f"mysql://admin:secret@127.0.0.1:{port}/clinic#t": "Access denied for user 'admin'@",
        mysql.url("t").replace("/clinic", "/nowhere"): "Unknown database 'nowhere'",
        mysql.url("t").replace("/clinic", ""): "name the database, as in mysql://user@host/database#table",
    }
    for url, part in cases.items():
        said = refusal(shoal.read_database, url)
        assert part in said
        assert "secret" not in said


def test_triggers_and_partitions_of_the_old_table_go_with_it(mysql):
    mysql.run(
        "CREATE TABLE seen (a int)",
        "CREATE TABLE safe (id int PRIMARY KEY) PARTITION BY HASH (id) PARTITIONS 3",
        "CREATE TRIGGER watch AFTER INSERT ON safe FOR EACH ROW INSERT INTO seen VALUES (NEW.id)",
    )
    released(mysql.url("patients")).save(mysql.url("safe"), replace=True)
    assert mysql.rows("SHOW TRIGGERS") == mysql.rows("SELECT * FROM seen") == []
    assert mysql.rows("SELECT count(*) FROM safe") == [(60,)]


def test_a_table_that_foreign_keys_refer_to_is_not_replaced(mysql):
    mysql.run(
        "CREATE TABLE safe (id int PRIMARY KEY)",
        "CREATE TABLE visits (id int, FOREIGN KEY (id) REFERENCES safe (id))",
    )
    said = refusal(released(mysql.url("patients")).save, mysql.url("safe"), replace=True)
    assert "foreign keys of 'clinic.visits' refer to this table, so it is not replaced" in said
    assert mysql.rows("SELECT * FROM safe") == []
