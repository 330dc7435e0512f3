"""The checks of what a release promises: its models, its loss, and the figures that were reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.certificates.checks import Checks
from shoal.certificates.plain_models import VALUES, plain_model
from shoal.data.table import Classes
from shoal.errors import VerificationError
from shoal.models import PrivacyModel
from shoal.release.arguments import meanings
from shoal.release.verification.classes import verify

NEAR = 1e-9  # by which a loss that was reported may differ
FIGURES = ("k", "classes", "rows", "suppressed_rows", "dropped_rows")
Report = Mapping[str, Any] | None


def check_promises(checks: Checks, report: Report) -> None:
    """All of it, where the rows are those of the original."""
    hidden = _hidden(checks)
    classes = _classes(checks, hidden, report)
    if classes is None:
        return
    tables = checks.tables
    if tables.request.model.disjoint and _fits_two(checks, hidden):
        checks.wrong.append(f"A person of the population fits two classes, which {tables.request.model} forbids.")
        return
    for part in tables.request.model.parts:
        _check_model(checks, part, classes)
    checks.figures = {
        "k": int(classes.sizes.min()),
        "classes": len(classes),
        "rows": len(tables.kept),
        "suppressed_rows": checks.suppressed,
        "dropped_rows": tables.dropped,
    }
    sentence = f"{checks.suppressed:,} rows are suppressed, of {tables.budget:,} that may be."
    checks.holds("suppression", tables.budget, checks.suppressed, sentence)
    if tables.request.drop_missing:
        sentence = f"{tables.dropped:,} rows that miss a value were left out, and no other row."
        checks.holds("dropped", tables.dropped, tables.dropped, sentence)
    _check_loss(checks, hidden, report)
    if report is not None:
        _check_report(checks, report)


def _hidden(checks: Checks) -> NDArray[np.bool_]:
    """Which rows show nothing: the top of every quasi-identifier."""
    hidden = np.ones(len(checks.tables.released), np.bool_)
    for name, reader in checks.readers.items():
        labels = np.array([label == reader.top for label in checks.rows.labels[name]])
        hidden &= labels[checks.rows.shown[name]]
    return hidden


def _classes(checks: Checks, hidden: NDArray[np.bool_], report: Report) -> Classes | None:
    """The classes that satisfy the model; rows that show nothing are none where they fail it, or were reported so."""
    tables, count, keep = checks.tables, int(hidden.sum()), checks.tables.request.suppressed == "keep"
    try:
        found = _verified(checks, tables.budget if keep else 0)
    except VerificationError as error:
        checks.wrong.append(error.reason)
        return None
    told = int(report["suppressed_rows"]) if report is not None and keep else 0
    alone = 0 < count < hidden.size and keep and (told == count or not _holds(checks))
    checks.suppressed = count if alone else min(told, count) if keep else tables.lost
    if checks.suppressed > tables.budget:
        checks.wrong.append(f"{checks.suppressed:,} rows are suppressed, and {tables.budget:,} may be.")
        return None
    return found.some(np.arange(len(found)) != checks.classes()[hidden][0]) if alone else found


def _holds(checks: Checks) -> bool:
    """Whether the model holds for the rows that show nothing, too."""
    try:
        _verified(checks, 0)
    except VerificationError:
        return False
    return True


def _verified(checks: Checks, max_suppressed: int) -> Classes:
    """The classes by their first rows, told from the labels by shoal.verify; VerificationError if one fails."""
    tables, request = checks.tables, checks.tables.request
    tops = {name: reader.top for name, reader in checks.readers.items()}
    tops |= {request.class_column: request.style.top} if request.class_column else {}
    return verify(
        tables.released.frame.to_native(),
        quasi_identifiers=list(tops),
        sensitive=request.roles.sensitive,
        model=request.model,
        suppressed=tops,
        max_suppressed=max_suppressed,
        rows=len(tables.released),
        whole={name: tables.kept.arrow(name) for name in request.roles.sensitive},
        hierarchies=meanings(tables.table),
        style=request.style,
        missing_values=request.missing_values,
    )


def _fits_two(checks: Checks, hidden: NDArray[np.bool_]) -> bool:
    """Whether a person of the population fits two classes, suppressed rows apart."""
    shown = np.stack([checks.rows.shown[name][~hidden] for name in checks.readers], axis=1)
    people = np.zeros(len(checks.tables.people_codes), np.int64)
    for labels in np.unique(shown, axis=0).tolist():
        fits = np.ones(people.size, np.bool_)
        for at, (name, reader) in enumerate(checks.readers.items()):
            fits &= reader.covered(checks.rows.labels[name][labels[at]], checks.tables.people_codes[:, at])
        people += fits
    return bool((people > 1).any())


def _check_model(checks: Checks, part: PrivacyModel, classes: Classes) -> None:
    required = {name: value for name, value in plain_model(part).items() if name not in ("model", *VALUES)}
    measured: dict[str, Any] | None = part.reached(classes)
    if part.compares_with_table and checks.tables.lost:
        measured = None  # it would tell of the sensitive values of rows that were left out
    told = f" Reached: {', '.join(f'{name} = {_figure(one)}' for name, one in measured.items())}." if measured else ""
    checks.holds(str(part), required, measured, part.words() + told)


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{_figure(one)} of “{name}”" for name, one in value.items())
    return "none" if value is None else str(value)


def _check_loss(checks: Checks, hidden: NDArray[np.bool_], report: Report) -> None:
    """The loss by LM from the labels; the least and the most where a label can be read in two ways."""
    tables = checks.tables
    total, gone = len(tables.kept), checks.suppressed - tables.lost
    bounds = {}
    for name, cells in checks.losses.items():
        spare = np.sort(1 - cells[hidden], axis=0)
        # So many of the rows that show nothing lose all of it, whatever their labels alone would say.
        more = [spare[:gone, 0].sum(), spare[::-1][:gone, 1].sum()]
        bounds[name] = [float(cells[:, end].sum() + tables.lost + more[end]) / total for end in (0, 1)]
    mean = [sum(bound[end] for bound in bounds.values()) / len(bounds) for end in (0, 1)]
    if report is not None:
        told = {name: report["loss_by_attribute"].get(name) for name in bounds}
        checks.figures |= {"loss": report["metrics"]["loss"], "loss_by_attribute": told}
        for name, bound in bounds.items():
            _check_told(checks, f"the loss of {name!r}", report["loss_by_attribute"].get(name), bound)
        _check_told(checks, "the loss", report["metrics"]["loss"], mean)
    elif mean[1] - mean[0] <= NEAR:
        by_attribute = {name: bound[0] for name, bound in bounds.items()}
        checks.figures |= {"loss": mean[0], "loss_by_attribute": by_attribute}
    least, most = (float(f"{end:.6f}") for end in mean)
    if checks.suppressed:
        checks.holds("loss", None, None, "The loss stands in the case, as it would tell of suppressed rows.")
    elif least == most:
        checks.holds("loss", None, least, f"The loss (LM) is {least:.6f} per cell.")
    else:
        checks.holds("loss", None, [least, most], f"The loss (LM) is between {least:.6f} and {most:.6f} per cell.")


def _check_told(checks: Checks, what: str, told: Any, bound: list[float]) -> None:
    if not isinstance(told, int | float) or not bound[0] - NEAR <= told <= bound[1] + NEAR:
        checks.wrong.append(f"The report says {told} of {what}, and it is {bound[0]:.9f} to {bound[1]:.9f}.")


def _check_report(checks: Checks, report: Mapping[str, Any]) -> None:
    """The figures of the report are those of the release, and it is about this table."""
    for name in FIGURES:
        if report[name] != checks.figures[name]:
            checks.wrong.append(f"The report says {name} = {report[name]}, and it is {checks.figures[name]}.")
    request = checks.tables.request
    wanted = {
        "model": str(request.model),
        "quasi_identifiers": list(request.roles.quasi),
        "sensitive": list(request.roles.sensitive),
        "identifying": list(request.roles.identifying),
        "pseudonymized": list(request.roles.pseudonymized),
        "suppressed": request.suppressed,
        "order": request.order,
        "missing_values": list(request.missing_values),
        "max_suppressed_rows": checks.tables.budget,
    }
    for name, value in wanted.items():
        if (told := report["parameters"].get(name)) != value:
            checks.wrong.append(f"The report is about {name} = {told!r}, and {value!r} is asked for.")
    told = report["input"]
    if told.get("sha256_of") == "file" and told.get("sha256") != checks.tables.original.checksum():
        checks.wrong.append("The report is about another original: its SHA-256 differs.")
    if report.get("release", {}).get("sha256", here := checks.tables.released.checksum()) != here:
        checks.wrong.append("The report is about another release: its SHA-256 differs.")
    if not checks.wrong:
        checks.holds("report", None, None, "The figures of the report were computed again and are the same.")
