"""The name that was probably meant where an unknown one was written."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def close_name(written: object, known: Iterable[str]) -> str | None:
    """Return the known name that is closest to what was written, if one is close.

    >>> close_name("Mondrain", ["mondrian", "k-member"]), close_name("xyz", ["mondrian"])
    ('mondrian', None)
    """
    plain = {name.casefold(): name for name in known}
    close = get_close_matches(str(written).strip().casefold(), plain, n=1)
    return plain[close[0]] if close else None


def did_you_mean(written: object, known: Iterable[str]) -> str:
    """Ask whether the closest known name was meant, as the end of a message; "" if none is close.

    >>> did_you_mean("suffled", ["rows", "classes", "shuffled"])
    " Did you mean 'shuffled'?"
    """
    close = close_name(written, known)
    return "" if close is None else f" Did you mean {close!r}?"
