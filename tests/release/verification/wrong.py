"""Wrong releases: each function spoils a correct one. None of them may be accepted, by any engine or format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from shoal import Hierarchy, KAnonymity, Mondrian
from shoal.data.domain import Ranges, Sets

ROWS = 60
KEY = "a key of at least sixteen bytes"
JOBS = Hierarchy.from_nested({"care": ["nurse", "doctor"], "craft": ["smith", "baker"]})
TABLE = pa.table(
    {
        "id": [f"P{row:03}" for row in range(ROWS)],
        "card": [f"card{row // 2}" if row % 7 else None for row in range(ROWS)],
        "age": pa.array([20 + row * 7 % 45 for row in range(ROWS)], pa.int64()),
        "job": [("nurse", "doctor", "smith", "baker")[row % 4] for row in range(ROWS)],
        "town": [("Ulm", "Köln", "Bonn", "Trier", "Hamm")[row * 3 % 5] for row in range(ROWS)],
        "ill": [("flu", "cold", "gout")[row * 5 % 3] for row in range(ROWS)],
        "note": [f"note {row}" if row % 9 else None for row in range(ROWS)],
        "cost": pa.array([row + 0.25 if row % 11 else None for row in range(ROWS)], pa.float64()),
    }
)
ASKED: dict[str, Any] = {
    "quasi_identifiers": ["age", "job", "town"],
    "sensitive": "ill",
    "identifying": "id",
    "pseudonymize": "card",
    "keep": "note",
    "rows_are_people": True,  # two rows have the same card, and it is the pseudonyms that are tested
    "key": KEY,
    "hierarchies": {"job": JOBS},
    "model": KAnonymity(4),
}
AGE, JOB, TOWN = 0, 1, 2  # the quasi-identifiers by number: a range, a node of a tree, a set

Change = Callable[[pa.Table], pa.Table]


def column(table: pa.Table, name: str, cells: Any) -> pa.Table:
    """Replace the cells of one column."""
    kept = pa.array(cells) if isinstance(cells, list) else cells
    return table.set_column(table.schema.names.index(name), name, kept)


def cell(name: str, value: Any, *, row: int | None = None) -> Change:
    """Change the cell of a row, or the first cell that is neither missing nor equal to the value."""

    def change(table: pa.Table) -> pa.Table:
        cells = table[name].to_pylist()
        at = row if row is not None else next(at for at, had in enumerate(cells) if had != value and had is not None)
        cells[at] = value
        return column(table, name, pa.array(cells, table[name].type))

    return change


def filled(name: str, value: Any) -> Change:
    """Fill the first missing cell."""
    return lambda table: cell(name, value, row=table[name].to_pylist().index(None))(table)


def two_swapped(name: str) -> Change:
    """Swap two different cells of a column."""

    def change(table: pa.Table) -> pa.Table:
        cells = table[name].to_pylist()
        return of_column(name, swapped(0, next(at for at, had in enumerate(cells) if had != cells[0])))(table)

    return change


def order(rows: Callable[[int], Any]) -> Change:
    """Select rows, in any order."""
    return lambda table: table.take(pa.array(rows(len(table))))


def of_column(name: str, rows: Callable[[int], Any]) -> Change:
    """Reorder one column."""
    return lambda table: column(table, name, table[name].take(pa.array(rows(len(table)))))


def cast(name: str, kind: pa.DataType) -> Change:
    """Change the type of a column."""
    return lambda table: column(table, name, table[name].cast(kind))


def swapped(first: int, second: int) -> Callable[[int], Any]:
    """Swap two rows."""

    def rows(count: int) -> Any:
        found = np.arange(count)
        found[[first, second]] = found[[second, first]]
        return found

    return rows


def rolled(count: int) -> Any:
    """Rotate the rows by one."""
    return np.roll(np.arange(count), 1)


def _first(table: pa.Table, name: str, labels: tuple[str, ...]) -> int:
    """Return the first row that shows one of these labels."""
    return next(row for row, label in enumerate(table[name].to_pylist()) if label in labels)


def _renamed(table: pa.Table) -> pa.Table:
    return table.rename_columns(["diagnosis" if name == "ill" else name for name in table.column_names])


def _labels_rolled(table: pa.Table) -> pa.Table:
    """Keep the size of every class: the case that SPEC §8 names."""
    for name in ("age", "job", "town"):
        table = of_column(name, rolled)(table)
    return table


def _cards(change: Callable[[list[Any]], list[Any]]) -> Change:
    return lambda table: column(table, "card", pa.array(change(table["card"].to_pylist()), pa.string()))


def _one_card(cards: list[Any]) -> list[Any]:
    """Give two people the same pseudonym."""
    first, second = list(dict.fromkeys(card for card in cards if card))[:2]
    return [first if card == second else card for card in cards]


def _two_cards(cards: list[Any]) -> list[Any]:
    """Give one person two pseudonyms."""
    twice = next(card for card in cards if card and cards.count(card) > 1)
    at = cards.index(twice)
    return [*cards[:at], "0" * 32, *cards[at + 1 :]]


def _filled(cards: list[Any]) -> list[Any]:
    return [card or "f" * 32 for card in cards]


# What is done to the released table. Names with "typed" need a format that has types.
TABLES: dict[str, Change] = {
    "a row is lost": order(lambda count: np.arange(count - 1)),
    "a row in the middle is lost": order(lambda count: np.delete(np.arange(count), 7)),
    "a row is doubled": order(lambda count: np.append(np.arange(count), 5)),
    "a row stands in for another": order(lambda count: np.where(np.arange(count) == 8, 9, np.arange(count))),
    "two rows are swapped": order(swapped(3, 15)),
    "all rows are reversed": order(lambda count: np.arange(count)[::-1]),
    "the labels are rolled by one row": _labels_rolled,
    "the labels of a column are rolled": of_column("town", rolled),
    "two labels are swapped": two_swapped("age"),
    "a label is another range": cell("age", "1-2", row=0),
    "a label is another node": lambda table: cell(
        "job", "craft", row=_first(table, "job", ("nurse", "doctor", "care"))
    )(table),
    "a label is another leaf": lambda table: cell(
        "job", "baker", row=_first(table, "job", ("nurse", "doctor", "smith", "care"))
    )(table),
    "a label is a set without the value": cell("town", "Paris | Rome", row=0),
    "a label is empty": cell("town", "", row=0),
    "a label is of another column": lambda table: column(table, "age", table["town"]),
    "a column shows one leaf": lambda table: column(table, "job", ["nurse"] * len(table)),
    "the sensitive column is reversed": of_column("ill", lambda count: np.arange(count)[::-1]),
    "two sensitive cells are swapped": two_swapped("ill"),
    "a sensitive cell is another": cell("ill", "none"),
    "a sensitive cell is missing": cell("ill", None),
    "a passed-on cell is another": cell("note", "SECRET"),
    "a passed-on cell is missing": cell("note", None),
    "a missing cell is filled": filled("note", "P000"),
    "a number is another": cell("cost", 99.5),
    "a missing number is filled": filled("cost", 0.0),
    "passed-on cells are permuted": of_column("note", rolled),
    "an identifying column is kept": lambda table: table.add_column(0, "id", TABLE["id"]),
    "an identifying column is kept under another name": lambda table: table.append_column("x", TABLE["id"]),
    "an identifying column is in place of another": lambda table: column(table, "note", TABLE["id"]),
    "a column is lost": lambda table: table.drop_columns(["note"]),
    "a sensitive column is lost": lambda table: table.drop_columns(["ill"]),
    "a column is renamed": _renamed,
    "columns are in another order": lambda table: table.select(table.column_names[::-1]),
    "two columns swap their names": lambda table: table.rename_columns(
        [{"ill": "note", "note": "ill"}.get(name, name) for name in table.column_names]
    ),
    "a column is invented": lambda table: table.append_column("row", pa.array(map(str, range(len(table))))),
    "pseudonyms are the values": lambda table: column(table, "card", TABLE["card"]),
    "two values have one pseudonym": _cards(_one_card),
    "a value has two pseudonyms": _cards(_two_cards),
    "a missing value has a pseudonym": _cards(_filled),
    "pseudonyms are rolled": of_column("card", rolled),
    "raw values of a quasi-identifier": lambda table: column(table, "town", TABLE["town"]),
    "raw numbers of a quasi-identifier": lambda table: column(table, "age", TABLE["age"].cast(pa.string())),
}
TYPED: dict[str, Change] = {
    "numbers become text": cast("cost", pa.string()),
    "numbers become finer": cast("cost", pa.float32()),
    "text becomes binary": cast("note", pa.binary()),
    "raw numbers keep their type": lambda table: column(table, "age", TABLE["age"]),
}


@dataclass(frozen=True)
class Answering:
    """Mondrian with a changed answer."""

    change: Callable[[Any, Any], Any]

    name = "mondrian"
    suppresses = True
    needs_hierarchies = False

    def recode(self, table: Any, model: Any, **options: Any) -> Any:
        """Return Mondrian's answer, changed."""
        return self.change(table, Mondrian().recode(table, model, **options))

    def __str__(self) -> str:
        return "wrong"


def _ids(change: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda table, found: replace(found, ids=change(found.ids.copy()).astype(np.int32))


def _one(value: Callable[[Any], int], row: int = 0) -> Callable[[Any, Any], Any]:
    def change(ids: Any) -> Any:
        ids[row] = value(ids)
        return ids

    return _ids(change)


def _shown(at: int, change: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def answer(table: Any, found: Any) -> Any:
        shown = list(found.shown)
        shown[at] = change(shown[at])
        return replace(found, shown=tuple(shown))

    return answer


def _fewer_members(sets: Sets) -> Sets:
    """Remove the first member of each set with several members."""
    keep = [codes[1:] if len(codes) > 1 else codes for codes in np.split(sets.codes, sets.starts[1:-1])]
    starts = np.cumsum([0, *map(len, keep)]).astype(np.int64)
    return Sets(starts, np.concatenate(keep).astype(np.int32))


def _rolled_sets(sets: Sets) -> Sets:
    keep = np.split(sets.codes, sets.starts[1:-1])
    keep = [*keep[1:], keep[0]]
    return Sets(np.cumsum([0, *map(len, keep)]).astype(np.int64), np.concatenate(keep).astype(np.int32))


# What an algorithm answers.
ANSWERS: dict[str, Callable[[Any, Any], Any]] = {
    "a row in a class that does not cover it": _one(lambda ids: int((ids[0] + 1) % (ids.max() + 1))),
    "two rows in each other's class": _ids(
        lambda ids: ids[swapped(0, int(np.flatnonzero(ids != ids[0])[0]))(ids.size)]
    ),
    "classes rolled by one row": _ids(lambda ids: np.roll(ids, 1)),
    "classes shuffled": _ids(lambda ids: np.random.RandomState(1).permutation(ids)),
    "a class that is not there": _one(lambda ids: int(ids.max() + 7)),
    "a class below all": _one(lambda ids: -5),
    "rows suppressed beyond the limit": _ids(lambda ids: np.where(np.arange(ids.size) < 9, -1, ids)),
    "all rows suppressed": _ids(lambda ids: np.full_like(ids, -1)),
    "an answer for fewer rows": _ids(lambda ids: ids[:-1]),
    "an answer for more rows": _ids(lambda ids: np.append(ids, ids[0])),
    "each row a class": _ids(lambda ids: np.arange(ids.size) % (ids.max() + 1)),
    "ranges narrowed from below": _shown(
        AGE, lambda ranges: Ranges(np.minimum(ranges.low + 1, ranges.high), ranges.high)
    ),
    "ranges narrowed from above": _shown(
        AGE, lambda ranges: Ranges(ranges.low, np.maximum(ranges.high - 1, ranges.low))
    ),
    "ranges of another class": _shown(AGE, lambda ranges: Ranges(np.roll(ranges.low, 1), np.roll(ranges.high, 1))),
    "ranges turned around": _shown(AGE, lambda ranges: Ranges(ranges.high, ranges.low)),
    "ranges beyond the values": _shown(AGE, lambda ranges: Ranges(ranges.low, ranges.high + 1000)),
    "nodes of another class": _shown(JOB, lambda nodes: np.roll(nodes, 1)),
    "one leaf for all": _shown(JOB, lambda nodes: np.full_like(nodes, int(JOBS.leaf_nodes[0]))),
    "nodes beyond the tree": _shown(JOB, lambda nodes: nodes + np.int32(100)),
    "sets without a member": _shown(TOWN, _fewer_members),
    "sets of another class": _shown(TOWN, _rolled_sets),
    "what fewer classes show": _shown(JOB, lambda nodes: nodes[:-1]),
}
