"""shoal ui: the workbench in the browser."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import Ended
from shoal.cli.console import guarded, show_warning
from shoal.errors import InputError

server, files = (partial(typer.Option, rich_help_panel=panel) for panel in ("Server", "Files"))


@guarded
def ui(
    data: Annotated[
        str | None, typer.Argument(help="A table to open: a file, or sqlite:///clinic.db#patients.", show_default=False)
    ] = None,
    port: Annotated[
        int | None, server(help="By default 8787 or the next free port; 0 takes any.", min=0, max=65535)
    ] = None,
    host: Annotated[str, server(help="The address to listen on; 127.0.0.1 is for this machine only.")] = "127.0.0.1",
    no_browser: Annotated[bool, server("--no-browser", help="Do not open a browser.")] = False,
    folder: Annotated[
        Path, files(help="Paths start in this folder; with another --host only files in it can be opened.")
    ] = Path(),
    max_upload: Annotated[str, files(help="The largest file that can be uploaded.")] = "2GB",
) -> None:
    """Make a safe release in the browser, step by step, without programming.

    Nothing leaves this machine. Each link in the terminal is for one browser, with its own data, deleted at the end.

    [bold]Examples[/bold]

      shoal ui patients.csv

      shoal ui --port 9000 --no-browser
    """
    from shoal.engines.streams.memory import size_of
    from shoal.io.databases import Address
    from shoal.system.optional_packages import extra
    from shoal.ui.server.hosts import PORT, listen
    from shoal.ui.state.places import private_folder

    limit = size_of(max_upload)
    if not limit:
        raise InputError(f"--max-upload {max_upload!r} is not a size: give one such as 2GB.")
    if not folder.is_dir():
        raise InputError(f"--folder {folder}: there is no such folder.")
    if data is not None and Address.of(data) is None and not Path(data).exists():
        raise InputError(f"{data}: no such file.")
    if data is not None and Address.of(data) is None:
        data = str(Path(data).resolve())
    where, sock = listen(host, port)
    try:
        with sock, private_folder() as private:
            extra("nicegui", "ui", "The pages of shoal ui")
            from shoal.ui.server.server import serve

            if port is None and where.port != PORT:
                typer.echo(f"Port {PORT} is in use, so port {where.port} is used.", err=True)
            if not where.loopback:
                show_warning(_open_network(where.url))
            serve(
                where,
                sock,
                folder=private,
                home=folder.resolve(),
                max_upload=limit,
                data=data,
                browser=not no_browser,
                say=_say,
            )
    except KeyboardInterrupt:
        typer.secho("shoal: ended; uploads and releases that were not downloaded are deleted.", err=True)
        raise Ended(130, announced=True) from None
    except Ended as end:
        raise Ended(end.code, announced=True) from None


def _say(line: str) -> None:
    with suppress(OSError):  # the page continues without a terminal
        typer.echo(line)


def _open_network(url: str) -> str:
    return (
        f"other machines can reach this page at {url}, and the connection is not encrypted. On a "
        "network, put a reverse proxy with TLS in front of it that passes on the Host header, give its name as --host, "
        "and close the port to everyone but the proxy with a firewall."
    )
