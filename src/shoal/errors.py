"""Everything that shoal raises.

ShoalError
├── InputError            a table, column, file or parameter is not usable as given
│   └── HierarchyError    a hierarchy is malformed or does not know a value of the data
├── InfeasibleError       no release of this table can satisfy the model
└── VerificationError     a finished release failed its own check; nothing was written
PrivacyWarning            the release is what was asked for, but protects less than it may seem
InterruptedSearch         Ctrl-C ended a search: the release is the best so far, verified as any other
"""

from __future__ import annotations

LONGEST = 1000  # signs of a sentence, whatever values it names


class ShoalError(Exception):
    """The base of all errors that shoal raises on purpose."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(*map(_one_line, sentences))

    def __str__(self) -> str:
        return "\n".join(self.args)


class InputError(ShoalError, ValueError):
    """A table, column, file or parameter is not usable as given."""


class HierarchyError(InputError):
    """A hierarchy is malformed or does not know a value of the data."""


class InfeasibleError(ShoalError):
    """No release of this table can satisfy the model; `achievable` says what the table can reach."""

    def __init__(self, message: str, *, achievable: str) -> None:
        super().__init__(message)
        self.achievable = achievable


class VerificationError(ShoalError):
    """A finished release failed its own check, so it was neither returned nor written.

    `reason` says what failed; the text of the error is the reason and a `closing` sentence.
    """

    def __init__(self, *sentences: str, closing: str = "Nothing was released.") -> None:
        super().__init__(*sentences)
        self.closing = closing

    @property
    def reason(self) -> str:
        """What failed, one line for each sentence."""
        return super().__str__()

    def __str__(self) -> str:
        return f"{self.reason} {self.closing}" if self.closing else self.reason


class PrivacyWarning(UserWarning):
    """The release is what was asked for, but protects less than it may seem."""


class InterruptedSearch(UserWarning):
    """Ctrl-C ended a search: the release is the best so far, verified as any other."""


def _one_line(message: str) -> str:
    """A message of one line of bearable length, with signs that a terminal would not show spelled out."""
    message = _shortened(message)
    return _shortened("".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in message))


def _shortened(message: str) -> str:
    return message if len(message) <= LONGEST else f"{message[: LONGEST // 2]}…{message[-LONGEST // 2 :]}"
