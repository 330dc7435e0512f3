"""Databases for the tests: a SQLite file, a DuckDB file, and servers that the tests start themselves."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack, suppress
from urllib.parse import quote

import pytest

from databases import servers
from databases.clinic import PASSWORD, Clinic, fill
from shoal.io.databases import Address
from shoal.io.databases.mssql_values import quoted

AS_NEW = (  # nothing that an earlier test has made, no connection that it has left open, the rights of a new schema
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'clinic' AND pid <> pg_backend_pid()",
    "DROP SCHEMA public CASCADE",
    "CREATE SCHEMA public AUTHORIZATION pg_database_owner",
    "GRANT USAGE ON SCHEMA public TO PUBLIC",
)

KINDS = {"U": "TABLE", "V": "VIEW", "SN": "SYNONYM"}  # of SQL Server


def _or_skip(server):
    """Yield a server, or skip the test with the reason why there is none."""
    with ExitStack() as stack:
        try:
            started = stack.enter_context(server)
        except servers.NoServerError as error:
            pytest.skip(str(error))
        yield started


@pytest.fixture(scope="session")
def server():
    """Connection options of a PostgreSQL server on this machine, for its administrator."""
    pytest.importorskip("psycopg")
    yield from _or_skip(servers.postgresql())


@pytest.fixture(scope="session")
def mysql_server():
    """A MariaDB or MySQL server on this machine."""
    pytest.importorskip("pymysql")
    yield from _or_skip(servers.mysql())


@pytest.fixture(scope="session")
def database(server):
    """An empty database on the server, which all tests use one after the other."""
    import psycopg

    with psycopg.connect(**server, autocommit=True) as admin:
        admin.execute("CREATE DATABASE clinic")
    return Clinic("postgresql", server | {"dbname": "clinic"})


@pytest.fixture
def postgresql(database):
    """The database as if it were new, with a table of patients; a copy of one would take five times as long."""
    database.run(*AS_NEW)
    fill(database)
    return database


@pytest.fixture
def mysql(mysql_server):
    """The database clinic as if it were new, with a table of patients."""
    clinic = Clinic("mysql", mysql_server.options | {"database": "clinic"})
    admin = Clinic("mysql", mysql_server.options)
    own = "SELECT id FROM information_schema.PROCESSLIST WHERE user = 'admin' AND id <> connection_id()"
    for (number,) in admin.rows(own):
        with suppress(Exception):  # it has ended meanwhile
            admin.run(f"KILL {number}")
    admin.run("DROP DATABASE IF EXISTS clinic", "CREATE DATABASE clinic CHARACTER SET utf8mb4")
    fill(clinic)
    return clinic


@pytest.fixture(scope="session")
def mssql_server(tmp_path_factory):
    """A stand-in for SQL Server; None if SHOAL_TEST_MSSQL names a database of a real one, whose tables are dropped."""
    pytest.importorskip("pytds")
    if os.environ.get("SHOAL_TEST_MSSQL"):
        yield None
        return
    pytest.importorskip("sqlglot")
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl on this machine, which makes the certificate of the server")
    from databases.sql_server.server import running

    with running(tmp_path_factory.mktemp("mssql"), PASSWORD) as started:
        yield started


@pytest.fixture
def stand_in(mssql_server):
    """The stand-in, for what cannot be asked of a real server."""
    if mssql_server is None:
        pytest.skip("a real server is tested")
    return mssql_server


@pytest.fixture
def mssql(mssql_server):
    """The database as if it were new, with a table of patients."""
    address = os.environ.get("SHOAL_TEST_MSSQL")
    if mssql_server is not None:
        address = f"mssql://admin:{quote(PASSWORD, safe='')}@127.0.0.1:{mssql_server.port}/clinic"
        address += "?trust_server_certificate=yes"
    clinic = Clinic("mssql", dict(Address.of(address).options))
    while things := clinic.rows("SELECT type, name FROM sys.objects WHERE type IN ('U', 'V', 'SN')"):
        for kind, name in things:
            with suppress(Exception):  # a foreign key refers to it, until another is gone
                clinic.run(f"DROP {KINDS[kind.strip()]} {quoted(name)}")
    fill(clinic)
    return clinic


@pytest.fixture
def sqlite(tmp_path, monkeypatch):
    """A file with a table of patients."""
    monkeypatch.chdir(tmp_path)
    clinic = Clinic("sqlite", "clinic.db")
    fill(clinic)
    return clinic


@pytest.fixture(scope="session")
def duckdb_file(tmp_path_factory):
    """A file with a table of patients, of which each test has a copy."""
    pytest.importorskip("duckdb")
    path = tmp_path_factory.mktemp("duckdb") / "clinic.duckdb"
    fill(Clinic("duckdb", str(path)))
    return path


@pytest.fixture
def duckdb(duckdb_file, tmp_path, monkeypatch):
    """A file with a table of patients."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(duckdb_file, "clinic.duckdb")
    return Clinic("duckdb", "clinic.duckdb")


@pytest.fixture(params=["sqlite", "duckdb", "postgresql", "mysql", "mssql"])
def clinic(request, tmp_path, monkeypatch):
    """Each kind of database with a table of patients, in a new folder."""
    monkeypatch.chdir(tmp_path)
    return request.getfixturevalue(request.param)
