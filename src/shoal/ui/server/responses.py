"""Responses of the server: pages of one sentence, and the headers of every response."""

from __future__ import annotations

from html import escape

from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse, Response
from starlette.types import Message, Send

HEADERS = {
    # NiceGUI's pages contain inline scripts, and Vue compiles templates.
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>shoal</title>{head}
<style>body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto; padding: 0 1rem }}</style>
</head><body><h1>{title}</h1><p>{sentence}</p></body></html>"""


def page(status: int, title: str, sentence: str, head: str = "") -> Response:
    """Make a page of one sentence."""
    return HTMLResponse(PAGE.format(head=head, title=escape(title), sentence=escape(sentence)), status)


def with_headers(send: Send, *, cacheable: bool) -> Send:
    """Add the headers that protect a page; only cacheable responses keep their own Cache-Control."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message.setdefault("headers", [])
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if not cacheable or "cache-control" not in headers:
                headers["Cache-Control"] = "no-store"
        await send(message)

    return sending
