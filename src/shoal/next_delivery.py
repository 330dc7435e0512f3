"""apply(): the generalization of one release applied to the next delivery, and verified there."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Literal

from shoal.analysis.intersection.intersection import intersect
from shoal.api import anonymize
from shoal.data.roles import check_column
from shoal.errors import InputError, PrivacyWarning
from shoal.io.source import Source
from shoal.release.cautions import Caution
from shoal.release.release import Release
from shoal.release.reuse.classes import KeptClasses
from shoal.release.reuse.generalization import Generalization, generalization_in, read_generalization
from shoal.release.reuse.record import generalization_of


def apply(
    earlier: Release | Mapping[str, Any] | str | PathLike[str],
    data: Any,
    *,
    misfits: Literal["suppress", "refuse"] = "suppress",
    max_suppression: float | int | None = None,
    key: bytes | str | None = None,
    against: Sequence[Any] = (),
    progress: Callable[[str, float], None] | None = None,
) -> Release:
    """Release a table with the classes of an earlier release, given as its .json report, as a dictionary or itself.

    Every row goes to the class that covers it and loses least; classes that fail the model here are given up. Rows
    that are left over are suppressed within `max_suppression`, which is that of the earlier release where none is
    given, or refused: say how many may go, as classes other than those of full-domain levels rarely fit every new
    row. The release is verified as any other. `against` are released tables of the same people from before: what they
    reveal together with this one is warned of, and told in the report.

    >>> import shoal
    >>> adult = shoal.datasets.adult()
    >>> first = shoal.anonymize(
    ...     adult[:20_000], quasi_identifiers=["age", "sex"], identifying="fnlwgt", model=shoal.KAnonymity(10)
    ... )
    >>> second = shoal.apply(first, adult[20_000:], max_suppression=0.01)
    >>> second.report.k >= 10
    True
    """
    if misfits not in ("suppress", "refuse"):
        raise InputError(f"misfits = {misfits!r} is not known: choose suppress or refuse.")
    kept, origin = _kept(earlier)
    source = Source.of(data)
    _check_columns(kept, source)
    made = anonymize(
        source,
        quasi_identifiers=kept.roles.quasi,
        sensitive=kept.roles.sensitive,
        identifying=kept.roles.identifying,
        hierarchies={column.name: column for column in kept.columns},  # type: ignore[misc]
        model=kept.model,
        algorithm=KeptClasses(kept, misfits == "refuse", origin),
        max_suppression=kept.max_suppression if max_suppression is None else max_suppression,
        suppressed=kept.suppressed,  # type: ignore[arg-type]
        order=kept.order,  # type: ignore[arg-type]
        class_column=kept.class_column,
        missing_values=kept.missing_values,
        drop_missing=kept.drop_missing,
        pseudonymize=kept.roles.pseudonymized,
        key=key,
        style=kept.style,
        progress=progress,
    )
    return _compared(made, source, against) if len(against) else made


def _compared(made: Release, source: Source, against: Sequence[Any]) -> Release:
    """The release with what it reveals together with others: of people by their pseudonym, else by their raw values."""
    promise, roles = made.promise, made.request.roles
    tables = [*(Source.of(one) for one in against), Source.of(made.frame)]
    shared = [name for name in roles.pseudonymized if all(name in table.columns for table in tables)]
    found = intersect(
        tables,
        None if shared else source,
        quasi_identifiers=roles.quasi,
        sensitive=[name for name in roles.sensitive if all(name in table.columns for table in tables)],
        on=shared[0] if shared else None,
        k=max(1, promise.model.smallest),
        suppressed=list(dict.fromkeys(promise.tops.values())),
        hierarchies=promise.hierarchies,
        missing_values=promise.missing_values,
        style=promise.style,
    )
    for sentence in found.sentences:
        warnings.warn(sentence, PrivacyWarning, stacklevel=3)
    told = [*made.report.warnings, *found.sentences]
    cautions = [*made.cautions, *map(Caution, found.sentences)]
    return replace(made, report=replace(made.report, warnings=told), cautions=cautions)


def _kept(earlier: object) -> tuple[Generalization, str | None]:
    if isinstance(earlier, Release):
        return generalization_of(earlier.basis), None
    if isinstance(earlier, Mapping):
        return generalization_in(earlier), None
    if isinstance(earlier, str | PathLike):
        return read_generalization(earlier), str(earlier)
    raise InputError(f"{earlier!r} is no earlier release: give a shoal.Release or the path of its .json report.")


def _check_columns(kept: Generalization, source: Source) -> None:
    """Refuse a table that lacks a column which the earlier one had."""
    roles = kept.roles
    for role, names in vars(roles).items():
        for name in names:
            try:
                check_column(name, source.columns)
            except InputError as error:
                what = {"quasi": "quasi-identifying"}.get(role, role)
                raise InputError(f"The earlier release had a {what} column {name!r}. {error}") from None
