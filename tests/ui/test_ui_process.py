"""shoal ui as a process: its link, its end, and what it leaves behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("nicegui")

import httpx

# A job in the background may ignore SIGHUP, and so would the server.
COMMAND = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL); from shoal.cli import main; main()"
LINK = re.compile(r"http://\S+/\?token=\S+")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for others")


@pytest.fixture
def environment(tmp_path):
    """What the process sees: a folder for temporary files, and no sign of pytest, by which NiceGUI would go."""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "work").mkdir()
    known = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    return {**known, "TMPDIR": str(tmp_path / "tmp")}


@contextmanager
def started(environment, *arguments):
    """The process and the link that it shows."""
    command = [sys.executable, "-c", COMMAND, "ui", "--port", "0", "--no-browser", *arguments]
    work = Path(environment["TMPDIR"]).parent / "work"
    with subprocess.Popen(
        command, env=environment, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline()
            assert line.startswith("The workbench is at http://"), process.stderr.read()
            yield process, LINK.search(line)[0]
        finally:
            process.kill()


def folders(environment):
    return sorted(Path(environment["TMPDIR"]).glob("shoal-ui-*"))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_link_opens_the_page_and_a_signal_ends_it_quietly(environment, number, code):
    with started(environment) as (process, link), httpx.Client(follow_redirects=True) as browser:
        page = browser.get(link)
        assert (page.status_code, page.url.query) == (200, b"")
        assert 'id="app"' in page.text
        assert httpx.get(link).status_code == 403
        again = process.stdout.readline()
        assert again.startswith("For another browser or person: http://127.0.0.1:")
        assert httpx.get(LINK.search(again)[0]).status_code == 303
        (folder,) = folders(environment)
        assert sorted(path.name for path in folder.glob("visitor-*")) == ["visitor-1", "visitor-2"]
        process.send_signal(number)
        output, errors = process.communicate(timeout=30)
    told = "shoal: ended; uploads and releases that were not downloaded are deleted.\n"
    assert (process.returncode, errors) == (code, told if number == signal.SIGINT else "")
    assert "token" in output  # the third link and no more
    assert output.count("\n") == 1
    work = Path(environment["TMPDIR"]).parent / "work"
    assert (folders(environment), list(work.iterdir())) == ([], [])


def test_what_a_killed_server_left_is_removed_by_the_next(environment):
    with started(environment) as (process, link):
        assert httpx.get(link).status_code == 303
        (left,) = folders(environment)
        with started(environment):
            assert left in folders(environment)  # its server lives
        process.kill()
        process.wait(30)
    assert left.is_dir()
    with started(environment) as (process, link):
        assert left not in folders(environment)
        assert httpx.get(link).status_code == 303
        process.send_signal(signal.SIGINT)
        process.wait(30)


def test_other_machines_are_let_in_with_a_warning(environment):
    with started(environment, "--host", "0.0.0.0") as (process, link):
        assert socket.gethostname() in link
        numbers = link.replace(socket.gethostname(), "127.0.0.1", 1)  # the secret may hold the name, too
        assert httpx.get(numbers).status_code == 303
        assert httpx.get(numbers, headers={"Host": "evil.example"}).status_code == 403
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert "warning: other machines can reach this page" in errors
    assert "not encrypted" in errors
    assert "reverse proxy with TLS" in errors


def test_the_page_goes_on_where_nobody_reads_the_terminal(environment):
    with started(environment) as (process, link):
        process.stdout.close()
        with httpx.Client(follow_redirects=True) as browser:
            assert browser.get(link).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert folders(environment) == []


def test_a_closed_terminal_ends_the_server_too(environment):
    with started(environment) as (process, _):
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=30)
    assert folders(environment) == []
