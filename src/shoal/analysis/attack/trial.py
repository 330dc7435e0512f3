"""Trial and Comparison: how often an attack succeeds, and how much more often than on people who are not in the table.

E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927),
doi:10.1080/01621459.1927.10502953. The risk and its interval are those of M. Giomi, F. Boenisch, C. Wehmeyer,
B. Tasnádi, A unified framework for quantifying privacy risk in synthetic data (2023), doi:10.56553/popets-2023-0055.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Trial:
    """A number of guesses, and how many of them were right.

    Where several guesses are equally good, one is drawn: `successes` has the expected number and may be broken.
    """

    attacks: int
    successes: float

    @property
    def rate(self) -> float:
        """The share of guesses that were right; 0 if there was no guess."""
        return self.successes / self.attacks if self.attacks else 0.0

    def wilson(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the centre and half the width of the Wilson interval.

        >>> centre, half = Trial(100, 10).wilson()
        >>> round(centre - half, 4), round(centre + half, 4)
        (0.0552, 0.1744)
        """
        if not self.attacks:
            return 0.5, 0.5
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        total = self.attacks + z * z
        variance = self.successes * (self.attacks - self.successes) / self.attacks
        return (self.successes + z * z / 2) / total, z / total * sqrt(max(0.0, variance) + z * z / 4)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the Wilson interval of the rate."""
        centre, half = self.wilson(confidence)
        return _inside(centre - half), _inside(centre + half)


@dataclass(frozen=True)
class Comparison:
    """The trial of one attack, beside the same attack where the release cannot help.

    about       what was attacked, such as the name of a column
    attack      the attack on people of the release
    control     the same attack on people who are not in it; without any, guesses made without the release
    baseline    guesses made without the release
    held_out    whether the control group are people who were held out
    plain       whether the risk is the plain difference, as for membership, where the control rate is that of false
                alarms: the difference is the advantage over someone who says yes to everybody
    confidence  of the intervals; higher if one experiment makes several comparisons, so that all hold together
    """

    about: str
    attack: Trial
    control: Trial
    baseline: Trial
    held_out: bool
    plain: bool = False
    confidence: float = CONFIDENCE

    @property
    def difference(self) -> float:
        """How much higher the rate is than that of the control."""
        return self.attack.rate - self.control.rate

    @property
    def risk(self) -> float:
        """The excess over the control as a share of what was possible: (attack − control) / (1 − control).

        As in Anonymeter, the rates are the centres of the Wilson intervals.

        >>> nothing = Trial(100, 0)
        >>> round(Comparison("age", Trial(100, 100), nothing, nothing, held_out=True).risk, 3)
        0.981
        """
        return _inside(self._estimate()[0])

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the risk."""
        value, error = self._estimate()
        return _inside(value - error), _inside(value + error)

    @property
    def leaks(self) -> bool:
        """Whether the attack does better than the control beyond chance: the interval of the risk is above 0."""
        return self.interval[0] > 0

    def _estimate(self) -> tuple[float, float]:
        (attack, attack_error), (control, control_error) = (
            trial.wilson(self.confidence) for trial in (self.attack, self.control)
        )
        if self.plain:
            return attack - control, sqrt(attack_error**2 + control_error**2)
        value = (attack - control) / (1 - control)
        by_attack = attack_error / (1 - control)
        by_control = control_error * (attack - 1) / (1 - control) ** 2
        return value, sqrt(by_attack**2 + by_control**2)


def _inside(share: float) -> float:
    return min(max(share, 0.0), 1.0)
