"""What a release warns of, in the order in which it is said."""

from __future__ import annotations

import warnings
from typing import Any

import shoal
from shoal import KAnonymity, PrivacyWarning

ROWS = 40
MIXED = [i % 2 for i in range(ROWS)]  # in no order, two classes
COMMON = ("small-k", "range-ends", "rare-value", "unique-combination")  # in nearly every small table


def warned(data: Any, *, accept: tuple[str, ...] = COMMON, **options: Any) -> list[str]:
    """Release a table by its column `age`; return the warnings, which are those of the report."""
    options = {"quasi_identifiers": "age", "model": KAnonymity(2), **options}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        release = shoal.anonymize(data, accept=accept, **options)
    assert all(warning.category is PrivacyWarning for warning in caught)
    said = [str(warning.message) for warning in caught]
    assert said == release.report.warnings
    assert said == [finding.sentence for finding in release.review.open]
    return said


def table(**columns: Any) -> dict[str, Any]:
    """Return the columns of a table with two classes."""
    return {"age": MIXED, **columns}
