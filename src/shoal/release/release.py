"""Release: a verified table that may be published, with the report on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_categories import by_appearance, holds_categories, used_values, without_notes
from shoal.documents.html_page import Lines, Summary, first_rows
from shoal.errors import InputError
from shoal.io import databases, files
from shoal.io.csv_dialect import Dialect
from shoal.io.databases import Address
from shoal.io.outputs import Reports, check_for_formulas, check_reports, check_targets, reports_of
from shoal.io.source import Source
from shoal.io.spreadsheet_formulas import formula_columns, marked, unmarked
from shoal.release.class_records import Groups
from shoal.release.lattice_explorer import Solutions
from shoal.release.promise import Promise
from shoal.release.report.script import python_lines
from shoal.release.report_basis import ReportBasis
from shoal.release.reuse.record import report_with_generalization
from shoal.release.verification.parquet import check_parquet
from shoal.release.verification.release import check_release, readable
from shoal.system import atomic_files


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Release(Summary, ReportBasis):
    """A verified release.

    frame    the released table, in the caller's kind of frame
    classes  the equivalence classes formed by its labels
    lattice  the nodes that a full-domain algorithm checked; None after other algorithms
    groups   the original records of each class beside its labels

    Reports are made from the rest, such as `report`, `request`, `table` (the original as codes) and `recoding`.
    """

    frame: Any
    groups: Groups
    lattice: Solutions[Release] | None
    source: Source

    def _figures(self) -> dict[str, object]:
        return self.report._figures()

    def _rows_shown(self) -> Lines:
        return first_rows(self.frame)

    def save(
        self, path: str | PathLike[str], *, report: Reports = None, replace: bool = False, escape_formulas: bool = False
    ) -> Path | Address:
        """Write the release, read it back and verify it; it is written completely or not at all.

        path             a CSV or Parquet file, or the address of a table in a database; inputs are never overwritten
        report           one or several paths of reports: .json, .html or .pdf
        replace          replace an existing table in a database
        escape_formulas  put an apostrophe before cells of a CSV that a spreadsheet would take for formulas
        """
        reports = reports_of(report)
        address = Address.of(path)
        if escape_formulas:
            check_for_formulas(path)
        if address is not None:
            self._save_table(address, reports, replace=replace)
            return address
        target = Path(path)
        check_targets(target, reports, *self._inputs)
        kind = files.format_of(target)

        digest: list[str] = []

        def write(file: Path) -> None:
            table, dialect = writable(self, kind), self.source.dialect
            write_verified(
                table, file, promise=self.promise, kind=kind, dialect=dialect, escape_formulas=escape_formulas
            )
            digest.append(files.checksum(file))

        atomic_files.replace_whole({target: write} | self._reports(reports, lambda: digest[0]))
        return target

    def _save_table(self, address: Address, reports: list[Path], *, replace: bool) -> None:
        """Create the table, read it back and verify it in one transaction, committed when the reports are written."""
        check_reports(reports, [*self._inputs, str(address)])
        taken = self.source.tables | databases.identities(filter(None, map(Address.of, self.request.inputs(None))))
        roles = self.request.roles
        read = self.source.frame.to_native()
        content = databases.typed(writable(self, ""), read, new=(*roles.quasi, *roles.pseudonymized))
        with databases.opened(address, write=True) as database:
            databases.create(database, content, replace=replace, inputs=taken)
            written = databases.as_given(databases.read_back(database), content)
            check_release(written, self.promise, form="database")
            atomic_files.replace_whole(self._reports(reports), first=database.commit)

    @property
    def _inputs(self) -> list[str | PathLike[str]]:
        return self.request.inputs(self.source.origin)

    def save_report(self, path: str | PathLike[str]) -> Path:
        """Write the report alone, as .json, .html or .pdf."""
        reports = reports_of([path])
        check_reports(reports, self._inputs)
        atomic_files.replace_whole(self._reports(reports))
        return reports[0]

    def to_html(self) -> str:
        """Return the report as an HTML page in one file, which may be published with the release."""
        from shoal.release.report.writers import page  # slow to import

        return page(self)

    def to_json(self) -> str:
        """Return the report as JSON, with what shoal.apply() needs for the next delivery; do not publish it."""
        return report_with_generalization(self).text()

    def to_python(self) -> str:
        """Return a Python script that reproduces the release; objects that existed only in memory appear by name."""
        return python_lines(self.request, self.source)

    def _reports(
        self, paths: list[Path], digest: Callable[[], str] | None = None
    ) -> dict[Path, Callable[[Path], None]]:
        """Return the writer of each report; `digest` returns the checksum of a release in a file."""
        if not paths:
            return {}
        from shoal.release.report.writers import writers  # slow to import

        return writers(self, paths, digest)


def writable(release: Release, kind: str) -> pa.Table:
    """Return the table without unused categories; refuse it if a CSV would conflate sensitive values."""
    table = Source.of(release.frame).to_arrow()
    categories = by_appearance if release.request.order == "shuffled" else used_values
    for at, column in enumerate(table.columns):
        cleaned = categories(column) if holds_categories(column.type) else without_notes(column)
        if cleaned is not column:
            table = table.set_column(at, table.schema.names[at], cleaned)
    for name in release.promise.sensitive if kind == "csv" else ():
        column = table[name]
        if column.null_count and pa.types.is_string(column.type) and pc.any(pc.equal(column, "")).as_py():
            raise InputError(
                f"Column {name!r} holds missing values and empty texts, which CSV cannot tell apart: write Parquet."
            )
    return table


def write_verified(
    table: pa.Table, file: Path, *, promise: Promise, kind: str, dialect: Dialect, escape_formulas: bool = False
) -> None:
    """Write a table to a file and read it back; raise VerificationError if the file does not keep the promise."""
    with_formulas = formula_columns(table) if escape_formulas else []
    content = marked(table, with_formulas)
    files.write(content, file, kind, dialect)
    with readable():
        written, _ = files.read(file, kind=kind, separator=dialect.separator, encoding=dialect.encoding, names=True)
    if kind == "parquet":
        check_parquet([file])
    check_release(unmarked(written, with_formulas), promise, form="text" if kind == "csv" else "file")
