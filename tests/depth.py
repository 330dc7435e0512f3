"""What runs without --depth=all: a share of the random examples, and large tables cut short."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

QUICK_SHARE = 0.1
QUICK_EXAMPLES = 12  # the fewest, unless the test itself asks for fewer
QUICK_ROWS = 200  # of the Adult table, where nothing depends on its figures


def quick(whole: settings) -> settings:
    """Return settings with a share of the examples."""
    fewer = max(QUICK_EXAMPLES, round(whole.max_examples * QUICK_SHARE))
    return settings(whole, max_examples=min(whole.max_examples, fewer))


def every(step: int, cases: Iterable[Any]) -> list[Any]:
    """Return parameters of a test, of which each step-th, from the first on, runs without --depth=all."""
    deep = pytest.mark.deep("more of the same kind")
    rows = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*row, marks=deep if at % step else ()) for at, row in enumerate(rows)]
