"""Where a release and its reports may go, looked at before any work is done."""

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
    """No report, one or several, as several."""
    given = [] if report is None else [report] if isinstance(report, str | PathLike | bytes) else report
    if not isinstance(given, Iterable):
        raise _no_report(given)
    reports = list(given)
    for one in reports:
        if not isinstance(one, str | PathLike):
            raise _no_report(one)
        atomic_files.check_name(one)
    return [Path(one) for one in reports]


def _no_report(given: object) -> InputError:
    return InputError(f"{given!r} is no name of a report: give a path such as 'report.html', or a list of paths.")


def check_targets(
    release: str | PathLike[str],
    report: Reports,
    *inputs: str | PathLike[str] | None,
    replace: bool = False,
) -> None:
    """Refuse an output that is an input, a folder, in no folder, or of an unknown format, before any work is done."""
    reports = reports_of(report)
    address = Address.of(release)
    if address is not None:
        check_reports(reports, [*inputs, str(address)])
        others = databases.identities(filter(None, map(Address.of, inputs)))
        databases.check_output(address, replace=replace, inputs=others)
        return
    files.format_of(Path(release))
    atomic_files.check_name(release)
    seen: set[Path] = set()
    for path in reports:
        place = path.resolve()
        if place == Path(release).resolve():
            raise InputError(f"{release}: the release and its report need two files.")
        if place in seen:
            raise InputError(f"{path}: this report is named twice. Name each file once.")
        seen.add(place)
    _check_places([Path(release)], inputs)
    check_reports(reports, inputs)


def check_for_formulas(release: str | PathLike[str] | None) -> None:
    """Refuse to escape formulas in anything but a CSV file, whose cells alone may be taken for what they are not."""
    if release is None:
        raise InputError("Formulas are escaped in a CSV file: name one with -o.")
    if Address.of(release) or files.format_of(Path(release)) != "csv":
        raise InputError(f"{release}: formulas are escaped in CSV files only. Name a .csv, or leave that out.")


def check_reports(reports: Iterable[Path], inputs: Iterable[str | PathLike[str] | None]) -> None:
    """Refuse a report that cannot be written, before any work is done."""
    _check_places(reports, inputs)
    for path in reports:
        ending = path.suffix.lower()
        if ending not in REPORTS:
            raise InputError(f"{path}: the ending {ending!r} is none of a report: use {', '.join(REPORTS)}.")
        if ending == ".pdf":
            extra("matplotlib.figure", "plots", "PDF reports")


def _check_places(places: Iterable[Path], inputs: Iterable[str | PathLike[str] | None]) -> None:
    read = [file for given in inputs if given is not None and (file := files.file_of(given)) is not None]
    for place in places:
        check_target(place, read)


def check_target(place: Path, read: Iterable[Path]) -> None:
    """Refuse an output that is one of the files that are read, a folder, or in no folder."""
    if any(files.same(place, given) for given in read):
        raise InputError(f"{place}: this is the input, which shoal never overwrites. Choose another file.")
    if not files.is_folder(place.parent):
        raise InputError(f"{place}: there is no folder {str(place.parent)!r}. Make it first.")
    atomic_files.check_folder(place)
    atomic_files.check_file(place)
