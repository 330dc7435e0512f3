"""Addresses of tables: what they lead to, and that they never show a password."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import shoal
from shoal import InputError
from shoal.io.databases.address import SHOWN_OPTIONS, Address, beside, hide_passwords, names_in, without_passwords


@pytest.mark.parametrize(
    ("text", "table", "options", "shown"),
    [
        ("postgresql://h/d#t", ("t",), {"host": "h", "dbname": "d"}, "postgresql://h/d#t"),
        ("postgres://u:p@h:1/d#s.t", ("s", "t"),
         {"user": "u", "password": "p", "host": "h", "port": "1", "dbname": "d"}, "postgresql://u@h:1/d#s.t"),
        ("postgresql://u:a#b?c@d%@h/d#t@x", ("t@x",), {"user": "u", "password": "a#b?c@d%", "host": "h", "dbname": "d"},
         "postgresql://u@h/d#t@x"),
        ("postgresql://u:a%2Fb%40@h", (), {"user": "u", "password": "a/b@", "host": "h"}, "postgresql://u@h"),
        ("postgresql://h:1/d#t@x", ("t@x",), {"host": "h", "port": "1", "dbname": "d"}, "postgresql://h:1/d#t@x"),
        ("postgresql://a:1,b:2/d", (), {"host": "a,b", "port": "1,2", "dbname": "d"}, "postgresql://a:1,b:2/d"),
        ("postgresql://[::1]:5/d", (), {"host": "::1", "port": "5", "dbname": "d"}, "postgresql://[::1]:5/d"),
        ("postgresql:///d?host=/run/x&password=p&sslmode=require#t", ("t",),
         {"dbname": "d", "host": "/run/x", "password": "p", "sslmode": "require"},
         "postgresql:///d?host=/run/x&sslmode=require#t"),
        ("mysql://u:p@h:1/d#s.t", ("s", "t"),
         {"user": "u", "password": "p", "host": "h", "port": "1", "dbname": "d"}, "mysql://u@h:1/d#s.t"),
        ("mariadb://u@h/d?socket=/run/x&ssl_key=k#t", ("t",),
         {"user": "u", "host": "h", "dbname": "d", "socket": "/run/x", "ssl_key": "k"},
         "mysql://u@h/d?socket=/run/x#t"),
    ],
)  # fmt: skip
def test_a_server(text, table, options, shown):
    address = Address.of(text)
    assert (address.table, dict(address.options), str(address), address.file) == (table, options, shown, None)
    assert "password" not in repr(address)


@pytest.mark.parametrize(
    ("text", "file", "table"),
    [
        ("sqlite:///clinic.db#patients", "clinic.db", ("patients",)),
        ("sqlite:////data/a b.db#main.t", "/data/a b.db", ("main", "t")),
        ("duckdb:///sub/x.duckdb", "sub/x.duckdb", ()),
        ("SQLite:///x#a#b", "x", ("a#b",)),
    ],
)
def test_a_file(text, file, table):
    address = Address.of(text)
    assert (address.file, address.table) == (Path(file), table)
    assert Address.of(str(address)) == address


@pytest.mark.parametrize("given", ["p.csv", "a#b", "C:\\x", "intervals:5,10@16", Path("x"), None, 3, "sqlite:/x"])
def test_what_is_no_address(given):
    assert Address.of(given) is None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("snowflake://u:secret@h/d#t", "snowflake://…: shoal cannot read such an address."),
        ("oracle://u:secret@h/d#t", "oracle://…: shoal does not read or write tables of Oracle by their address."),
        ("Oracle+oracledb://u:secret@h/d#t", "Read the table into a frame, release the frame and write it back"),
        ("jdbc:oracle:thin:u/secret@h", "oracle:…: shoal does not read or write tables of Oracle"),
        ("MSSQL+pyodbc://u:secret@h/d#t", "MSSQL+pyodbc://…: shoal cannot read such an address. Write postgresql://"),
        ("jdbc:sqlserver://h;user=u;password=secret", "mssql:…: this address cannot be read"),
        ("mssql://h;user=u;password=secret", "mssql://…: this address cannot be read"),
        ("sqlserver://me:12/x?secret@h/d#t", "mssql://…: this address cannot be read"),
        ("jdbc:mysql://h/d?user=u&password=secret", "mysql:…: this address cannot be read"),
        ("mysql+pymysql://u:secret@h/d#t", "mysql+pymysql://…: shoal cannot read such an address."),
        ("MySQL:/u:secret@h/d#t", "mysql:…: this address cannot be read"),
        ("mariadb:u:secret@h", "mysql:…: this address cannot be read"),
        ("mysql://h:secret/d", "mysql://…: this address cannot be read"),
        ("postgresql+psycopg2://u:secret@h/d", "postgresql+psycopg2://…: shoal cannot read"),
        ("sqlite://clinic.db#t", "sqlite://clinic.db: name the file of the database after three slashes"),
        ("sqlite:///#t", "after three slashes"),
        ("sqlite:///x#", "sqlite:///x#: the part after # must be table or schema.table"),
        ("sqlite:///x#a.b.c", "the part after # must be"),
        ("postgresql://u:sec/ret@h/d#t", "/ in a password is %2F"),
        ("postgresql://h:secret/d", "this address cannot be read"),
        ("postgresql://me?secret@h/d", "@ in an option is %40"),
        ("postgresql://me:12/x?secret@h/d#t", "this address cannot be read"),
        ("postgresql:///password=secret host=h", "this address cannot be read"),
        ("postgresql:/me:my secret@h/d", "postgresql:…: this address cannot be read"),
        ("Postgres:me:secret@h/d", "postgresql:…: this address cannot be read"),
    ],
)
def test_what_cannot_be_an_address_is_refused_and_no_password_shown(text, part):
    with pytest.raises(InputError) as error:
        Address.of(text)
    assert part in str(error.value)
    assert "sec" not in str(error.value)


@given(st.lists(st.text(min_size=1).filter(lambda name: "\0" not in name), min_size=1, max_size=2))
def test_any_names_are_found_again(names):
    address = Address("sqlite", "sqlite:///x", tuple(names))
    assert names_in(str(address).partition("#")[2]) == tuple(names)


def test_passwords_are_left_out_of_words():
    assert without_passwords("-opostgresql://u:p@h/d#t") == "-opostgresql://u@h/d#t"
    assert without_passwords("--population=postgres://u:p@h/d") == "--population=postgresql://u@h/d"
    assert without_passwords("postgresql://u:p/q@h/d") == "postgresql://…"
    assert without_passwords("-omariadb://u:p@h/d#t") == "-omysql://u@h/d#t"
    assert without_passwords("age,zip") == "age,zip"


def test_only_options_that_are_known_to_be_no_secrets_are_shown():
    secret = ("password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key", "of_tomorrow")
    options = "&".join(f"{name}=hush" for name in secret)
    address = Address.of(f"postgresql://me@h/d?sslmode=require&{options}&connect_timeout=3&hush#t")
    assert str(address) == "postgresql://me@h/d?sslmode=require&connect_timeout=3#t"
    assert {name: address.options[name] for name in secret} == dict.fromkeys(secret, "hush")
    assert not {*secret, "options", "sslkey", "dbname"} & SHOWN_OPTIONS


@pytest.mark.parametrize(
    "text",
    [
        "postgresql//me:hush@h/d: cannot be read",
        "/data/postgres/me:hush@h: cannot be read",
        "no table in postgresql://h/d?oauth_client_secret=hush&sslmode=require#t.",
        "postgresql://h/d?scram_server_key=hush: no such file",
        "postgresql://h/d?sslmode=require&hush#t: no such file",
        "postgresql://h/d?of_tomorrow=hush#t: no such file",
        "postgresql//me?x=hush@h/d: no such file",
        "mysql//me:hush@h/d: cannot be read",
        "no table in mariadb://h/d?of_tomorrow=hush&ssl_mode=required#t.",
    ],
)
def test_sentences_show_no_secret(text):
    shown = hide_passwords(text)
    assert "hush" not in shown
    assert shown.endswith(text[-8:])


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://host=localhost password=hush dbname=db#t",
        "postgresql://local host/d#t?hush",
        "postgresql://h,hush=1/d#t",
        "postgresql:///d?host=localhost password=hush#t",
        "postgresql:///d?application_name=x;password=hush#t",
        "postgresql://me password=hush@h/d#t",
        "postgresql://me@h/d#t?password=hush",
        "mysql://me password=hush@h/d#t",
        "mysql://host=localhost password=hush#t",
        "sqlite:///x.db#t?password=hush",
        "sqlite:///x.db?key=hush#t",
        "duckdb:///x.duckdb?password=hush#t",
        "duckdb:///x.duckdb?hush",
        "sqlite://me:hush@h/x.db#t",
        "host=localhost password=hush dbname=db",
        "service=x password=hush",
        "password = 'hush' host=h",
        "user=me sslpassword=hush.csv",
        "Server=h;Pwd=hush;Database=d",
        "me:hush@localhost/db#t",
        "me:hu/sh@localhost/db.csv",
        "//me:hush@localhost/db#t",
        ":hush@localhost",
    ],
)
def test_addresses_in_other_forms_are_refused_and_no_secret_shown(text):
    with pytest.raises(InputError) as error:
        Address.of(text)
    assert "hu" not in str(error.value)
    assert "postgresql://" in str(error.value) or ":///" in str(error.value)


@pytest.mark.parametrize(
    "name", ["./host=h password=x.csv", "./me:x@h.csv", "C:\\me@home.csv", "D:/me@home.csv", "year=2020/me@home.csv"]
)
def test_files_with_such_names_are_still_named(name):
    assert Address.of(name) is None


@pytest.mark.parametrize("host", ["db-1.example.org", "a_b", "[fe80::1%25eth0]", "%2Frun%2Fpg", "bücher.example"])
def test_hosts(host):
    assert Address.of(f"postgresql://{host}/d#t").options["host"]


def test_a_sentence_shows_no_secret_of_a_list_of_words():
    assert hide_passwords("x: host=h password='a b' port=1") == "x: host=h password=… port=1"
    assert hide_passwords("x: db_pwd = abc.") == "x: db_pwd =…"


def test_files_of_databases_are_seen_from_a_folder():
    assert beside("sqlite:///a.db#t", Path("sub")) == "sqlite:///sub/a.db#t"
    assert beside("sqlite:////a.db#t", Path("sub")) == "sqlite:////a.db#t"
    assert beside("postgresql://u:p@h/d#t", Path("sub")) == "postgresql://u:p@h/d#t"


@pytest.mark.parametrize("place", ["postgresql://me:hush@h/d#t", "me:hush@h/x.csv", "host=h password=hush"])
def test_files_of_any_size_show_no_secret_of_an_address(place, tmp_path):
    (tmp_path / "given.csv").write_text("a\n1\n1\n")
    how = {"quasi_identifiers": "a", "model": shoal.KAnonymity(2)}
    for data, output in ((place, "safe.csv"), (tmp_path / "given.csv", place)):
        for run in (shoal.anonymize_files, shoal.spark.anonymize_files):
            with pytest.raises(InputError) as refused:
                run(data, output, **how)
            assert "hush" not in str(refused.value)
