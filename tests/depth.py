"""What runs without --depth=all: a share of the random examples, and large tables cut short."""

from __future__ import annotations

from hypothesis import settings

QUICK_SHARE = 0.2
QUICK_EXAMPLES = 12  # the fewest, unless the test itself asks for fewer

QUICK_ROWS = 2_000  # of the Adult table, where nothing depends on its figures


def quick(whole: settings) -> settings:
    """Return settings with a share of the examples."""
    fewer = max(QUICK_EXAMPLES, round(whole.max_examples * QUICK_SHARE))
    return settings(whole, max_examples=min(whole.max_examples, fewer))
