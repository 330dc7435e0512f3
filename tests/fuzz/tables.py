"""CSV files: shoal reads what Python's csv module reads, and the second verifier accepts what it releases."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import shoal
from fuzz.outcomes import WrongError
from oracles.second_verifier import Verifier


def read_and_release(place, rng, content):
    """Read a table, compare it with another parser, and sometimes release it."""
    place.put("case.csv", content)
    options = {}
    if rng.random() < 0.1:
        options["separator"] = rng.choice([",", ";", "|", "\t", "x", '"', "", "ab"])
    if rng.random() < 0.1:
        options["encoding"] = rng.choice(["utf-16", "utf-16-le", "latin-1", "cp1252", "utf-8-sig", "ascii", "base64"])
    source = shoal.read("case.csv", **options)
    rows = parsed(content, source)
    names = source.columns
    if rows is not None:
        found = list(zip(*(source.arrow(name).to_pylist() for name in names), strict=True))
        if (names, found) != (list(rows[0]), rows[1:]):
            raise WrongError(f"shoal reads {names}, {found[:9]}, Python's csv {rows[:10]}")
    if len(source) > 500 or len(names) > 50:
        return
    act = rng.random()
    if act < 0.15:
        release(source, names[: rng.choice([1, 2, 3])], rows, tree=rng.random() < 0.5)
    elif act < 0.2:
        by_parts(source, names[:2], options)


def parsed(content, source):
    """Return the rows that Python's csv module reads; None if the file is not well-formed text."""
    encoding = source.dialect.encoding
    try:
        text = content.decode(encoding)
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=source.dialect.separator, strict=True)
        rows = [tuple(row) for row in lines]
    except csv.Error as error:
        if "unexpected end of data" in str(error):
            raise WrongError("a quote that is never closed was read") from error
        return None
    except (UnicodeError, LookupError):
        return None
    header = next((row for row in rows if row), ())
    if len(header) == 1:  # in a table of one column an empty line is a row
        return [header, *((row or ("",)) for row in rows[rows.index(header) + 1 :])]
    return [row for row in rows if row]


def release(source, quasi, rows, *, tree):
    """Release a table at k = 2, and check the written file with the second verifier."""
    flat = {"hierarchies": dict.fromkeys(quasi, "flat")} if tree else {}
    made = shoal.anonymize(
        source, quasi_identifiers=quasi, model=shoal.KAnonymity(2), algorithm="mondrian", max_suppression=1.0, **flat
    )
    made.save("safe.csv")
    if rows is None:
        return
    released = parsed(Path("safe.csv").read_bytes(), source)
    original = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    labelled = [dict(zip(released[0], row, strict=True)) for row in released[1:]]
    meanings = {}
    for name, domain in zip(made.table.quasi, made.table.domains, strict=True):
        values = list(dict.fromkeys(row[name] for row in original))
        kind = {"NumericDomain": "numbers", "SetDomain": "sets"}.get(type(domain).__name__)
        if kind == "numbers" and "-" in "".join(values)[1:]:
            return  # dates and negative numbers are checked by the soak campaign
        meanings[name] = {"kind": kind} if kind else {"kind": "tree", "paths": {value: ["*"] for value in values}}
    case = {"quasi": meanings, "models": [{"model": "k-anonymity", "k": 2}], "max_suppressed": len(original)}
    problems = Verifier(original, labelled, case).run()
    if problems:
        raise WrongError("; ".join(problems))


def by_parts(source, quasi, options):
    """Release a table that is read in parts: the same rows or a refusal."""
    written = shoal.anonymize_files(
        "case.csv",
        "parts.csv",
        quasi_identifiers=quasi,
        model=shoal.KAnonymity(2),
        algorithm="mondrian",
        max_suppression=1.0,
        **options,
    )
    if written.report.rows != len(source):
        raise WrongError(f"{written.report.rows} rows by parts and {len(source)} at once")
