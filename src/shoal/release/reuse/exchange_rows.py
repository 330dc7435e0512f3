"""Moves of rows between classes that cover them, so that failing classes gain rows and the loss shrinks."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms.judge import Judge, judge_of
from shoal.data.rows import blocks
from shoal.data.table import Table
from shoal.models import PrivacyModel
from shoal.release.reuse.fitting import Boxes

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
MAX_COUNTS = 1 << 27  # of sensitive values, held in memory
MAX_WORK = 1 << 30  # rows visited in total
MAX_TRIED = 256  # rows that are tried together
MAX_CHAIN = 500  # classes that the search for a chain of moves visits
MAX_SETTLED = 20_000  # rows that may move at the end
Move = tuple[int, int]  # a row, and the class that it goes to


@dataclass(eq=False)
class Crowd:
    """The rows of a table that fit several boxes; every move is checked against the model."""

    boxes: Boxes
    judge: Judge
    codes: Ints  # of the distinct rows
    place: Ints  # of each row among the distinct rows
    count: int  # of classes
    work: int = 0
    _cells: Longs = field(init=False)
    _own: list[Longs] = field(init=False)  # the boxes of each class
    _order: Longs = field(init=False)  # the rows by their place, those of each from `_starts` on
    _starts: Longs = field(init=False)
    _rows: dict[int, Longs] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table, model: PrivacyModel, boxes: Boxes, codes: Ints, place: Ints, count: int) -> Crowd | None:
        """Collect the rows with their sensitive values; return None if the counts of these do not fit into memory."""
        judge = judge_of(table, model)
        return cls(boxes, judge, codes, place, count) if judge.size * count <= MAX_COUNTS else None

    def __post_init__(self) -> None:
        self._cells = self.boxes.cells_of(self.codes)
        self._order = np.argsort(self.place, kind="stable")
        self._starts = np.searchsorted(self.place[self._order], np.arange(len(self.codes) + 1))
        order = np.argsort(self.boxes.classes, kind="stable")
        self._own = np.split(order, np.searchsorted(self.boxes.classes[order], np.arange(1, self.count)))

    def fill(self, ids: Ints, failing: Longs) -> None:
        """Let each failing class take rows that it covers, the largest class first."""
        self._start(ids)
        sizes = self.counts.sum(axis=1)
        for number in failing[np.lexsort((failing, -sizes[failing]))].tolist():
            if self.work < MAX_WORK:
                self._fill(number)

    def settle(self, ids: Ints, best: Ints) -> None:
        """Move rows to the box with the least loss, those that gain most first, if both classes allow it."""
        cost = np.append(self.boxes.cost, 0.0)  # −1 takes the last
        gain = np.where(ids >= 0, cost[ids] - cost[best], 0.0)
        rows = np.lexsort((np.arange(gain.size), -gain))[:MAX_SETTLED]
        self._start(ids)
        for row in rows[gain[rows] > 0].tolist():
            target, value = int(self.boxes.classes[best[row]]), self.judge.values[row]
            if target != self.classes[row]:
                pair = self.counts[[self.classes[row], target]]
                pair[0, value] -= 1
                pair[1, value] += 1
                if pair.any(axis=1).all() and self.judge.satisfied(pair).all():
                    self._move([(row, target)])

    def _start(self, ids: Ints) -> None:
        self.ids = ids
        self.classes = np.append(self.boxes.classes, np.int32(-1))[ids]
        self.counts = self.judge.histogram(self.classes, self.count)

    def _fill(self, number: int) -> None:
        """Let a class take rows until it satisfies the model; undo the moves if it cannot."""
        moved: list[Move] = []
        # If any row, whatever its value, may help a class to satisfy the model, chains of moves pay.
        chains = self.judge.model.monotone_with_suppression
        while not self._satisfied([number]):
            moves = self._direct(number) or (self._chain(number) if chains else [])
            if not moves or self.work >= MAX_WORK:
                self._move(moved[::-1])
                return
            moved += self._move(moves)

    def _satisfied(self, numbers: list[int]) -> bool:
        counts = self.counts[numbers]
        return bool(self.judge.satisfied(counts[counts.any(axis=1)]).all()) if counts.any() else False

    def _direct(self, number: int) -> list[Move]:
        """Find rows of classes that can spare them, one per class: as many as suffice, or all."""
        rows = self._elsewhere(number)
        rows = rows[self._can_leave(rows)]
        if not rows.size:
            return []
        values, own = self.judge.values[rows], self.counts[number]
        # Sensitive values that are rarest in the class come first, then rows with the largest loss.
        order = np.lexsort((rows, -self.boxes.cost[self.ids[rows]], own[values]))
        _, first = np.unique(self.classes[rows[order]], return_index=True)
        chosen = order[np.sort(first)[:MAX_TRIED]]
        more = np.zeros((chosen.size, self.judge.size), np.int64)
        more[np.arange(chosen.size), values[chosen]] = 1
        enough = self.judge.satisfied(own + np.cumsum(more, axis=0))
        last = int(np.argmax(enough)) + 1 if enough.any() else chosen.size
        return [(row, number) for row in rows[chosen[:last]].tolist()]

    def _chain(self, number: int) -> list[Move]:
        """Gain one row by a chain of moves: each class gives a row to the previous one, and the last can spare it."""
        via: dict[int, Move] = {number: (-1, -1)}
        queue = [number]
        for taker in queue:
            if len(via) > MAX_CHAIN:
                break
            rows = self._elsewhere(taker)
            rows = rows[~np.isin(self.classes[rows], list(via))]
            can = self._can_leave(rows)
            order = np.lexsort((rows, ~can))
            givers, first = np.unique(self.classes[rows[order]], return_index=True)
            for giver, at in zip(givers.tolist(), order[first].tolist(), strict=True):
                via[giver] = (int(rows[at]), taker)
                queue.append(giver)
                if can[at]:
                    return self._followed(number, giver, via)
        return []

    def _followed(self, number: int, giver: int, via: dict[int, Move]) -> list[Move]:
        """Return the moves of a chain, if the classes on the way that satisfy the model still do so afterwards."""
        moves, passed = [], []
        while giver != number:
            moves.append(via[giver])
            passed += [giver] * self._satisfied([giver])
            giver = via[giver][1]
        back = self._move(moves)
        satisfied = self._satisfied(passed)
        self._move(back[::-1])
        return moves if satisfied else []

    def _elsewhere(self, number: int) -> Longs:
        """Return the rows of other classes that a class covers."""
        if number not in self._rows:
            inside = np.zeros(len(self.codes), np.bool_)
            for box in self._own[number].tolist():
                inside |= self.boxes.inside(self.codes, self._cells, box)
            which = np.flatnonzero(inside)
            parts = [self._order[self._starts[at] : self._starts[at + 1]] for at in which.tolist()]
            self._rows[number] = np.sort(np.concatenate(parts)) if parts else which
            self.work += len(self.codes)
        rows = self._rows[number]
        self.work += rows.size
        return np.asarray(rows[(self.classes[rows] != number) & (self.classes[rows] >= 0)])

    def _can_leave(self, rows: Longs) -> NDArray[np.bool_]:
        """Flag the rows whose class satisfies the model without them."""
        size = self.judge.size
        keys = self.classes[rows].astype(np.int64) * size + self.judge.values[rows]
        pairs, back = np.unique(keys, return_inverse=True)
        satisfied = np.zeros(pairs.size, np.bool_)
        for part in blocks(pairs.size, size):
            left = self.counts[pairs[part] // size]
            left[np.arange(len(left)), pairs[part] % size] -= 1
            occupied = left.any(axis=1)
            satisfied[part][occupied] = self.judge.satisfied(left[occupied])
        return satisfied[back]

    def _move(self, moves: list[Move]) -> list[Move]:
        """Move rows; return the moves that undo this, in the same order."""
        back = []
        for row, number in moves:
            value, before = self.judge.values[row], int(self.classes[row])
            back.append((row, before))
            self.counts[before, value] -= 1
            self.counts[number, value] += 1
            self.classes[row] = number
            self.ids[row] = self._box(row, number)
        return back

    def _box(self, row: int, number: int) -> int:
        """Return the first box of a class that covers a row."""
        at = int(self.place[row])
        own = self._own[number]
        if own.size == 1:
            return int(own[0])
        codes, cells = self.codes[at : at + 1], self._cells[at : at + 1]
        return next(int(box) for box in own if self.boxes.inside(codes, cells, int(box))[0])
