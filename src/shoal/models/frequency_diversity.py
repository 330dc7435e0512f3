"""Frequency ℓ-diversity: no sensitive value has more than 1/ℓ of the rows of a class.

J. Goldberger, T. Tassa, Efficient anonymizations with enhanced utility, Transactions on Data Privacy 3(2), 2010,
after R. Wong et al. (2006), doi:10.1145/1150402.1150499.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.data.classes import Classes
from shoal.kernels.arrays import Flags, Floats
from shoal.models.exact import at_most, exact
from shoal.models.form import Form, Parameter
from shoal.models.real_diversity import RealDiversity


@dataclass(frozen=True)
class FrequencyDiversity(RealDiversity):
    """Every value has at most |class| / `l` of the rows of a class; l is a real number from 1."""

    name = "frequency-l"
    label = "frequency l = {l}"
    promise = "In no class does more than one {row} in {l:g} have the same value of {columns}."
    forms = (
        Form(
            "frequency l>={l}",
            "No answer too frequent (frequency ℓ-diversity)",
            "max p(s) ≤ 1/ℓ",
            (Parameter("l", 1.1, 20, 0.1, 2, "at most one row in this many has the same value"),),
        ),
    )

    @property
    def share_limit(self) -> Fraction:
        """1 / ℓ."""
        return 1 / exact(self.l)

    def holds(self, classes: Classes, name: str) -> Flags:
        """Most frequent ≤ size / ℓ."""
        return at_most(classes.counts(name).most, classes.sizes, self.share_limit)

    def measured(self, classes: Classes, name: str) -> Floats:
        """The largest ℓ that each class satisfies: rows / rows of the most frequent value."""
        return np.asarray(classes.sizes / classes.counts(name).most)
