"""A progress reporter that does nothing."""

from __future__ import annotations


class Quiet:
    """A progress reporter that does nothing."""

    def __call__(self, stage: str, share: float) -> None:
        """Ignore progress."""

    and_stop = __call__
