"""MySQL: a table appears whole and verified, or the old one stays, whatever happens to the run or to the server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing

import pytest

import shoal
from databases import servers
from databases.clinic import PATIENTS, Clinic, fill, released
from shoal import InputError
from shoal.io import databases
from shoal.io.databases.mysql_session import Session

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

RUN = """
import sys, time, warnings
import pyarrow as pa
import shoal
from shoal.io import databases

warnings.simplefilter("ignore")
read = databases.read_back

def wait(database):
    print("written", flush=True)
    time.sleep(60)
    return read(database)

databases.read_back = wait
table = pa.table({"age": [1] * 5})
shoal.anonymize(table, quasi_identifiers="age", model=shoal.KAnonymity(5)).save(sys.argv[1], replace=True)
"""


def tables(mysql):
    return sorted(name for (name,) in mysql.rows("SHOW TABLES"))


def with_old(mysql):
    """A release that is to replace an old table."""
    mysql.run("CREATE TABLE safe (old integer)", "INSERT INTO safe VALUES (1)")
    return released(mysql.url("patients"))


def check_old(mysql):
    """The old table is there, and no other."""
    assert tables(mysql) == ["patients", "safe"]
    assert mysql.rows("SELECT * FROM safe") == [(1,)]


def at_statement(monkeypatch, pattern, act, *, after=False):
    """Do something once, before or after the statement that begins with a pattern."""
    run, done = Session.run, []

    def changed(session, statement):
        text = statement.decode(errors="replace") if isinstance(statement, bytes) else statement
        if done or not re.match(pattern, text):
            return run(session, statement)
        done.append(text[:40])
        if after:
            run(session, statement)
            return act(session)
        act(session)
        return run(session, statement)

    monkeypatch.setattr(Session, "run", changed)
    return done


def killed(mysql):
    """A function that ends the session of a connection at the server."""

    def kill(session):
        mysql.run(f"KILL {session.connection.thread_id()}")
        session.rows("SELECT 1")

    return kill


STEPS = ["CREATE TABLE", "INSERT INTO", "RENAME TABLE `clinic`.`safe`"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("after", [False, True])
def test_a_connection_that_is_cut_leaves_the_old_table_and_no_remains(mysql, monkeypatch, step, after):
    release = with_old(mysql)
    done = at_statement(monkeypatch, step, killed(mysql), after=after)
    if after and step.startswith("RENAME"):  # both have their names, so it is finished
        release.save(mysql.url("safe"), replace=True)
        assert tables(mysql) == ["patients", "safe"]
        assert mysql.rows("SELECT count(*) FROM safe") == [(60,)]
    else:
        with pytest.raises(InputError) as error:
            release.save(mysql.url("safe"), replace=True)
        assert str(error.value) == f"{mysql.shown('safe')}: the connection to the server was lost."
        check_old(mysql)
    assert len(done) == 1


@pytest.mark.parametrize(("step", "replace"), [("DROP TABLE", True), ("RENAME .* TO `clinic`.`safe`", False)])
def test_an_answer_that_is_lost_when_all_is_done_says_where_to_look(mysql, monkeypatch, step, replace):
    release = with_old(mysql)
    mysql.run(*(() if replace else ["DROP TABLE safe"]))
    at_statement(monkeypatch, step, killed(mysql), after=True)
    with pytest.raises(InputError) as error:
        release.save(mysql.url("safe"), replace=replace)
    assert str(error.value) == (
        f"{mysql.shown('safe')}: the connection to the server was lost while the table got its name. Look whether it "
        "is there: if it is, it is whole and verified."
    )
    assert tables(mysql) == ["patients", "safe"]
    assert mysql.rows("SELECT count(*) FROM safe") == [(60,)]


def test_an_old_table_that_cannot_be_dropped_stays(mysql, monkeypatch):
    release = with_old(mysql)
    mysql.run("DROP TABLE safe", "CREATE TABLE safe (old integer PRIMARY KEY)", "INSERT INTO safe VALUES (1)")
    meanwhile = "CREATE TABLE visits (old integer, FOREIGN KEY (old) REFERENCES safe (old))"
    at_statement(monkeypatch, "RENAME TABLE `clinic`.`safe`", lambda _: mysql.run(meanwhile))
    with pytest.raises(InputError, match=r"(?i)foreign key"):
        release.save(mysql.url("safe"), replace=True)
    mysql.run("INSERT INTO visits VALUES (1)", "DROP TABLE visits")
    check_old(mysql)


def test_nobody_sees_the_table_before_it_is_verified_or_finds_none(mysql, monkeypatch):
    release = with_old(mysql)
    read, seen, ended = databases.read_back, [], threading.Event()

    def watch():
        while not ended.is_set():
            seen.append(mysql.rows("SELECT count(*) FROM safe")[0][0])

    def look(database):
        found = read(database)
        check = [name for name in tables(mysql) if name not in ("patients", "safe")]
        assert check == [database.unfinished[1]]
        assert mysql.rows("SELECT * FROM safe") == [(1,)]
        assert mysql.rows(f"SELECT count(*) FROM {check[0]}") == [(0,)]
        return found

    monkeypatch.setattr(databases, "read_back", look)
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for _ in range(3):
            release.save(mysql.url("safe"), replace=True)
            mysql.run("DELETE FROM safe", "ALTER TABLE safe DROP COLUMN name", "INSERT INTO safe(age) VALUES (1)")
            monkeypatch.setattr(databases, "read_back", read)
    finally:
        ended.set()
        watcher.join()
    assert {60} <= {*seen} <= {0, 1, 60}  # and never an error


def test_a_query_that_goes_on_delays_the_new_table_and_no_longer_than_a_minute(mysql, monkeypatch):
    release = with_old(mysql)
    monkeypatch.setattr(
        "shoal.io.databases.mysql_session.SETTINGS", "SET SESSION lock_wait_timeout = 1, lc_messages = 'en_US'"
    )
    with closing(mysql.connect()) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM safe")
        with pytest.raises(InputError) as error:
            release.save(mysql.url("safe"), replace=True)
    assert str(error.value) == (
        f"{mysql.shown('safe')}: others have been using the table for a minute, so it was left as it is. "
        "Run again later."
    )
    check_old(mysql)


def test_ctrl_c_in_the_middle_of_a_statement_leaves_the_old_table(mysql, monkeypatch):
    release = with_old(mysql)

    def wait(database):
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        database.session.rows("SELECT SLEEP(50)")

    monkeypatch.setattr(databases, "read_back", wait)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        release.save(mysql.url("safe"), replace=True)
    assert time.monotonic() - began < 20
    check_old(mysql)
    assert mysql.rows("SELECT * FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'") == []


def start_run(mysql):
    """Start a process that has written its table and waits."""
    process = subprocess.Popen([sys.executable, "-c", RUN, mysql.url("safe")], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "written\n"
    return process


def test_what_a_killed_run_leaves_is_removed_by_the_next_one_but_not_what_another_needs(mysql):
    release = with_old(mysql)
    dead, alive = start_run(mysql), start_run(mysql)
    try:
        dead.kill()
        dead.communicate()
        assert mysql.rows("SELECT * FROM safe") == [(1,)]
        assert len(tables(mysql)) == 4
        mysql.run(
            "CREATE TABLE shoal_unfinished_mine (a int)", "CREATE TABLE `shoal_replaced_0123456789abcdef` (a int)"
        )
        until = time.monotonic() + 20
        while len(tables(mysql)) > 4 and time.monotonic() < until:  # the server has to see that the process is gone
            release.save(mysql.url("safe"), replace=True)
        left = tables(mysql)
        assert left[:2] == ["patients", "safe"]
        assert left[3] == "shoal_unfinished_mine"
        assert mysql.rows("SELECT count(*) FROM safe") == [(60,)]
    finally:
        alive.kill()
        alive.communicate()


def test_of_two_runs_one_makes_the_table_and_both_may_replace_it(mysql, monkeypatch):
    release = released(mysql.url("patients"))
    ready, outcomes = threading.Barrier(2), []
    read = databases.read_back

    def together(database):
        ready.wait(30)
        return read(database)

    monkeypatch.setattr(databases, "read_back", together)

    def run(replace):
        try:
            release.save(mysql.url("safe"), replace=replace)
            outcomes.append("made")
        except InputError as error:
            outcomes.append(str(error).partition(": ")[2])

    for replace in (False, True):
        threads = [threading.Thread(target=run, args=(replace,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert tables(mysql) == ["patients", "safe"]
        assert mysql.rows("SELECT count(*) FROM safe") == [(60,)]
    exists = "this table already exists. Choose another one, or say --replace (replace=True)."
    assert sorted(outcomes) == ["made", "made", "made", exists]


@pytest.fixture(scope="module")
def second():
    """A server that ignores case in names and may be killed, how to start it again, and its database."""
    pytest.importorskip("pymysql")
    with ExitStack() as stack:
        try:
            server = stack.enter_context(servers.mysql("--lower-case-table-names=1"))
        except servers.NoServerError as error:
            pytest.skip(str(error))
        Clinic("mysql", server.options).run("CREATE DATABASE clinic CHARACTER SET utf8mb4")
        clinic = Clinic("mysql", server.options | {"database": "clinic"})
        fill(clinic)
        yield server, lambda: stack.enter_context(server.start()), clinic


def test_where_case_makes_no_difference_the_input_is_known_in_any_case(second):
    *_, clinic = second
    release = released(clinic.url("Patients"))
    for table in ("PATIENTS", "Clinic.patients"):
        with pytest.raises(InputError, match="this is the input"):
            release.save(clinic.url(table), replace=True)
    query = shoal.read_database(clinic.url(), query="SELECT age, zip FROM CLINIC.PATIENTS")
    with pytest.raises(InputError, match="this is the input"):
        released(query, keep=()).save(clinic.url("patients"), replace=True)
    release.save(clinic.url("Safe"))
    assert shoal.read_database(clinic.url("SAFE")).num_rows == len(PATIENTS)
    clinic.run("DROP TABLE safe")


@pytest.mark.parametrize("step", ["INSERT INTO", "RENAME TABLE `clinic`.`safe`"])
def test_a_server_that_is_killed_leaves_the_old_table_and_the_next_run_cleans_up(second, monkeypatch, step):
    server, start_again, clinic = second
    clinic.run("DROP TABLE IF EXISTS safe")
    release = with_old(clinic)

    def kill(_):
        server.process.kill()
        server.process.wait()

    with monkeypatch.context() as patch:
        at_statement(patch, step, kill)
        with pytest.raises(InputError, match="connection to the server was lost"):
            release.save(clinic.url("safe"), replace=True)
    start_again()
    assert clinic.rows("SELECT * FROM safe") == [(1,)]
    assert len(tables(clinic)) == 3
    release.save(clinic.url("safe"), replace=True)
    assert tables(clinic) == ["patients", "safe"]
    assert clinic.rows("SELECT count(*) FROM safe") == [(60,)]


def test_after_a_restart_the_session_of_another_is_left_alone(second, monkeypatch):
    server, start_again, clinic = second
    clinic.run("DROP TABLE IF EXISTS safe")
    release, others = with_old(clinic), []

    def restart(session):
        number = session.connection.thread_id()
        server.process.kill()
        server.process.wait()
        start_again()
        while not others or others[-1].connection.thread_id() < number:
            others.append(clinic.connect())
        assert others[-1].connection.thread_id() == number

    with monkeypatch.context() as patch:
        at_statement(patch, "INSERT INTO", restart)
        with pytest.raises(InputError, match="connection to the server was lost"):
            release.save(clinic.url("safe"), replace=True)
    for other in others:
        assert other.execute("SELECT 1").fetchall() == [(1,)]
        other.close()
    check_old(clinic)
