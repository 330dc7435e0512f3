"""Everything that shoal raises on purpose.

ShoalError
├── InputError            a table, column, file or parameter cannot be used as given
│   └── HierarchyError    a hierarchy is malformed or lacks a value of the data
├── InfeasibleError       no release of this table can satisfy the model
├── ReviewError           the review found what would make a release protect less than it says; nothing was written
└── VerificationError     a finished release failed its own check; nothing was written
PrivacyWarning            the release is as requested, but protects less than it may seem
InterruptedSearch         Ctrl-C ended a search: the release is the best found so far, verified like any other
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MAX_CHARACTERS = 1000  # of a message, whatever values it quotes


class ShoalError(Exception):
    """The base of all errors that shoal raises on purpose."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(*map(_one_line, sentences))

    def __str__(self) -> str:
        return "\n".join(self.args)


class InputError(ShoalError, ValueError):
    """A table, column, file or parameter cannot be used as given."""


class HierarchyError(InputError):
    """A hierarchy is malformed or lacks a value of the data."""


class InfeasibleError(ShoalError):
    """No release of this table can satisfy the model; `achievable` says what the table can reach."""

    def __init__(self, message: str, *, achievable: str) -> None:
        super().__init__(message)
        self.achievable = achievable


class ReviewError(ShoalError):
    """The review found what would make a release protect less than it says, so nothing was returned or written.

    `findings` has a shoal.Finding for each sentence, with its `code`.
    """

    def __init__(self, *sentences: str, findings: Sequence[Any] = ()) -> None:
        super().__init__(*sentences)
        self.findings = tuple(findings)


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
    """The release is as requested, but protects less than it may seem."""


class InterruptedSearch(UserWarning):
    """Ctrl-C ended a search: the release is the best found so far, verified like any other."""


def reason(error: BaseException) -> str:
    """Return the message of another library's error as it is quoted in parentheses, without its full stop."""
    return str(error).rstrip(".")


def _one_line(message: str) -> str:
    """Shorten a message to one readable line; escape characters that a terminal would not show."""
    message = _shortened(message)
    return _shortened("".join(character if character.isprintable() else repr(character)[1:-1] for character in message))


def _shortened(message: str) -> str:
    if len(message) <= MAX_CHARACTERS:
        return message
    return f"{message[: MAX_CHARACTERS // 2]}…{message[-MAX_CHARACTERS // 2 :]}"
