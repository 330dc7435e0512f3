"""certify(): the certificate of a written release, verified again against its original."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date as day
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard, Unpack

from shoal.certificates.case import case_of, public_part, unrepeatable
from shoal.certificates.certificate import ReleaseCertificate, sealed
from shoal.certificates.checks import Checks
from shoal.certificates.people import other_people
from shoal.certificates.promises import FIGURES, check_promises
from shoal.certificates.second_verifier import SOURCES
from shoal.certificates.tables import Tables, read_table, tables_of
from shoal.data.hierarchies import find
from shoal.errors import InputError, VerificationError
from shoal.io import files
from shoal.io.csv_layout import Names
from shoal.io.source import Source
from shoal.release.arguments import NEEDED, Choices
from shoal.release.figures import versions
from shoal.release.json_report import read_report
from shoal.release.pseudonyms import secret_of
from shoal.release.request import Request
from shoal.release.reuse.generalization import check_unchanged
from shoal.system.mistaken_arguments import answering_mistakes

File = str | PathLike[str]
FORMAT = 1
AUTO_HINT = (
    "The algorithm was picked by auto, which may have used trees: give the .json report of the release to be sure."
)


@answering_mistakes("shoal.certify", also=Choices.__annotations__, needed=NEEDED)
def certify(
    released: File,
    original: File,
    *,
    escape_formulas: bool = False,
    separator: str | None = None,
    encoding: str = "utf-8",
    names: Names = None,
    rows: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    report: File | None = None,
    config: File | None = None,
    also: Mapping[str, File] | None = None,
    key: bytes | str | None = None,
    date: str | None = None,
    **choices: Unpack[Choices],
) -> ReleaseCertificate:
    """Read a written release and its original again, verify the release, and certify it.

    Raise VerificationError, with one sentence for each failed check, if the release does not hold.

    released         the file of the release
    original         the file it was made from
    escape_formulas  whether the release was written with escaped formulas
    separator        the field separator of CSV files; detected by default
    encoding         the encoding of CSV files
    names            the names of the columns if the first line of the original is a row, as in shoal.read()
    rows, sample     how many of its rows were released, the first or drawn ones, with the seed
    report           the .json report of the release, whose figures are computed again
    config           the configuration file of the release, to be named in the certificate
    also             other files to be named, by their role
    key              a secret key to sign the certificate
    date             the date of the certificate, such as 2026-11-16

    The other arguments are those of the anonymize() call that made the release.

    >>> import shoal
    >>> shoal.certify("nowhere.csv", "patients.csv", quasi_identifiers="age", model=shoal.KAnonymity(5))
    Traceback (most recent call last):
    shoal.errors.InputError: patients.csv: cannot be read (No such file or directory).
    """
    secret = None if key is None else secret_of(key)
    _check_date(date)
    source = read_table(original, separator=separator, encoding=encoding, names=names)
    source = source.some(rows=rows, sample=sample, seed=seed)
    release = read_table(released, separator=separator, encoding=encoding, names=True)
    request = Request.of(source.columns, **choices)
    figures = None if report is None else _read_report(Path(report))
    if figures is not None and (others := other_people(request, figures)) is not None:
        raise VerificationError(others, "No certificate was made.", closing="")
    tables = tables_of(request, source, release, figures, escaped=escape_formulas)
    checks = Checks(tables).run()
    if not checks.failures:
        check_promises(checks, figures)
    if checks.failures:
        picked = getattr(request.algorithm, "name", request.algorithm) == "auto"
        hint = [AUTO_HINT] if figures is None and picked else []
        raise VerificationError(*checks.failures, *hint, "No certificate was made.", closing="")
    named = {"config": config, "report": report, **(also or {})} | _hierarchy_files(request, source)
    private = {"original": _table_entry(source)}
    private |= {role: _file_entry(Path(path)) for role, path in named.items() if path is not None}
    if tables.population is not None and tables.population.path is not None:
        private["population"] = _table_entry(tables.population)
    return _certificate(tables, checks, private, secret, date)


def _certificate(
    tables: Tables, checks: Checks, private: dict[str, dict[str, Any]], key: bytes | None, date: str | None
) -> ReleaseCertificate:
    reason, case = unrepeatable(tables), case_of(tables, checks)
    release = _table_entry(tables.released) | {"rows": len(tables.released), "columns": tables.released.columns}
    figures = {name: value for name, value in checks.figures.items() if not name.startswith("loss")}
    if not checks.suppressed and "loss" in checks.figures:
        figures["loss"] = checks.figures["loss"]
    body: dict[str, Any] = {
        "certificate": "shoal release certificate",
        "format": FORMAT,
        "versions": versions(),
        "release": release,
        "private": {role: sealed(entry, key) for role, entry in private.items()},
        "original_rows": len(tables.original),
        "asked": public_part(case),
        "figures": figures,
        "checks": checks.passed,
        "rows_matched": checks.by + (f" {checks.column!r}" if checks.column else ""),
        "repeatable": {"holds": reason is None, "verifier_sha256": SOURCES} | ({"reason": reason} if reason else {}),
    }
    content = {"format": FORMAT, "case": case if reason is None else None, "files": private | {"release": release}}
    return ReleaseCertificate(body | ({"date": date} if date else {}), content, key)


def _table_entry(source: Source) -> dict[str, Any]:
    """Describe a table: the name of its file without the folder, its checksum, and the dialect of its text."""
    assert source.path is not None  # noqa: S101
    entry = {"file": source.path.name, "bytes": source.path.stat().st_size, "sha256": source.checksum()}
    return entry | {"separator": source.dialect.separator, "encoding": source.dialect.encoding}


def _file_entry(path: Path) -> dict[str, Any]:
    """Describe a file: its name without the folder, and its checksum."""
    try:
        return {"file": path.name, "bytes": path.stat().st_size, "sha256": files.checksum(path)}
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error


def _hierarchy_files(request: Request, source: Source) -> dict[str, Path]:
    """Return the hierarchy files of the quasi-identifiers."""
    hierarchies = request.hierarchies
    if isinstance(hierarchies, str | PathLike):
        hierarchies = {name: find(hierarchies, name, source.columns) for name in request.roles.quasi}
    columns = hierarchies if isinstance(hierarchies, Mapping) else {}
    return {
        f"hierarchy of {name}": Path(tree)
        for name, tree in columns.items()
        if isinstance(tree, PathLike) and name in request.roles.quasi
    }


def _read_report(path: Path) -> dict[str, Any]:
    """Read the .json report of a release."""
    content = read_report(path)
    if not _is_report(content):
        raise InputError(f"{path}: not a report of a release; give a .json file that --report wrote.")
    check_unchanged(content, str(path))
    return content


def _is_report(content: Any) -> TypeGuard[dict[str, Any]]:
    """Tell whether JSON content has all figures that are computed again, each of the right type."""
    if not isinstance(content, dict):
        return False
    objects = [content.get(name) for name in ("parameters", "input", "metrics", "loss_by_attribute")]
    counts = [content.get(name) for name in FIGURES]
    return (
        all(isinstance(value, dict) for value in [*objects, content.get("release", {}), content.get("people") or {}])
        and all(isinstance(value, int) and value >= 0 for value in counts)
        and isinstance(content["parameters"].get("hierarchies"), list)
        and "loss" in content["metrics"]
    )


def _check_date(text: str | None) -> None:
    """Refuse a text that is not a date in ISO format."""
    try:
        if text is not None and day.fromisoformat(text).isoformat() != text:
            raise ValueError
    except (ValueError, TypeError) as error:
        raise InputError(f"date = {text!r} is not a date; write it as 2026-11-16.") from error
