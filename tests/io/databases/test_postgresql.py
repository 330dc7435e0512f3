"""PostgreSQL: values of every type come back unchanged, failures are explained, nothing is partly written."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

import shoal
from databases.clinic import released
from depth import every
from shoal import InputError
from shoal.io import databases
from shoal.io.databases.address import Address
from shoal.io.databases.postgresql import BLOCK_BYTES

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

# A declared type, a value as SQL writes it, and the value in Python.
TYPES = [
    ("smallint", "-3", -3),
    ("bigint", "9223372036854775807", 2**63 - 1),
    ("real", "1.1", None),
    ("double precision", "'NaN'", None),
    ("boolean", "false", False),
    ("numeric", "123456789012345678.50", Decimal("123456789012345678.50")),
    ("numeric", "'NaN'", "NaN"),
    ("numeric(60,2)", "1.50", Decimal("1.50")),
    ("numeric(10,2)", "12.30", Decimal("12.30")),
    ("character varying(5)", "'ab'", "ab"),
    ("character(5)", "'ab'", "ab"),
    ("bytea", r"'\xdead00'", b"\xde\xad\x00"),
    ("date", "'2020-01-02'", dt.date(2020, 1, 2)),
    ("date", "'infinity'", "infinity"),
    ("date", "'0044-03-15 BC'", "0044-03-15 BC"),
    ("time without time zone", "'12:34:56.7'", dt.time(12, 34, 56, 700000)),
    ("time without time zone", "'24:00'", "24:00:00"),
    ("time with time zone", "'12:34:56+02'", "12:34:56+02"),
    ("timestamp without time zone", "'2020-01-02 03:04:05.6'", dt.datetime(2020, 1, 2, 3, 4, 5, 600000)),
    ("timestamp with time zone", "'2020-01-02 03:04:05+02'", dt.datetime(2020, 1, 2, 1, 4, 5, tzinfo=dt.UTC)),
    ("timestamp with time zone", "'-infinity'", "-infinity"),
    ("interval", "'1 month 2 days 3 hours'", "1 mon 2 days 03:00:00"),
    ("uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("json", """'{"a":  1}'""", '{"a":  1}'),
    ("jsonb", """'{"a":  1}'""", '{"a": 1}'),
    ("integer[]", "'{1,NULL}'", "{1,NULL}"),
    ("text[]", """'{a,"b c"}'""", '{a,"b c"}'),
    ("inet", "'10.0.0.1'", "10.0.0.1"),
    ("money", "'12.30'", "$12.30"),
    ("oid", "4000000000", "4000000000"),
    ("int4range", "'[1,3)'", "[1,3)"),
    ("bit(3)", "'101'", "101"),
]


@pytest.mark.parametrize(("kind", "written", "value"), TYPES, ids=lambda one: str(one)[:20])
def test_every_type_survives(postgresql, kind, written, value):
    postgresql.run(
        f"CREATE TABLE given AS SELECT 1 AS age, {written}::{kind} AS thing FROM generate_series(1, 5)",
        "INSERT INTO given VALUES (1, NULL)",
    )
    if value is not None:
        assert shoal.read_database(postgresql.url("given"))["thing"].to_pylist() == [value] * 5 + [None]
    released(postgresql.url("given"), quasi_identifiers=["age"], keep="thing").save(postgresql.url("safe"))
    found = "SELECT thing::text, pg_typeof(thing)::text FROM {} ORDER BY ctid"
    assert postgresql.rows(found.format("safe")) == postgresql.rows(found.format("given"))
    declared = "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attname = 'thing' ORDER BY attrelid"
    assert postgresql.rows(declared) == [(kind,), (kind,)]


@pytest.mark.parametrize("role", every(2, ["quasi", "sensitive"]))
@pytest.mark.parametrize(("kind", "written"), [(kind, written) for kind, written, _ in TYPES], ids=lambda one: one[:20])
def test_every_type_has_a_role_or_is_refused(postgresql, kind, written, role):
    postgresql.run(
        f"CREATE TABLE given AS SELECT 1 AS age, {written}::{kind} AS thing FROM generate_series(1, 5)",
        "INSERT INTO given SELECT 1, NULL FROM generate_series(1, 5)",
    )
    roles = (
        {"quasi_identifiers": ["thing"]} if role == "quasi" else {"quasi_identifiers": ["age"], "sensitive": "thing"}
    )
    if kind == "bytea" or (kind == "double precision" and role == "quasi"):  # where NaN is missing
        with pytest.raises(InputError, match=r"shoal cannot group|has only missing values"):
            released(postgresql.url("given"), **roles)
        return
    released(postgresql.url("given"), **roles).save(postgresql.url("safe"))
    assert postgresql.rows("SELECT count(*) FROM safe") == [(10,)]


def test_a_type_that_lists_its_values_is_not_passed_on(postgresql):
    postgresql.run(
        "CREATE TYPE illness AS ENUM ('flu', 'rabies')",
        "CREATE DOMAIN years AS integer CHECK (VALUE < 150)",
        "CREATE TABLE given AS SELECT 1 AS age, 'flu'::illness AS x, '{flu}'::illness[] AS xs, 3::years AS y "
        "FROM generate_series(1, 5)",
    )
    released(postgresql.url("given"), quasi_identifiers=["age"]).save(postgresql.url("safe"))
    kinds = postgresql.rows("SELECT pg_typeof(x)::text, pg_typeof(xs)::text, pg_typeof(y)::text FROM safe LIMIT 1")
    assert kinds == [("text", "text", "integer")]


def test_a_type_that_the_other_database_does_not_have_becomes_text(postgresql):
    postgresql.run(
        "CREATE TYPE pair AS (a integer, b integer)",
        "CREATE TABLE given AS SELECT 1 AS age, (1, 2)::pair AS x FROM generate_series(1, 5)",
    )
    release = released(postgresql.url("given"), quasi_identifiers=["age"])
    postgresql.run("CREATE TABLE copy AS SELECT age, x::text FROM given", "DROP TABLE given", "DROP TYPE pair")
    release.save(postgresql.url("safe"))
    assert postgresql.rows("SELECT pg_typeof(x)::text, x FROM safe LIMIT 1") == [("text", "(1,2)")]


def test_a_connection_that_is_cut_in_mid_write_leaves_everything_as_it_was(postgresql, monkeypatch):
    postgresql.run("CREATE TABLE safe (old integer)", "INSERT INTO safe VALUES (1)")
    release = released(postgresql.url("patients"))
    read = databases.read_back

    def cut(database):
        postgresql.run(f"SELECT pg_terminate_backend({database.connection.info.backend_pid})")
        return read(database)

    monkeypatch.setattr(databases, "read_back", cut)
    for table in ("new", "safe"):
        with pytest.raises(InputError) as error:
            release.save(postgresql.url(table), replace=True)
        assert str(error.value).startswith(f"{postgresql.shown(table)}: ")
        assert "\n" not in str(error.value)
    assert not postgresql.has("new")
    assert postgresql.rows("SELECT * FROM safe") == [(1,)]


def test_nobody_sees_the_table_before_it_is_verified(postgresql, monkeypatch):
    release = released(postgresql.url("patients"))
    read, seen = databases.read_back, []

    def look(database):
        seen.append(postgresql.has("safe"))
        return read(database)

    monkeypatch.setattr(databases, "read_back", look)
    release.save(postgresql.url("safe"))
    assert seen == [False]
    assert postgresql.has("safe")


def test_rights_are_respected_and_told(postgresql):
    postgresql.run(
        "DROP ROLE IF EXISTS reader",
        "CREATE ROLE reader LOGIN PASSWORD 'x'",
        "GRANT SELECT ON patients TO reader",
        "CREATE TABLE secret (a integer)",
    )
    shown, url = postgresql.shown, postgresql.url
    release = released(url("patients", user="reader", password="x"))
    refusals = {
        "permission denied for schema public": lambda: release.save(url("safe", user="reader", password="x")),
        "permission denied for table secret": lambda: shoal.read_database(url("secret", user="reader", password="x")),
        'schema "no" does not exist': lambda: release.save(url("no.safe")),
    }
    for sentence, action in refusals.items():
        with pytest.raises(InputError) as error:
            action()
        assert str(error.value).endswith(f": {sentence}.")
    with pytest.raises(InputError) as error:
        databases.check_output(Address.of(url("safe", user="reader", password="x")), replace=False, inputs=frozenset())
    assert str(error.value) == f"{shown('safe', user='reader')}: permission denied for schema public."


def test_a_server_that_cannot_be_reached_is_told_in_a_sentence(postgresql):
    port = postgresql.place["port"]
    cases = {
        "postgresql://127.0.0.1:1/d#t": "Connection refused",
        f"postgresql://admin:secret@127.0.0.1:{port}/clinic#t": 'password authentication failed for user "admin"',
        postgresql.url("t").replace("/clinic", "/nowhere"): 'database "nowhere" does not exist',
        f"postgresql://u@127.0.0.1:{port}/d?nonsense=1#t": "an option after ? is not one of PostgreSQL's",
    }
    for url, part in cases.items():
        with pytest.raises(InputError) as error:
            shoal.read_database(url)
        assert part in str(error.value)
        assert "\n" not in str(error.value)
        assert "secret" not in str(error.value)


def test_a_table_that_others_depend_on_is_not_replaced(postgresql):
    postgresql.run("CREATE TABLE safe (a integer)", "CREATE VIEW above AS SELECT a FROM safe")
    with pytest.raises(InputError, match="cannot drop table safe because other objects depend on it"):
        released(postgresql.url("patients")).save(postgresql.url("safe"), replace=True)
    assert postgresql.rows("SELECT * FROM above") == []


def test_other_addresses_of_the_input_are_known(postgresql):
    release = released(postgresql.url("patients"))
    for table in ("public.patients", '"patients"'):
        with pytest.raises(InputError, match="this is the input"):
            release.save(postgresql.url(table).replace("127.0.0.1", "localhost"), replace=True)


def test_names_that_the_server_would_cut_are_refused(postgresql):
    release = released(postgresql.url("patients"))
    with pytest.raises(InputError, match="longer than the 63 bytes of PostgreSQL"):
        release.save(postgresql.url("ä" * 32))
    import pyarrow as pa

    with pytest.raises(InputError, match=r"Column 'aaa.* is longer than the 63 bytes"):
        released(pa.table({"a" * 64: [1] * 5}), quasi_identifiers=["a" * 64]).save(postgresql.url("safe"))


@pytest.mark.parametrize(
    ("length", "block"),
    every(2, [(2_500_000, 1 << 20), (40_000_000, BLOCK_BYTES)]),
)
def test_long_values_and_many_rows(postgresql, monkeypatch, length, block):
    postgresql.run(
        f"CREATE TABLE given AS SELECT i % 50 AS age, repeat('x', {length}) AS note FROM generate_series(1, 2) AS t(i)",
        "INSERT INTO given SELECT i % 50, i::text FROM generate_series(1, 150000) AS t(i)",
    )
    monkeypatch.setattr("shoal.io.databases.postgresql.BLOCK_BYTES", block)
    release = released(postgresql.url("given"), quasi_identifiers=["age"], keep="note")
    release.save(postgresql.url("safe"))
    assert postgresql.rows("SELECT count(*), max(length(note)) FROM safe") == [(150002, length)]


@pytest.mark.parametrize("block", [1, 64, 100, 1 << 24])
def test_line_breaks_stay_wherever_the_pieces_end_in_which_rows_are_read(postgresql, monkeypatch, block):
    thing = r"""repeat('x', n % 131) || E'"\r\ny'"""
    postgresql.run(f"CREATE TABLE given AS SELECT n AS age, {thing} AS thing FROM generate_series(0, 4000) AS n")
    monkeypatch.setattr("shoal.io.databases.postgresql.BLOCK_BYTES", block)
    read = shoal.read_database(postgresql.url("given"))
    assert read["thing"].to_pylist() == ["x" * (n % 131) + '"\r\ny' for n in read["age"].to_pylist()]
    assert sorted(read["age"].to_pylist()) == list(range(4001))


def test_options_that_no_connection_has_are_refused_and_not_shown():
    pytest.importorskip("psycopg")
    for options in ("hush", "hush=1", "Password=hush", "sslmode=disable&hush=hush"):
        with pytest.raises(InputError, match="an option after \\? is not one of PostgreSQL's") as refused:
            shoal.read_database(f"postgresql://me:hush@localhost:1/db?{options}#t")
        assert "hush" not in str(refused.value)
