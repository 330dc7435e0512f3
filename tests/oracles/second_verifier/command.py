"""The command line: a release checked by its files."""

from __future__ import annotations

import argparse
import csv
import json
import sys

from .checks import Verifier


def read(path, separator):
    """The rows of a CSV file; nothing is missing but by the case, and an empty line is a row of one column only."""
    csv.field_size_limit(2**31 - 1)
    with open(path, encoding="utf-8-sig", newline="") as file:
        names, *rows = csv.reader(file, delimiter=separator, strict=True)
    rows = [row or [""] for row in rows] if len(names) == 1 else [row for row in rows if row]
    if len(set(names)) < len(names) or any(len(row) != len(names) for row in rows):
        raise ValueError(f"{path}: a column stands twice, or a row is longer or shorter than the first.")
    return [dict(zip(names, row, strict=True)) for row in rows]


def main(arguments=None):
    """Check a release by its files; the exit code."""
    parser = argparse.ArgumentParser(prog="second_verifier", description="Check a release by its files.")
    for name in ("--original", "--release", "--case"):
        parser.add_argument(name, required=True)
    parser.add_argument("--population")
    parser.add_argument("--separator", default=",", help="of the CSV files")
    given = parser.parse_args(arguments)
    try:
        verifier = Verifier(*_read_all(given))
        problems = verifier.run()
    except (KeyError, OSError, ValueError, csv.Error) as error:
        sys.stderr.write(f"This cannot be checked: {type(error).__name__} {error}\n")
        return 2
    for line in verifier.checked:
        sys.stdout.write(f"checked {line}\n")
    for line in problems:
        sys.stdout.write(f"BROKEN {line}\n")
    sys.stdout.write("The release keeps its promises.\n" if not problems else "The release breaks its promises.\n")
    return 1 if problems else 0


def _read_all(given):
    """The original, the release, the case and the population."""
    with open(given.case, encoding="utf-8") as file:
        case = json.load(file, parse_float=str)
    people = read(given.population, given.separator) if given.population else None
    return read(given.original, given.separator), read(given.release, given.separator), case, people
