"""Report: the figures of a release, all of them plain JSON values."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np

from shoal.algorithms.local_recoding.local_recoding import Bounded
from shoal.data.classes import Classes
from shoal.data.persons import varying
from shoal.data.recoding import distinct
from shoal.data.table import Table
from shoal.data.unit import Unit
from shoal.documents.html_page import Summary
from shoal.io.source import Source
from shoal.kernels.arrays import Ints
from shoal.metrics import loss_by_attribute, measured
from shoal.models.sensitive import rounded
from shoal.release.json_report import JsonReport
from shoal.release.labelling import Labelling
from shoal.release.report.losses import by_released_values
from shoal.release.request import Request
from shoal.release.verification.people import profiles


@dataclass(frozen=True, repr=False)
class Report(Summary):
    """What was requested and what came out, as plain JSON values."""

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
    review: dict[str, Any] = field(default_factory=dict)  # what was looked for and found, and how it was answered
    statements: list[str] = field(default_factory=list)  # how the request was understood, where it matters
    search: dict[str, Any] | None = None  # how a search through a lattice went
    choice: str | None = None  # which algorithm "auto" picked, and why
    certificate: dict[str, Any] | None = None  # a bound on the distance from the best possible release
    by_released_values: dict[str, Any] | None = None  # losses as published, if rows are suppressed
    blocks: dict[str, Any] | None = None  # how a table too large for the algorithm was cut, and the loss it caused
    people: dict[str, Any] | None = None  # who was counted instead of rows, and what was promised to them

    def _figures(self) -> dict[str, object]:
        return {
            "rows": self.rows,
            "suppressed": self.suppressed_rows,
            "dropped": self.dropped_rows,
            "classes": self.classes,
            **({} if self.people is None else {"people": self.people["people"]}),
            "k": self.k,
            **{name: value for name, value in self.metrics.items() if name == "loss"},
            "warnings": len(self.warnings),
        }

    @property
    def published(self) -> dict[str, Any]:
        """The losses that may be published: by the values of rows that are not suppressed, if some are."""
        return self.by_released_values or {**self.metrics, "loss_by_attribute": self.loss_by_attribute}

    @property
    def rows_per_person(self) -> float:
        """The mean number of rows of a person; 1 if no unit was named."""
        return 1.0 if self.people is None else float(self.people["rows_per_person"])

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain dictionaries."""
        return asdict(self)

    def to_json(self) -> str:
        """Return the report as JSON text."""
        return JsonReport(self.to_dict()).text()


def report_of(
    labelling: Labelling,
    *,
    data: dict[str, Any],
    dropped: int,
    warned: Sequence[str] = (),
    review: dict[str, Any] | None = None,
    search: dict[str, Any] | None = None,
) -> Report:
    """Report on a release.

    data     the description of the input (see `input_of`)
    dropped  how many rows were left out because a value was missing
    warned   the warnings, as sentences
    review   what the review found
    search   how a search through a lattice went
    """
    solved, table, recoding = labelling.solved, labelling.table, labelling.recoding
    classes = table.classes(labelling.ids)
    small = distinct(table, recoding)
    return Report(
        versions=versions(),
        input=data,
        parameters=parameters_of(labelling.request, str(solved.algorithm), sorted(solved.guides), solved.budget)
        | ({} if solved.moved is None else {"ranges": solved.moved.figures()}),
        rows=table.rows,
        suppressed_rows=int(table.weights[labelling.suppressed].sum()),
        dropped_rows=dropped,
        classes=len(classes),
        k=int(classes.sizes.min()) if table.owners is None else fewest_alike(labelling.ids, table.owners),
        metrics=measured(*small),
        loss_by_attribute=loss_by_attribute(*small),
        distinct_sensitive={name: int(classes.distinct(name).min()) for name in table.sensitive},
        warnings=list(warned),
        review=review or {},
        statements=list(labelling.request.statements),
        search=search,
        choice=solved.choice.reason if solved.choice else None,
        certificate=recoding.certificate.to_dict() if isinstance(recoding, Bounded) else None,
        by_released_values=by_released_values(*small),
        people=people_in_figures(table, classes, labelling.request.unit, labelling.request.shift_dates),
    )


def people_in_figures(
    table: Table, classes: Classes, unit: Unit | None, shifted_dates: Sequence[str] = ()
) -> dict[str, Any] | None:
    """Say who was counted, how many rows they have, and what was promised to them."""
    if unit is None or table.units is None or classes.by_person is None:
        return None
    return {
        "unit": unit.column,
        "group": unit.group,
        "promise": unit.promise,
        "strict": unit.strict,
        "people": table.people,
        "rows_per_person": rounded(table.rows / table.people),
        "most_rows_of_a_person": int(np.bincount(table.units, table.weights).max()),
        "largest_share_of_a_class": rounded(float((classes.by_person.most() / classes.rows).max())),
        "varying": varying(table, table.units),
        "shifted_dates": list(shifted_dates),
    }


def fewest_alike(ids: Ints, owners: Ints) -> int:
    """Return the smallest number of people or households who release the same set of rows."""
    inside = ids >= 0
    whose = owners[inside].astype(np.int64)
    sets = profiles(ids[inside].astype(np.int64), whose)
    return int(np.unique(sets[np.unique(whose, return_index=True)[1]], return_counts=True)[1].min())


library_version = cache(version)  # which parses the library's metadata


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that made the release."""
    libraries = ("shoal", "numpy", "numba", "pyarrow", "narwhals")
    return {"python": platform.python_version()} | {name: library_version(name) for name in libraries}


def parameters_of(request: Request, algorithm: str, hierarchies: list[str], budget: int) -> dict[str, Any]:
    """Return the requested parameters for a report."""
    return {
        "model": str(request.model),
        "algorithm": algorithm,
        "quasi_identifiers": list(request.roles.quasi),
        "sensitive": list(request.roles.sensitive),
        "identifying": list(request.roles.identifying),
        "pseudonymized": list(request.roles.pseudonymized),
        "kept": list(request.roles.kept),
        "hierarchies": hierarchies,
        "max_suppressed_rows": budget,
        "suppressed": request.suppressed,
        "order": request.order,
        "missing_values": list(request.missing_values),
        "rows_are_people": request.rows_are_people,
        "accept": list(request.accept),
    }


def input_of(source: Source, table: Table) -> dict[str, Any]:
    """Describe the input table for a report."""
    return {
        "file": source.name,
        "sha256": source.checksum() or table.checksum(),
        "sha256_of": "file" if source.path else "encoded columns",
        "rows": len(source),
        **({"read": source.notes} if source.notes else {}),
    }
