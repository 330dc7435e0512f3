"""Hash tables of rows of small numbers: how often each row occurs, and which class it belongs to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.arrays import Ints, Longs, Words
from shoal.kernels.compiling import compiled

EMPTY = np.uint64(0)


@compiled
def mixed(number: np.uint64) -> np.uint64:
    """One step of splitmix64 (Steele, Lea and Flood, 2014)."""
    number += np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@compiled
def fingerprints(rows: Ints, salt: np.uint64) -> Words:
    """Return a hash of each row, never 0: splitmix64 over the salt and its numbers."""
    found = np.empty(len(rows), np.uint64)
    start = mixed(salt)
    for i in range(len(rows)):
        hashed = start
        for j in range(rows.shape[1]):
            hashed = mixed(hashed + np.uint64(rows[i, j] + 1))
        found[i] = max(hashed, np.uint64(1))
    return found


@compiled
def count_rows(
    rows: Ints, weights: Longs, hashes: Words, slots: Ints, store: Ints, totals: Longs, used: int
) -> tuple[int, Ints]:
    """Add the weights of the rows to those in the store, which has `used` rows and room for all.

    Return its rows, and the place of each row in it. `slots` has the place of a row in the store, −1 if it is free, and
    its length is a power of 2.
    """
    mask = np.uint64(slots.size - 1)
    places = np.empty(len(rows), np.int32)
    for i in range(len(rows)):
        slot = hashes[i] & mask
        while True:
            place = slots[slot]
            if place < 0:
                slots[slot] = used
                store[used] = rows[i]
                totals[used] = weights[i]
                places[i] = used
                used += 1
                break
            same = True
            for j in range(rows.shape[1]):
                if store[place, j] != rows[i, j]:
                    same = False
                    break
            if same:
                totals[place] += weights[i]
                places[i] = place
                break
            slot = (slot + np.uint64(1)) & mask
    return used, places


@compiled
def place_rows(hashes: Words, slots: Ints) -> None:
    """Enter distinct rows into empty slots by their hashes."""
    mask = np.uint64(slots.size - 1)
    for i in range(hashes.size):
        slot = hashes[i] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = i


@compiled
def enter_classes(hashes: Words, classes: Ints, keys: Words, values: Ints) -> bool:
    """Enter the class of each row under its hash; return False if a hash was there already."""
    mask = np.uint64(keys.size - 1)
    for i in range(hashes.size):
        slot = hashes[i] & mask
        while keys[slot] != EMPTY:
            if keys[slot] == hashes[i]:
                return False
            slot = (slot + np.uint64(1)) & mask
        keys[slot] = hashes[i]
        values[slot] = classes[i]
    return True


@compiled
def find_classes(hashes: Words, keys: Words, values: Ints, unknown: int) -> Ints:
    """Return the class that was entered under each hash, `unknown` if none was."""
    mask = np.uint64(keys.size - 1)
    found = np.full(hashes.size, unknown, np.int32)
    for i in range(hashes.size):
        slot = hashes[i] & mask
        while keys[slot] != EMPTY:
            if keys[slot] == hashes[i]:
                found[i] = values[slot]
                break
            slot = (slot + np.uint64(1)) & mask
    return found


@compiled
def text_hashes(offsets: Longs, letters: NDArray[np.uint8]) -> Words:
    """Return a hash of each text, FNV-1a with a final mixing step; text i is letters[offsets[i]:offsets[i + 1]]."""
    found = np.empty(offsets.size - 1, np.uint64)
    for i in range(found.size):
        mixed = np.uint64(0xCBF29CE484222325)
        for at in range(offsets[i], offsets[i + 1]):
            mixed = (mixed ^ np.uint64(letters[at])) * np.uint64(0x100000001B3)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        found[i] = mixed ^ (mixed >> np.uint64(31))
    return found


@compiled
def number_texts(
    offsets: Longs,
    letters: NDArray[np.uint8],
    hashes: Words,
    slots: Ints,
    known: Words,
    ends: Longs,
    store: NDArray[np.uint8],
    used: int,
) -> tuple[int, Ints]:
    """Number texts, equal ones alike, in the order of their first appearance; return how many are known, and numbers.

    The `used` known texts have their hashes in `known` and end at `ends` in the store, which begins with the first and
    has room for all. `slots` has the number of a text, −1 if it is free, and its length is a power of 2.
    """
    mask = np.uint64(slots.size - 1)
    numbers = np.empty(hashes.size, np.int32)
    for i in range(hashes.size):
        slot = hashes[i] & mask
        length = offsets[i + 1] - offsets[i]
        while True:
            number = slots[slot]
            if number < 0:
                begin = ends[used - 1] if used else 0
                store[begin : begin + length] = letters[offsets[i] : offsets[i + 1]]
                ends[used], known[used], slots[slot], number = begin + length, hashes[i], used, used
                used += 1
                break
            begin = ends[number - 1] if number else 0
            if known[number] == hashes[i] and ends[number] - begin == length:
                same = True
                for at in range(length):
                    if store[begin + at] != letters[offsets[i] + at]:
                        same = False
                        break
                if same:
                    break
            slot = (slot + np.uint64(1)) & mask
        numbers[i] = number
    return used, numbers


@compiled
def join_hashes(hashes: Words, places: Ints, totals: Words) -> None:
    """Join the hashes at the places to the hash of each row, of the columns before."""
    for i in range(places.size):
        totals[i] = mixed(totals[i] + hashes[places[i]])


@compiled
def weighted_sum(hashes: Words, places: Ints, start: int) -> np.uint64:
    """Return the sum of the hashes at the places, each times an odd number that depends on its row."""
    total = np.uint64(0)
    for i in range(places.size):
        total += hashes[places[i]] * (np.uint64(2) * np.uint64(start + i) + np.uint64(1))
    return total
