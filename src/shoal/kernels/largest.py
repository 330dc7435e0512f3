"""The largest of some numbers with repetition: a heap with the least of them on top."""

from __future__ import annotations

from typing import Any, NamedTuple

from shoal.kernels.arrays import Longs
from shoal.kernels.compiling import lean


class Largest(NamedTuple):
    """The largest numbers: at least `most` of them, if as many were added."""

    number: Longs
    times: Longs
    state: Longs  # the entries, how many numbers they stand for, and their sum
    most: int


@lean
def clear(largest: Largest) -> None:
    """Remove all numbers."""
    for place in range(largest.state.size):
        largest.state[place] = 0


@lean
def add(largest: Largest, number: int, times: int) -> None:
    """Add a number `times` times if it is among the largest."""
    heap, state = largest.number, largest.state
    if state[1] >= largest.most and number <= heap[0]:
        return
    place = state[0]
    while place > 0 and heap[(place - 1) // 2] > number:
        heap[place] = heap[(place - 1) // 2]
        largest.times[place] = largest.times[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place], largest.times[place] = number, times
    state[0] += 1
    state[1] += times
    state[2] += times * number
    while state[1] - largest.times[0] >= largest.most:
        drop_least(largest)


@lean
def drop_least(largest: Largest) -> None:
    """Remove the least of the numbers."""
    heap, times, state = largest.number, largest.times, largest.state
    state[0] -= 1
    state[1] -= times[0]
    state[2] -= times[0] * heap[0]
    number, count, place = heap[state[0]], times[state[0]], 0
    while 2 * place + 1 < state[0]:
        child = 2 * place + 1
        if child + 1 < state[0] and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= number:
            break
        heap[place], times[place] = heap[child], times[child]
        place = child
    heap[place], times[place] = number, count


@lean
def total(largest: Largest) -> Any:
    """Return the sum of the `most` largest."""
    return largest.state[2] - (largest.state[1] - largest.most) * largest.number[0]
