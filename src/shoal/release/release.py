"""Release: the table that may be given away, and the report on it."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field
from importlib.metadata import version
from math import isnan
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.algorithms.local_recoding.local_recoding import Bounded
from shoal.data.arrow_categories import by_appearance, holds_categories, used_values, without_notes
from shoal.data.domain import NumericDomain
from shoal.data.frames import in_order, own_rows, with_rows, without_order
from shoal.data.recoding import Recoding, distinct
from shoal.data.style import MAX_TEXT, Style, text_array
from shoal.data.table import Classes, Table
from shoal.documents.html_page import Summary, first_rows
from shoal.errors import InputError
from shoal.io import databases, files
from shoal.io.csv_dialect import Dialect
from shoal.io.databases import Address
from shoal.io.outputs import Reports, check_for_formulas, check_reports, check_targets, reports_of
from shoal.io.source import Source
from shoal.io.spreadsheet_formulas import formula_columns, marked, unmarked
from shoal.metrics import loss_by_attribute, measured
from shoal.models import PrivacyModel
from shoal.models.distinct_diversity import distinct_values
from shoal.release.request import Request
from shoal.release.row_order import shuffled
from shoal.release.solve import Solved
from shoal.release.verification import Promise, check_parquet, check_release, readable
from shoal.release.verification.cells import as_text, is_text
from shoal.system import atomic_files

if TYPE_CHECKING:
    from shoal.release.cautions import Caution
    from shoal.release.class_records import Groups
    from shoal.release.lattice_explorer import Solutions


@dataclass(frozen=True, repr=False)
class Report(Summary):
    """What was done and what came out: everything in it can be read as JSON."""

    versions: dict[str, str]
    input: dict[str, Any]
    parameters: dict[str, Any]
    rows: int
    suppressed_rows: int
    dropped_rows: int
    classes: int
    k: int
    metrics: dict[str, float]
    loss_by_attribute: dict[str, float]
    distinct_sensitive: dict[str, int]
    warnings: list[str] = field(default_factory=list)
    search: dict[str, Any] | None = None  # how a search through a lattice went
    choice: str | None = None  # which algorithm was picked and why, where none was named
    certificate: dict[str, Any] | None = None  # how far the release is at most from the best possible
    blocks: dict[str, Any] | None = None  # how a table too large for the algorithm was cut, and what that cost

    def _figures(self) -> dict[str, object]:
        return {
            "rows": self.rows,
            "suppressed": self.suppressed_rows,
            "dropped": self.dropped_rows,
            "classes": self.classes,
            "k": self.k,
            **{name: value for name, value in self.metrics.items() if name == "loss"},
            "warnings": len(self.warnings),
        }

    def to_dict(self) -> dict[str, Any]:
        """The report as plain dictionaries."""
        return asdict(self)

    def to_json(self) -> str:
        """The report as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def report_of(
    solved: Solved,
    table: Table,
    recoding: Recoding,
    ids: NDArray[np.int32],
    request: Request,
    *,
    data: dict[str, Any],
    dropped: int,
    warned: Sequence[str] = (),
    search: dict[str, Any] | None = None,
) -> Report:
    """The report on a recoding of a table, whose rows are in these classes by the labels that they show."""
    classes = table.classes(ids)
    small = distinct(table, recoding)
    return Report(
        versions=versions(),
        input=data,
        parameters=parameters_of(request, str(solved.algorithm), sorted(solved.guides), solved.budget),
        rows=table.rows,
        suppressed_rows=int(table.weights[recoding.suppressed | (ids < 0)].sum()),
        dropped_rows=dropped,
        classes=len(classes),
        k=int(classes.sizes.min()),
        metrics=measured(*small),
        loss_by_attribute=loss_by_attribute(*small),
        distinct_sensitive={name: int(distinct_values(classes, name).min()) for name in table.sensitive},
        warnings=list(warned),
        search=search,
        choice=solved.choice.reason if solved.choice else None,
        certificate=recoding.certificate.to_dict() if isinstance(recoding, Bounded) else None,
    )


def versions() -> dict[str, str]:
    """What made the release."""
    libraries = ("shoal", "numpy", "numba", "pyarrow", "narwhals")
    return {"python": platform.python_version()} | {name: version(name) for name in libraries}


def parameters_of(request: Request, algorithm: str, hierarchies: list[str], budget: int) -> dict[str, Any]:
    """What was asked for."""
    return {
        "model": str(request.model),
        "algorithm": algorithm,
        "quasi_identifiers": list(request.roles.quasi),
        "sensitive": list(request.roles.sensitive),
        "identifying": list(request.roles.identifying),
        "pseudonymized": list(request.roles.pseudonymized),
        "hierarchies": hierarchies,
        "max_suppressed_rows": budget,
        "suppressed": request.suppressed,
        "order": request.order,
        "missing_values": list(request.missing_values),
    }


def input_of(source: Source, table: Table) -> dict[str, Any]:
    """What a report says of the table that was given."""
    return {
        "file": source.name,
        "sha256": source.checksum() or table.checksum(),
        "sha256_of": "file" if source.path else "encoded columns",
        "rows": len(source),
    }


@dataclass(frozen=True, eq=False, repr=False)
class Release(Summary):
    """A verified release: `frame` is of the caller's own kind, `classes` are those that its labels show.

    `lattice` has the nodes that a full-domain algorithm looked at, None after other algorithms. `groups` shows the
    records of each class beside what the class shows. Reports are made from `request`, `table` (the original as codes),
    its `recoding` and `cautions`, too.
    """

    frame: Any
    classes: Classes
    report: Report
    promise: Promise
    source: Source
    lattice: Solutions | None = None
    _: KW_ONLY
    groups: Groups
    request: Request
    table: Table
    recoding: Recoding
    cautions: list[Caution]

    def _figures(self) -> dict[str, object]:
        return self.report._figures()

    def _first_rows(self) -> tuple[list[str], list[list[str]]]:
        return first_rows(self.frame)

    def save(
        self,
        path: str | PathLike[str],
        *,
        report: Reports = None,
        replace: bool = False,
        escape_formulas: bool = False,
    ) -> Path | Address:
        """Write the release as CSV, Parquet or a table in a database, whole or not at all, verified from what is there.

        The report goes beside it where a path is given, or several: as .json, .html or .pdf. No input is overwritten.
        A table of the same name in a database is left alone unless it is to be replaced. `escape_formulas` puts an
        apostrophe before cells of a CSV that a spreadsheet would take for formulas.
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
            table, dialect = self._writable(kind), self.source.dialect
            write_verified(
                table, file, promise=self.promise, kind=kind, dialect=dialect, escape_formulas=escape_formulas
            )
            digest.append(files.checksum(file))

        atomic_files.replace_whole({target: write} | self._reports(reports, lambda: digest[0]))
        return target

    def _save_table(self, address: Address, reports: list[Path], *, replace: bool) -> None:
        """Make the table, read it back and verify it in one transaction, which ends when the reports are written."""
        check_reports(reports, [*self._inputs, str(address)])
        taken = self.source.tables | databases.identities(filter(None, map(Address.of, self.request.inputs(None))))
        roles = self.request.roles
        read = self.source.frame.to_native()
        content = databases.typed(self._writable(""), read, new=(*roles.quasi, *roles.pseudonymized))
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
        """The report as a page in one file that may be published with the release."""
        from shoal.release.report import page

        return page(self)

    def to_json(self) -> str:
        """The report as JSON with what shoal.apply() needs to do the same to the next delivery, to be kept."""
        from shoal.release.reuse.record import report_with_generalization

        return report_with_generalization(self)

    def to_python(self) -> str:
        """The lines of Python that make the release again; what existed in memory only goes by a name."""
        from shoal.release.report.script import python_lines

        return python_lines(self.request, self.source)

    def _reports(
        self, paths: list[Path], digest: Callable[[], str] | None = None
    ) -> dict[Path, Callable[[Path], None]]:
        """What writes each report, on a release with this digest if it is in a file."""
        if not paths:
            return {}
        if all(path.suffix.lower() == ".json" for path in paths):
            from shoal.release.reuse.record import json_writer

            text = self.to_json()
            return {path: json_writer(text, digest) for path in paths}
        from shoal.release.report import writers

        return writers(self, paths, digest)

    def _writable(self, kind: str) -> pa.Table:
        """The table without values that only rows elsewhere have; refused where a CSV would blur sensitive values."""
        table = Source.of(self.frame).to_arrow()
        own_values = by_appearance if self.request.order == "shuffled" else used_values
        for at, column in enumerate(table.columns):
            own = own_values(column) if holds_categories(column.type) else without_notes(column)
            if own is not column:
                table = table.set_column(at, table.schema.names[at], own)
        for name in self.promise.sensitive if kind == "csv" else ():
            column = table[name]
            if column.null_count and pa.types.is_string(column.type) and pc.any(pc.equal(column, "")).as_py():
                raise InputError(
                    f"Column {name!r} holds missing values and empty texts, which CSV cannot tell apart: write Parquet."
                )
        return table


def write_verified(
    table: pa.Table, file: Path, *, promise: Promise, kind: str, dialect: Dialect, escape_formulas: bool = False
) -> None:
    """Write a table to a file, read it back and let it keep its promise, or raise VerificationError."""
    with_formulas = formula_columns(table) if escape_formulas else []
    content = marked(table, with_formulas)
    files.write(content, file, kind, dialect)
    with readable():
        written, _ = files.read(file, kind=kind, separator=dialect.separator, encoding=dialect.encoding)
    if kind == "parquet":
        check_parquet([file])
    check_release(unmarked(written, with_formulas), promise, form="text" if kind == "csv" else "file")


def class_labels(table: Table, recoding: Recoding, style: Style) -> dict[str, list[str]]:
    """What each class shows of each quasi-identifier, as text."""
    found = {}
    for name, domain, shown, codes in zip(table.quasi, table.domains, recoding.shown, table.codes.T, strict=True):
        found[name] = domain.write(shown, style)
        if not (style.means and isinstance(domain, NumericDomain) and domain.are_numbers):
            continue
        if (shown.high > shown.low).any():  # else every value is shown as it is
            means = domain.means(codes, table.weights, recoding.ids, recoding.sizes)
            shorts = [float(f"{mean:.8g}") for mean in means]
            found[name] = [
                label if isnan(mean) else repr(mean) for label, mean in zip(found[name], shorts, strict=True)
            ]
    return found


def one_per_label(
    labels: Mapping[str, list[str]], ids: NDArray[np.int32], tops: Mapping[str, str]
) -> tuple[dict[str, list[str]], NDArray[np.int32]]:
    """The labels and classes with those put together that show the same text, as they are one for the reader.

    Suppressed rows, which show the `tops`, are put to a class that shows them, too.
    """
    numbers: dict[tuple[str, ...], int] = {}
    place = [numbers.setdefault(shown, len(numbers)) for shown in zip(*labels.values(), strict=True)]
    if len(numbers) < len(place):
        ids = np.append(np.array(place, np.int32), np.int32(-1))[ids]
    ids = np.where(ids < 0, np.int32(numbers.get(tuple(tops.values()), -1)), ids)
    return dict(zip(labels, map(list, zip(*numbers, strict=True)), strict=True)) if numbers else dict(labels), ids


def apart(
    labels: dict[str, list[str]],
    ids: NDArray[np.int32],
    *,
    table: Table,
    recoding: Recoding,
    tops: Mapping[str, str],
    model: PrivacyModel,
    max_suppressed: int,
) -> tuple[dict[str, list[str]], NDArray[np.int32]]:
    """The labels and classes without one that shows what suppressed rows show and fails together with them.

    Its rows count as suppressed where so many may be, and are refused otherwise, as a reader cannot tell them apart.
    A population that a model asks about is looked at by the verification alone.
    """
    gone = recoding.suppressed
    place = int(ids[gone].max(initial=-1))
    if place < 0 or model.populations:
        return labels, ids
    classes = table.classes(ids)
    if model.satisfied(classes)[place]:
        return labels, ids
    size, hidden = int(classes.sizes[place]), int(table.weights[gone].sum())
    if size <= max_suppressed and len(classes) > 1:
        left = {name: [*shown[:place], *shown[place + 1 :]] for name, shown in labels.items()}
        return left, np.where(ids == place, -1, ids - (ids > place)).astype(np.int32)
    shown = ", ".join(f"{name}={top}" for name, top in tops.items())
    raise InputError(
        f"{size - hidden:,} row(s) show {shown}, as the {hidden:,} suppressed row(s) do, and together they fail "
        f"{model}: choose another top label (shoal.Style(top=…), another root of a hierarchy), leave suppressed rows "
        f"out (suppressed='drop', --suppressed drop), or let {size:,} be suppressed."
    )


def unchanged_columns(
    table: Table, labels: Mapping[str, list[str]], kinds: Mapping[str, pa.DataType], values: Callable[[str], pa.Array]
) -> set[str]:
    """The quasi-identifiers that keep their type, as every label of theirs is a value that was there.

    These are truth values, whole numbers, doubles, days and categories of text whose different `values` are written
    into a file as the labels are; of others, such as 1e-05 and -0.0, the labels are shown, as text.
    """
    found = set()
    for at, (name, domain) in enumerate(zip(table.quasi, table.domains, strict=True)):
        if domain.missing >= 0 or not _can_stay(kinds[name]) or not set(labels[name]) <= set(domain.labels):
            continue
        written = as_text(pa.chunked_array([values(name)])).to_pylist()
        if set(written) <= set(domain.labels) and len(written) == np.unique(table.codes[:, at]).size:
            found.add(name)
    return found


def _can_stay(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return any(of(kind) for of in (pa.types.is_boolean, pa.types.is_integer, pa.types.is_float64, pa.types.is_date32))


def released_frame(
    source: Source,
    tops: Mapping[str, str],
    labels: Mapping[str, list[str]],
    ids: NDArray[np.int32],
    *,
    other: Mapping[str, pa.Array],
    identifying: tuple[str, ...],
    rows: NDArray[np.int64] | None = None,
    order: str = "rows",
) -> Any:
    """The caller's frame with the labels of the classes in place of the quasi-identifiers, and of its rows these."""
    columns = dict(other) | {name: _labelled(shown, tops[name], ids) for name, shown in labels.items()}
    frame = source.changed(columns, drop=identifying)
    if rows is not None:
        stay = np.zeros(len(source), np.bool_)
        stay[rows] = True
        frame = frame if stay.all() else with_rows(frame, stay)
        if order != "rows":
            frame = in_order(frame, (np.cumsum(stay) - 1)[rows])
    return own_rows(without_order(frame) if order == "shuffled" else frame).to_native()


def released_rows(ids: NDArray[np.int32], *, drop_suppressed: bool, order: str) -> NDArray[np.int64] | None:
    """The row that stands in each place of the release; None where all rows stay where they are."""
    if order == "rows" and not (drop_suppressed and (ids < 0).any()):
        return None
    rows = np.flatnonzero(ids >= 0) if drop_suppressed else np.arange(ids.size)
    if order == "classes":
        last = np.iinfo(np.int32).max  # suppressed rows
        return rows[np.argsort(np.where(ids < 0, last, ids)[rows], kind="stable")]
    return rows[shuffled(rows.size)] if order == "shuffled" else rows


def _labelled(labels: list[str], top: str, ids: NDArray[np.int32]) -> pa.Array:
    """The label of each row's class, the top for suppressed rows."""
    different = list(dict.fromkeys(labels))
    numbers = {label: number for number, label in enumerate(different)}
    place = np.array([*(numbers[label] for label in labels), len(different)], np.int32)
    indices = place[ids]  # −1 takes the last: the top
    dictionary = text_array([*different, top])
    size = int(pc.binary_length(dictionary).to_numpy()[indices].sum())
    kind = dictionary.type if size <= MAX_TEXT else pa.large_string()
    return pa.DictionaryArray.from_arrays(pa.array(indices), dictionary.cast(kind)).cast(kind)
