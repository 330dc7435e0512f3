"""The guard of the server: every request and every websocket passes through it first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import isawaitable
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoal.ui.server.hosts import Where
from shoal.ui.server.peers import is_stranger
from shoal.ui.server.responses import page, with_headers
from shoal.ui.server.visitors import Visitor, Visitors

REDIRECT = '<meta http-equiv="refresh" content="0; url=/">'
CLOSED = "Open the link that shoal ui prints in its terminal. A link works once; then the terminal shows the next one."


@dataclass(eq=False)
class Guard:
    """Admits visitors by their link, and afterwards by their cookie; refuses everything else."""

    app: ASGIApp
    where: Where
    visitors: Visitors
    static: str  # paths below it are the same for everyone, and browsers may cache them
    owner: Callable[[str], Visitor | None]  # maps the id of a NiceGUI page to its visitor

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers share cookies between ports."""
        return f"shoal-{self.where.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with its visitor."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        cookies = cookie_parser("; ".join(headers.getlist("cookie")))
        visitor = self.visitors.of_cookie(cookies.get(self.cookie, ""))
        refusal = self._foreign(scope, headers) or self._entry(scope, headers, visitor)
        if refusal is None and visitor is None:
            refusal = page(403, "This page is closed", CLOSED)
        if refusal is None and visitor is not None:
            refusal = self._of_another_visitor(scope, visitor) or self._too_large(scope, headers)
        send = with_headers(send, cacheable=scope["path"].startswith(self.static))
        if refusal is None:
            scope["visitor"] = visitor
            await (self._limited if scope["type"] == "http" else self.app)(scope, receive, send)
        elif scope["type"] == "http":
            await refusal(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _foreign(self, scope: Scope, headers: Headers) -> Response | None:
        """Refuse requests from other pages, other users, or to a host name that is not the server's."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.where.is_own(hosts[0]):
            named = ", ".join(hosts) or "nothing"
            sentence = f"This server is not called {named}: open the link that shoal ui prints."
            return page(403, "Wrong host name", sentence)
        if self.where.loopback and is_stranger(scope.get("client"), self.where.port):
            return page(403, "Wrong user", "This workbench belongs to another user of this machine: start your own.")
        origins = headers.getlist("origin")
        changes = scope["type"] == "http" and scope["method"] not in ("GET", "HEAD")
        if any(not _same_origin(origin, hosts[0]) for origin in origins) or (
            changes and not origins and headers.get("sec-fetch-site") != "same-origin"
        ):
            return page(403, "Wrong page", "This request does not come from the page of shoal ui: open that page.")
        return None

    def _entry(self, scope: Scope, headers: Headers, visitor: Visitor | None) -> Response | None:
        """Answer a link with a token: set a cookie for a new visitor, and redirect to the page without the token."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            return None
        tokens = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if not tokens:
            return None
        redirect: Response = RedirectResponse("/", 303)
        if visitor is not None:
            return redirect
        if self.visitors.full:
            sentence = f"{len(self.visitors.admitted)} browsers are connected already: start another shoal ui."
            return page(503, "This server is full", sentence)
        visitor = self.visitors.admit(tokens[0])
        if visitor is None:
            return page(403, "This link has been used", CLOSED)
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            # After a click in another page, browsers do not send the new cookie with a redirect, but with a refresh.
            redirect = page(200, "Welcome", "The workbench is opening …", REDIRECT)
        redirect.set_cookie(self.cookie, visitor.cookie, path="/", httponly=True, samesite="strict")
        return redirect

    def _of_another_visitor(self, scope: Scope, visitor: Visitor) -> Response | None:
        """Refuse what belongs to another visitor's page, and NiceGUI's automatic files for everyone."""
        path = scope["path"]
        claimed = parse_qs(scope["query_string"].decode("latin-1")).get("client_id", [])
        if path.startswith("/_nicegui/client/"):
            claimed.append(path.split("/")[3])
        foreign = any(self.owner(client) not in (None, visitor) for client in claimed)
        if foreign or path.startswith("/_nicegui/auto/"):
            return page(404, "Nothing here", "There is no such page: go back to the start page.")
        return None

    def _too_large(self, scope: Scope, headers: Headers) -> Response | None:
        length = headers.get("content-length", "0")
        if scope["type"] == "http" and length.isdecimal() and int(length) > self.visitors.max_upload:
            return self._refused_upload()
        return None

    def _refused_upload(self) -> Response:
        limit = f"{self.visitors.max_upload / 1e6:,.0f} MB"
        sentence = (
            f"The limit for uploads is {limit}: type the path of the file, or start shoal ui with --max-upload 8GB."
        )
        response = page(413, "Too large", sentence)
        response.headers["Connection"] = "close"
        return response

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and end it if its body gets too large."""
        size, responding, refused = 0, False, False

        async def limited_receive() -> Message:
            nonlocal size, refused
            message = await receive()
            size += len(message.get("body", b""))
            if size <= self.visitors.max_upload:
                return message
            if not refused and not responding:
                refused = True
                await self._refused_upload()(scope, receive, send)
            refused = True
            return {"type": "http.disconnect"}

        async def guarded_send(message: Message) -> None:
            nonlocal responding
            responding = True
            if not refused:
                await send(message)

        try:
            await self.app(scope, limited_receive, guarded_send)
        except Exception:
            if not refused:  # else the app only complains that the body ended early
                raise


def guard_messages(
    handlers: dict[str, Callable[..., Any]],
    *,
    sender: Callable[[str], Visitor | None],
    owner: Callable[[str], Visitor | None],
) -> None:
    """Accept messages of a socket only for pages of its own visitor."""
    for name, handler in handlers.items():
        if name not in ("connect", "disconnect") and not hasattr(handler, "__wrapped__"):
            handlers[name] = _for_own_pages(handler, sender, owner)


def _for_own_pages(
    handler: Callable[..., Any], sender: Callable[[str], Visitor | None], owner: Callable[[str], Visitor | None]
) -> Callable[..., Any]:
    @wraps(handler)
    async def checked(socket: str, message: Any = None, *others: Any) -> Any:
        claimed = message.get("client_id") if isinstance(message, dict) else None
        visitor = sender(socket)
        if visitor is None or not isinstance(claimed, str) or owner(claimed) is not visitor:
            return False
        result = handler(socket, message, *others)
        return await result if isawaitable(result) else result

    return checked


def _same_origin(origin: str, host: str) -> bool:
    """Whether an Origin header names the page at this host and port."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")
