"""The commands of shoal; each imports heavy modules when it runs, so that --help answers immediately."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from shoal.cli.commands.anonymize import anonymize
from shoal.cli.commands.apply import apply
from shoal.cli.commands.assess import assess
from shoal.cli.commands.attack import attack
from shoal.cli.commands.certify import certify
from shoal.cli.commands.compare import compare
from shoal.cli.commands.demo import demo
from shoal.cli.commands.hierarchy import app as hierarchy
from shoal.cli.commands.init import init
from shoal.cli.commands.intersect import intersect
from shoal.cli.commands.metrics import metrics
from shoal.cli.commands.review import review
from shoal.cli.commands.ui import ui
from shoal.cli.commands.warm_up import warm_up
from shoal.cli.options import complete_algorithm, objective_names

HELP = """Make tables of personal data safe to release.

Every release is verified from its released labels before anything is written.
Exit codes: 0 done, 1 a requirement does not hold or the review stopped the
release, 2 bad input, 3 no release can satisfy the model, 4 the release failed
verification, 130 interrupted, 143 terminated.

[bold]Examples[/bold]

  shoal demo

  shoal anonymize patients.csv --quasi age,sex,zip --sensitive disease --identifying name --k 10 -o safe.csv

  shoal init patients.csv

  shoal anonymize --config shoal.toml
"""


class Commands(TyperGroup):
    """The commands; their context keeps the words that were typed, so that a report can show them."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Make the context of a command line."""
        typed = list(args)
        context = super().make_context(info_name, args, parent, **extra)
        context.meta["typed"] = typed
        return context


class DroppingRows(TyperCommand):
    """A command whose --drop-missing needs no word after it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line; `--drop-missing` alone means `--drop-missing roles`."""
        end = args.index("--") if "--" in args else len(args)
        words: list[str] = []
        for at, word in enumerate(args):
            alone = word == "--drop-missing" and at < end and args[at + 1 : at + 2] not in (["roles"], ["all"])
            if alone and any(after.isalpha() and not Path(after).exists() for after in args[at + 1 : at + 2]):
                raise typer.BadParameter(
                    f"{args[at + 1]!r} is neither 'roles' nor 'all'.", param_hint="'--drop-missing'"
                )
            words += [word, "roles"] if alone else [word]
        return super().parse_args(ctx, words)


class NamingAlgorithms(DroppingRows):
    """A command whose help names the algorithms, and the objectives of full-domain generalization."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the names into the help of the options."""
        others = ", ".join(name for name in complete_algorithm() if name != "auto")
        for parameter in self.params:
            said = (getattr(parameter, "help", None) or "").replace("{algorithms}", others)
            parameter.help = said.replace("{objectives}", ", ".join(objective_names()))  # type: ignore[attr-defined]
        super().format_help(ctx, formatter)


app = typer.Typer(
    cls=Commands, help=HELP, no_args_is_help=True, rich_markup_mode="rich", pretty_exceptions_enable=False
)
COMMANDS = (demo, init, anonymize, apply, assess, review, attack, intersect, certify, compare, metrics, ui, warm_up)
for command in COMMANDS:
    app.command(cls={anonymize: NamingAlgorithms, compare: DroppingRows}.get(command))(command)
app.add_typer(hierarchy, name="hierarchy")


@app.callback(invoke_without_command=True)
def _version(
    version: bool = typer.Option(False, "--version", help="Show the version and exit.", is_eager=True),
) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(installed("shoal"))
        raise typer.Exit
