"""Checks of where a release and its reports may be written, made before any work is done."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from shoal.errors import InputError
from shoal.io import databases, files
from shoal.io.databases import Address
from shoal.system import atomic_files
from shoal.system.optional_packages import extra

REPORTS = (".json", ".html", ".htm", ".pdf")
Reports = str | PathLike[str] | Iterable[str | PathLike[str]] | None


def reports_of(report: Reports) -> list[Path]:
    """Return no report, one or several as a list of paths."""
    several = [] if report is None else [report] if isinstance(report, str | PathLike | bytes) else report
    if not isinstance(several, Iterable):
        raise _not_a_report(several)
    paths = list(several)
    for path in paths:
        if not isinstance(path, str | PathLike):
            raise _not_a_report(path)
        atomic_files.check_name(path)
    return [Path(path) for path in paths]


def _not_a_report(value: object) -> InputError:
    return InputError(f"{value!r} is not the name of a report; give a path such as 'report.html', or a list of paths.")


def check_targets(
    release: str | PathLike[str],
    report: Reports,
    *inputs: str | PathLike[str] | None,
    replace: bool = False,
) -> None:
    """Raise InputError if a release or report is an input, a folder, in no folder, or of an unsupported format."""
    reports = reports_of(report)
    address = Address.of(release)
    if address is not None:
        check_reports(reports, [*inputs, str(address)])
        others = databases.identities(filter(None, map(Address.of, inputs)))
        databases.check_output(address, replace=replace, inputs=others)
        return
    files.format_of(Path(release))
    atomic_files.check_name(release)
    if any(path.resolve() == Path(release).resolve() for path in reports):
        raise InputError(f"{release}: the release and its report need two files.")
    _check_places([Path(release)], inputs)
    check_reports(reports, inputs)


def check_for_formulas(release: str | PathLike[str] | None) -> None:
    """Raise InputError if formulas are to be escaped in anything but a CSV file: only there may text become one."""
    if release is None:
        raise InputError("Formulas are escaped in a CSV file: name one with -o.")
    if Address.of(release) or files.format_of(Path(release)) != "csv":
        raise InputError(f"{release}: formulas are escaped in CSV files only. Name a .csv, or leave that out.")


def check_reports(reports: list[Path], inputs: Iterable[str | PathLike[str] | None]) -> None:
    """Raise InputError if a report cannot be written, or is named twice."""
    _check_places(reports, inputs)
    for at, path in enumerate(reports):
        if path.resolve() in [other.resolve() for other in reports[:at]]:
            raise InputError(f"{path}: this report is named twice. Name each file once.")
        suffix = path.suffix.lower()
        if suffix not in REPORTS:
            raise InputError(f"{path}: a report cannot have the suffix {suffix!r}: use {', '.join(REPORTS)}.")
        if suffix == ".pdf":
            extra("matplotlib.figure", "plots", "PDF reports")


def _check_places(places: Iterable[Path], inputs: Iterable[str | PathLike[str] | None]) -> None:
    input_files = [file for path in inputs if path is not None and (file := files.file_of(path)) is not None]
    for place in places:
        check_target(place, input_files)


def check_target(place: Path, input_files: Iterable[Path]) -> None:
    """Raise InputError if an output is an input, a folder, or in no folder."""
    if any(files.same(place, file) for file in input_files):
        raise InputError(f"{place}: this is the input, which shoal never overwrites. Choose another file.")
    if not files.is_folder(place.parent):
        raise InputError(f"{place}: there is no folder {str(place.parent)!r}. Make it first.")
    atomic_files.check_folder(place)
    atomic_files.check_file(place)
