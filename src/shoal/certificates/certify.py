"""certify(): a written release verified anew against its original, and the certificate of that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date as day
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeGuard

from shoal.algorithms import Algorithm
from shoal.certificates.case import asked_of, case_of, unrepeatable
from shoal.certificates.certificate import ReleaseCertificate
from shoal.certificates.checks import Checks
from shoal.certificates.promises import check_promises
from shoal.certificates.second_verifier import SOURCES
from shoal.certificates.signing import sealed
from shoal.certificates.tables import Tables, read_table, tables_of
from shoal.data.hierarchies import find
from shoal.data.style import Style
from shoal.errors import InputError, VerificationError
from shoal.io import files
from shoal.io.source import Source
from shoal.models import PrivacyModel
from shoal.release.arguments import Hierarchies, Names
from shoal.release.figures import versions
from shoal.release.pseudonyms import secret_of
from shoal.release.request import Request
from shoal.system.atomic_files import check_name

Place = str | PathLike[str]
FORMAT = 1
PICKED = "The algorithm was picked by auto, which may have used trees: give the .json report of the release to be sure."


def certify(
    released: Place,
    original: Place,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    identifying: Names = (),
    hierarchies: Hierarchies | None = None,
    model: PrivacyModel,
    algorithm: Algorithm | str = "auto",
    max_suppression: float | int = 0,
    suppressed: Literal["keep", "drop"] = "keep",
    order: Literal["rows", "classes", "shuffled"] = "rows",
    class_column: str | None = None,
    missing_values: Names = (),
    drop_missing: bool = False,
    pseudonymize: Names = (),
    style: Style | None = None,
    escape_formulas: bool = False,
    separator: str | None = None,
    encoding: str = "utf-8",
    report: Place | None = None,
    config: Place | None = None,
    also: Mapping[str, Place] | None = None,
    key: bytes | str | None = None,
    date: str | None = None,
) -> ReleaseCertificate:
    """Verify a written release against its original, both read anew, and certify what holds.

    The other arguments are those that the release was made with. `report` is its .json report, whose figures are
    computed again; `config` and `also` are files that were used, by what they are, to be named; `key` signs the
    certificate, and `date` (2026-11-16) stands in it. VerificationError, with a sentence for each thing that is wrong,
    where the release does not hold.

    >>> import shoal
    >>> shoal.certify("nowhere.csv", "patients.csv", quasi_identifiers="age", model=shoal.KAnonymity(5))
    Traceback (most recent call last):
    shoal.errors.InputError: patients.csv: cannot be read (No such file or directory).
    """
    secret = None if key is None else secret_of(key)
    _check_date(date)
    before = read_table(original, separator=separator, encoding=encoding)
    after = read_table(released, separator=separator, encoding=encoding)
    request = Request.of(
        before.columns,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        identifying=identifying,
        hierarchies=hierarchies,
        model=model,
        algorithm=algorithm,
        max_suppression=max_suppression,
        suppressed=suppressed,
        order=order,
        class_column=class_column,
        missing_values=missing_values,
        drop_missing=drop_missing,
        pseudonymize=pseudonymize,
        style=style,
    )
    told = None if report is None else _report(Path(report))
    tables = tables_of(request, before, after, told, escaped=escape_formulas)
    checks = Checks(tables).run()
    if not checks.wrong:
        check_promises(checks, told)
    if checks.wrong:
        hint = [PICKED] if told is None and getattr(algorithm, "name", algorithm) == "auto" else []
        raise VerificationError(*checks.wrong, *hint, "No certificate was made.", closing="")
    named = {"config": config, "report": report, **(also or {})}
    private = {"original": _entry(before)} | {
        name: _file(Path(path)) for name, path in (named | _trees(request, before)).items() if path is not None
    }
    if tables.people is not None and tables.people.path is not None:
        private["population"] = _entry(tables.people)
    return _certificate(tables, checks, private, secret, date)


def _certificate(
    tables: Tables, checks: Checks, private: dict[str, dict[str, Any]], key: bytes | None, date: str | None
) -> ReleaseCertificate:
    reason, case = unrepeatable(tables), case_of(tables, checks)
    release = _entry(tables.released) | {"rows": len(tables.released), "columns": tables.released.columns}
    figures = {name: value for name, value in checks.figures.items() if not name.startswith("loss")}
    if not checks.suppressed and "loss" in checks.figures:
        figures["loss"] = checks.figures["loss"]
    body: dict[str, Any] = {
        "certificate": "shoal release certificate",
        "format": FORMAT,
        "versions": versions(),
        "release": release,
        "private": {name: sealed(_public(entry), key) for name, entry in private.items()},
        "original_rows": len(tables.original),
        "asked": asked_of(case),
        "figures": figures,
        "checks": [check.to_dict() for check in checks.passed],
        "rows_matched": checks.by + (f" {checks.column!r}" if checks.column else ""),
        "repeatable": {"holds": reason is None, "verifier_sha256": SOURCES} | ({"reason": reason} if reason else {}),
    }
    files_read = private | {"release": release}
    content = {"format": FORMAT, "case": case if reason is None else None, "files": files_read}
    return ReleaseCertificate(body | ({"date": date} if date else {}), content, key)


def _public(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in ("file", "bytes", "sha256")}


def _entry(source: Source) -> dict[str, Any]:
    """A table as a certificate names it: its file without a folder, and how its text is read."""
    assert source.path is not None  # noqa: S101
    seen = {"file": source.path.name, "bytes": source.path.stat().st_size, "sha256": source.checksum()}
    return seen | {"separator": source.dialect.separator, "encoding": source.dialect.encoding}


def _file(path: Path) -> dict[str, Any]:
    try:
        return {"file": path.name, "bytes": path.stat().st_size, "sha256": files.checksum(path)}
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error


def _trees(request: Request, source: Source) -> dict[str, Path]:
    """The files of hierarchies, those of quasi-identifiers by column."""
    given = request.hierarchies
    if isinstance(given, str | PathLike):
        given = {name: find(given, name, source.columns) for name in request.roles.quasi}
    columns = given if isinstance(given, Mapping) else {}
    return {
        f"hierarchy of {name}": Path(tree)
        for name, tree in columns.items()
        if isinstance(tree, PathLike) and name in request.roles.quasi
    }


def _report(path: Path) -> dict[str, Any]:
    """The .json report of a release."""
    check_name(path)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is no whole JSON file: name the .json report of the release.") from error
    if not _is_report(found):
        raise InputError(f"{path}: this is no report of a release: name a .json file that --report wrote.")
    return found


def _is_report(found: Any) -> TypeGuard[dict[str, Any]]:
    """Whether what JSON says has the figures that are computed again, each of its kind."""
    if not isinstance(found, dict):
        return False
    objects = [found.get(name) for name in ("parameters", "input", "metrics", "loss_by_attribute")]
    counts = [found.get(name) for name in ("k", "classes", "rows", "suppressed_rows", "dropped_rows")]
    return (
        all(isinstance(one, dict) for one in [*objects, found.get("release", {})])
        and all(isinstance(one, int) and one >= 0 for one in counts)
        and isinstance(found["parameters"].get("hierarchies"), list)
        and "loss" in found["metrics"]
    )


def _check_date(given: str | None) -> None:
    try:
        if given is not None and day.fromisoformat(given).isoformat() != given:
            raise ValueError
    except (ValueError, TypeError) as error:
        raise InputError(f"date = {given!r} is no date: write it as 2026-11-16.") from error
