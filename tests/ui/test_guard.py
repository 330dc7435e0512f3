"""The guard refuses everything but requests of a visitor's own page."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("nicegui")

from a_bench import BASE
from a_browser import TestClient, WebSocketDisconnect

from shoal.ui.server.guard import Guard, guard_messages
from shoal.ui.server.visitors import MAX_VISITORS

OWN = {"Origin": BASE}


async def inner(scope, receive, send):
    """An app that returns the visitor and the size of the body, and accepts websockets."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": scope["visitor"].bench.folder.name})
        return
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RuntimeError("the body ended early")
        size, more = size + len(message["body"]), message.get("more_body", False)
    text = f"{scope['visitor'].bench.folder.name} {size}".encode()
    kept = [(b"cache-control", b"public, max-age=9")]
    await send({"type": "http.response.start", "status": 200, "headers": kept})
    await send({"type": "http.response.body", "body": text})


@pytest.fixture
def guard(where, visitors):
    pages = {}
    made = Guard(inner, where=where, visitors=visitors, static="/_nicegui/3/", owner=pages.get)
    made.pages = pages
    return made


@pytest.fixture
def new(guard):
    """A new browser."""
    return lambda: TestClient(guard, base_url=BASE, follow_redirects=False)


@pytest.fixture
def inside(new, visitors):
    """A new browser that has followed the link."""

    def follow():
        browser = new()
        assert browser.get(f"/?token={visitors.token}").status_code == 303
        return browser

    return follow


def test_the_link_gives_a_cookie_and_leads_to_the_page_without_its_token(new, visitors):
    browser, first = new(), visitors.token
    answer = browser.get(f"/?token={first}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("shoal-8787=")
    assert {"httponly", "path=/", "samesite=strict"} == {part.strip().lower() for part in cookie.split(";")[1:]}
    assert len(cookie.split(";")[0].split("=")[1]) >= 43  # 256 bits
    assert browser.get("/").text == "visitor-1 0"
    assert visitors.told == [visitors.token]
    assert first not in visitors.told


def test_a_link_works_once_but_leads_its_own_browser_on(new, visitors):
    browser, first = new(), visitors.token
    browser.get(f"/?token={first}")
    assert browser.get(f"/?token={first}").status_code == 303
    again = new().get(f"/?token={first}")
    assert again.status_code == 403
    assert "This link has been used" in again.text
    assert "Open the link that shoal ui prints in its terminal." in again.text
    assert len(visitors.admitted) == 1


def test_a_visitor_inside_does_not_use_up_the_next_link(inside, visitors):
    browser = inside()
    assert browser.get(f"/?token={visitors.token}").status_code == 303
    assert len(visitors.admitted) == 1


def test_a_click_in_another_page_is_led_on_by_a_page(new, visitors):
    browser = new()
    answer = browser.get(f"/?token={visitors.token}", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert '<meta http-equiv="refresh" content="0; url=/">' in answer.text
    assert browser.get("/").text == "visitor-1 0"


@pytest.mark.parametrize(
    "path", ["/", "/?token=", "/?token=é", "/?token=%ff", "/download/1/safe.csv", "/_nicegui/3/x.js"]
)
def test_without_a_cookie_nothing_is_answered(new, path, visitors):
    answer = new().get(path)
    assert answer.status_code == 403
    assert "Open the link that shoal ui prints in its terminal." in answer.text
    assert visitors.admitted == []


def test_a_wrong_cookie_is_none(new):
    assert new().get("/", headers={"Cookie": "shoal-8787=wrong"}).status_code == 403
    assert new().get("/", headers={"Cookie": 'shoal-8787=""; =; x'}).status_code == 403


def test_other_cookies_of_the_machine_do_no_harm(inside):
    browser = inside()
    mine = f"shoal-8787={browser.cookies['shoal-8787']}"
    assert browser.get("/", headers={"Cookie": f'odd="a b;{{}}; {mine}; =x'}).status_code == 200


def test_the_token_counts_on_the_page_alone(new, visitors):
    assert new().get(f"/download/1/safe.csv?token={visitors.token}").status_code == 403
    assert new().post(f"/?token={visitors.token}", headers=OWN).status_code == 403
    assert visitors.admitted == []


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8787", "127.0.0.1.example:8787", "x@127.0.0.1:8787", "10.0.0.1:8787", ""],
)
def test_another_name_for_the_server_is_refused(inside, new, visitors, host):
    assert inside().get("/", headers={"Host": host}).status_code == 403
    refused = new().get(f"/?token={visitors.token}", headers={"Host": host})
    assert (refused.status_code, len(visitors.admitted)) == (403, 1)
    assert "This server is not called" in refused.text


def test_two_host_headers_are_refused(guard, inside):
    browser = inside()
    cookie = f"shoal-8787={browser.cookies['shoal-8787']}".encode()
    hosts = [(b"host", b"127.0.0.1:8787"), (b"host", b"evil.example")]
    assert asyncio.run(status(guard, "GET", [*hosts, (b"cookie", cookie)], [b""])) == [403]


@pytest.mark.parametrize("host", ["127.0.0.1:8787", "localhost:8787", "LOCALHOST:8787", "[::1]:8787", "127.0.0.1:9000"])
def test_the_names_of_this_machine_and_tunnels_are_served(inside, host):
    assert inside().get("/", headers={"Host": host}).status_code == 200
    assert inside().post("/", headers={"Host": host, "Origin": f"http://{host}"}).status_code == 200


FOREIGN = ["http://evil.example", "http://127.0.0.1:9999", "http://localhost:8787", "null", "", "ftp://127.0.0.1:8787"]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("origin", FOREIGN)
def test_what_another_page_sends_is_refused(inside, method, origin):
    answer = inside().request(method, "/", headers={"Origin": origin})
    assert answer.status_code == 403
    assert "This request does not come from the page of shoal ui" in answer.text


def test_changes_say_where_they_come_from(inside):
    browser = inside()
    assert browser.post("/", headers=OWN).status_code == 200
    assert browser.post("/", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200
    assert browser.post("/", headers={"Sec-Fetch-Site": "same-site"}).status_code == 403
    assert browser.post("/").status_code == 403
    assert browser.options("/").status_code == 403


def connect(browser, path="/ws", **headers):
    """A websocket; the test client would send neither cookies nor the right name with it."""
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    return browser.websocket_connect(path, headers={"Host": "127.0.0.1:8787", "Cookie": cookies} | headers)


def refused(browser, path="/ws", **headers):
    with pytest.raises(WebSocketDisconnect) as found, connect(browser, path, **headers):
        pass
    return found.value.code


def test_websockets_need_the_cookie_the_name_and_the_origin(inside, new):
    browser = inside()
    for headers in ({}, OWN):
        with connect(browser, **headers) as socket:
            assert socket.receive_text() == "visitor-1"
    assert refused(new(), **OWN) == 1008
    assert refused(browser, Host="evil.example", Origin="http://evil.example") == 1008
    for origin in FOREIGN:
        assert refused(browser, Origin=origin) == 1008


def test_a_token_opens_no_websocket(new, visitors):
    assert refused(new(), f"/?token={visitors.token}", **OWN) == 1008
    assert visitors.admitted == []


def test_pages_and_uploads_of_another_visitor_are_not_there(guard, inside, visitors):
    mine, other = inside(), inside()
    guard.pages["abc"] = visitors.admitted[0]
    upload = "/_nicegui/client/abc/upload/7"
    assert mine.post(upload, headers=OWN).status_code == 200
    assert other.post(upload, headers=OWN).status_code == 404
    assert other.get("/_nicegui_ws/socket.io/?client_id=abc").status_code == 404
    assert refused(other, "/_nicegui_ws/socket.io/?x=1&client_id=abc") == 1008
    with connect(mine, "/_nicegui_ws/socket.io/?x=1&client_id=abc") as socket:
        assert socket.receive_text() == "visitor-1"
    assert other.get("/_nicegui_ws/socket.io/?client_id=gone").status_code == 200


def test_files_that_nicegui_would_serve_to_everyone_are_not_served(inside):
    assert inside().get("/_nicegui/auto/static/0/safe.csv").status_code == 404


def test_each_browser_is_a_visitor_of_its_own(inside):
    assert [inside().get("/").text for _ in range(3)] == ["visitor-1 0", "visitor-2 0", "visitor-3 0"]


def test_a_full_server_says_so(inside, new, visitors):
    first = inside()
    for _ in range(MAX_VISITORS - 1):
        inside()
    answer = new().get(f"/?token={visitors.token}")
    assert answer.status_code == 503
    assert f"{MAX_VISITORS} browsers are connected already: start another shoal ui." in answer.text
    assert (len(visitors.admitted), first.get("/").status_code) == (MAX_VISITORS, 200)


def test_bodies_end_at_the_limit(inside):
    browser = inside()
    assert browser.post("/", content=b"x" * 1000, headers=OWN).text == "visitor-1 1000"
    large = browser.post("/", content=b"x" * 1001, headers=OWN)
    assert large.status_code == 413
    assert "The limit for uploads is 0 MB: type the path of the file" in large.text


async def status(app, method, headers, parts, path="/"):
    """Return the statuses of the responses to a body in parts, without a Content-Length."""
    parts, sent = list(parts), []

    async def receive():
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

    async def send(message):
        if message["type"] == "http.response.start":
            sent.append(message["status"])

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": headers}
    await app(scope, receive, send)
    return sent


def test_bodies_of_unknown_length_are_counted_on_their_way(guard, inside):
    cookie = f"shoal-8787={inside().cookies['shoal-8787']}".encode()
    headers = [(b"host", b"127.0.0.1:8787"), (b"origin", BASE.encode()), (b"cookie", cookie)]
    assert asyncio.run(status(guard, "POST", headers, [b"x" * 500, b"x" * 500])) == [200]
    assert asyncio.run(status(guard, "POST", headers, [b"x" * 500, b"x" * 501, b"x" * 500])) == [413]
    lying = [*headers, (b"content-length", b"10")]
    assert asyncio.run(status(guard, "POST", lying, [b"x" * 500, b"x" * 501])) == [413]


def test_errors_of_the_app_are_not_hidden(where, visitors):
    async def broken(scope, receive, send):
        raise RuntimeError("no")

    visitor = visitors.admit(visitors.token)
    guard = Guard(broken, where=where, visitors=visitors, static="/s/", owner={}.get)
    headers = [(b"host", b"127.0.0.1:8787"), (b"cookie", f"shoal-8787={visitor.cookie}".encode())]
    with pytest.raises(RuntimeError, match="no"):
        asyncio.run(status(guard, "GET", headers, [b""]))


def test_every_answer_protects_itself(inside, new):
    browser = inside()
    for answer in (browser.get("/"), new().get("/"), browser.get("/", headers={"Host": "evil.example"})):
        policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
        assert (policy["default-src"], policy["connect-src"]) == ("'self'", "'self'")
        assert policy["frame-ancestors"] == "'none'"
        assert not any("http" in sources or "*" in sources for sources in policy.values())
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_only_what_is_the_same_for_everyone_may_be_kept(inside):
    browser = inside()
    assert browser.get("/_nicegui/3/x.js").headers["cache-control"] == "public, max-age=9"
    assert browser.get("/download/1/safe.csv").headers["cache-control"] == "no-store"


def test_names_in_a_refusal_are_text(inside):
    refusal = inside().get("/", headers={"Host": "<script>"})
    assert "&lt;script&gt;" in refusal.text
    assert "<script>" not in refusal.text


async def test_a_socket_speaks_for_pages_of_its_own_visitor_alone(guard, inside, visitors):
    inside(), inside()
    one, two = visitors.admitted
    pages, sockets, taken = {"page-1": one, "page-2": two}, {"socket-1": one, "socket-2": two}, []

    def event(socket, message):
        taken.append((socket, message["client_id"]))
        return True

    async def handshake(socket, message):
        return event(socket, message)

    handlers = {"connect": event, "disconnect": event, "event": event, "handshake": handshake}
    guard_messages(handlers, sender=sockets.get, owner=pages.get)
    assert (handlers["connect"], handlers["disconnect"]) == (event, event)
    guard_messages(handlers, sender=sockets.get, owner=pages.get)  # a second time changes nothing
    for name in ("event", "handshake"):
        assert await handlers[name]("socket-1", {"client_id": "page-1"})
        for socket, message in [
            ("socket-2", {"client_id": "page-1"}),
            ("socket-1", {"client_id": "page-2"}),
            ("socket-1", {"client_id": "gone"}),
            ("socket-1", {"client_id": ["page-1"]}),
            ("socket-1", {}),
            ("socket-1", "page-1"),
            ("gone", {"client_id": "page-1"}),
        ]:
            assert await handlers[name](socket, message) is False
    assert taken == [("socket-1", "page-1")] * 2


def test_every_message_of_nicegui_is_guarded(where, visitors, monkeypatch):
    """Each message names its page by an id that another visitor may have learned."""
    from nicegui import app, core

    from shoal.ui.server.server import guarded

    monkeypatch.setattr(app, "middleware_stack", None)  # an earlier test may have started the app
    guarded(where, visitors)
    handlers = core.sio.handlers["/"]
    assert {"handshake", "event", "javascript_response", "ack", "log"} <= handlers.keys()
    assert all(hasattr(handlers[name], "__wrapped__") for name in handlers.keys() - {"connect", "disconnect"})
