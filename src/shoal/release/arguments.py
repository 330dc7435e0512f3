"""What callers may give to anonymize(), checked and made into what it works with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from os import PathLike
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms import ALGORITHMS, Algorithm
from shoal.data import hierarchies as trees
from shoal.data.domain import NumericDomain, Ordered, RangeDomain, TreeDomain
from shoal.data.encoding import Column, Guide, domain_of, read_column
from shoal.data.hierarchies.spec import parse
from shoal.data.hierarchy import Hierarchy
from shoal.data.recoding import Recoding
from shoal.data.roles import Roles, check_column
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InfeasibleError, InputError, VerificationError
from shoal.io.source import Source
from shoal.models import DeltaPresence, PrivacyModel
from shoal.models.population import one_population
from shoal.release.reuse.columns import KeptColumn

Names = str | Iterable[str]
Hierarchies = Mapping[str, Hierarchy | Ordered | str | PathLike[str]] | str | PathLike[str]


class Arguments(TypedDict, total=False):
    """The arguments of anonymize(), which every engine takes."""

    quasi_identifiers: Names
    sensitive: Names
    identifying: Names
    hierarchies: Hierarchies | None
    model: PrivacyModel
    algorithm: Algorithm | str
    max_suppression: float | int
    suppressed: Literal["keep", "drop"]
    order: Literal["rows", "classes", "shuffled"]
    class_column: str | None
    missing_values: Names
    drop_missing: bool
    pseudonymize: Names
    key: bytes | str | None
    style: Style | None


def style_of(style: Style | None, model: PrivacyModel | None = None) -> Style:
    """The label style, the default one if none is given; means are refused where people must fit what is shown."""
    if style is not None and not isinstance(style, Style):
        raise InputError(f"{style!r} is no label style: give one such as shoal.Style(numbers='{{low}} to {{high}}').")
    if style is not None and style.means and model is not None and model.populations:
        raise InputError(f"{model} asks whom of a population a class fits, which its mean does not tell: show ranges.")
    return style or Style()


def texts_of(names: Names | None) -> tuple[str, ...]:
    """One text or several, as several; none for None."""
    found = (names,) if isinstance(names, str) else tuple(names or ()) if isinstance(names, Iterable | None) else (0,)
    if not all(isinstance(name, str) for name in found):
        raise InputError(f"{names!r} should be texts: give one, or a list such as ['?', 'NA'].")
    return tuple(str(name) for name in found)


def check_model(model: PrivacyModel, roles: Roles) -> None:
    """Refuse what is no model, protects nobody, or looks at a sensitive column where there is none."""
    if not isinstance(model, PrivacyModel):
        raise InputError(f"{model!r} is no privacy model: give one such as shoal.KAnonymity(10).")
    if model.trivial:
        raise InputError(f"{model} protects nobody: choose at least 2.")
    if model.uses_sensitive and not roles.sensitive:
        raise InputError(f"The model {model} needs a sensitive column and none is named.")


def population_of(model: PrivacyModel, roles: Roles) -> Source | None:
    """The population table that the model asks about, with all quasi-identifiers."""
    given = one_population(model)
    if given is None:
        return None
    people = Source.of(given)
    for name in roles.quasi:
        if name not in people.columns:
            raise InputError(f"The population has no column {name!r}, which is a quasi-identifier.")
    return people


def check_suppressed(suppressed: str, model: PrivacyModel, max_suppression: float | int) -> None:
    """Refuse an unknown way to treat suppressed rows, or one by which people learn that they are not in the table."""
    if suppressed not in ("keep", "drop"):
        raise InputError(f"suppressed = {suppressed!r} is not known: choose keep or drop.")
    told = [part for part in model.parts if isinstance(part, DeltaPresence) and part.low]
    if suppressed == "drop" and max_suppression and told:
        raise InputError(
            f"Dropped rows would tell people that they are not in the table, which {told[0]} does not allow: "
            f"keep suppressed rows, or suppress none."
        )


def check_order(order: str) -> None:
    """Refuse an unknown order of the rows."""
    if order not in ("rows", "classes", "shuffled"):
        raise InputError(f"order = {order!r} is not known: choose rows, classes or shuffled.")


def check_class_column(name: str | None, columns: Sequence[str], model: PrivacyModel) -> None:
    """Refuse a name for the column of class numbers that is no name or already taken."""
    if name is None:
        return
    if not isinstance(name, str) or not name:
        raise InputError(f"class_column = {name!r} must be the name of a new column.")
    if name in columns:
        raise InputError(f"The table already has a column {name!r}: choose another name for the class numbers.")
    if model.populations:
        raise InputError(f"A column of class numbers cannot be verified with {model}, which asks about a population.")


def check_feasible(table: Table, model: PrivacyModel) -> None:
    """Refuse a model that the table as one class does not satisfy, and say what it reaches."""
    whole = table.whole()
    if not model.satisfied(whole).all():
        reach = model.reach(whole)
        raise InfeasibleError(f"No release of this table can satisfy {model}: {reach}.", achievable=reach)


def check_recoding(recoding: Recoding, table: Table, budget: int) -> None:
    """Refuse an answer for other rows than the table's, or one that suppresses more of them than allowed."""
    if recoding.ids.shape != table.weights.shape:
        raise VerificationError(f"The algorithm answered for {recoding.ids.size} rows of {table.weights.size}.")
    classes = recoding.sizes.size
    if recoding.ids.min(initial=0) < -1 or recoding.ids.max(initial=-1) >= classes:
        raise VerificationError(f"The algorithm put a row into none of its {classes} classes.")
    for name, domain, shown in zip(table.quasi, table.domains, recoding.shown, strict=True):
        if not domain.can_show(shown, classes):
            raise VerificationError(f"The algorithm lets a class show something of column {name!r} that is not there.")
    gone = int(table.weights[recoding.suppressed].sum())
    if gone > budget:
        raise VerificationError(f"The algorithm suppressed {gone} rows, {budget} are allowed.")
    if gone == table.rows:
        raise VerificationError("The algorithm suppressed every row.")


def algorithm_of(algorithm: Algorithm | str) -> Algorithm:
    """The algorithm of a name, or the one that is given."""
    if isinstance(algorithm, str):
        if algorithm not in ALGORITHMS:
            raise InputError(f"There is no algorithm {algorithm!r}: choose from {', '.join(ALGORITHMS)}.")
        return ALGORITHMS[algorithm]()
    if isinstance(algorithm, type) or not hasattr(algorithm, "recode"):
        raise InputError(f"{algorithm!r} is no algorithm: give a name such as 'mondrian', or shoal.Mondrian().")
    return algorithm


def whole_rows(source: Source, roles: Roles, missing: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which rows miss neither a quasi-identifying nor a sensitive value."""
    whole = np.ones(len(source), np.bool_)
    for name in (*roles.quasi, *roles.sensitive):
        whole &= read_column(name, source.arrow(name), missing).places >= 0
    if not whole.any():
        raise InputError(
            "Every row misses a quasi-identifying or sensitive value: nothing is left when such rows are dropped."
        )
    return whole


def guides_of(hierarchies: Hierarchies | None, roles: Roles, columns: Sequence[str]) -> dict[str, Guide]:
    """The hierarchy, order or builder of each quasi-identifier that has one."""
    if hierarchies is None:
        return {}
    if isinstance(hierarchies, Mapping):
        return {name: _guide(name, given) for name, given in _named(hierarchies, roles, columns).items()}
    if not isinstance(hierarchies, str | PathLike):
        raise InputError(f"hierarchies = {hierarchies!r} must be a dictionary by column, or a folder.")
    found = {name: trees.find(hierarchies, name, columns) for name in roles.quasi}
    if not any(found.values()):
        raise InputError(f"{hierarchies}: no file is named for one of the quasi-identifiers ({', '.join(found)}).")
    return {name: Hierarchy.from_file(path) for name, path in found.items() if path is not None}


def tree_of(column: Column, guide: Guide, style: Style) -> Hierarchy | Ordered:
    """The hierarchy or order, built from the values of a column where only a way to build it is given."""
    if isinstance(guide, Hierarchy | Ordered):
        return guide
    domain, _ = domain_of(column, guide, style)
    tree: Hierarchy = domain.hierarchy  # type: ignore[attr-defined]
    return tree


def flat(style: Style) -> Guide:
    """The builder of a tree that shows a value or nothing, for algorithms that need a tree of every column."""
    return lambda counts: Hierarchy.flat(counts, root=style.top)


def meanings(table: Table) -> dict[str, Hierarchy | Ordered]:
    """The trees and orders behind the labels of a release."""
    found: dict[str, Hierarchy | Ordered] = {}
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, TreeDomain):
            found[name] = domain.hierarchy
        elif isinstance(domain, RangeDomain) and not isinstance(domain, NumericDomain):
            found[name] = Ordered(domain.labels)
    return found


def _named(hierarchies: Mapping[str, Any], roles: Roles, columns: Sequence[str]) -> dict[str, Any]:
    """Those for quasi-identifiers; a name that is no column is refused where it may be a slip for one of them."""
    bare = [name for name in roles.quasi if name not in hierarchies]
    for name in hierarchies:
        if name not in columns and get_close_matches(str(name), bare, n=1):
            check_column(name, bare)
    return {name: given for name, given in hierarchies.items() if name in roles.quasi}


def _guide(name: str, given: object) -> Guide:
    if isinstance(given, KeptColumn):
        return given  # type: ignore[return-value]
    if isinstance(given, Hierarchy | Ordered):
        return given
    if isinstance(given, str):
        return parse(given)
    if isinstance(given, PathLike):
        return Hierarchy.from_file(given)
    raise InputError(f"The hierarchy of column {name!r} is {given!r}: give a shoal.Hierarchy, a file or a spelling.")
