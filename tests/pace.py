"""Time measured beside a fixed piece of work, so that a bound holds on a slow or busy machine, too."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

USUAL = 0.06  # CPU seconds of the fixed work on the machine that the bounds were set on


class Stopwatch:
    """The CPU seconds of a block, as the usual machine would have taken."""

    seconds = 0.0


def fixed_work() -> float:
    """Measure the CPU seconds of hashing, sorting and joining texts in plain Python."""
    start = time.process_time()
    texts = {f"v{number * 7919 % 100_003}": number for number in range(100_000)}
    "".join(sorted(texts))
    return time.process_time() - start


@contextmanager
def stopwatch() -> Iterator[Stopwatch]:
    """Measure a block, with the fixed work before and after it as the unit."""
    watch, before = Stopwatch(), fixed_work()
    start = time.process_time()
    yield watch
    spent = time.process_time() - start
    watch.seconds = spent * USUAL / max(before, fixed_work())
