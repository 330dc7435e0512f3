"""The checks of the promises of a release: its models, its loss, and the figures of its report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.certificates.case import VALUES, plain_model
from shoal.certificates.checks import Checks
from shoal.certificates.people import check_people, people_at, spread_people
from shoal.data.classes import Classes
from shoal.data.roles import Roles
from shoal.errors import VerificationError
from shoal.models import PrivacyModel
from shoal.release.arguments import meanings
from shoal.release.figures import parameters_of
from shoal.release.promise import Promise
from shoal.release.verification.classes import judge
from shoal.release.verification.columns import Remembered

LOSS_TOLERANCE = 1e-9  # of a reported loss
FIGURES = ("k", "classes", "rows", "suppressed_rows", "dropped_rows")
Report = Mapping[str, Any] | None


def check_promises(checks: Checks, report: Report) -> None:
    """Check the models, the loss and the report of a release whose rows are those of the original."""
    hidden = _hidden(checks)
    _match_people(checks, report)
    classes = _classes(checks, hidden, report)
    if classes is None:
        return
    tables = checks.tables
    if tables.request.model.disjoint and _fits_two(checks, hidden):
        checks.failures.append(f"A person of the population fits two classes, which {tables.request.model} forbids.")
        return
    for part in tables.request.model.parts:
        _check_model(checks, part, classes)
    checks.figures = {
        "k": _reached(checks, int(classes.sizes.min()), report),
        "classes": len(classes),
        "rows": len(tables.kept),
        "suppressed_rows": checks.suppressed,
        "dropped_rows": tables.dropped,
    }
    check_people(checks, classes, report)
    sentence = f"{checks.suppressed:,} rows are suppressed; {tables.budget:,} are allowed."
    checks.holds("suppression", tables.budget, checks.suppressed, sentence)
    if tables.request.drop_missing:
        sentence = f"{tables.dropped:,} rows with missing values were dropped, and no others."
        checks.holds("dropped", tables.dropped, tables.dropped, sentence)
    _check_loss(checks, hidden, report)
    if report is not None:
        _check_report(checks, report)


def _match_people(checks: Checks, report: Report) -> None:
    """Keep the matching of rows that bring as many people into each class as were promised and reported, if known."""
    if checks.tables.request.unit is None or checks.sure:
        return
    keep = checks.tables.request.suppressed == "keep"
    reported = 0 if report is None else report["k"]
    for originals in (checks.originals, spread_people(checks)):
        checks.originals = originals
        classes, _ = _verify(checks, checks.tables.budget if keep else 0)
        if classes is not None and int(classes.sizes.min()) >= reported:
            return


def _reached(checks: Checks, k: int, report: Report) -> int:
    """Return the size of the smallest class; where people were matched in one of several ways, as many as reported."""
    if report is None or checks.sure or checks.tables.request.unit is None:
        return k
    return int(report["k"]) if checks.tables.request.model.smallest <= report["k"] < k else k


def _hidden(checks: Checks) -> NDArray[np.bool_]:
    """Tell which rows show the top of every quasi-identifier."""
    hidden = np.ones(len(checks.tables.released), np.bool_)
    for name, reader in checks.rows.readers.items():
        labels = np.array([label == reader.top for label in checks.rows.labels[name]])
        hidden &= labels[checks.rows.shown[name]]
    return hidden


def _classes(checks: Checks, hidden: NDArray[np.bool_], report: Report) -> Classes | None:
    """Return the classes, which satisfy the model; hidden rows are suppressed if they fail it, or are reported so."""
    tables, count, keep = checks.tables, int(hidden.sum()), checks.tables.request.suppressed == "keep"
    classes, reason = _verify(checks, tables.budget if keep else 0)
    if classes is None:
        checks.failures.append(reason)
        return None
    reported = int(report["suppressed_rows"]) if report is not None and keep else 0
    all_suppressed = 0 < count < hidden.size and keep and (reported == count or _verify(checks, 0)[0] is None)
    checks.suppressed = count if all_suppressed else min(reported, count) if keep else tables.lost
    if checks.suppressed > tables.budget:
        checks.failures.append(f"{checks.suppressed:,} rows are suppressed, and {tables.budget:,} are allowed.")
        return None
    return classes.some(np.arange(len(classes)) != checks.classes()[hidden][0]) if all_suppressed else classes


def _verify(checks: Checks, max_suppressed: int) -> tuple[Classes | None, str]:
    """Group the rows by their labels; return the classes, or None and the reason if one fails."""
    tables, request = checks.tables, checks.tables.request
    tops = {name: reader.top for name, reader in checks.rows.readers.items()}
    tops |= {request.class_column: request.style.top} if request.class_column else {}
    promise = Promise(
        roles=Roles.of(tables.released.columns, quasi_identifiers=list(tops), sensitive=request.roles.sensitive),
        model=request.model,
        tops=tops if max_suppressed else {},
        max_suppressed=max_suppressed,
        rows=len(tables.released),
        hierarchies=meanings(tables.table),
        style=request.style,
        missing_values=request.missing_values,
        unit=request.unit,
    )
    whole = {name: tables.kept.arrow(name) for name in request.roles.sensitive}
    numbered, people = Remembered(tables.released.arrow), people_at(checks, checks.originals)
    try:
        classes = judge(tables.released, promise, numbered, whole=whole, weights=None, people=people)
    except VerificationError as error:
        return None, error.reason
    return classes, ""


def _fits_two(checks: Checks, hidden: NDArray[np.bool_]) -> bool:
    """Tell whether a person of the population fits two classes, not counting suppressed rows."""
    shown = np.stack([checks.rows.shown[name][~hidden] for name in checks.rows.readers], axis=1)
    classes = np.zeros(len(checks.tables.population_codes), np.int64)  # that each person fits
    for labels in np.unique(shown, axis=0).tolist():
        fits = np.ones(classes.size, np.bool_)
        for at, (name, reader) in enumerate(checks.rows.readers.items()):
            fits &= reader.covered(checks.rows.labels[name][labels[at]], checks.tables.population_codes[:, at])
        classes += fits
    return bool((classes > 1).any())


def _check_model(checks: Checks, part: PrivacyModel, classes: Classes) -> None:
    required = {name: value for name, value in plain_model(part).items() if name not in ("model", *VALUES)}
    measured: dict[str, Any] | None = part.reached(classes)
    if part.compares_with_table and checks.tables.lost:
        measured = None  # it would disclose something about the sensitive values of dropped rows
    figures = ", ".join(f"{name} = {_figure(value)}" for name, value in (measured or {}).items())
    checks.holds(str(part), required, measured, part.words(classes.noun) + (f" Reached: {figures}." if figures else ""))


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{_figure(figure)} of “{name}”" for name, figure in value.items())
    return "none" if value is None else str(value)


def _check_loss(checks: Checks, hidden: NDArray[np.bool_], report: Report) -> None:
    """Compute the loss (LM) from the labels; its minimum and maximum differ if a label can be read in two ways."""
    tables = checks.tables
    total, suppressed = len(tables.kept), checks.suppressed - tables.lost
    bounds = {}
    for name, cells in checks.losses.items():
        spare = np.sort(1 - cells[hidden], axis=0)
        # This many of the hidden rows lose everything, whatever their labels alone would mean.
        more = [spare[:suppressed, 0].sum(), spare[::-1][:suppressed, 1].sum()]
        bounds[name] = [float(cells[:, end].sum() + tables.lost + more[end]) / total for end in (0, 1)]
    mean = [sum(bound[end] for bound in bounds.values()) / len(bounds) for end in (0, 1)]
    if report is not None:
        losses = {name: report["loss_by_attribute"].get(name) for name in bounds}
        checks.figures |= {"loss": report["metrics"]["loss"], "loss_by_attribute": losses}
        for name, bound in bounds.items():
            _check_reported_loss(checks, f"the loss of {name!r}", losses[name], bound)
        _check_reported_loss(checks, "the loss", report["metrics"]["loss"], mean)
    elif mean[1] - mean[0] <= LOSS_TOLERANCE:
        by_attribute = {name: bound[0] for name, bound in bounds.items()}
        checks.figures |= {"loss": mean[0], "loss_by_attribute": by_attribute}
    low, high = (float(f"{end:.6f}") for end in mean)
    if checks.suppressed:
        sentence = "The loss is in the case only, since it would disclose something about suppressed rows."
        checks.holds("loss", None, None, sentence)
    elif low == high:
        checks.holds("loss", None, low, f"The loss (LM) is {low:.6f} per cell.")
    else:
        checks.holds("loss", None, [low, high], f"The loss (LM) is between {low:.6f} and {high:.6f} per cell.")


def _check_reported_loss(checks: Checks, name: str, loss: Any, bounds: list[float]) -> None:
    """Check that a reported loss lies within the bounds computed from the labels."""
    low, high = bounds
    if not isinstance(loss, int | float) or not low - LOSS_TOLERANCE <= loss <= high + LOSS_TOLERANCE:
        actual = f"{low:.9f}" if f"{low:.9f}" == f"{high:.9f}" else f"between {low:.9f} and {high:.9f}"
        checks.failures.append(f"The report gives {name} as {loss}, and it is {actual}.")


def _check_report(checks: Checks, report: Mapping[str, Any]) -> None:
    """Check that the report is about this table and request, and that its figures are those of the release."""
    for name in FIGURES:
        if report[name] != checks.figures[name]:
            checks.failures.append(f"The report says {name} = {report[name]}, and it is {checks.figures[name]}.")
    reported, request = report["parameters"], checks.tables.request
    # The algorithm and its trees are not requested, so whatever is reported holds.
    asked = parameters_of(request, reported.get("algorithm"), reported["hierarchies"], checks.tables.budget)
    for name, value in asked.items():
        if (stated := reported.get(name)) != value:
            checks.failures.append(f"The report is about {name} = {stated!r}, and the request is {value!r}.")
    original = report["input"]
    if original.get("sha256_of") == "file" and original.get("sha256") != checks.tables.original.checksum():
        checks.failures.append("The report is about another original: its SHA-256 differs.")
    checksum = checks.tables.released.checksum()
    if report.get("release", {}).get("sha256", checksum) != checksum:
        checks.failures.append("The report is about another release: its SHA-256 differs.")
    if not checks.failures:
        checks.holds("report", None, None, "The figures of the report were computed again and are the same.")
