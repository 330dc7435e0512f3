"""The arguments of anonymize(): checks and conversions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from os import PathLike
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms import ALGORITHMS, Algorithm
from shoal.data import hierarchies as trees
from shoal.data.column import Column, read_column
from shoal.data.domain import NumericDomain, Ordered, RangeDomain, TreeDomain
from shoal.data.encoding import Guide, domain_of
from shoal.data.hierarchies.spec import parse
from shoal.data.hierarchy import Hierarchy
from shoal.data.recoding import Recoding
from shoal.data.roles import Roles, check_column
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.data.unit import Missing, Promised
from shoal.errors import InfeasibleError, InputError, VerificationError
from shoal.io.source import Source
from shoal.models import PrivacyModel
from shoal.models.population import one_population
from shoal.release.range_ends.kinds import RangeKind
from shoal.release.reuse.columns import KeptColumn
from shoal.system.close_names import did_you_mean

Names = str | Iterable[str]
Dropping = bool | Literal["all"]
Hierarchies = Mapping[str, Hierarchy | Ordered | str | PathLike[str]] | str | PathLike[str]


class Choices(TypedDict, total=False):
    """The arguments of anonymize() that decide what a release shows."""

    quasi_identifiers: Names
    sensitive: Names
    identifying: Names
    hierarchies: Hierarchies | None
    model: PrivacyModel
    algorithm: Algorithm | str
    max_suppression: float | int
    suppressed: Literal["keep", "drop"] | None
    order: Literal["rows", "classes", "shuffled"] | None
    class_column: str | None
    missing_values: Names
    drop_missing: bool | Literal["roles", "all"]
    pseudonymize: Names
    keep: Names
    accept: Names
    style: Style | None
    unit: str | None
    group: str | None
    promise: Promised | None
    strict: bool
    missing_units: Missing
    shift_dates: Names
    rows_are_people: bool
    ranges: RangeKind | None


class Arguments(Choices, total=False):
    """The arguments of anonymize(), which every engine takes."""

    key: bytes | str | None


NEEDED = ("quasi_identifiers", "model")  # of these arguments, the ones without a default


def style_of(style: Style | None, model: PrivacyModel | None = None) -> Style:
    """Return the label style, or the default; refuse means if the model compares classes with a population."""
    if style is not None and not isinstance(style, Style):
        raise InputError(
            f"{style!r} is not a label style; give one such as shoal.Style(numbers='{{low}} to {{high}}')."
        )
    if style is not None and style.means and model is not None and model.populations:
        raise InputError(f"{model} counts the people whom a class fits, which a mean does not show: use ranges.")
    return style or Style()


def texts_of(names: Names | None) -> tuple[str, ...]:
    """Return one text, several or None as a tuple of texts."""
    texts = (names,) if isinstance(names, str) else tuple(names or ()) if isinstance(names, Iterable | None) else (0,)
    if not all(isinstance(name, str) for name in texts):
        raise InputError(f"{names!r} is not text; give a text, or a list of texts such as ['?', 'NA'].")
    return tuple(str(name) for name in texts)


def population_of(model: PrivacyModel, roles: Roles) -> Source | None:
    """Return the population table of the model, if any; refuse one that lacks a quasi-identifier."""
    table = one_population(model)
    if table is None:
        return None
    population = Source.of(table)
    for name in roles.quasi:
        if name not in population.columns:
            raise InputError(f"The population has no column {name!r}, which is a quasi-identifier.")
    return population


def check_feasible(table: Table, model: PrivacyModel) -> None:
    """Refuse a model that even the whole table as one class does not satisfy; say what the table can reach."""
    whole = table.whole()
    if not model.satisfied(whole).all():
        reach = model.reach(whole)
        raise InfeasibleError(f"No release of this table can satisfy {model}: {reach}.", achievable=reach)


def check_recoding(recoding: Recoding, table: Table, budget: int) -> None:
    """Refuse a recoding that does not match the rows of the table, or that suppresses more of them than allowed."""
    if recoding.ids.shape != table.weights.shape:
        rows, wanted = recoding.ids.size, table.weights.size
        raise VerificationError(f"The algorithm assigned classes to {rows} rows, but the table has {wanted}.")
    classes = recoding.sizes.size
    if recoding.ids.min(initial=0) < -1 or recoding.ids.max(initial=-1) >= classes:
        raise VerificationError(f"The algorithm assigned a row to none of its {classes} classes.")
    for name, domain, shown in zip(table.quasi, table.domains, recoding.shown, strict=True):
        if not domain.can_show(shown, classes):
            raise VerificationError(f"The algorithm generalized column {name!r} to something outside its domain.")
    suppressed = int(table.weights[recoding.suppressed].sum())
    if suppressed > budget:
        raise VerificationError(f"The algorithm suppressed {suppressed} rows, but {budget} are allowed.")
    if suppressed == table.rows:
        raise VerificationError("The algorithm suppressed every row.")


def algorithm_of(algorithm: Algorithm | str) -> Algorithm:
    """Return the algorithm with a name, or the algorithm itself."""
    if isinstance(algorithm, str):
        if algorithm not in ALGORITHMS:
            raise InputError(
                f"There is no algorithm {algorithm!r}: choose from {', '.join(ALGORITHMS)}."
                + did_you_mean(algorithm, ALGORITHMS)
            )
        return ALGORITHMS[algorithm]()
    if isinstance(algorithm, type) or not hasattr(algorithm, "recode"):
        raise InputError(f"{algorithm!r} is not an algorithm; give a name such as 'mondrian', or shoal.Mondrian().")
    return algorithm


def whole_rows(source: Source, roles: Roles, missing: tuple[str, ...], drop_missing: Dropping) -> NDArray[np.bool_]:
    """Flag the rows that are not dropped for a missing value."""
    complete = np.ones(len(source), np.bool_)
    for name in columns_to_be_whole(source.columns, roles, drop_missing):
        complete &= read_column(name, source.arrow(name), missing).places >= 0
    check_some_complete(int(complete.sum()), drop_missing)
    return complete


def columns_to_be_whole(columns: Sequence[str], roles: Roles, drop_missing: Dropping) -> tuple[str, ...]:
    """Return the columns in which a missing value drops a row."""
    if not drop_missing:
        return ()
    return tuple(columns) if drop_missing == "all" else (*roles.quasi, *roles.sensitive)


def dropping(choice: object) -> Dropping:
    """Return in which columns a missing value drops a row: in none, in those with a role (True), or in "all"."""
    if choice not in (False, True, "roles", "all"):
        raise InputError(
            f"drop_missing = {choice!r} is not known: choose roles (the same as True), all, or False."
            + did_you_mean(choice, ("roles", "all"))
        )
    return "all" if choice == "all" else bool(choice)


def check_some_complete(rows: int, drop_missing: Dropping = True) -> None:
    """Refuse a table of which no row is complete."""
    if not rows:
        value = "value of some column" if drop_missing == "all" else "quasi-identifying or sensitive value"
        raise InputError(f"Every row misses a {value}: nothing is left when such rows are dropped.")


def guides_of(hierarchies: Hierarchies | None, roles: Roles, columns: Sequence[str]) -> dict[str, Guide]:
    """Return the hierarchy, order or builder of each quasi-identifier that has one."""
    if hierarchies is None:
        return {}
    if isinstance(hierarchies, Mapping):
        return {name: _guide(name, value) for name, value in _of_quasi(hierarchies, roles, columns).items()}
    if not isinstance(hierarchies, str | PathLike):
        raise InputError(f"hierarchies = {hierarchies!r} must be a dictionary by column, or a folder.")
    paths = {name: trees.find(hierarchies, name, columns) for name in roles.quasi}
    if not any(paths.values()):
        raise InputError(f"{hierarchies}: no file is named for one of the quasi-identifiers ({', '.join(paths)}).")
    return {name: Hierarchy.from_file(path) for name, path in paths.items() if path is not None}


def tree_of(column: Column, guide: Guide, style: Style) -> Hierarchy | Ordered:
    """Return the hierarchy or order; if only a builder is given, build it from the values of the column."""
    if isinstance(guide, Hierarchy | Ordered):
        return guide
    domain, _ = domain_of(column, guide, style)
    tree: Hierarchy = domain.hierarchy  # type: ignore[union-attr]
    return tree


def flat(style: Style) -> Guide:
    """Return the builder of a two-level tree, for algorithms that need a hierarchy for every column."""
    return lambda counts: Hierarchy.flat(counts, root=style.top)


def meanings(table: Table) -> dict[str, Hierarchy | Ordered]:
    """Return the hierarchies and orders that give the labels of a release their meaning, by quasi-identifier."""
    by_column: dict[str, Hierarchy | Ordered] = {}
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, TreeDomain):
            by_column[name] = domain.hierarchy
        elif isinstance(domain, RangeDomain) and not isinstance(domain, NumericDomain):
            by_column[name] = Ordered(domain.labels)
    return by_column


def _of_quasi(hierarchies: Mapping[str, Any], roles: Roles, columns: Sequence[str]) -> dict[str, Any]:
    """Return the entries for quasi-identifiers; refuse a name that looks like a misspelled one."""
    without = [name for name in roles.quasi if name not in hierarchies]
    for name in hierarchies:
        if name not in columns and get_close_matches(str(name), without, n=1):
            check_column(name, without)
    return {name: value for name, value in hierarchies.items() if name in roles.quasi}


def _guide(name: str, value: object) -> Guide:
    if isinstance(value, Hierarchy | Ordered | KeptColumn):
        return value  # type: ignore[return-value]
    if isinstance(value, str):
        return parse(value)
    if isinstance(value, PathLike):
        return Hierarchy.from_file(value)
    raise InputError(f"The hierarchy of column {name!r} is {value!r}: give a shoal.Hierarchy, a file or a spelling.")
