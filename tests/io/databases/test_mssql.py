"""SQL Server: values of every type come back unchanged, names are kept, and nothing is partly written.

Where SHOAL_TEST_MSSQL names a database of a real server, the tests use that; otherwise a stand-in (see sql_server).
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest

import shoal
from databases.clinic import PASSWORD, released
from depth import every
from shoal import InputError
from shoal.io import databases
from shoal.io.databases.address import Address
from shoal.io.databases.mssql import SQLServer

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

EAST = dt.timezone(dt.timedelta(hours=2))
# A declared type, a value as SQL Server takes it, and the value in Python.
TYPES = [
    ("tinyint", "255", 255),
    ("smallint", "-32768", -32768),
    ("int", "-2147483648", -(2**31)),
    ("bigint", "9223372036854775807", 2**63 - 1),
    ("bit", "1", True),
    ("float", "1e-300", 1e-300),
    ("real", "1.5", 1.5),
    ("decimal(10,2)", "-12.3", Decimal("-12.30")),
    ("decimal(38,10)", "1234567890123456789012345678.0123456789", Decimal("1234567890123456789012345678.0123456789")),
    ("money", "-922337203685477.5808", Decimal("-922337203685477.5808")),
    ("smallmoney", "0.0001", Decimal("0.0001")),
    ("date", "0001-01-01", dt.date(1, 1, 1)),
    ("time(0)", "12:34:56", dt.time(12, 34, 56)),
    ("time(7)", "12:34:56.1234560", dt.time(12, 34, 56, 123456)),
    ("smalldatetime", "2020-01-02 03:04:00", dt.datetime(2020, 1, 2, 3, 4)),
    ("datetime", "2020-01-02 03:04:05.007", dt.datetime(2020, 1, 2, 3, 4, 5, 7000)),
    ("datetime", "2020-01-02 03:04:05.997", dt.datetime(2020, 1, 2, 3, 4, 5, 997000)),
    ("datetime2(0)", "9999-12-31 23:59:59", dt.datetime(9999, 12, 31, 23, 59, 59)),
    ("datetime2(3)", "2020-01-02 03:04:05.678", dt.datetime(2020, 1, 2, 3, 4, 5, 678000)),
    ("datetime2(7)", "2020-01-02 03:04:05.1234560", dt.datetime(2020, 1, 2, 3, 4, 5, 123456)),
    ("datetimeoffset(0)", "2020-01-02 03:04:05 +00:00", dt.datetime(2020, 1, 2, 3, 4, 5, tzinfo=dt.UTC)),
    ("datetimeoffset(3)", "2020-01-02 03:04:05.600 +02:00", dt.datetime(2020, 1, 2, 3, 4, 5, 600000, tzinfo=EAST)),
    ("uniqueidentifier", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"),
    ("char(5)", "ab", "ab"),
    ("nchar(5)", "ä☃", "ä☃"),
    ("varchar(5)", "äß€ ", "äß€ "),
    ("nvarchar(9)", "a🙂'\\", "a🙂'\\"),
    ("nvarchar(max)", "a\\\nb\\\r\nc\r\n", "a\\\nb\\\r\nc\r\n"),
    ("varchar(20) COLLATE Latin1_General_BIN2", "ab", "ab"),
    ("binary(3)", "0x00ff", b"\x00\xff\x00"),
    ("varbinary(max)", "0x00ff5c", b"\x00\xff\\"),
]
IDS = [f"{kind} {written}"[:25] for kind, written, _ in TYPES]


def refusal(action, *args, **named):
    with pytest.raises(InputError) as error:
        action(*args, **named)
    assert "\n" not in str(error.value)
    assert PASSWORD not in str(error.value)
    return str(error.value)


def given(mssql, kind, written):
    """Make a table with a column of a type, of which every sixth row is missing."""
    plain = kind.partition(" COLLATE")[0]
    style = ", 1" if written.startswith("0x") else ", 120" if kind == "smalldatetime" else ", 121"
    style = style if written.startswith("0x") or "datetime" in kind else ""
    text = f"CONVERT(nvarchar(max), 0x{written.encode('utf-16-le').hex()})"
    mssql.run(f"CREATE TABLE [given] ([age] int NULL, [thing] {kind} NULL)")
    for value in [f"CONVERT({plain}, {text}{style})"] * 5 + ["NULL"]:
        mssql.run(f"INSERT INTO [given] ([age], [thing]) SELECT 1, {value}")


@pytest.mark.parametrize(("kind", "written", "value"), TYPES, ids=IDS)
def test_every_type_survives(mssql, kind, written, value):
    given(mssql, kind, written)
    read = shoal.read_database(mssql.url("given"))["thing"]
    found = pa.chunked_array([read.chunk(0).cast(pa.time64("us"))]) if kind.startswith("time(") else read
    assert found.to_pylist() == [value] * 5 + [None]
    if "offset" in kind:
        assert found.to_pylist()[0].utcoffset() == value.utcoffset()
    released(mssql.url("given"), quasi_identifiers=["age"], keep="thing").save(mssql.url("safe"))
    again = shoal.read_database(mssql.url("safe"))["thing"]
    assert (again.type, again.to_pylist()) == (read.type, read.to_pylist())
    name = "[thing]"
    assert mssql.rows(f"SELECT {name} FROM [safe]") == mssql.rows(f"SELECT {name} FROM [given]")
    describe = (
        "SELECT system_type_name, collation_name FROM sys.dm_exec_describe_first_result_set"
        "(N'SELECT [thing] FROM [{}]', NULL, 0) ORDER BY column_ordinal"
    )
    assert mssql.rows(describe.format("safe")) == mssql.rows(describe.format("given"))


@pytest.mark.parametrize("role", every(2, ["quasi", "sensitive"]))
@pytest.mark.parametrize(("kind", "written", "value"), TYPES, ids=IDS)
def test_every_type_has_a_role_or_is_refused(mssql, kind, written, value, role):
    given(mssql, kind, written)
    for _ in range(4):
        mssql.run("INSERT INTO [given] ([age], [thing]) SELECT 1, NULL")
    roles = (
        {"quasi_identifiers": ["thing"]} if role == "quasi" else {"quasi_identifiers": ["age"], "sensitive": "thing"}
    )
    if isinstance(value, bytes):
        assert "shoal cannot group" in refusal(released, mssql.url("given"), **roles)
        return
    released(mssql.url("given"), **roles).save(mssql.url("safe"))
    assert mssql.rows("SELECT count(*) AS n FROM safe") == [(10,)]


@pytest.mark.parametrize(
    ("kind", "written", "type_"),
    [
        ("datetime2(7)", ["2020-01-02 03:04:05.1234567", "2020-01-02 03:04:05.0000000"], "timestamp[ns]"),
        ("datetime2(7)", ["0001-01-01 00:00:00.0000001", "2020-01-02 03:04:05.0000000"], "string"),
        ("time(7)", ["23:59:59.9999999", "00:00:00.0000000"], "time64[ns]"),
        ("datetimeoffset(7)", ["2020-01-02 03:04:05.1234567 -05:30"], "timestamp[ns, tz=-05:30]"),
        ("datetimeoffset(0)", ["2020-01-02 03:04:05 +00:00", "2020-01-02 03:04:05 +01:00"], "string"),
    ],
)
def test_what_arrow_cannot_hold_stays_text_and_every_digit_survives(mssql, kind, written, type_):
    mssql.run(f"CREATE TABLE [given] ([age] int NULL, [thing] {kind} NULL)")
    for text in written * 5:
        mssql.run(f"INSERT INTO [given] ([age], [thing]) SELECT 1, CONVERT({kind}, N'{text}')")
    read = shoal.read_database(mssql.url("given"))["thing"]
    assert str(read.type) == type_
    released(mssql.url("given"), quasi_identifiers=["age"], keep="thing").save(mssql.url("safe"))
    assert shoal.read_database(mssql.url("safe"))["thing"].equals(read)
    style = "" if type_ == "string" else ", 121"
    assert mssql.rows(f"SELECT CONVERT(nvarchar(max), [thing]{style}) AS thing FROM [safe]") == [
        (text,) for text in written * 5
    ]


def test_a_type_of_no_known_form_is_refused_by_name(mssql):
    mssql.run("CREATE TABLE [given] ([age] int NULL, [thing] sql_variant NULL)")
    said = refusal(shoal.read_database, mssql.url("given"))
    assert "column 'thing' is of type sql_variant, which shoal does not read. Leave it out, or convert it" in said


def test_a_value_that_would_be_changed_is_not_written(mssql):
    long = pa.table({"age": [1] * 5, "when": pa.array([1] * 5, pa.timestamp("ns"))})
    with pytest.raises(shoal.VerificationError, match="'when' was not written unchanged"):
        released(long, quasi_identifiers=["age"], keep="when").save(mssql.url("safe"))
    for value in (float("nan"), float("inf")):
        table = pa.table({"age": [1] * 5, "share": [value] * 5})
        said = refusal(released(table, quasi_identifiers=["age"], keep="share").save, mssql.url("safe"))
        assert "which SQL Server does not have" in said
    given(mssql, "varchar(5)", "ab")
    release = released(mssql.url("given"), quasi_identifiers=["age"], keep="thing")
    narrow = pa.field("thing", pa.string(), metadata={"shoal.mssql": "varchar(5)"})
    release = released(
        pa.table([[1] * 5, ["☃"] * 5], schema=pa.schema([pa.field("age", pa.int64()), narrow])),
        quasi_identifiers=["age"], keep="thing",
    )  # fmt: skip
    with pytest.raises(shoal.VerificationError, match="'thing' was not written unchanged"):
        release.save(mssql.url("safe"))
    assert not mssql.has("safe")


@pytest.mark.parametrize("kind", ["varchar(9) COLLATE Nowhere_CI_AS", "int); DROP TABLE [patients]; --", "no_type"])
def test_a_declaration_that_the_server_does_not_have_is_replaced(mssql, kind):
    field = pa.field("thing", pa.string(), metadata={"shoal.mssql": kind})
    table = pa.table([[1] * 5, ["ä"] * 5], schema=pa.schema([pa.field("age", pa.int64()), field]))
    released(table, quasi_identifiers=["age"], keep="thing").save(mssql.url("safe"))
    assert mssql.rows("SELECT thing FROM safe")[0] == ("ä",)
    assert mssql.has("patients")


@pytest.mark.parametrize(
    "name", ["a]b", "a[b]", "a.b", "ä" * 128, "%s", "a\\b", "select", "x\ty", "a  b", "a'b", 'a"b']
)
def test_names_of_columns_and_tables_are_kept(mssql, name):
    table = pa.table({"age": [1] * 5, name: ["x"] * 5})
    address = mssql.url('"' + name.replace('"', '""') + '"')
    released(table, quasi_identifiers=["age"], keep=name).save(address)
    assert mssql.has(name)
    assert shoal.read_database(address).column_names == ["age", name]
    safer = mssql.url("safer")
    released(address, quasi_identifiers=["age"], keep=name).save(safer)
    assert shoal.read_database(safer).column_names == ["age", name]


def test_names_that_the_server_would_not_take_are_refused(mssql):
    release = released(mssql.url("patients"))
    assert "longer than the 128 characters of SQL Server" in refusal(release.save, mssql.url("🙂" * 65))
    table = pa.table({"a" * 129: [1] * 5})
    assert "Column 'aaa" in refusal(released(table, quasi_identifiers=["a" * 129]).save, mssql.url("safe"))
    assert "a table whose name begins with # is lost at once" in refusal(release.save, mssql.url("#safe"))


WRITES = [
    "SELECT age FROM patients DELETE FROM patients",
    "SELECT age INTO stolen FROM patients",
    "SELECT 1 AS a) AS x DELETE FROM patients SELECT * FROM (SELECT 1 AS a",
    "SELECT 1 AS a) AS x EXEC sp_rename 'patients', 'gone' SELECT * FROM (SELECT 1 AS a",
    "SELECT 1 AS a) AS x --",
    "SELECT 1 AS a /* ' */ FROM patients) AS x; DELETE FROM patients; SELECT * FROM (SELECT 'a' AS a",
    "SELECT 1 AS [a] FROM patients) AS x UPDATE patients SET age = 1 SELECT * FROM (SELECT 1 AS [a]",
    "SELECT * FROM OPENROWSET(BULK 'c:\\secret', SINGLE_CLOB) AS x",
    "SELECT * FROM OPENQUERY(other, 'DELETE FROM t')",
    "SELECT 'a",
    "SELECT 1 AS [a",
    "SELECT (1 AS a",
    "WITH x AS (SELECT 1 AS a) SELECT * FROM x",
    "EXEC sp_who",
    "TRUNCATE TABLE patients",
    "SELECT age FROM patients ORDER BY age",
    "SELECT count(*) FROM patients",
]


@pytest.mark.parametrize("query", WRITES)
def test_a_query_is_one_select_that_fits_into_parentheses(mssql, query):
    refusal(shoal.read_database, mssql.url(), query=query)
    assert mssql.rows("SELECT count(*) AS n FROM patients") == [(60,)]
    assert not mssql.has("stolen")


def test_words_in_texts_and_quoted_names_are_none_of_the_query(mssql):
    mssql.run("CREATE TABLE [odd] ([delete] int NULL, [a]]b] nvarchar(20) NULL)",
              "INSERT INTO [odd] ([delete], [a]]b]) SELECT 1, N'x); DROP --'")  # fmt: skip
    query = "SELECT [delete], [a]]b] AS \"b(\" FROM [odd] WHERE [a]]b] = N'x); DROP --';"
    assert shoal.read_database(mssql.url(), query=query).to_pylist() == [{"delete": 1, "b(": "x); DROP --"}]


@pytest.mark.parametrize(
    "read",
    [
        "SELECT age FROM [dbo].[patients]",
        'SELECT age FROM "PATIENTS"',
        "SELECT age FROM seen",
        "SELECT age FROM far",
        "SELECT age FROM (SELECT * FROM deeper) AS x",
    ],
)
def test_the_input_is_known_behind_views_and_synonyms(mssql, read):
    mssql.run("CREATE VIEW seen AS SELECT age, zip FROM patients", "CREATE VIEW deeper AS SELECT age FROM seen",
              "CREATE SYNONYM far FOR dbo.patients")  # fmt: skip
    release = released(shoal.read(mssql.url(), query=read), quasi_identifiers=["age"], keep=())
    assert "this is the input, which shoal never overwrites" in refusal(
        release.save, mssql.url("patients"), replace=True
    )


@pytest.mark.parametrize("kind", ["view", "synonym"])
def test_what_leads_elsewhere_may_be_any_table(mssql, kind):
    mssql.run("CREATE TABLE safe (old integer)", "CREATE VIEW seen AS SELECT age FROM [clinic].dbo.patients"
              if kind == "view" else "CREATE SYNONYM seen FOR [clinic].dbo.patients")  # fmt: skip
    release = released(shoal.read(mssql.url(), query="SELECT age FROM seen"), quasi_identifiers=["age"], keep=())
    assert "leads to another database, or hides" in refusal(release.save, mssql.url("safe"), replace=True)
    release.save(mssql.url("new"))
    assert mssql.rows("SELECT count(*) AS n FROM new") == [(60,)]


def test_what_is_no_table_or_is_referred_to_is_not_replaced(mssql):
    mssql.run("CREATE VIEW above AS SELECT age FROM patients", "CREATE TABLE parent (a int PRIMARY KEY)",
              "CREATE TABLE child (a int REFERENCES parent (a))")  # fmt: skip
    release = released(shoal.read_database(mssql.url("patients")), keep="name")
    assert "this is no table but a view" in refusal(release.save, mssql.url("above"), replace=True)
    assert "foreign keys of 'dbo.child' refer to this table" in refusal(release.save, mssql.url("parent"), replace=True)
    assert 'name "nowhere"' in refusal(release.save, mssql.url("nowhere.safe"))


def test_nobody_sees_the_table_before_it_is_verified(mssql, monkeypatch):
    release = released(mssql.url("patients"))
    read, seen = databases.read_back, []

    def look(database):
        seen.append(mssql.has("safe"))
        return read(database)

    monkeypatch.setattr(databases, "read_back", look)
    release.save(mssql.url("safe"))
    assert seen == [False]
    assert mssql.has("safe")
    assert "shoal_unfinished" not in str(mssql.rows("SELECT name FROM sys.objects"))


def test_a_table_that_another_run_wrote_meanwhile_is_left_alone(mssql, monkeypatch):
    mssql.run("CREATE TABLE safe (old integer)")
    release = released(mssql.url("patients"))
    find = SQLServer.find
    monkeypatch.setattr(SQLServer, "find", lambda self, table: "mssql:other" if self.replaced else find(self, table))
    said = refusal(release.save, mssql.url("safe"), replace=True)
    assert said.endswith("another run wrote this table meanwhile; it was left alone. Run again.")
    assert mssql.rows("SELECT * FROM safe") == []


def test_a_name_that_the_server_does_not_give_takes_all_back(mssql, monkeypatch):
    mssql.run("CREATE TABLE safe (old integer)", "INSERT INTO safe VALUES (1)")
    release = released(mssql.url("patients"))
    run = SQLServer.run
    monkeypatch.setattr(SQLServer, "run", lambda self, text: None if text.startswith("EXEC") else run(self, text))
    said = refusal(release.save, mssql.url("safe"), replace=True)
    assert said.endswith("the server did not give the new table its name, so all is as it was.")
    assert mssql.rows("SELECT * FROM safe") == [(1,)]


@pytest.mark.parametrize(
    "moment", ["CREATE TABLE [dbo].[shoal_unf", "INSERT INTO [dbo].[shoal_unf", "sp_rename", "COMMIT"]
)
def test_a_connection_that_is_cut_leaves_everything_as_it_was(mssql, stand_in, moment):
    mssql.run("CREATE TABLE safe (old integer)", "INSERT INTO safe VALUES (1)")
    release = released(mssql.url("patients"))
    stand_in.cut = moment
    said = refusal(release.save, mssql.url("safe"), replace=True)
    assert ("lost in the moment in which the release was put in place" in said) == (moment == "COMMIT")
    assert mssql.rows("SELECT * FROM safe") == [(1,)]
    assert len(mssql.rows("SELECT name FROM sys.objects WHERE type = 'U'")) == 2


@pytest.mark.parametrize("size", every(2, [5_000, 300_000]))
def test_long_values_and_many_rows(mssql, size):
    ages = [row % 50 for row in range(3000)]
    table = pa.table({"age": ages, "note": ["x" * size, "🙂\\\n" * 2100, *map(str, range(2998))]})
    released(table, quasi_identifiers=["age"], keep="note").save(mssql.url("safe"))
    assert sorted(shoal.read_database(mssql.url("safe"))["note"].to_pylist()) == sorted(table["note"].to_pylist())
    found = mssql.rows("SELECT count(*) AS n FROM safe")
    assert found == [(3000,)]


def test_no_password_and_no_row_goes_over_the_wire_unencrypted(mssql, stand_in):
    stand_in.passwords.clear()
    plain = mssql.url("patients").replace("?trust_server_certificate=yes", "")
    said = refusal(shoal.read_database, plain)
    assert "the server's certificate was not accepted: " in said
    assert "(?ca_file=authority.pem), or accept any certificate (?trust_server_certificate=yes)." in said
    checked = plain.replace("#", f"?ca_file={stand_in.authority}#")
    assert "certificate was not accepted" in refusal(shoal.read_database, checked.replace("127.0.0.1", "localhost"))
    assert stand_in.passwords == []
    assert shoal.read_database(checked).num_rows == 60
    assert stand_in.passwords == [PASSWORD]


def test_a_server_that_does_not_encrypt_is_told_no_password(mssql, stand_in, monkeypatch):
    url = mssql.url("patients")
    monkeypatch.setattr(stand_in, "context", None)
    stand_in.passwords.clear()
    assert "this server does not encrypt connections, so your password would be readable on the way" in refusal(
        shoal.read_database, url
    )
    assert stand_in.passwords == []
    assert shoal.read_database(url.replace("trust_server_certificate=yes", "encrypt=no")).num_rows == 60


def test_a_server_that_sends_the_login_on_is_not_followed(mssql, stand_in, monkeypatch):
    url = mssql.url("patients")
    stand_in.passwords.clear()
    monkeypatch.setattr(stand_in, "redirects_to", "127.0.0.1")
    try:
        raise ValueError("something else that is handled meanwhile")
    except ValueError:
        said = refusal(shoal.read_database, url)
    assert "this server sends connections on to another one, which shoal does not follow" in said
    assert len(stand_in.passwords) == 1


def test_the_login_comes_from_the_address_or_the_environment(mssql, stand_in, monkeypatch):
    url = mssql.url("patients")
    nobody = url.replace(url[len("mssql://") : url.index("@") + 1], "")
    assert "name the user, as in mssql://user@host/database#table" in refusal(shoal.read_database, nobody)
    monkeypatch.setenv("SQLCMDUSER", "admin")
    monkeypatch.setenv("SQLCMDPASSWORD", PASSWORD)
    assert shoal.read_database(nobody).num_rows == 60
    assert shoal.read_database(nobody.replace("mssql://", "sqlserver://")).num_rows == 60
    assert "Login failed for user 'other'" in refusal(shoal.read_database, nobody.replace("://", "://other:no@"))


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("nonsense=hush", "an option after ? is not one that shoal knows for SQL Server; it is not shown"),
        ("encrypt=maybe", "encrypt is yes or no."),
        ("ca_file=/nowhere.pem", "the ca_file cannot be read"),
        ("ca_file=x.pem&encrypt=no", "with ca_file the server's certificate is checked"),
        ("connect_timeout=0", "the connect_timeout must be a number from 1 to 65535"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, part):
    pytest.importorskip("pytds")
    said = refusal(shoal.read_database, f"mssql://me:hush@127.0.0.1:1/db?{options}#t")
    assert part in said
    assert "hush" not in said


def test_a_server_that_is_not_as_expected_is_told_in_a_sentence(mssql):
    assert "Connection refused" in refusal(shoal.read_database, "mssql://u:hush@127.0.0.1:1/d#t")
    assert "Name one of them" in refusal(shoal.read_database, "mssql://u:hush@a,b/d#t")
    said = refusal(shoal.read_database, mssql.url("t").replace("/clinic", "/nowhere"))
    assert 'Cannot open database "nowhere"' in said or "Login failed" in said
    assert "Login failed for user 'admin'" in refusal(shoal.read_database, mssql.url("t", password="wrong"))


def test_every_statement_is_t_sql_to_a_parser_that_is_not_ours(mssql, stand_in):
    stand_in.batches.clear()
    mssql.run("CREATE TABLE safe (old integer)")
    released(mssql.url("patients")).save(mssql.url("safe"), replace=True)
    from databases.sql_server.engine import parsed

    begins = {batch.split()[0] for batch in stand_in.batches if parsed(batch)}
    assert begins == {"SET", "BEGIN", "SELECT", "CREATE", "INSERT", "DROP", "EXEC", "COMMIT", "IF"}


def test_addresses_are_shown_without_the_password():
    address = Address.of("sqlserver://me:hush@h:1433/d?encrypt=yes&trust_server_certificate=yes#dbo.t")
    assert str(address) == "mssql://me@h:1433/d?encrypt=yes&trust_server_certificate=yes#dbo.t"
    assert address.table == ("dbo", "t")
