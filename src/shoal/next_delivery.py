"""apply(): release the next delivery with the generalization of an earlier release."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Literal

from shoal.analysis.intersection.intersection import intersect
from shoal.api import anonymize
from shoal.data.roles import check_column, names_of
from shoal.data.unit import Unit
from shoal.errors import InputError, PrivacyWarning
from shoal.io.source import Source
from shoal.release.arguments import Names
from shoal.release.release import Release
from shoal.release.reuse.classes import KeptClasses
from shoal.release.reuse.generalization import Generalization, generalization_in, read_generalization
from shoal.release.reuse.record import generalization_of
from shoal.release.review.finding import Finding
from shoal.release.review.review import Review
from shoal.system.close_names import did_you_mean
from shoal.system.mistaken_arguments import answering_mistakes
from shoal.system.progress import Progress


@answering_mistakes("shoal.apply")
def apply(
    earlier: Release | Mapping[str, Any] | str | PathLike[str],
    data: Any,
    *,
    misfits: Literal["suppress", "refuse"] = "suppress",
    max_suppression: float | int | None = None,
    key: bytes | str | None = None,
    against: Sequence[Any] = (),
    rows_are_people: bool | None = None,
    keep: Names = (),
    accept: Names = (),
    progress: Progress | bool | None = None,
) -> Release:
    """Release a table with the equivalence classes of an earlier release, verified like any other release.

    Every row goes to the class that covers it with the least loss; classes that fail the model in this table are
    abandoned. Allow for some suppressed rows: except after full-domain algorithms, classes rarely fit every new row.

    earlier          the earlier release: a Release, the path of its .json report, or that report as a dictionary
    data             a pandas, polars or pyarrow frame, or the path or address of a table
    misfits          suppress rows that are left without a class, or refuse the table
    max_suppression  how many rows may be suppressed, as a share or a number of rows; by default as many as before
    key              the secret key for pseudonyms
    against          earlier released tables of the same people; whatever they reveal together with this release is
                     warned of and reported
    rows_are_people  say that each row is a different person, although values of a column such as an id repeat; by
                     default as before
    keep             columns without another role that you have looked at, besides those of the earlier release
    accept           codes of what the review may find, besides those that were accepted before
    progress         as in `anonymize`

    >>> import shoal
    >>> adult = shoal.datasets.adult()
    >>> first = shoal.anonymize(
    ...     adult[:20_000],
    ...     quasi_identifiers=["age", "sex"],
    ...     identifying=["fnlwgt", "relationship"],  # husbands and wives tell their sex
    ...     model=shoal.KAnonymity(10),
    ... )
    >>> second = shoal.apply(first, adult[20_000:], max_suppression=0.01)
    >>> second.report.k >= 10
    True
    """
    if misfits not in ("suppress", "refuse"):
        close = did_you_mean(misfits, ("suppress", "refuse"))
        raise InputError(f"misfits = {misfits!r} is not known: choose suppress or refuse.{close}")
    generalization, origin = _generalization(earlier)
    source = Source.of(data)
    _check_columns(generalization, source)
    changes: dict[str, Any] = {"max_suppression": max_suppression, "rows_are_people": rows_are_people}
    changes["accept"] = tuple(dict.fromkeys((*generalization.options["accept"], *names_of(accept))))
    release = anonymize(
        source,
        quasi_identifiers=generalization.roles.quasi,
        sensitive=generalization.roles.sensitive,
        identifying=generalization.roles.identifying,
        hierarchies={column.name: column for column in generalization.columns},  # type: ignore[misc]
        model=generalization.model,
        algorithm=KeptClasses(generalization, misfits == "refuse", origin),
        pseudonymize=generalization.roles.pseudonymized,
        keep=dict.fromkeys((*generalization.roles.kept, *names_of(keep))),
        key=key,
        style=generalization.style,
        ranges="tight",  # the classes show what they showed before
        **_people(generalization.unit),
        **generalization.options | {name: value for name, value in changes.items() if value is not None},
        progress=progress,
    )
    return _with_intersection(release, source, against) if len(against) else release


def _people(unit: Unit | None) -> dict[str, Any]:
    """Return the arguments of anonymize() that count the same people again."""
    if unit is None:
        return {}
    return {
        "unit": unit.column,
        "group": unit.group,
        "promise": unit.promise,
        "strict": unit.strict,
        "missing_units": unit.missing,
    }


def _with_intersection(release: Release, source: Source, against: Sequence[Any]) -> Release:
    """Add warnings of what a release reveals together with others; link people by pseudonym, or else by raw values."""
    promise, roles = release.promise, release.request.roles
    tables = [*map(Source.of, against), Source.of(release.frame)]
    shared = [name for name in roles.pseudonymized if all(name in table.columns for table in tables)]
    intersection = intersect(
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
        unit=None if shared or promise.unit is None else promise.unit.column,
    )
    for sentence in intersection.sentences:
        warnings.warn(sentence, PrivacyWarning, stacklevel=4)
    found = (*release.review.findings, *(Finding("intersection", sentence) for sentence in intersection.sentences))
    review = Review.of(found, release.request, unchecked=release.review.unchecked)
    warned = [*release.report.warnings, *intersection.sentences]
    return replace(release, report=replace(release.report, warnings=warned, review=review.to_dict()), review=review)


def _generalization(earlier: object) -> tuple[Generalization, str | None]:
    """Return the generalization of an earlier release, and its file if it was read from one."""
    if isinstance(earlier, Release):
        return generalization_of(earlier), None
    if isinstance(earlier, Mapping):
        return generalization_in(earlier), None
    if isinstance(earlier, str | PathLike):
        return read_generalization(earlier), str(earlier)
    raise InputError(f"{earlier!r} is not an earlier release; give a shoal.Release or the path of its .json report.")


def _check_columns(generalization: Generalization, source: Source) -> None:
    """Refuse a table that lacks a column of the earlier one."""
    whose = generalization.unit.columns if generalization.unit is not None else ()
    for role, names in vars(generalization.roles).items():
        for name in names:
            try:
                check_column(name, source.columns)
            except InputError as error:
                adjective = {"quasi": "quasi-identifying"}.get(role, role)
                earlier = f"had a {adjective} column {name!r}"
                if name in whose:
                    earlier = f"counted the people of column {name!r}, not rows"
                raise InputError(f"The earlier release {earlier}. {error}") from None
