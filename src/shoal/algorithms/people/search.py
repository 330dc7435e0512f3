"""The search for groups of all strata: small strata, and those that fail a model, join others by dropping events."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms.people.grouping import Grouped, group_stratum
from shoal.algorithms.people.joining import Holds, joined
from shoal.algorithms.people.people import People
from shoal.algorithms.people.strata import Stratum
from shoal.errors import InfeasibleError
from shoal.kernels.costs import Space

SMALL = 50  # times k: strata of fewer people may cost less if they join the next one


@dataclass(frozen=True, eq=False)
class Search:
    """Groups of at least k people, within the limit of dropped rows."""

    people: People
    space: Space
    k: int
    max_dropped: int
    seed: int

    def group(self, stratum: Stratum) -> Grouped:
        """Group the people of one stratum."""
        return group_stratum(self.people, self.space, stratum, k=self.k, seed=self.seed)

    def dropped(self, strata: list[Stratum]) -> int:
        """Count the rows that are not released."""
        released = sum(stratum.events * stratum.people.size for stratum in strata)
        return int(self.people.rows.size - released)

    def check(self, strata: list[Stratum]) -> None:
        """Refuse to drop more rows than allowed."""
        needed, rows = self.dropped(strata), self.people.rows.size
        if needed > self.max_dropped:
            raise InfeasibleError(
                f"At least {needed} of {rows} rows must be dropped so that {self.k} people release the same, "
                f"but only {self.max_dropped} may be: allow more, or lower k.",
                achievable=f"{needed} rows dropped",
            )

    def lower(self, grouped: list[Grouped]) -> list[Grouped]:
        """Let small strata join the next one with fewer events if that costs less, from the most events on."""
        event = int(self.space.full.sum())
        kept: list[Grouped] = []
        for at, lower in enumerate(grouped):
            if kept and kept[-1].stratum.people.size < SMALL * self.k:
                upper = kept[-1]
                both = united(lower.stratum, upper.stratum)
                more = upper.stratum.people.size * (upper.stratum.events - lower.stratum.events)
                if self._allowed([*kept[:-1], *grouped[at + 1 :]], both):
                    made = self.group(both)
                    if made.cost + more * event < upper.cost + lower.cost:
                        kept[-1] = made
                        continue
            kept.append(lower)
        return kept

    def satisfy(self, grouped: list[Grouped], holds: Holds) -> list[Grouped]:
        """Join groups until the model holds for all.

        A stratum for which it never holds joins the next one with fewer events, or with more, or is suppressed.
        """
        kept: list[Grouped] = []
        waiting = list(grouped)
        while waiting:
            own = waiting.pop(0)
            if good := self._joined(own, holds):
                kept.append(good)
            elif waiting and (good := self._united(waiting[0], own, holds, [*kept, *waiting[1:]])):
                waiting[0] = good
            elif kept and (good := self._united(own, kept[-1], holds, [*kept[:-1], *waiting])):
                kept[-1] = good
        needed = self.dropped([one.stratum for one in kept])
        if kept and needed <= self.max_dropped:
            return kept
        everyone = Stratum(grouped[-1].stratum.events, np.concatenate([one.stratum.people for one in grouped]))
        suppressed_too = Stratum(int(self.people.events.min()), np.arange(self.people.events.size))
        for stratum in (everyone, suppressed_too):
            if self._allowed([], stratum) and (good := self._joined(self.group(stratum), holds)):
                return [good]
        rows = self.people.rows.size
        raise InfeasibleError(
            f"Groups of {self.k} people for which the model holds were found with {needed} of {rows} rows dropped, "
            f"but only {self.max_dropped} may be: allow more, or ask for a weaker model.",
            achievable=f"{needed} rows dropped",
        )

    def _joined(self, grouped: Grouped, holds: Holds) -> Grouped | None:
        return joined(grouped, self.space, holds, rows=self.people.rows)

    def _united(self, lower: Grouped, upper: Grouped, holds: Holds, others: list[Grouped]) -> Grouped | None:
        """Return both strata as one for which the model holds; None if it does not or drops too many rows."""
        both = united(lower.stratum, upper.stratum)
        return self._joined(self.group(both), holds) if self._allowed(others, both) else None

    def _allowed(self, others: list[Grouped], stratum: Stratum) -> bool:
        return self.dropped([*(other.stratum for other in others), stratum]) <= self.max_dropped


def united(lower: Stratum, upper: Stratum) -> Stratum:
    """Return the people of both strata with the events of the lower one."""
    return Stratum(lower.events, np.concatenate([lower.people, upper.people]))
