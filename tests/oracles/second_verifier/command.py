"""The command line: a release checked by its files."""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from pathlib import Path

from .certificates import case_problems, certificate_problems, key_in, once, own_sources, read_certificate
from .checks import Verifier

REFUSED = (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, StopIteration, TypeError, ValueError)
REFUSED += (csv.Error,)
ESCAPED = re.compile("'('*[=+@\t\r\n-])")


def read(path, separator, encoding="utf-8-sig"):
    """The rows of a CSV file; nothing is missing but by the case, and an empty line is a row of one column only."""
    csv.field_size_limit(2**31 - 1)
    with open(path, encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="") as file:
        names, *rows = csv.reader(file, delimiter=separator, strict=True)
    if not rows:
        raise ValueError(f"{path}: there are no rows.")
    rows = [row or [""] for row in rows] if len(names) == 1 else [row for row in rows if row]
    if len(set(names)) < len(names) or any(len(row) != len(names) for row in rows):
        raise ValueError(f"{path}: a column stands twice, or a row is longer or shorter than the first.")
    return [dict(zip(names, row, strict=True)) for row in rows]


def without_marks(rows):
    """Rows without the apostrophe that says that a cell is no formula."""
    return [
        {name: ESCAPED.sub(r"\1", text, count=1) if ESCAPED.match(text) else text for name, text in row.items()}
        for row in rows
    ]


def main(arguments=None):
    """Check a release by its files; the exit code."""
    parser = argparse.ArgumentParser(prog="second_verifier", description="Check a release by its files.")
    for name in ("--original", "--release"):
        parser.add_argument(name, required=True)
    parser.add_argument("--case", help="the case; that of the certificate lies beside it")
    parser.add_argument("--certificate", help="a certificate, which is checked, too")
    parser.add_argument("--key", help="the file of the secret key that signed the certificate")
    parser.add_argument("--population")
    parser.add_argument("--separator", help="of the CSV files: a comma, or as the case says")
    given = parser.parse_args(arguments)
    try:
        if given.case is None and given.certificate is None:
            raise ValueError("name a --case or a --certificate")
        checked, problems = _checked(given)
    except REFUSED as error:
        sys.stderr.write(f"This cannot be checked: {type(error).__name__} {error}\n")
        return 2
    for line in checked:
        sys.stdout.write(f"checked {line}\n")
    for line in problems:
        sys.stdout.write(f"BROKEN {line}\n")
    sys.stdout.write("The release keeps its promises.\n" if not problems else "The release breaks its promises.\n")
    return 1 if problems else 0


def _checked(given):
    """What was checked, and the problems that were found."""
    checked, problems, certificate = [], [], None
    if given.certificate:
        certificate = read_certificate(given.certificate)
        given.case = given.case or Path(given.certificate).with_name(Path(certificate["case"]["file"]).name)
        paths = {"original": given.original, "release": given.release, "case": given.case}
        paths |= {"population": given.population} if given.population else {}
        key = key_in(given.key) if given.key else None
        problems = certificate_problems(certificate, key, paths)
        signature = "the signature" if key else "not signed by a key that was given"
        same = own_sources() == certificate["repeatable"]["verifier_sha256"]
        checked.append(f"certificate: its SHA-256 and those of {len(paths)} files, {signature}")
        checked.append(f"verifier: {'the one' if same else 'NOT the one'} that the certificate names, {own_sources()}")
    with open(given.case, encoding="utf-8") as file:
        case, files = json.load(file, parse_float=str, object_pairs_hook=once), {}
    if "case" in case:
        case, files = case["case"], case["files"]
    if certificate is not None:
        problems += case_problems(certificate, case)
    if problems:
        return checked, problems

    def rows(role, path):
        form = files.get(role, {})
        return read(path, given.separator or form.get("separator", ","), form.get("encoding", "utf-8"))

    released = rows("release", given.release)
    released = without_marks(released) if case.get("escaped") else released
    people = rows("population", given.population) if given.population else None
    original = rows("original", given.original)
    if certificate is not None:
        told = {"original_rows": certificate["original_rows"], "release": certificate["release"]["rows"]}
        problems = [] if told == {"original_rows": len(original), "release": len(released)} else [f"rows: not {told}"]
        if certificate["release"]["columns"] != list(released[0]):
            problems.append("columns: the release has others than the certificate says")
        if problems:
            return checked, problems
    verifier = Verifier(original, released, case, people)
    problems = verifier.run()
    return [*checked, *verifier.checked], problems
