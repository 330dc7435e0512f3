"""shoal warm-up: compile every kernel before it is needed."""

from __future__ import annotations

import typer

from shoal.cli import options
from shoal.cli.console import guarded, progress_bar
from shoal.kernels.compilations import COMPILATIONS, LOG


@guarded
def warm_up(quiet: options.Quiet = False) -> None:
    """Compile all of shoal for this machine now, so that no later command has to.

    Takes about a minute, once after each installation; wheels for Linux bring most of it compiled.

    [bold]Example[/bold]

      shoal warm-up
    """
    from shoal.cli.kernel_use import KERNELS, steps
    from shoal.kernels.compiling import SOURCES
    from shoal.kernels.kept_code import cache_folder

    if not quiet:
        typer.echo("compiling all kernels for this machine, once: about a minute", err=True)
    with progress_bar(quiet=quiet) as progress:
        before, LOG.disabled = LOG.disabled, True  # one line is enough
        try:
            for name, run in steps():
                with COMPILATIONS.counted(lambda count, name=name: progress(name, count / KERNELS)):  # type: ignore[misc]
                    run()
        finally:
            LOG.disabled = before
    if not quiet:
        kept = cache_folder(SOURCES)
        where = f"kept in {kept}" if kept else "not kept: no folder can be written, so each process compiles anew"
        kernels = "nothing was left to compile" if not COMPILATIONS.names else f"{len(COMPILATIONS.names)} kernels"
        typer.echo(f"{kernels}, {COMPILATIONS.seconds:.0f} s; {where}")
