"""Databases for the tests: a SQLite file, a DuckDB file, and servers that the tests start themselves."""

from __future__ import annotations

import shutil
from contextlib import ExitStack, suppress

import pytest

from databases import servers
from databases.clinic import Clinic, fill

AS_NEW = (  # nothing that an earlier test has made, no connection that it has left open, the rights of a new schema
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'clinic' AND pid <> pg_backend_pid()",
    "DROP SCHEMA public CASCADE",
    "CREATE SCHEMA public AUTHORIZATION pg_database_owner",
    "GRANT USAGE ON SCHEMA public TO PUBLIC",
)


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


@pytest.fixture(params=["sqlite", "duckdb", "postgresql", "mysql"])
def clinic(request, tmp_path, monkeypatch):
    """Each kind of database with a table of patients, in a new folder."""
    monkeypatch.chdir(tmp_path)
    return request.getfixturevalue(request.param)
