"""The server with NiceGUI in it: the page, downloads, uploads, and what is not there."""

from __future__ import annotations

import asyncio
import re

import pytest

pytest.importorskip("nicegui")

from a_bench import BASE
from a_browser import TestClient
from nicegui import Client, ui
from nicegui.testing.general import nicegui_reset_globals

import shoal
from shoal.ui.server import server


@pytest.fixture
def guard(where, visitors, monkeypatch):
    """The server's app, with a page that takes uploads."""
    taken = []

    def frame(visitor):
        ui.label(visitor.bench.folder.name)
        ui.upload(on_upload=lambda event: taken.append((visitor, event.file.name)))

    monkeypatch.setattr(server, "frame", frame)
    with nicegui_reset_globals():
        made = server.guarded(where, visitors)
        made.taken = taken
        yield made
        Client.page_routes.clear()  # else shoal itself would be taken out of sys.modules


@pytest.fixture
def inside(guard, visitors):
    """A new browser that has followed the link."""

    def follow():
        browser = TestClient(guard, base_url=BASE, follow_redirects=False)
        assert browser.get(f"/?token={visitors.token}").status_code == 303
        return browser

    return follow


def test_the_page_shows_the_visitor_its_workbench(inside):
    first, second = inside(), inside()
    assert "visitor-1" in first.get("/").text
    assert "visitor-2" in second.get("/").text
    assert "visitor-1" not in second.get("/").text


def test_nothing_of_the_page_comes_from_the_network(inside):
    page = inside().get("/").text
    addresses = re.findall(r"""(?:src|href|url)\s*[=(]\s*["']([^"']+)""", page) + re.findall(r'"(/?[^"]+\.js)"', page)
    assert len(addresses) > 5
    assert [address for address in addresses if not address.startswith(("/_nicegui/", "data:"))] == []


def test_files_of_the_page_are_there(inside):
    browser = inside()
    script = re.search(r'src="(/_nicegui/[^"]+/nicegui.js)"', browser.get("/").text)[1]
    answer = browser.get(script)
    assert answer.status_code == 200
    assert "max-age" in answer.headers["cache-control"]


def test_a_download_is_the_visitors_own(inside):
    first, second = inside(), inside()
    for browser, content in ((first, "visitor-1\n"), (second, "visitor-2\n")):
        answer = browser.get("/download/1/safe.csv")
        assert (answer.status_code, answer.text) == (200, content)
        assert answer.headers["content-disposition"] == 'attachment; filename="safe.csv"'
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["cache-control"] == "no-store"


MISSING = [
    "/download/2/safe.csv",
    "/download/1/other.csv",
    "/download/1/..%2Fvisitor-2%2Fsafe.csv",
    "/download/1/%2e%2e/safe.csv",
    "/download/1/..%5csafe.csv",
    "/download/1/%2Fetc%2Fpasswd",
    "/download/1/safe.csv%00",
    "/download/-1/safe.csv",
    "/download/x/safe.csv",
    "/download/1",
    "/docs",
    "/redoc",
    "/openapi.json",
    "/nowhere?token=secret",
    "/_nicegui/auto/static/x/y",
    "/%2e%2e/%2e%2e/etc/passwd",
]


def test_what_is_not_there_is_said_in_plain_words(inside, caplog):
    inside()
    browser = inside()
    for path in MISSING:
        answer = browser.get(path)
        assert (path, answer.status_code) == (path, 404)
        assert "There is no such page" in answer.text
    assert "secret" not in caplog.text


def upload(browser, page, name="../../x.csv"):
    path = re.search(r"/_nicegui/client/[^\"]+/upload/\d+", page)[0]
    return browser.post(path, files={"file": (name, b"a,b\n")}, headers={"Origin": BASE})


def test_only_the_page_of_a_visitor_takes_its_uploads(guard, inside, visitors):
    first, second = inside(), inside()
    page = first.get("/").text
    assert upload(second, page).status_code == 404
    assert guard.taken == []
    assert upload(first, page).status_code == 200
    assert guard.taken == [(visitors.admitted[0], "x.csv")]


def test_a_page_that_fails_shows_no_traceback(inside, monkeypatch, caplog):
    def broken(visitor):
        raise ValueError("secret detail")

    monkeypatch.setattr(server, "frame", broken)
    with inside() as browser:
        answer = browser.get("/")
    assert answer.status_code == 500
    assert "This page could not be shown:" in answer.text
    assert "secret detail" not in answer.text
    assert "secret detail" in caplog.text


def test_workbenches_are_closed_at_the_end(inside, visitors):
    inside()
    with inside():
        assert [visitor.bench.closed for visitor in visitors.admitted] == [False, False]
    assert [visitor.bench.closed for visitor in visitors.admitted] == [True, True]


def test_a_workbench_that_does_not_close_keeps_nobody(visitors, monkeypatch, caplog):
    async def stuck():
        await asyncio.sleep(60)

    monkeypatch.setattr("shoal.ui.server.visitors.CLOSE_TIMEOUT", 0.01)
    first, second = visitors.admit(visitors.token), visitors.admit(visitors.token)
    first.bench.close = stuck
    asyncio.run(visitors.close())
    assert second.bench.closed
    assert "a workbench did not close: TimeoutError()" in caplog.text


def test_the_table_of_the_command_line_is_opened_once_for_the_first_visitor(visitors):
    visitors.first_table = "patients.csv"
    first, second = visitors.admit(visitors.token), visitors.admit(visitors.token)
    assert (first.first_table, second.first_table) == ("patients.csv", None)
    asyncio.run(server._open_first(first))
    assert (first.bench.opened, first.first_table) == ("patients.csv", None)
    first.bench.opened = "another.csv"
    asyncio.run(server._open_first(first))
    assert first.bench.opened == "another.csv"


def test_errors_are_shown_in_a_sentence(visitors, monkeypatch):
    shown = []
    monkeypatch.setattr(server.ui, "notify", lambda sentence, **_: shown.append(sentence))

    async def refuse(path):
        raise shoal.InputError(f"{path}: no table.")

    visitor = visitors.admit(visitors.token)
    visitor.first_table, visitor.bench.open = "x.csv", refuse
    asyncio.run(server._open_first(visitor))
    server._show_error(ValueError("detail"))
    assert shown == ["x.csv: no table.", "There was an unexpected error: see the terminal of shoal ui."]


def test_a_visitor_opens_what_it_may(visitors, tmp_path):
    visitors.anywhere = False
    visitor = visitors.admit(visitors.token)
    assert visitor.bench.may_open("a.csv") == str(tmp_path / "a.csv")
    assert visitor.bench.max_upload == 1000
    with pytest.raises(shoal.InputError, match="only files in"):
        visitor.bench.may_open("/etc/passwd")
    assert visitor.cookie not in repr(visitor)


@pytest.mark.parametrize(("kind", "opened"), [("GenericBrowser", []), ("BackgroundBrowser", ["link"])])
def test_a_browser_that_would_take_the_terminal_is_not_opened(monkeypatch, kind, opened):
    found, calls = getattr(server.webbrowser, kind)("lynx"), []
    found.open = calls.append
    monkeypatch.setattr(server.webbrowser, "get", lambda: found)
    server._open_browser("link")
    assert calls == opened


def test_where_there_is_no_browser_none_is_opened(monkeypatch):
    def missing():
        raise server.webbrowser.Error("none")

    monkeypatch.setattr(server.webbrowser, "get", missing)
    assert server._open_browser("link") is None
