"""shoal warm-up: compile every kernel before it is needed."""

from __future__ import annotations

from functools import partial

import typer

from shoal.cli import options
from shoal.cli.console import guarded, progress_bar
from shoal.kernels.compilations import COMPILATIONS, LOG


@guarded
def warm_up(quiet: options.Quiet = False) -> None:
    """Compile all of shoal for this machine now, so that no later command has to.

    Takes about a minute, once after each installation; wheels for Linux bring most of it compiled. If nothing is
    left to compile, it says so.

    [bold]Example[/bold]

      shoal warm-up
    """
    from shoal.cli.kernel_use import KERNELS, steps
    from shoal.kernels.compiling import SOURCES
    from shoal.kernels.kept_code import cache_folder

    if not quiet:
        typer.echo("looking for kernels that are not compiled for this machine yet", err=True)
    with progress_bar(quiet=quiet) as progress:

        def tell(name: str, count: int) -> None:
            if count == 1 and not quiet:
                typer.echo("compiling what is missing, once: about a minute if that is everything", err=True)
            progress(name, count / KERNELS)

        before, LOG.disabled = LOG.disabled, True  # one line is enough
        try:
            for name, run in steps():
                with COMPILATIONS.counted(partial(tell, name)):
                    run()
        finally:
            LOG.disabled = before
    if not quiet:
        kept = cache_folder(SOURCES)
        where = f"kept in {kept}" if kept else "not kept: no folder can be written, so each process compiles anew"
        compiled = f"{len(COMPILATIONS.names)} kernels compiled, {COMPILATIONS.seconds:.0f} s"
        typer.echo(f"{compiled if COMPILATIONS.names else 'all is there: nothing was left to compile'}; {where}")
