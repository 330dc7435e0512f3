"""Forms: how a privacy model is written as a requirement, and how it is offered to people who choose one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, floor

NUMBER = r"[0-9.]+(?:[eE][+-]?[0-9]+)?"
TOKENS = re.compile(r"\{(?P<name>\w+)\}|(?P<sign>[<>]=?)|(?P<mark>[(),])|(?P<space>\s+)|(?P<word>[^\s{}<>=(),]+)")
SIGN = re.compile(">=|<=|>|<")
ANY_SIGN = f"(?:{SIGN.pattern})"
MAX_TYPED = 10**12


@dataclass(frozen=True)
class Parameter:
    """A number that a model takes: the ends, the step and the first value of its slider, and what it means.

    limit  the largest number that can be typed; None: far beyond the slider
    """

    name: str
    low: float
    high: float
    step: float
    start: float
    meaning: str
    limit: float | None = None

    def allows(self, value: float | None) -> bool:
        """Return whether a number can be taken."""
        return value is not None and self.low <= value <= (MAX_TYPED if self.limit is None else self.limit)

    @property
    def limits(self) -> str:
        """The accepted numbers, as text for the user."""
        return f"{self.low:g} or more" if self.limit is None else f"from {self.low:g} to {self.limit:g}"

    @property
    def whole(self) -> bool:
        """Whether it is a whole number."""
        return self.step >= 1


@dataclass(frozen=True)
class Figure:
    """What an assessment shows of a model: the name and title of the figure, and the parameters it is measured with."""

    name: str
    title: str
    parameters: Mapping[str, float]


@dataclass(frozen=True)
class Request:
    """The numbers of a requirement as they were written, and the sensitive column that it names, if any."""

    numbers: Mapping[str, str]
    column: str | None


@dataclass(frozen=True, eq=False)
class Form:
    """A way to ask for a model, such as "entropy l>={l}".

    spelling   the requirement, with its numbers in braces
    title      for people who choose a model
    formula    what it asks of every class
    fixed      parameters of the model that this form sets
    aliases    other spellings
    option     its own option on the command line and key in shoal.toml, for the few models that have one (k, l, t)
    figures    what an assessment shows; None: the parameter, if the form has just one
    needs_hierarchy  whether the sensitive column needs a hierarchy
    """

    spelling: str
    title: str
    formula: str
    parameters: tuple[Parameter, ...]
    fixed: Mapping[str, object] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    option: str = ""
    figures: tuple[Figure, ...] | None = None
    needs_hierarchy: bool = False

    @cached_property
    def key(self) -> str:
        """The words before the numbers: "entropy l", "recursive"."""
        return re.split(r"\s*[<>(]", self.spelling, maxsplit=1)[0]

    @property
    def example(self) -> str:
        """The spelling as an error message shows it: "entropy l>=…", "recursive(c, l)"."""
        if len(self.parameters) == 1:
            return self.spelling.format(**{self.parameters[0].name: "…"})
        return self.spelling.format(**{parameter.name: parameter.name for parameter in self.parameters})

    @property
    def shown(self) -> tuple[Figure, ...]:
        """The figures of an assessment."""
        if self.figures is not None:
            return self.figures
        if len(self.parameters) != 1:
            return ()
        (only,) = self.parameters
        return (Figure(self.key.replace(" ", "_"), self.key, {only.name: only.start}),)

    def write(self, numbers: Mapping[str, float]) -> str:
        """Write the requirement with these numbers."""
        return self.spelling.format(**{name: f"{value:.12g}" for name, value in numbers.items()})

    def read(self, text: str) -> Request | None:
        """Read a requirement in lower case; return None if it is not in this form."""
        return self._match(text, any_sign=False)

    def corrected(self, text: str) -> str | None:
        """Say what is wrong with the comparison of a requirement, and what to write; None if it is another form."""
        request = self._match(text, any_sign=True)
        if request is None:
            return None
        numbers, (signs, wanted) = dict(request.numbers), (SIGN.findall(part)[0] for part in (text, self.spelling))
        if signs[0] != wanted[0]:
            return f"asks the wrong way: write {self.spelling.format(**numbers)}"
        for parameter in self.parameters:
            if parameter.whole:  # more than 5 is at least 6
                number = float(numbers[parameter.name])
                numbers[parameter.name] = f"{floor(number) + 1 if wanted == '>=' else ceil(number) - 1:d}"
        return f"needs {wanted} instead of {signs}: write {self.spelling.format(**numbers)}"

    def _match(self, text: str, *, any_sign: bool) -> Request | None:
        for spelling in (self.spelling, *self.aliases):
            if match := re.fullmatch(_pattern(spelling, any_sign=any_sign), text):
                groups = match.groupdict()
                column = groups.pop("of_column")
                return Request(groups, column if column is None else column.strip().strip('"'))
        return None


def _pattern(spelling: str, *, any_sign: bool) -> str:
    """Return the regular expression of a spelling, with free white space and an optional column at its end."""
    parts = []
    for token in TOKENS.finditer(re.sub(r"\s*([(),])\s*", r"\1", spelling)):
        if token["name"]:
            parts.append(f"(?P<{token['name']}>{NUMBER})")
        elif token["sign"]:
            parts.append(rf"\s*{ANY_SIGN if any_sign else token['sign']}\s*")
        elif token["mark"]:
            parts.append(rf"\s*{re.escape(token['mark'])}\s*")
        else:
            parts.append(r"\s+" if token["space"] else re.escape(token["word"]))
    return "".join(parts) + r"(?:\s+of\s+(?P<of_column>.+))?"
