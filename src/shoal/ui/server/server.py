"""The server of the workbench: NiceGUI behind the guard, from its start until its processes have ended."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from nicegui import Client, __version__, app, core, run, ui

import shoal
from shoal.ui.pages.frame import frame
from shoal.ui.server.guard import Guard, guard_messages
from shoal.ui.server.hosts import Where
from shoal.ui.server.responses import page
from shoal.ui.server.visitors import Visitor, Visitors
from shoal.ui.state.workbench import Workbench

RECONNECT_TIMEOUT = 30.0  # seconds in which a disconnected page, for example after a short sleep, can continue
SHUTDOWN_TIMEOUT = 1  # seconds for pending requests when the server ends


class Server(uvicorn.Server):
    """A server that does not log the requests that its shutdown interrupts."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def serve(
    where: Where,
    sock: socket.socket,
    *,
    folder: Path,
    home: Path,
    max_upload: int,
    data: str | None,
    browser: bool,
    say: Callable[[str], None],
) -> None:
    """Serve until Ctrl-C; open the table for the first visitor, if any."""
    visitors = Visitors(
        folder=folder,
        new_bench=Workbench,
        max_upload=max_upload,
        home=home,
        anywhere=where.loopback,
        on_new_token=lambda token: say(f"For another browser or person: {where.url}/?token={token}"),
        first_table=data,
    )
    config = uvicorn.Config(
        guarded(where, visitors),
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="wsproto",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    )
    server = Server(config)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(
            signal.SIGHUP, server.handle_exit
        )  # the terminal was closed: shut down normally, so that no data stay
    link = f"{where.url}/?token={visitors.token}"
    say(f"The workbench is at {link} (Ctrl-C ends it)")
    if browser:
        threading.Thread(target=_open_browser, args=(link,), daemon=True).start()
    try:
        server.run(sockets=[sock])
    finally:
        _end_processes()


def guarded(where: Where, visitors: Visitors) -> Guard:
    """Put the pages of all visitors behind the guard."""
    whole = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @whole.get("/download/{run:int}/{name}")
    async def download(request: Request) -> Response:
        """Send a visitor one of their own files."""
        name = request.path_params["name"]
        file = request.scope["visitor"].bench.download(request.path_params["run"], name)
        if file is None or not file.is_file():
            return _not_found()
        return FileResponse(file, filename=file.name, media_type="application/octet-stream")

    @ui.page("/")
    def home(request: Request) -> None:
        """Show the page of a visitor."""
        visitor: Visitor = request.scope["visitor"]
        ui.on_exception(_show_error)
        frame(visitor)
        if visitor.first_table is not None:
            ui.timer(0, lambda: _open_first(visitor), once=True)

    def missing(request: Request, error: Exception) -> Response:
        return _not_found()

    app.add_exception_handler(404, missing)
    app.on_page_exception(_show_failure)
    app.on_shutdown(visitors.close)
    run.process_pool_start_method = "spawn"
    ui.run_with(
        whole,
        title="shoal",
        favicon="🐟",
        dark=None,
        language="en-US",
        reconnect_timeout=RECONNECT_TIMEOUT,
        show_welcome_message=False,
    )
    guard_messages(core.sio.handlers["/"], sender=_sender, owner=_owner)
    return Guard(whole, where=where, visitors=visitors, static=f"/_nicegui/{__version__}/", owner=_owner)


async def _open_first(visitor: Visitor) -> None:
    """Open the table of the command line, once."""
    table, visitor.first_table = visitor.first_table, None
    try:
        if table is not None:
            await visitor.bench.open(table)
    except shoal.ShoalError as error:
        _show_error(error)


def _show_error(error: Exception) -> None:
    """Show an error on the page; the terminal has the details of an unexpected one."""
    expected = isinstance(error, shoal.ShoalError)
    sentence = str(error) if expected else "There was an unexpected error: see the terminal of shoal ui."
    ui.notify(sentence, type="negative", close_button="Close", timeout=0, multi_line=True)


def _owner(client: str) -> Visitor | None:
    """Return the visitor who opened a page; None if it is closed."""
    page_client = Client.instances.get(client)
    return None if page_client is None else page_client.request.scope.get("visitor")


def _sender(socket: str) -> Visitor | None:
    """Return the visitor whose browser opened a socket, as the guard recorded it."""
    environ = core.sio.get_environ(socket)
    return None if environ is None else environ["asgi.scope"].get("visitor")


def _not_found() -> Response:
    return page(404, "Nothing here", "There is no such page or file: go back to the start page.")


def _show_failure() -> None:
    ui.label("This page could not be shown: see the terminal of shoal ui, and reload the page to try again.")


def _open_browser(link: str) -> None:
    """Open the link, unless the browser would run in the terminal."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if type(browser) is not webbrowser.GenericBrowser:
        browser.open(link)


def _end_processes() -> None:
    """End the remaining worker processes, so that nothing writes into folders that are being removed."""
    for child in multiprocessing.active_children():
        child.terminate()
        child.join(2)
        if child.is_alive():
            child.kill()
            child.join()
