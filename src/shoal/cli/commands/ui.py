"""shoal ui: the workbench in the browser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import Ended
from shoal.cli.console import guarded
from shoal.errors import InputError


@guarded
def ui(
    data: Annotated[
        str | None, typer.Argument(help="A table to open: a file, or sqlite:///clinic.db#patients.", show_default=False)
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="8787 or the next free one if not given; 0 is any.", min=0, max=65535)
    ] = None,
    host: Annotated[str, typer.Option(help="Where to listen; 127.0.0.1 is for this machine alone.")] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
    folder: Annotated[
        Path, typer.Option(help="Paths start here; with another --host only files in it can be opened.")
    ] = Path(),
    max_upload: Annotated[str, typer.Option(help="The largest file that can be uploaded.")] = "2GB",
) -> None:
    """Make a safe release in the browser, step by step, without programming.

    Nothing leaves this machine. Each link in the terminal opens one browser, with data of its own, deleted at the end.

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
        raise InputError(f"--max-upload {max_upload!r} is no size: give one such as 2GB.")
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
                typer.echo(f"Port {PORT} is in use, so {where.port} is taken.", err=True)
            if not where.loopback:
                typer.secho(_caution(where.url), fg="yellow", err=True)
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
        typer.secho("shoal: ended; what was uploaded or made and not downloaded is deleted.", err=True)
        raise Ended(130, told=True) from None
    except Ended as end:
        raise Ended(end.code, told=True) from None


def _say(line: str) -> None:
    with suppress(OSError):  # the page goes on where nobody reads the terminal any more
        typer.echo(line)


def _caution(url: str) -> str:
    return (
        f"warning: other machines can reach this page at {url}, and what they send and get is not encrypted. On a "
        "network, put a reverse proxy with TLS in front of it that passes the Host header on, give its name as --host, "
        "and let a firewall close the port to all but the proxy."
    )
