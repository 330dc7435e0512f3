"""δ-disclosure privacy: in every class every sensitive value is about as likely as in the whole table.

J. Brickell, V. Shmatikov, The cost of privacy (2008), doi:10.1145/1401890.1401904.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.errors import InputError
from shoal.models.exact import MARGIN, exact, fraction, sign_beside_log
from shoal.models.model import PrivacyModel
from shoal.models.sensitive import attributes, each, known_counts, reached


@dataclass(frozen=True)
class DeltaDisclosure(PrivacyModel):
    """|log(q / p)| < `delta` for every value of the table, so that each stands in every class.

    Joining classes keeps it, as q lies between theirs; leaving rows out does not.
    """

    delta: float
    sensitive: str | None = None

    monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if fraction("delta", self.delta) == 0:
            raise InputError("delta = 0 cannot be satisfied: choose a number above 0.")

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """|ln(q / p)| < δ, with as many digits as it takes where doubles are too near to tell."""
        return each(self._below(classes, name) for name in attributes(self.sensitive, classes))

    def _below(self, classes: Classes, name: str) -> NDArray[np.bool_]:
        reached = delta(classes, name)
        verdict = reached < float(self.delta)
        counted, overall = known_counts(classes, name)
        bound = exact(self.delta)
        for row in np.flatnonzero(np.abs(reached - float(self.delta)) < MARGIN).tolist():
            own = slice(counted.starts[row], counted.starts[row + 1])
            ratios = [
                (count * overall.rows, int(overall.counts[value]) * int(classes.sizes[row]))
                for value, count in zip(counted.values[own].tolist(), counted.counts[own].tolist(), strict=True)
            ]
            verdict[row] = all(sign_beside_log(max(pair), min(pair), bound) < 0 for pair in ratios)
        return verdict

    def reach(self, whole: Classes) -> str:
        """The whole table satisfies every δ."""
        return reached("delta", whole, attributes(self.sensitive, whole), delta, most=False)

    def __str__(self) -> str:
        return f"delta = {self.delta} disclosure" + (f" of {self.sensitive!r}" if self.sensitive else "")


def delta(classes: Classes, name: str) -> NDArray[np.float64]:
    """The largest |log(q / p)| of each class; infinite where a value of the table is missing."""
    counted, overall = known_counts(classes, name)
    ratio = counted.counts * (overall.rows / overall.counts[counted.values]) / counted.spread(classes.sizes)
    logs = counted.gathered(np.maximum, np.abs(np.log(ratio)))
    return np.where(counted.lengths == overall.present, logs, np.inf)
