"""How MySQL is reached: addresses, option files, TLS; passwords are never shown."""

from __future__ import annotations

import re
import shlex
import traceback
from pathlib import Path
from urllib.parse import quote

import pytest
from typer.testing import CliRunner

import shoal
from databases.clinic import PASSWORD, released
from shoal import InputError
from shoal.cli.app import app
from shoal.io.databases import Address
from shoal.io.databases.mysql_login import entries, login

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


@pytest.fixture(autouse=True)
def no_files(monkeypatch):
    """No option file and no password of this machine's user."""
    monkeypatch.setattr("shoal.io.databases.mysql_login.OPTION_FILES", ("my.cnf",))
    monkeypatch.setattr("shoal.io.databases.mysql_login.SOCKETS", ())
    monkeypatch.delenv("MYSQL_PWD", raising=False)


def found(url):
    return login(Address.of(url))


def test_an_address_says_everything():
    given = found("mysql://me:p%2Fq@host:3307/clinic?connect_timeout=5&ssl_mode=disabled#t")
    assert {name: given[name] for name in ("user", "password", "host", "port", "database", "connect_timeout")} == {
        "user": "me", "password": b"p/q", "host": "host", "port": 3307, "database": "clinic", "connect_timeout": 5,
    }  # fmt: skip
    assert given["ssl_disabled"] is True
    assert found("mysql://me@host/clinic")["port"] == 3306


FILE = """
[mysqld]
password = server
[client]
# a comment
; another
user = me
password = "a#b\\\\c"   # not this
port=3307
host = 'db.example.org'
ssl-mode = DISABLED
nonsense
[mysqldump]
user = other
"""


def test_option_files_are_read_and_the_address_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my.cnf").write_text(FILE)
    given = found("mysql:///clinic#t")
    assert (given["user"], given["password"], given["host"], given["port"]) == ("me", b"a#b\\c", "db.example.org", 3307)
    given = found("mysql://you@other/clinic#t")
    assert (given["user"], given["host"], given["port"]) == ("you", "other", 3306)
    Path("mine.cnf").write_text("[client-mariadb]\nuser=third\nsocket=/run/x\nskip-ssl-verify-server-cert")
    given = found("mysql:///clinic?defaults_file=mine.cnf#t")
    assert (given["user"], given["unix_socket"]) == ("third", "/run/x")
    assert "unix_socket" not in found("mysql://host/clinic?defaults_file=mine.cnf#t")
    monkeypatch.setenv("MYSQL_PWD", "of the environment")
    assert found("mysql://host/clinic?defaults_file=mine.cnf#t")["password"] == b"of the environment"
    assert found("mysql:///clinic#t")["password"] == b"a#b\\c"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("password=x", "x"),
        ("PASSWORD = x ", "x"),
        ("password='x # y'", "x # y"),
        (r"password=a\sb\\", "a b\\"),
        ("password", ""),
        ("password=", ""),
        ("password = x # y", "x"),
    ],
)
def test_a_line_of_an_option_file(line, value):
    assert entries(["[client]", line]) == {"password": value}


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("sslmode=require", "an option after ? is not one that shoal knows for MySQL; it is not shown"),
        ("hush", "it is not shown"),
        ("ssl_mode=hush", "ssl_mode is one of disabled, preferred, required, verify_ca, verify_identity"),
        ("connect_timeout=hush", "the connect_timeout must be a number from 1 to 65535"),
        ("ssl_ca=hush", "a file of ssl_ca, ssl_cert or ssl_key cannot be read"),
        ("defaults_file=hush", "the defaults_file cannot be read (No such file or directory)"),
        ("host=a,b", "MySQL takes one host"),
    ],
)
def test_what_cannot_be_used_is_told(options, part):
    with pytest.raises(InputError, match=re.escape(part)) as error:
        found(f"mysql://me:hunter2@host/db?{options}#t")
    assert "hunter2" not in str(error.value)


def test_an_option_file_that_is_no_text_is_told(tmp_path):
    (tmp_path / "my.cnf").write_bytes(b"[client]\npassword=\xff\n")
    with pytest.raises(InputError, match="is not text in UTF-8"):
        found(f"mysql://host/db?defaults_file={tmp_path / 'my.cnf'}#t")


@pytest.mark.parametrize(
    ("options", "checks"),
    [("ssl_mode=required", (False, 0)), ("ssl_mode=verify_ca", (False, 2)), ("ssl_mode=VERIFY_IDENTITY", (True, 2))],
)
def test_tls_is_as_strict_as_asked(options, checks):
    context = found(f"mysql://host/db?{options}#t")["ssl"]
    assert (context.check_hostname, context.verify_mode) == checks


def test_a_server_without_tls_is_not_used_where_tls_is_required(mysql):
    if mysql.rows("SELECT @@have_ssl") == [("YES",)]:
        pytest.skip("the server has TLS")
    url = mysql.url().partition("#")[0] + "?ssl_mode=required#patients"
    with pytest.raises(InputError, match="SSL"):
        shoal.read_database(url)


def test_a_password_in_an_option_file_opens_the_server_and_is_shown_nowhere(mysql, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my.cnf").write_text(f'[client]\nuser=admin\npassword="{PASSWORD}"\n', encoding="utf-8")
    place = f"mysql://127.0.0.1:{mysql.place['port']}/clinic"
    words = ["anonymize", f"{place}#patients", "--quasi", "age,zip", "--keep", "name,disease,cost", "--k", "5"]
    words += ["-o", f"{place}#safe", "--report", "r.html", "--report", "r.json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    pages = Path("r.html").read_text() + Path("r.json").read_text()
    assert not any(part in pages + done.output for part in (PASSWORD, quote(PASSWORD, safe=""), "p@ss"))
    assert mysql.rows("SELECT count(*) FROM safe") == [(60,)]


def test_the_commands_of_the_documentation_run(mysql, monkeypatch):
    table = "patients (name varchar(20), age int, sex char(1), zip varchar(5), disease varchar(9))"
    values = ", ".join(str((f"n{row}", 30 + row % 3, "fm"[row % 2], f"1305{row % 2}", "flu")) for row in range(60))
    mysql.run("DROP TABLE patients", f"CREATE TABLE {table}", f"INSERT INTO patients VALUES {values}")
    monkeypatch.setenv("MYSQL_PWD", PASSWORD)
    page = Path(__file__).parents[3] / "docs" / "databases.md"
    blocks = re.findall("^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line for line in "".join(blocks).replace("\\\n", " ").splitlines() if "mysql://me@host/" in line]
    assert len(lines) == 2
    for line in lines:
        here = line.replace("mysql://me@host/", f"mysql://admin@127.0.0.1:{mysql.place['port']}/")
        done = CliRunner().invoke(app, shlex.split(here)[1:])
        assert done.exit_code == 0, (line, done.output)
    assert mysql.rows("SELECT count(*), min(disease) FROM safe") == [(60, "flu")]


def test_a_password_is_in_no_message_and_no_traceback(mysql):
    wrong = mysql.url("patients", password="hunter2")
    release = released(mysql.url("patients"))
    for action in (lambda: shoal.read_database(wrong), lambda: release.save(wrong)):
        with pytest.raises(InputError) as error:
            action()
        assert "Access denied for user 'admin'" in str(error.value)
        assert "hunter2" not in "".join(traceback.format_exception(error.value))
    again = release.to_python()
    assert mysql.shown("patients") in again
    assert quote(PASSWORD, safe="") not in again
