"""python -m shoal.comp430: the command line of the COMP 430/530 assignment."""

from __future__ import annotations

import argparse
import sys

import typer

from shoal.cli.console import guarded
from shoal.errors import InputError

USAGE = "python -m shoal.comp430 {random|clustering|bottomup|bottom-up} DGH-folder raw.csv out.csv k [seed|l]"
BOTTOM_UP = ("bottom-up", "bottom_up")  # which mean bottomup
EXAMPLES = """examples:
  python -m shoal.comp430 random DGHs adult.csv anonymized.csv 10 1
  python -m shoal.comp430 clustering DGHs adult.csv anonymized.csv 10
  python -m shoal.comp430 bottomup DGHs adult.csv anonymized.csv 10 2
"""


def app() -> None:
    """Anonymize a table as in the COMP 430/530 assignment, and print both costs."""
    parser = argparse.ArgumentParser(
        "shoal.comp430",
        usage=USAGE,
        description=app.__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    anonymizers = ["random", "clustering", "bottomup"]
    parser.add_argument(
        "anonymizer",
        type=lambda name: "bottomup" if name in BOTTOM_UP else name,
        choices=anonymizers,
        metavar="anonymizer",
        help="random, clustering or bottomup (also bottom-up)",
    )
    parser.add_argument(
        "folder", metavar="DGH-folder", help="the folder with a file <column>.txt for each column but one"
    )
    parser.add_argument("raw", metavar="raw.csv", help="the raw table")
    parser.add_argument("out", metavar="out.csv", help="the anonymized table to write")
    parser.add_argument("k", type=int, help="the fewest rows per class")
    last = "random: the seed, by default 0; bottomup: l, by default 1"
    parser.add_argument("last", type=int, nargs="?", metavar="seed|l", help=last)
    try:
        _anonymize(**vars(parser.parse_args()))
    except typer.Exit as end:
        sys.exit(end.exit_code)


@guarded
def _anonymize(*, anonymizer: str, folder: str, raw: str, out: str, k: int, last: int | None) -> None:
    from shoal import comp430

    if anonymizer == "random":
        comp430.random_anonymizer(raw, folder, k, 0 if last is None else last, out)
    elif anonymizer == "bottomup":
        comp430.bottomup_anonymizer(raw, folder, k, 1 if last is None else last, out)
    elif last is not None:
        raise InputError(f"clustering takes neither a seed nor l: leave out the {last} after k.")
    else:
        comp430.clustering_anonymizer(raw, folder, k, out)
    typer.echo(f"cost_MD: {comp430.cost_MD(raw, out, folder)}")
    typer.echo(f"cost_LM: {comp430.cost_LM(raw, out, folder)}")
