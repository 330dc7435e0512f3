"""β-likeness: in no class is a sensitive value much more likely than in the whole table.

J. Cao, P. Karras, Publishing microdata with a robust privacy guarantee (2012), doi:10.14778/2350229.2350255.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.data.classes import ROWS, Classes, Noun, Overall
from shoal.errors import InputError
from shoal.kernels.arrays import Flags, Floats
from shoal.models.caps import Caps
from shoal.models.exact import MARGIN, at_most, exact, fraction, products, sign_beside_log, times
from shoal.models.form import Figure, Form, Parameter
from shoal.models.sensitive import SensitiveModel, table_counts

LIMIT = Parameter("beta", 0.1, 10, 0.1, 1, "times its share, at most")


@dataclass(frozen=True)
class BetaLikeness(SensitiveModel):
    """(q − p) / p ≤ `beta` for every value more frequent in a class than in the table; enhanced: ≤ min(beta, −ln p)."""

    beta: float
    enhanced: bool = False
    sensitive: str | None = None

    name = "beta-likeness"
    forms = (
        Form(
            "beta<={beta}",
            "Little learned of any answer (β-likeness)",
            "(p(s) − q(s)) / q(s) ≤ β",
            (LIMIT,),
            aliases=("basic beta<={beta}",),
            figures=(Figure("beta", "basic beta", {"beta": 1}),),
        ),
        Form(
            "enhanced beta<={beta}",
            "Little learned, frequent answers too (enhanced β-likeness)",
            "(p(s) − q(s)) / q(s) ≤ min(β, −ln q(s))",
            (LIMIT,),
            fixed={"enhanced": True},
            figures=(),
        ),
    )
    parameter = "beta"
    monotone = True
    compares_with_table = True

    def __post_init__(self) -> None:
        if not isinstance(self.enhanced, bool):
            raise InputError(f"enhanced is True or False, not {self.enhanced!r}.")
        if fraction("beta", self.beta) == 0:
            raise InputError("beta = 0 can be satisfied by the whole table alone: choose a number above 0.")

    @property
    def label(self) -> str:  # type: ignore[override]
        """The model in a line."""
        return ("enhanced" if self.enhanced else "basic") + " beta = {beta}"

    def holds(self, classes: Classes, name: str) -> Flags:
        """c N ≤ (1 + β) C n for every value, with c, C its counts and n, N the sizes of class and table."""
        counted, overall = table_counts(classes, name)
        bound, rows, counts = 1 + exact(self.beta), overall.size, overall.counts
        gained, expected = times(counted.counts, rows), products(counts[counted.values], counted.spread(classes.sizes))
        close = at_most(gained, expected, bound)
        if self.enhanced:
            limit = -np.log(counts[counted.values] / rows)
            gain = np.asarray(gained / np.maximum(1, expected) - 1, np.float64)
            likely = (gained <= expected) | (gain <= limit)
            for at in np.flatnonzero((gained > expected) & (np.abs(gain - limit) < MARGIN)).tolist():
                near = Fraction(int(gained[at]), int(expected[at])) - 1
                likely[at] = sign_beside_log(rows, int(counts[counted.values[at]]), near) >= 0
            close &= likely
        return ~counted.gathered(np.logical_or, ~close)

    def caps(self, name: str, overall: Overall) -> Caps | None:
        """No value has more of the rows than its share of the table times 1 + β, or 1 − ln of that share."""
        if overall.people is not None:
            return None
        shares = overall.counts / overall.size
        gain = np.full(shares.size, float(exact(self.beta)))
        if self.enhanced:
            gain[shares > 0] = np.minimum(gain, -np.log(shares, where=shares > 0, out=np.zeros(shares.size)))[
                shares > 0
            ]
        return Caps.of_values(name, shares * (1 + gain), 1.0)

    def measured(self, classes: Classes, name: str) -> Floats:
        """The largest gain (q − p) / p of a value in each class."""
        counted, overall = table_counts(classes, name)
        shares = counted.counts / counted.spread(classes.sizes)
        expected = overall.counts[counted.values] / overall.size
        return np.asarray(np.maximum(counted.gathered(np.maximum, shares / expected - 1), 0.0))

    def words(self, noun: Noun = ROWS) -> str:
        """Say what the model promises."""
        limit = " and by no more than −ln of its share" if self.enhanced else ""
        return (
            f"In no class is a value of {self.column_words} more frequent than in the whole table by more than "
            f"{float(self.beta):g} times its share there{limit}."
        )
