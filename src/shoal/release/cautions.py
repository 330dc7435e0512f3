"""Cautions: what a release that keeps its promise may still reveal."""

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

UNIQUE_SHARE = 0.5  # warn of a column without a role if it has more distinct values than this share of the rows
FEW_ROWS = 20  # in smaller tables, shares and orders mean nothing
SHUFFLE = "Release them shuffled (order='shuffled', --shuffle)."
FIRST_SHUFFLE = "Shuffle the table first."  # for engines that write a release in parts


@dataclass(frozen=True)
class Caution:
    """A weak point as a sentence; if the sentence quotes single values, also a version without them.

    A weak point with both versions is not published if rows are suppressed, as it may concern only those rows.
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
    """List the weak points of a release; `losses` has the loss of each quasi-identifier."""
    by_rows = _identifying(source, roles)
    if order != "shuffled":
        inside = pa.array(~suppressed) if suppressed.any() else None
        by_rows += [*_index(source), *_sorted(source, roles, table, losses, inside, by_class=order == "classes")]
    return cautions_by_values(roles, table, classes, model, style) + by_rows


def cautions_by_values(
    roles: Roles, table: Table, classes: Classes, model: PrivacyModel, style: Style
) -> list[Caution]:
    """List the weak points that distinct rows with their weights reveal."""
    return [
        *_homogeneous(roles, classes, model),
        *_ambiguous(table, style),
        *_almost_numbers(table),
        *_tiny(table, model),
    ]


def _homogeneous(roles: Roles, classes: Classes, model: PrivacyModel) -> list[Caution]:
    if model.uses_sensitive:
        return []
    cautions = []
    for name in roles.sensitive:
        same = classes.distinct(name) == 1
        rows = int(classes.sizes[same].sum())
        if rows:
            cautions.append(
                Caution(
                    f"{model} does not protect {name!r}: {_classes(int(same.sum()), rows)} one value. "
                    f"Ask for diversity too."
                )
            )
    return cautions


def _classes(count: int, rows: int) -> str:
    return f"{count} classes ({rows} rows) hold" if count > 1 else f"1 class ({rows} rows) holds"


def _identifying(source: Source, roles: Roles) -> list[Caution]:
    if len(source) < FEW_ROWS:
        return []
    with_role = {*roles.quasi, *roles.sensitive, *roles.identifying, *roles.pseudonymized}
    cautions = []
    for name in source.columns:
        if name in with_role:
            continue
        distinct = _distinct(source, name)
        if distinct > UNIQUE_SHARE * len(source):
            cautions.append(passed_on(name, distinct, f"{len(source)} rows"))
    return cautions


def passed_on(name: str, distinct: int, rows: str) -> Caution:
    """Warn of a column without a role whose values distinguish rows."""
    return Caution(
        f"Column {name!r} is released unchanged, with {distinct} different values in {rows}: "
        f"it may identify people. Give it a role if so."
    )


def _index(source: Source) -> list[Caution]:
    """Warn of a pandas index that is more than row numbers."""
    index = nw.maybe_get_index(source.frame)
    if index is None or len(source) < FEW_ROWS:
        return []
    numbers = index.dtype.kind in "iu" and index.name is None
    distinct = 0 if numbers else index.nunique()
    if distinct <= UNIQUE_SHARE * len(source):
        return []
    return [
        Caution(
            f"The index of the frame is released unchanged, with {distinct} different values in {len(source)} rows: "
            f"it may identify people. Drop it if so; saved files do not contain it."
        )
    ]


def _distinct(source: Source, name: str) -> int:
    """Count the distinct values of a column; return 0 if they cannot be compared, such as lists or mixed types."""
    try:
        return different_values(source.arrow(name))
    except InputError:
        return 0


def different_values(column: pa.ChunkedArray | pa.Array) -> int:
    """Count the distinct values; return 0 if they cannot be compared."""
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
    """Warn of columns that the rows are sorted by and whose values are not released: the order reveals them.

    Only rows `inside` the classes are considered, as nothing may be disclosed about suppressed rows.
    """
    if len(source) < FEW_ROWS:
        return []

    def sorted_by(column: pa.ChunkedArray | pa.Array) -> bool:
        return in_order(column if inside is None else column.filter(inside))

    cautions = []
    for name, domain, codes in zip(table.quasi, table.domains, table.codes.T, strict=True):
        present = pa.array(codes, mask=codes == domain.missing)
        if losses[name] and (sorted_by(present) or sorted_by(source.arrow(name))):
            cautions.append(sorted_rows(name, by_class=by_class))
    for name in (*roles.identifying, *roles.pseudonymized):
        with suppress(InputError):  # of values that cannot be compared
            if sorted_by(source.arrow(name)):
                cautions.append(sorted_rows(name, gone=True, by_class=by_class))
    return cautions


def sorted_rows(
    name: str,
    *,
    gone: bool = False,
    by_class: bool = False,
    rows: str = "The rows",
    instead: str = SHUFFLE,
    suppressed_too: bool = False,
) -> Caution:
    """Warn of rows that are sorted by a column which is generalized in the release, or `gone` from it.

    If suppressed rows may be among them, the caution is not published.
    """
    order = "keep their order within the classes" if by_class else "keep their order"
    effect = "which reveals whose rows they are" if gone else "which reveals more than the released labels"
    sentence = f"{rows} are sorted by {name!r} and {order}, {effect}. {instead}"
    return Caution(sentence, sentence if suppressed_too else "")


def cautions_of_first(rows: pa.Table | pa.RecordBatch, others: Iterable[str], gone: Iterable[str]) -> list[Caution]:
    """List the weak points that the first rows reveal, of columns without a role (`others`) and of those removed."""
    first = f"first {len(rows)} rows"
    cautions = []
    for name in others:
        distinct = different_values(rows.column(name))
        if distinct > UNIQUE_SHARE * len(rows):
            cautions.append(passed_on(name, distinct, f"the {first}"))
    for name in gone:
        if len(rows) >= FEW_ROWS and in_order(rows.column(name)):
            cautions.append(
                sorted_rows(name, gone=True, rows=f"The {first}", instead=FIRST_SHUFFLE, suppressed_too=True)
            )
    return cautions


def _tiny(table: Table, model: PrivacyModel) -> list[Caution]:
    if table.rows >= 2 * model.smallest:
        return []
    return [Caution(f"The table has {table.rows} rows, too few for two classes under {model}: all rows are one class.")]


def _ambiguous(table: Table, style: Style) -> list[Caution]:
    """Warn of labels with a second meaning: a value outside the group, or a set of other values."""
    cautions = []
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, TreeDomain) and (group := _misnamed(domain.hierarchy)) is not None:
            twice = "as a value and as a group without that value, which a reader cannot tell apart. Rename the group."
            cautions.append(
                Caution(
                    f"The hierarchy of {name!r} has {group!r} {twice}",
                    f"The hierarchy of {name!r} has one name {twice}",
                )
            )
        union = next((label for label in domain.labels if style.separator in label), None)
        if isinstance(domain, SetDomain) and union is not None and len(domain) > 1:
            cautions.append(
                Caution(
                    f"Column {name!r} holds {union!r}, which reads like a set. Choose another separator for sets.",
                    f"Column {name!r} holds a value that reads like a set. Choose another separator for sets.",
                )
            )
    return cautions


def _misnamed(tree: Hierarchy) -> str | None:
    """Return a group that has the name of a value outside it, if any."""
    for node in sorted(set(tree.parents.tolist()) - {-1}):
        code = tree.codes.get(tree.labels[node])
        if code is not None and not tree.lows[node] <= code <= tree.highs[node]:
            return str(tree.labels[node])
    return None


def _almost_numbers(table: Table) -> list[Caution]:
    """Warn of columns of numbers that are released as sets because of a few other texts."""
    cautions = []
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, SetDomain):
            others = [label for label in domain.labels if not NUMBER.fullmatch(label)]
            if others and len(others) <= 2 and len(domain) > 3 * len(others):
                advice = "so it is released as sets. If that text means missing, declare it as missing to get ranges."
                cautions.append(
                    Caution(
                        f"Column {name!r} holds numbers and {', '.join(map(repr, others))}, {advice}",
                        f"Column {name!r} holds numbers and some other text, {advice}",
                    )
                )
    return cautions
