"""Experiment: the result of an attack with a control group, in figures, a sentence and a plot."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from os import PathLike
from typing import Any

from shoal.analysis.attack.plots import plot
from shoal.analysis.attack.trial import CONFIDENCE, Comparison, Trial
from shoal.analysis.attack.unread import unread_labels
from shoal.documents.html_page import Summary


@dataclass(frozen=True)
class Words:
    """What an attack is called, and what it means that it succeeds."""

    title: str
    question: str
    success: str  # with {about}; follows "In 37 of 100 tries"
    nothing: str  # if the attacker finds nothing to try


WORDS = {
    "singling-out": Words(
        "Singling out",
        "Can one person be isolated by what the release says?",
        "a statement about {about} that was taken from the release fitted exactly one person",
        "The release offers no statement about its columns to try.",
    ),
    "linkability": Words(
        "Linkability",
        "Does the release link entries of two tables that belong to the same person?",
        "what two tables say of a person ({about}) led to the same row of the release",
        "There is nobody to link.",
    ),
    "inference": Words(
        "Inference",
        "Does the release tell what was not known about a person?",
        "{about} of a person was guessed right from the release",
        "There is nothing to guess.",
    ),
    "membership": Words(
        "Membership",
        "Does the release tell who is in the table?",
        "a row of the release fitted what is known about a person, who was then said to be in the table",
        "There is nobody to look for.",
    ),
    "downcoding": Words(
        "Downcoding",
        "Can the exact value behind a generalized one be told?",
        "the exact value behind a generalized {about} was guessed right",
        "The release shows no generalized value, so there is nothing to refine.",
    ),
}


@dataclass(frozen=True, repr=False)
class Experiment(Summary):
    """What one kind of attack achieves on a release, compared with a control.

    `comparisons` has one entry for each thing that was attacked; the figures are those of the worst of them.
    `unread` has the labels that could not be read, by column: the attack saw less than the release tells.
    """

    kind: str
    known: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    seed: int
    unread: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def worst(self) -> Comparison | None:
        """The comparison whose risk is highest for sure; None if there was nothing to attack."""
        return max(self.comparisons, key=lambda one: (one.interval[0], one.attack.attacks), default=None)

    @property
    def rate(self) -> float:
        """The share of guesses that were right."""
        return self.worst.attack.rate if self.worst else 0.0

    @property
    def control_rate(self) -> float:
        """The same for the control."""
        return self.worst.control.rate if self.worst else 0.0

    @property
    def risk(self) -> float:
        """The excess over the control as a share of what was possible."""
        return self.worst.risk if self.worst else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the risk."""
        return self.worst.interval if self.worst else (0.0, 0.0)

    @property
    def leaks(self) -> bool:
        """Whether the attack does better than the control beyond chance."""
        return any(one.leaks for one in self.comparisons)

    @property
    def sentence(self) -> str:
        """The result in words."""
        return " ".join([self._result(), *unread_labels(self.unread)])

    def _result(self) -> str:
        words, worst = WORDS[self.kind], self.worst
        if worst is None or not worst.attack.attacks:
            return words.nothing
        success = words.success.format(about=worst.about)
        low, high = worst.interval
        against = "people who are not in the release" if worst.held_out else "guesses made without the release"
        verdict = f"Chance explains the difference; a risk of up to {percent(high)} cannot be ruled out."
        if worst.leaks:
            interval = f"{CONFIDENCE:.0%} confidence: {percent(low)} to {percent(high)}"
            verdict = f"The release adds a risk of {percent(worst.risk)} ({interval})."
        return f"In {_tries(worst.attack)} tries, {success}; with {against}, in {_tries(worst.control)}. {verdict}"

    def _figures(self) -> dict[str, object]:
        low, high = self.interval
        return {
            "attack": self.kind,
            "attacks": self.worst.attack.attacks if self.worst else 0,
            "rate": self.rate,
            "control": self.control_rate,
            "risk": self.risk,
            "interval": f"{low:.4g} to {high:.4g}",
        }

    def _sentence(self) -> str:
        return self._result()

    def to_dict(self) -> dict[str, Any]:
        """Return the experiment as plain dictionaries."""
        return {
            "kind": self.kind,
            "known": list(self.known),
            "seed": self.seed,
            "sentence": self.sentence,
            "unread": {name: list(labels) for name, labels in self.unread.items()},
            "comparisons": [_plain(one) for one in self.comparisons],
        }

    def plot(self, path: str | PathLike[str]) -> None:
        """Draw the rates of the attack and of the control into a .png, .svg or .pdf file."""
        plot(self.titled(), path)

    def titled(self) -> list[tuple[str, Comparison]]:
        """Return the comparisons with the name of the attack."""
        return [(WORDS[self.kind].title, one) for one in self.comparisons]


def percent(share: float) -> str:
    """Write a share in percent, with a decimal where it is small.

    >>> percent(0.374), percent(0.004), percent(0.0)
    ('37%', '0.4%', '0%')
    """
    return f"{share:.1%}" if 0 < share < 0.01 else f"{share:.0%}"


def _tries(trial: Trial) -> str:
    """Write how many tries succeeded of all, or of 100 if there were more; with a decimal where it matters.

    >>> _tries(Trial(500, 187)), _tries(Trial(500, 2)), _tries(Trial(7, 5)), _tries(Trial(1000, 999))
    ('37 of 100', '0.4 of 100', '5 of 7', '99.9 of 100')
    """
    whole = min(100, trial.attacks)
    exact = round(whole * trial.rate, 1)
    close = exact == round(exact) or (whole == 100 and 1 <= exact <= 99)
    return f"{round(exact) if close else exact} of {whole}"


def _plain(comparison: Comparison) -> dict[str, Any]:
    low, high = comparison.interval
    return {
        **asdict(comparison),
        "rate": comparison.attack.rate,
        "rate_interval": list(comparison.attack.interval(comparison.confidence)),
        "control_rate": comparison.control.rate,
        "control_interval": list(comparison.control.interval(comparison.confidence)),
        "difference": comparison.difference,
        "risk": comparison.risk,
        "interval": [low, high],
        "leaks": comparison.leaks,
    }
