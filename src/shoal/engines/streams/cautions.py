"""Weak points of a release that only the rows of its source show."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing

from shoal.engines.scan import Scan
from shoal.engines.streams.row_order import RowOrder
from shoal.release.cautions import FEW_ROWS, FIRST_SHUFFLE, Caution, cautions_of_first, sorted_rows
from shoal.release.request import Request


def cautions_by_rows(scan: Scan, request: Request, orders: Mapping[str, RowOrder], rows: int) -> list[Caution]:
    """List the weak points that the order of the rows and the columns without a role show."""
    if rows < FEW_ROWS:
        return []
    roles = request.roles
    removed = [*roles.identifying, *roles.pseudonymized]
    without_role = [name for name in scan.columns if name not in {*roles.quasi, *roles.sensitive, *removed}]
    cautions = []
    if without_role or removed:
        with closing(scan.batches([*without_role, *removed])) as batches:
            cautions = cautions_of_first(next(batches), without_role, removed)
    return cautions + [sorted_rows(name, instead=FIRST_SHUFFLE) for name, order in orders.items() if order.sorted]
