"""Databases for the tests: a SQLite file, a DuckDB file, and a PostgreSQL server that the tests start themselves."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest

from databases.clinic import PASSWORD, Clinic, fill

AS_NEW = (  # nothing that an earlier test has made, no connection that it has left open, the rights of a new schema
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'clinic' AND pid <> pg_backend_pid()",
    "DROP SCHEMA public CASCADE",
    "CREATE SCHEMA public AUTHORIZATION pg_database_owner",
    "GRANT USAGE ON SCHEMA public TO PUBLIC",
)


def _programs() -> Path | None:
    found = shutil.which("initdb")
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return Path(found).parent if found else versions[-1].parent if versions else None


def _account() -> dict[str, object]:
    """Return the account to run the server under, as it refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    pytest.skip("PostgreSQL does not run as root, and there is neither an account postgres nor nobody")


@pytest.fixture(scope="session")
def server():
    """Connection options of a PostgreSQL server on this machine, for its administrator."""
    psycopg = pytest.importorskip("psycopg")
    programs = _programs()
    if programs is None:
        pytest.skip("there is no PostgreSQL server on this machine: install Debian's postgresql, or one with initdb")
    account = _account()
    folder = Path(tempfile.mkdtemp(prefix="shoal-postgresql-"))
    (folder / "password").write_text(PASSWORD)
    if account:
        for path in (folder, folder / "password"):
            os.chown(path, account["user"], account["group"])
    made = subprocess.run(
        [
            *(programs / "initdb", "-D", folder / "data", "-U", "admin", "-E", "UTF8", "--locale=C", "--no-sync"),
            *("-A", "scram-sha-256", f"--pwfile={folder / 'password'}"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        **account,
    )
    if made.returncode:
        shutil.rmtree(folder)
        pytest.skip(f"PostgreSQL's initdb does not run here: {made.stderr[-200:]}")
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [
                *(programs / "postgres", "-D", folder / "data", "-k", folder, "-p", str(port)),
                *("-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"),
            ],
            cwd=folder,
            stdout=log,
            stderr=log,
            **account,
        )
    options = {"host": "127.0.0.1", "port": str(port), "user": "admin", "password": PASSWORD, "dbname": "postgres"}
    try:
        for _ in range(100):
            try:
                psycopg.connect(**options).close()
                break
            except psycopg.OperationalError:
                time.sleep(0.1)
        else:
            pytest.skip(f"PostgreSQL does not start here: {(folder / 'log').read_text()[-200:]}")
        yield options
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


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


@pytest.fixture(params=["sqlite", "duckdb", "postgresql"])
def clinic(request, tmp_path, monkeypatch):
    """Each kind of database with a table of patients, in a new folder."""
    monkeypatch.chdir(tmp_path)
    return request.getfixturevalue(request.param)
