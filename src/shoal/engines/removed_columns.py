"""The columns that a release does not show as they are."""

from __future__ import annotations

from shoal.release.request import Request


def removed_columns(request: Request) -> tuple[str, ...]:
    """Return the columns whose values are removed or replaced."""
    return (*request.roles.identifying, *request.roles.pseudonymized)
