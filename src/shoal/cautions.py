"""Cautions: what a release that keeps its promise may still give away."""

from __future__ import annotations

from dataclasses import dataclass

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.domain import RangeDomain, SetDomain, TreeDomain
from shoal.encoding import NUMBER
from shoal.errors import InputError
from shoal.hierarchy import Hierarchy
from shoal.labels import Style
from shoal.models import PrivacyModel
from shoal.models.distinct_diversity import distinct_values
from shoal.roles import Roles
from shoal.source import Source
from shoal.table import Classes, Table

UNIQUE_SHARE = 0.5  # a column passed on with more different values than this share of the rows is pointed out
FEW_ROWS = 20  # in smaller tables shares say nothing


@dataclass(frozen=True)
class Caution:
    """A weak point in a sentence, and the same for everybody where the sentence names values of the table."""

    sentence: str
    without_values: str = ""

    @property
    def public(self) -> str:
        """The sentence that may be published with the release."""
        return self.without_values or self.sentence


def cautions(
    source: Source, roles: Roles, table: Table, classes: Classes, model: PrivacyModel, style: Style
) -> list[Caution]:
    """The weak points of a release, one sentence each."""
    of_rows = [*_identifying(source, roles), *_index(source), *_sorted(table)]
    return cautions_by_values(roles, table, classes, model, style) + of_rows


def cautions_by_values(
    roles: Roles, table: Table, classes: Classes, model: PrivacyModel, style: Style
) -> list[Caution]:
    """The weak points that different rows with their weights show."""
    return [
        *_homogeneous(roles, classes, model),
        *_ambiguous(table, style),
        *_almost_numbers(table),
        *_tiny(table, model),
    ]


def _homogeneous(roles: Roles, classes: Classes, model: PrivacyModel) -> list[Caution]:
    if model.uses_sensitive:
        return []
    found = []
    for name in roles.sensitive:
        same = distinct_values(classes, name) == 1
        rows = int(classes.sizes[same].sum())
        if rows:
            found.append(
                Caution(
                    f"{model} does not protect {name!r}: {_classes(int(same.sum()), rows)} one value. "
                    f"Ask for diversity too."
                )
            )
    return found


def _classes(count: int, rows: int) -> str:
    return f"{count} classes ({rows} rows) hold" if count > 1 else f"1 class ({rows} rows) holds"


def _identifying(source: Source, roles: Roles) -> list[Caution]:
    if len(source) < FEW_ROWS:
        return []
    named = {*roles.quasi, *roles.sensitive, *roles.identifying, *roles.pseudonymized}
    found = []
    for name in source.columns:
        if name in named:
            continue
        distinct = _distinct(source, name)
        if distinct > UNIQUE_SHARE * len(source):
            found.append(passed_on(name, distinct, f"{len(source)} rows"))
    return found


def passed_on(name: str, distinct: int, rows: str) -> Caution:
    """What is said of a column without a role that tells rows apart."""
    return Caution(
        f"Column {name!r} is released as it is, with {distinct} different values in {rows}: "
        f"it may identify people. Give it a role if so."
    )


def _index(source: Source) -> list[Caution]:
    """A pandas index that is more than row numbers."""
    index = nw.maybe_get_index(source.frame)
    if index is None or len(source) < FEW_ROWS:
        return []
    numbers = index.dtype.kind in "iu" and index.name is None
    distinct = 0 if numbers else index.nunique()
    if distinct <= UNIQUE_SHARE * len(source):
        return []
    return [
        Caution(
            f"The index of the frame is released as it is, with {distinct} different values in {len(source)} rows: "
            f"it may identify people. Drop it if so; a saved file does not hold it."
        )
    ]


def _distinct(source: Source, name: str) -> int:
    """The number of different values of a column; 0 where they cannot be compared, as lists or mixed types."""
    try:
        return different_values(source.arrow(name))
    except InputError:
        return 0


def different_values(column: pa.ChunkedArray | pa.Array) -> int:
    """The number of different values; 0 where they cannot be compared."""
    try:
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if isinstance(column.type, pa.BaseExtensionType):
            column = column.cast(column.type.storage_type)
        return len(pc.unique(column))
    except pa.ArrowNotImplementedError:
        return 0


def _sorted(table: Table) -> list[Caution]:
    found = []
    for name, domain, column in zip(table.quasi, table.domains, table.codes.T, strict=True):
        steps = np.diff(column)
        in_order = steps.any() and ((steps >= 0).all() or (steps <= 0).all())
        if in_order and isinstance(domain, RangeDomain) and column.size >= FEW_ROWS:
            found.append(sorted_rows(name))
    return found


def sorted_rows(name: str) -> Caution:
    """What is said of rows that keep the order of a column."""
    return Caution(
        f"The rows are sorted by {name!r} and keep their order, which tells more than the released ranges. "
        f"Shuffle the table first."
    )


def _tiny(table: Table, model: PrivacyModel) -> list[Caution]:
    if table.rows >= 2 * model.smallest:
        return []
    return [Caution(f"The table has {table.rows} rows, too few for two classes under {model}: all rows are one class.")]


def _ambiguous(table: Table, style: Style) -> list[Caution]:
    """Labels that also stand for something else: a value outside the group, or a set of other values."""
    found = []
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, TreeDomain) and (group := _misnamed(domain.hierarchy)) is not None:
            same = "as a value and as a group without that value, which a reader cannot tell apart. Rename the group."
            found.append(
                Caution(
                    f"The hierarchy of {name!r} has {group!r} {same}", f"The hierarchy of {name!r} has one name {same}"
                )
            )
        union = next((label for label in domain.labels if style.separator in label), None)
        if isinstance(domain, SetDomain) and union is not None and len(domain) > 1:
            found.append(
                Caution(
                    f"Column {name!r} holds {union!r}, which reads like a set. Choose another separator for sets.",
                    f"Column {name!r} holds a value that reads like a set. Choose another separator for sets.",
                )
            )
    return found


def _misnamed(tree: Hierarchy) -> str | None:
    """A group that bears the name of a value which is not in it."""
    for node in sorted(set(tree.parents.tolist()) - {-1}):
        code = tree.codes.get(tree.labels[node])
        if code is not None and not tree.lows[node] <= code <= tree.highs[node]:
            return str(tree.labels[node])
    return None


def _almost_numbers(table: Table) -> list[Caution]:
    """Columns of numbers that a few other texts have turned into sets."""
    found = []
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, SetDomain):
            others = [label for label in domain.labels if not NUMBER.fullmatch(label)]
            if others and len(others) <= 2 and len(domain) > 3 * len(others):
                rest = "so it is shown as sets. If that means missing, name it as missing, and ranges are shown."
                found.append(
                    Caution(
                        f"Column {name!r} holds numbers and {', '.join(map(repr, others))}, {rest}",
                        f"Column {name!r} holds numbers and some other text, {rest}",
                    )
                )
    return found
