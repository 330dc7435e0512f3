"""δ-disclosure privacy: in every class every sensitive value is about as likely as in the whole table.

J. Brickell, V. Shmatikov, The cost of privacy (2008), doi:10.1145/1401890.1401904.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.data.classes import Classes
from shoal.kernels.arrays import Flags, Floats
from shoal.models.exact import MARGIN, exact, fraction, sign_beside_log
from shoal.models.form import Form, Parameter
from shoal.models.sensitive import SensitiveModel, table_counts


@dataclass(frozen=True)
class DeltaDisclosure(SensitiveModel):
    """|log(q / p)| < `delta` for every value of the table, so that each of them occurs in every class.

    Joining classes keeps it, as q lies between theirs; leaving rows out does not.
    """

    delta: float
    sensitive: str | None = None

    name = "delta-disclosure"
    label = "delta = {delta} disclosure"
    promise = (
        "In every class every value of {columns} is about as frequent as in the whole table: the logarithm of the "
        "ratio is below {delta:g}."
    )
    forms = (
        Form(
            "delta<={delta}",
            "Neither more nor less likely (δ-disclosure privacy)",
            "|ln(p(s) / q(s))| < δ for every value s",
            (Parameter("delta", 0.1, 5, 0.1, 1.5, "logarithm of the ratio, below"),),
            aliases=("delta<{delta}",),
        ),
    )
    parameter = "delta"
    strict = True
    monotone = True
    compares_with_table = True

    def __post_init__(self) -> None:
        fraction("delta", self.delta, positive=True)

    def holds(self, classes: Classes, name: str) -> Flags:
        """|ln(q / p)| < δ, with as many digits as it takes if doubles are too near to tell."""
        reached = self.measured(classes, name)
        verdict = reached < float(self.delta)
        counted, overall = table_counts(classes, name)
        bound = exact(self.delta)
        for row in np.flatnonzero(np.abs(reached - float(self.delta)) < MARGIN).tolist():
            own = slice(counted.starts[row], counted.starts[row + 1])
            ratios = [
                (count * overall.size, int(overall.counts[value]) * int(classes.sizes[row]))
                for value, count in zip(counted.values[own].tolist(), counted.counts[own].tolist(), strict=True)
            ]
            verdict[row] = all(sign_beside_log(max(pair), min(pair), bound) < 0 for pair in ratios)
        return verdict

    def measured(self, classes: Classes, name: str) -> Floats:
        """The largest |log(q / p)| of each class; infinite if it lacks a value of the table."""
        counted, overall = table_counts(classes, name)
        ratio = counted.counts * (overall.size / overall.counts[counted.values]) / counted.spread(classes.sizes)
        logs = counted.gathered(np.maximum, np.abs(np.log(ratio)))
        return np.where(counted.lengths == overall.present, logs, np.inf)
