"""Whose rows they are, for analyses that count people."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.data.roles import Roles
from shoal.data.unit import Unit, unit_numbers
from shoal.io.source import Source
from shoal.kernels.arrays import Ints


def units_of(
    source: Source, roles: Roles, *, unit: str | None, missing_values: Sequence[str], missing: str = "refuse"
) -> Ints | None:
    """Number the person of each row by a column that has no other role; return None if none is named."""
    checked = Unit.of(source.columns, roles, unit=unit, missing=missing)
    if checked is None or unit is None:
        return None
    return unit_numbers(unit, source.arrow(unit), missing_values, checked.missing)
