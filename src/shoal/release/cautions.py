"""Cautions: what a release that keeps its promise may still reveal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import narwhals as nw
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.classes import PEOPLE, ROWS, Classes, Noun
from shoal.data.domain import SetDomain, TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.persons import varying
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.data.value_order import NUMBER
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.models import PrivacyModel
from shoal.release.labelling import Labelling
from shoal.release.request import Request
from shoal.release.row_order import in_order, storage

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


def cautions(source: Source, labelling: Labelling, losses: Mapping[str, float]) -> list[Caution]:
    """List the weak points of a release; `losses` has the loss of each quasi-identifier."""
    request, table, suppressed = labelling.request, labelling.table, labelling.suppressed
    found = cautions_by_values(request, table, table.classes(labelling.ids))
    if len(source) < FEW_ROWS:
        return found
    found += _identifying(source, request.roles)
    if request.order != "shuffled":
        inside = pa.array(~suppressed) if suppressed.any() else None
        found += [*_index(source), *_sorted(source, request, table, losses, inside)]
    return found


def cautions_by_values(request: Request, table: Table, classes: Classes) -> list[Caution]:
    """List the weak points that distinct rows with their weights reveal."""
    model = request.model
    changing = {} if table.units is None else varying(table, table.units)  # one person can be in several classes
    size = noun_of(table).of(table.people)
    few = f"The table has {size}, too few for two classes under {model}: all rows are one class."
    return [
        *(() if model.uses_sensitive else _homogeneous(request.roles, classes, model)),
        *_ambiguous(table, request.style),
        *_almost_numbers(table),
        *([Caution(few)] if table.people < 2 * model.smallest and not changing else []),
        *_found_by_intersection(request, table, changing),
    ]


def _found_by_intersection(request: Request, table: Table, changing: Mapping[str, int]) -> Iterator[Caution]:
    """Warn of sensitive values that are the same in all rows of a person, whose rows are in several classes."""
    if table.units is None or request.unit is None or request.unit.linked or not changing:
        return
    secret = varying(replace(table, quasi=table.sensitive, codes=table.sensitive_codes), table.units)
    for name in table.sensitive:
        if name not in secret:
            others = ", ".join(map(repr, changing))
            yield Caution(
                f"Column {name!r} is the same in all rows of a person, which differ in {others}: whoever knows several "
                f"rows of a person may find the value that their classes have in common. Choose promise='profiles', or "
                f"leave out the columns that differ."
            )


def noun_of(table: Table) -> Noun:
    """Return what the classes of a table count."""
    return ROWS if table.units is None else PEOPLE


def _homogeneous(roles: Roles, classes: Classes, model: PrivacyModel) -> Iterator[Caution]:
    for name in roles.sensitive:
        same = classes.distinct(name) == 1
        count, rows = int(same.sum()), int(classes.rows[same].sum())
        held = f"{count} classes ({rows} rows) hold" if count > 1 else f"1 class ({rows} rows) holds"
        if rows:
            yield Caution(f"{model} does not protect {name!r}: {held} one value. Ask for diversity too.")


def _identifying(source: Source, roles: Roles) -> Iterator[Caution]:
    with_role = {*roles.quasi, *roles.sensitive, *roles.identifying, *roles.pseudonymized}
    for name in source.columns:
        with suppress(InputError):  # of values that cannot be compared, such as mixed types
            if name not in with_role:
                yield from _passed_on(name, source.arrow(name), f"{len(source)} rows")


def _passed_on(name: str, column: pa.ChunkedArray | pa.Array, rows: str) -> Iterator[Caution]:
    """Warn of a column without a role if its values distinguish rows."""
    distinct = _different_values(column)
    if distinct > UNIQUE_SHARE * len(column):
        yield Caution(
            f"Column {name!r} is released unchanged, with {distinct} different values in {rows}: "
            f"it may identify people. Give it a role if so."
        )


def _index(source: Source) -> Iterator[Caution]:
    """Warn of a pandas index that is more than row numbers."""
    index = nw.maybe_get_index(source.frame)
    if index is None or (index.dtype.kind in "iu" and index.name is None):
        return
    distinct = index.nunique()
    if distinct > UNIQUE_SHARE * len(source):
        yield Caution(
            f"The index of the frame is released unchanged, with {distinct} different values in {len(source)} rows: "
            f"it may identify people. Drop it if so; saved files do not contain it."
        )


def _different_values(column: pa.ChunkedArray | pa.Array) -> int:
    """Count the distinct values; return 0 if they cannot be compared, such as lists."""
    try:
        return len(pc.unique(storage(column)))
    except pa.ArrowNotImplementedError:
        return 0


def _sorted(
    source: Source, request: Request, table: Table, losses: Mapping[str, float], inside: pa.Array | None
) -> Iterator[Caution]:
    """Warn of columns that the rows are sorted by and whose values are not released: the order reveals them.

    Only rows `inside` the classes are considered, as nothing may be disclosed about suppressed rows.
    """
    by_class = request.order == "classes"

    def sorted_by(column: pa.ChunkedArray | pa.Array) -> bool:
        return in_order(column if inside is None else column.filter(inside))

    for name, domain, codes in zip(table.quasi, table.domains, table.codes.T, strict=True):
        present = pa.array(codes, mask=codes == domain.missing)
        if losses[name] and (sorted_by(present) or sorted_by(source.arrow(name))):
            yield sorted_rows(name, by_class=by_class)
    for name in (*request.roles.identifying, *request.roles.pseudonymized):
        with suppress(InputError):  # of values that cannot be compared
            if sorted_by(source.arrow(name)):
                yield sorted_rows(name, gone=True, by_class=by_class)


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
    cautions = [caution for name in others for caution in _passed_on(name, rows.column(name), f"the {first}")]
    return cautions + [
        sorted_rows(name, gone=True, rows=f"The {first}", instead=FIRST_SHUFFLE, suppressed_too=True)
        for name in gone
        if len(rows) >= FEW_ROWS and in_order(rows.column(name))
    ]


def _ambiguous(table: Table, style: Style) -> Iterator[Caution]:
    """Warn of labels with a second meaning: a value outside the group, or a set of other values."""
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, TreeDomain) and (group := _misnamed(domain.hierarchy)) is not None:
            twice = "as a value and as a group without that value, which a reader cannot tell apart. Rename the group."
            tree = f"The hierarchy of {name!r} has"
            yield Caution(f"{tree} {group!r} {twice}", f"{tree} one name {twice}")
        union = next((label for label in domain.labels if style.separator in label), None)
        if isinstance(domain, SetDomain) and union is not None and len(domain) > 1:
            advice = "like a set. Choose another separator for sets."
            yield Caution(
                f"Column {name!r} holds {union!r}, which reads {advice}",
                f"Column {name!r} holds a value that reads {advice}",
            )


def _misnamed(tree: Hierarchy) -> str | None:
    """Return a group that has the name of a value outside it, if any."""
    for node in sorted(set(tree.parents.tolist()) - {-1}):
        code = tree.codes.get(tree.labels[node])
        if code is not None and not tree.lows[node] <= code <= tree.highs[node]:
            return str(tree.labels[node])
    return None


def _almost_numbers(table: Table) -> Iterator[Caution]:
    """Warn of columns of numbers that are released as sets because of a few other texts."""
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, SetDomain):
            others = [label for label in domain.labels if not NUMBER.fullmatch(label)]
            if others and len(others) <= 2 and len(domain) > 3 * len(others):
                advice = "so it is released as sets. If that text means missing, declare it as missing to get ranges."
                numbers = f"Column {name!r} holds numbers and"
                yield Caution(
                    f"{numbers} {', '.join(map(repr, others))}, {advice}", f"{numbers} some other text, {advice}"
                )
