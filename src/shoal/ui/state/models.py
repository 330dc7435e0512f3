"""The privacy models that the workbench offers: in plain words, by formula, and as requirements are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_

import shoal

Numbers = dict[str, float]


@dataclass(frozen=True)
class Knob:
    """A parameter of a model that can be turned: its limits on the slider, and where it begins."""

    name: str
    low: float
    high: float
    step: float
    start: float
    meaning: str
    most: float | None = None  # that can be typed

    def allows(self, value: float | None) -> bool:
        """Whether a number can be taken."""
        return value is not None and self.low <= value <= (10**12 if self.most is None else self.most)

    @property
    def limits(self) -> str:
        """What can be typed."""
        return f"from {self.low:g} on" if self.most is None else f"from {self.low:g} to {self.most:g}"

    @property
    def whole(self) -> bool:
        """Whether it is a whole number."""
        return self.step >= 1


@dataclass(frozen=True)
class Offer:
    """A model: what it promises, its formula, and the requirement as text, into which the numbers are put."""

    key: str
    title: str
    words: str
    formula: str
    knobs: tuple[Knob, ...]
    text: str
    build: Callable[[Numbers, Sequence[str]], shoal.PrivacyModel]
    sensitive: bool = True

    def requirement(self, numbers: Numbers) -> str:
        """The requirement as a configuration file has it."""
        return self.text.format(**{name: f"{value:.12g}" for name, value in numbers.items()})

    def promise(self, numbers: Numbers) -> str:
        """What the model promises with these numbers."""
        return self.words.format(**{name: f"{value:,.6g}" for name, value in numbers.items()})

    def checked(self, numbers: Numbers) -> Numbers:
        """The numbers, whole where they have to be, and those to begin with where none are given."""
        found = {knob.name: numbers.get(knob.name, knob.start) for knob in self.knobs}
        return {knob.name: round(found[knob.name]) if knob.whole else float(found[knob.name]) for knob in self.knobs}


def _ordered(numbers: Numbers, sensitive: Sequence[str]) -> shoal.PrivacyModel:
    each: list[shoal.PrivacyModel] = [shoal.Closeness(numbers["t"], "ordered", sensitive=name) for name in sensitive]
    return reduce(and_, each)


K = Knob("k", 2, 200, 1, 5, "rows that look the same, at least")
L = Knob("l", 2, 20, 1, 2, "different sensitive values in each class, at least")
SHARES = "p(s): the share of value s in the class; q(s): in the whole table"

OFFERS = {
    offer.key: offer
    for offer in (
        Offer(
            "k",
            "Group size (k-anonymity)",
            "At least {k} people look the same in all that an attacker may know.",
            "|E| ≥ k for every class E",
            (K,),
            "k>={k}",
            lambda n, names: shoal.KAnonymity(int(n["k"])),
            sensitive=False,
        ),
        Offer(
            "l",
            "Different answers (distinct ℓ-diversity)",
            "In every class there are at least {l} different sensitive values.",
            "|{s : s occurs in E}| ≥ ℓ",
            (L,),
            "distinct l>={l}",
            lambda n, names: shoal.DistinctDiversity(int(n["l"])),
        ),
        Offer(
            "t",
            "Like the whole table (t-closeness)",
            "In every class the sensitive values have nearly the shares of the whole table: the distance is at most "
            "{t} (0: the same, 1: as far as can be).",
            "½ · Σ |p(s) − q(s)| ≤ t",
            (Knob("t", 0, 1, 0.01, 0.2, "distance to the whole table, at most", most=1),),
            "t<={t}",
            lambda n, names: shoal.Closeness(n["t"]),
        ),
        Offer(
            "ordered t",
            "Like the whole table, in order (ordered t-closeness)",
            "As t-closeness, for sensitive numbers such as incomes: confusing neighbours counts less than ends. "
            "The distance is at most {t}.",
            "1/(m − 1) · Σᵢ |Σⱼ≤ᵢ (p(sⱼ) − q(sⱼ))| ≤ t",
            (Knob("t", 0, 1, 0.01, 0.2, "distance to the whole table, at most", most=1),),
            "ordered t<={t}",
            _ordered,
        ),
        Offer(
            "entropy l",
            "Well mixed answers (entropy ℓ-diversity)",
            "In every class the sensitive values are as uncertain as {l} equally frequent ones.",
            "−Σ p(s) · ln p(s) ≥ ln ℓ",
            (Knob("l", 1.1, 20, 0.1, 2, "as many equally frequent values, at least"),),
            "entropy l>={l}",
            lambda n, names: shoal.EntropyDiversity(n["l"]),
        ),
        Offer(
            "frequency l",
            "No answer too frequent (frequency ℓ-diversity)",
            "In no class does one sensitive value have more than one row in {l}.",
            "max p(s) ≤ 1/ℓ",
            (Knob("l", 1.1, 20, 0.1, 2, "one row in so many, at most"),),
            "frequency l>={l}",
            lambda n, names: shoal.FrequencyDiversity(n["l"]),
        ),
        Offer(
            "recursive",
            "No answer stands out (recursive (c, ℓ)-diversity)",
            "In every class the most frequent sensitive value is rarer than {c} times all "
            "values together from number {l} on, by frequency.",
            "r₁ < c · (r_ℓ + … + r_m), with r₁ ≥ r₂ ≥ … the rows of each value",
            (Knob("c", 0.1, 20, 0.1, 4, "times as frequent, below"), L),
            "recursive({c},{l})",
            lambda n, names: shoal.RecursiveDiversity(n["c"], int(n["l"])),
        ),
        Offer(
            "alpha",
            "Limited share of one answer ((α, k)-anonymity)",
            "In no class does one sensitive value have more than {alpha} of the rows.",
            "max p(s) ≤ α",
            (Knob("alpha", 0.05, 1, 0.01, 0.5, "share of one value, at most", most=1),),
            "alpha<={alpha}",
            lambda n, names: shoal.AlphaK(n["alpha"], 1),
        ),
        Offer(
            "beta",
            "Little learned of any answer (β-likeness)",
            "In no class is a sensitive value more frequent than in the whole table by more than {beta} times its "
            "share there.",
            "(p(s) − q(s)) / q(s) ≤ β",
            (Knob("beta", 0.1, 10, 0.1, 1, "times its share, at most"),),
            "beta<={beta}",
            lambda n, names: shoal.BetaLikeness(n["beta"]),
        ),
        Offer(
            "enhanced beta",
            "Little learned, frequent answers too (enhanced β-likeness)",
            "As β-likeness with {beta}, and by no more than −ln of its share.",
            "(p(s) − q(s)) / q(s) ≤ min(β, −ln q(s))",
            (Knob("beta", 0.1, 10, 0.1, 1, "times its share, at most"),),
            "enhanced beta<={beta}",
            lambda n, names: shoal.BetaLikeness(n["beta"], enhanced=True),
        ),
        Offer(
            "delta",
            "Neither more nor less likely (δ-disclosure privacy)",
            "In every class every sensitive value of the table occurs, about as often as in the whole: the logarithm "
            "of the ratio is below {delta}.",
            "|ln(p(s) / q(s))| < δ for every value s",
            (Knob("delta", 0.1, 5, 0.1, 1.5, "logarithm of the ratio, below"),),
            "delta<={delta}",
            lambda n, names: shoal.DeltaDisclosure(n["delta"]),
        ),
        Offer(
            "risk",
            "Highest risk",
            "Nobody's row is found with a probability above {risk}.",
            "1 / |E| ≤ risk for every class E",
            (Knob("risk", 0.01, 0.5, 0.01, 0.2, "probability, at most", most=1),),
            "risk<={risk}",
            lambda n, names: shoal.HighestRisk(n["risk"]),
            sensitive=False,
        ),
        Offer(
            "average risk",
            "Average risk",
            "On average, a row is found with a probability of at most {risk}.",
            "(number of classes) / (number of rows) ≤ risk",
            (Knob("risk", 0.001, 0.5, 0.001, 0.05, "probability on average, at most", most=1),),
            "average risk<={risk}",
            lambda n, names: shoal.AverageRisk(n["risk"]),
            sensitive=False,
        ),
    )
}


def model_of(chosen: dict[str, Numbers], sensitive: Sequence[str]) -> shoal.PrivacyModel:
    """The models that are chosen, all of which must hold; those on sensitive values need a sensitive column."""
    if not chosen:
        raise shoal.InputError("No protection is chosen: switch on at least one model, such as the group size.")
    for key in chosen:
        if OFFERS[key].sensitive and not sensitive:
            raise shoal.InputError(f"{OFFERS[key].title} needs a sensitive column: give one the role on the Data page.")
    return reduce(and_, (OFFERS[key].build(OFFERS[key].checked(numbers), sensitive) for key, numbers in chosen.items()))
