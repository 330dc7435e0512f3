"""Cautions: what a release that keeps its promise may still give away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.domain import SetDomain, TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.table import Classes, Table
from shoal.data.value_order import NUMBER
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.models import PrivacyModel
from shoal.release.row_order import in_order

UNIQUE_SHARE = 0.5  # a column passed on with more different values than this share of the rows is pointed out
FEW_ROWS = 20  # in smaller tables shares say nothing
SHUFFLE = "Release them shuffled (order='shuffled', --shuffle)."
FIRST_SHUFFLE = "Shuffle the table first."  # where a release is written part by part


@dataclass(frozen=True)
class Caution:
    """A weak point in a sentence, and the same for everybody where the sentence tells something of single values.

    A weak point that has both is not published where rows are suppressed, as it may be known of these alone.
    """

    sentence: str
    without_values: str = ""

    @property
    def public(self) -> str:
        """The sentence that may be published with the release."""
        return self.without_values or self.sentence


def cautions(
    source: Source,
    roles: Roles,
    table: Table,
    classes: Classes,
    model: PrivacyModel,
    style: Style,
    *,
    order: str,
    losses: Mapping[str, float],
    suppressed: NDArray[np.bool_],
) -> list[Caution]:
    """The weak points of a release, one sentence each; `losses` are those of the quasi-identifiers."""
    of_rows = _identifying(source, roles)
    if order != "shuffled":
        inside = pa.array(~suppressed) if suppressed.any() else None
        of_rows += [*_index(source), *_sorted(source, roles, table, losses, inside, by_class=order == "classes")]
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
        same = classes.distinct(name) == 1
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


def _sorted(
    source: Source,
    roles: Roles,
    table: Table,
    losses: Mapping[str, float],
    inside: pa.Array | None,
    *,
    by_class: bool,
) -> list[Caution]:
    """Columns whose order the rows have, and whose values the release does not show: others give nothing away.

    Only rows `inside` the classes are looked at, as nothing may be told of suppressed ones.
    """
    if len(source) < FEW_ROWS:
        return []

    def sorted_by(column: pa.ChunkedArray | pa.Array) -> bool:
        return in_order(column if inside is None else column.filter(inside))

    found = []
    for name, domain, codes in zip(table.quasi, table.domains, table.codes.T, strict=True):
        known = pa.array(codes, mask=codes == domain.missing)
        if losses[name] and (sorted_by(known) or sorted_by(source.arrow(name))):
            found.append(sorted_rows(name, by_class=by_class))
    for name in (*roles.identifying, *roles.pseudonymized):
        with suppress(InputError):  # of values that cannot be compared
            if sorted_by(source.arrow(name)):
                found.append(sorted_rows(name, gone=True, by_class=by_class))
    return found


def sorted_rows(
    name: str,
    *,
    gone: bool = False,
    by_class: bool = False,
    rows: str = "The rows",
    instead: str = SHUFFLE,
    suppressed_too: bool = False,
) -> Caution:
    """What is said of rows that keep the order of a column, of which the release shows labels, or nothing.

    Where suppressed rows may be among them, nothing is published of it.
    """
    kept = "keep their order within the classes" if by_class else "keep their order"
    tells = "which tells whose rows they are" if gone else "which tells more than the released labels"
    sentence = f"{rows} are sorted by {name!r} and {kept}, {tells}. {instead}"
    return Caution(sentence, sentence if suppressed_too else "")


def cautions_of_first(rows: pa.Table | pa.RecordBatch, others: Iterable[str], gone: Iterable[str]) -> list[Caution]:
    """What the first rows of a table show of columns without a role, and of those that are removed."""
    first = f"first {len(rows)} rows"
    found = []
    for name in others:
        distinct = different_values(rows.column(name))
        if distinct > UNIQUE_SHARE * len(rows):
            found.append(passed_on(name, distinct, f"the {first}"))
    for name in gone:
        if len(rows) >= FEW_ROWS and in_order(rows.column(name)):
            found.append(sorted_rows(name, gone=True, rows=f"The {first}", instead=FIRST_SHUFFLE, suppressed_too=True))
    return found


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
