"""Servers of databases on this machine, started for the tests in folders of their own and ended with them."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from databases.clinic import PASSWORD

SYSTEM_FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/usr/libexec")  # where an ordinary user's PATH does not lead


class NoServerError(Exception):
    """There is no such server on this machine, or it does not start."""


def find(*names: str) -> Path | None:
    """Return the first of some programs that is installed."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *SYSTEM_FOLDERS])
    return next((Path(found) for name in names if (found := shutil.which(name, path=path))), None)


def account(*names: str) -> dict[str, Any]:
    """Return the account to run a server under, as none of them likes to run as root."""
    if os.geteuid() != 0:
        return {}
    for name in names:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    raise NoServerError(f"a server does not run as root, and there is no account {' or '.join(names)}")


@contextmanager
def folder_of(kind: str, runs_as: dict[str, Any]) -> Iterator[Path]:
    """Make the folder of a server, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix=f"shoal-{kind}-"))
    try:
        if runs_as:
            os.chown(folder, runs_as["user"], runs_as["group"])
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write(path: Path, text: str, runs_as: dict[str, Any]) -> None:
    """Write a file that only the account of a server can read."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    if runs_as:
        os.chown(path, runs_as["user"], runs_as["group"])


def prepare(command: list[Any], folder: Path, runs_as: dict[str, Any]) -> None:
    """Run the program that makes the files of a server."""
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False, **runs_as)
    if done.returncode:
        raise NoServerError(f"{Path(command[0]).name} does not run here: {(done.stdout + done.stderr)[-300:]}")


def free_port() -> int:
    """Return a port that nobody uses."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running(command: list[Any], folder: Path, runs_as: dict[str, Any], connect: Any) -> Iterator[subprocess.Popen]:
    """Run a server; what is inside begins when it can be reached."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(list(map(str, command)), cwd=folder, stdout=log, stderr=log, **runs_as)
    try:
        for _ in range(600):
            with suppress(Exception):
                connect().close()
                break
            if process.poll() is not None:
                break
            time.sleep(0.1)
        else:
            raise NoServerError(f"{Path(command[0]).name} cannot be reached: {(folder / 'log').read_text()[-300:]}")
        if process.poll() is not None:
            raise NoServerError(f"{Path(command[0]).name} does not start: {(folder / 'log').read_text()[-300:]}")
        yield process
    finally:
        process.terminate()
        process.wait(60)


@contextmanager
def postgresql() -> Iterator[dict[str, str]]:
    """Run a PostgreSQL server; yield the connection options of its administrator."""
    import psycopg

    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    initdb = find("initdb") or (versions[-1] if versions else None)
    if initdb is None:
        raise NoServerError("there is no PostgreSQL server on this machine: install Debian's postgresql")
    runs_as = account("postgres", "nobody")
    with folder_of("postgresql", runs_as) as folder:
        secret, data, port = folder / "password", folder / "data", free_port()
        write(secret, PASSWORD, runs_as)
        made = ["-D", data, "-U", "admin", "-E", "UTF8", "--locale=C", "--no-sync", "-A", "scram-sha-256"]
        prepare([initdb, *made, f"--pwfile={secret}"], folder, runs_as)
        options = {"host": "127.0.0.1", "port": str(port), "user": "admin", "password": PASSWORD, "dbname": "postgres"}
        settings = ["-k", folder, "-p", port, "-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"]
        command = [initdb.parent / "postgres", "-D", data, *settings]
        with running(command, folder, runs_as, lambda: psycopg.connect(**options)):
            yield options


@dataclass
class MySQL:
    """A MariaDB or MySQL server, and how its administrator reaches it."""

    command: list[Any]
    folder: Path
    runs_as: dict[str, Any]
    port: int
    is_mariadb: bool
    process: subprocess.Popen | None = None

    @property
    def options(self) -> dict[str, Any]:
        return {"host": "127.0.0.1", "port": self.port, "user": "admin", "password": PASSWORD.encode()}

    @property
    def socket(self) -> str:
        return str(self.folder / "socket")

    @contextmanager
    def start(self, *more: str) -> Iterator[None]:
        import pymysql

        command = [*self.command, f"--socket={self.socket}", f"--port={self.port}", *more]
        with running(command, self.folder, self.runs_as, lambda: pymysql.connect(**self.options)) as self.process:
            yield


@contextmanager
def mysql(*settings: str) -> Iterator[MySQL]:
    """Run a MariaDB or MySQL server: the one that SHOAL_MYSQLD names, otherwise the first that is installed."""
    named = os.environ.get("SHOAL_MYSQLD")
    program = find(named) if named else find("mariadbd", "mysqld")
    if program is None:
        raise NoServerError("there is no MariaDB or MySQL server on this machine: install Debian's mariadb-server")
    runs_as = account("mysql", "nobody")
    is_mariadb = "MariaDB" in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    with folder_of("mysql", runs_as) as folder:
        data, first = f"--datadir={folder / 'data'}", folder / "first.sql"
        admin = f"CREATE USER 'admin'@'%' IDENTIFIED BY '{PASSWORD}';"
        write(first, f"{admin}\nGRANT ALL ON *.* TO 'admin'@'%' WITH GRANT OPTION;\n", runs_as)
        if is_mariadb:
            how = ["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"]
            prepare([find("mariadb-install-db", "mysql_install_db"), *how, data, *settings], folder, runs_as)
        else:
            prepare([program, "--no-defaults", "--initialize-insecure", data, *settings], folder, runs_as)
        fast = ["--innodb-flush-log-at-trx-commit=0", "--skip-log-bin", f"--pid-file={folder / 'pid'}"]
        command = [program, "--no-defaults", data, "--bind-address=127.0.0.1", *fast, *settings]
        server = MySQL(command, folder, runs_as, free_port(), is_mariadb)
        with server.start(f"--init-file={first}"):
            yield server
