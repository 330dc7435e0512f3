"""Codes that identify: numbers of people and records, by how they are written and how seldom they repeat.

Measured numbers differ from row to row, too. A whole number is taken for a code if the name of its column says so, if
all have the same length of eight digits or more, or fifteen digits and more, if zeros are in front of them, or if they
count the rows, also after a word or sign; a number with decimals never is. Texts without blanks are taken for codes if
they nearly all differ and are of one length, or mix letters as no word does.
"""

from __future__ import annotations

import re
from collections import Counter

from shoal.release.review.names import Says
from shoal.release.review.sampling import Sample
from shoal.release.review.shapes import MIN_SHARE, Shape, are_long_numbers

KIND = "codes that tell people apart"
MIN_OWN = 0.5  # different values over rows
MIN_VALUES = 10  # different values of a column with ids that repeat; fewer are a category
FEW_ROWS = 20  # in smaller tables, numbers that count the rows may be chance
MAX_GAPS = 2  # the range of numbers that count the rows, over the rows
CODE = re.compile(r"(?=(?:.*\d){3})\w[\w ./:#-]{3,31}")
LONG_CODE = re.compile(r"(?=(?:.*\d){5})\w[\w./:#-]{7,63}")
SECONDS = re.compile(r"1\d{9}(\d{3}){0,3}")  # since 1970, or thousandths to billionths of them
LATEST, YEARS = 1.9e9, 15  # the last such second, in 2030, and the years that they span at most
HUGE = re.compile(r"-?\d{15,20}")  # more digits than anything is measured to
TOKEN = re.compile(r"[\w+/=~-]{5,64}")  # a text without blanks
MIXED = re.compile(r".*(?:[a-z][A-Z]|[A-Z]{2}[a-z]|[a-zA-Z]\d+[a-zA-Z])")  # as in aXk9QzP
COUNTED = re.compile(r"(\D{1,12}?)(\d+)")  # as in #12 or case 12
CODED: tuple[Shape, ...] = ("number", "digits", "code", "card", "hash", "uuid", "phone", "other")


def share_of_codes(sample: Sample, shapes: Counter[Shape], says: Says) -> float:
    """Return the share of values that are codes which identify, 0 if they are no such codes."""
    texts = sample.texts
    coded = sum(shapes[shape] for shape in CODED) / len(texts)
    numbers = shapes["number"] >= MIN_SHARE * len(texts)
    if says != "other" and _are_huge(sample):
        return 1.0
    if says == "other" or coded < MIN_SHARE:
        return 0.0
    if says == "person" and (sample.different > 2 or sample.own >= MIN_OWN):
        return coded
    if says in ("record", "people") and (sample.different >= MIN_VALUES or sample.own >= MIN_OWN):
        spaced = sum(" " in text.strip() for text in texts)
        return coded if spaced < len(texts) / 2 else 0.0
    if numbers:
        return coded if _are_numbers_of_records(sample) else 0.0
    if _are_counted(sample) or _are_random(sample):
        return coded
    pattern = CODE if sample.seen >= MIN_VALUES else LONG_CODE
    share = sum(pattern.fullmatch(text) is not None for text in texts) / len(texts)
    long = sum(LONG_CODE.fullmatch(text) is not None for text in texts) / len(texts)
    own = MIN_OWN if share < 1 or long < MIN_SHARE else MIN_OWN / 5  # long codes may repeat, as people do
    return share if share >= MIN_SHARE and shapes["code"] + shapes["other"] and sample.own >= own else 0.0


def _are_numbers_of_records(sample: Sample) -> bool:
    texts = [text for text in sample.texts if text.isdecimal()]
    few = sample.different < MIN_VALUES and sample.own < MIN_OWN  # many rows share each
    if are_long_numbers(texts) and not few:
        return not _are_moments(texts)
    return counts_rows(sample)


def _are_moments(texts: list[str]) -> bool:
    """Return whether whole numbers can be seconds since 1970, or parts of them."""
    if not all(SECONDS.fullmatch(text) for text in texts):
        return False
    seconds = [int(text[:10]) for text in texts]
    return max(seconds) <= LATEST and max(seconds) - min(seconds) <= YEARS * 366 * 86_400


def _are_huge(sample: Sample) -> bool:
    """Return whether whole numbers have so many digits that they can only be hashes or long codes."""
    numbers = [text for text in sample.texts if HUGE.fullmatch(text)]
    if sample.different < MIN_VALUES and sample.own < MIN_OWN:
        return False
    return len(numbers) >= MIN_SHARE * len(sample.texts) and sample.own >= MIN_OWN and not _are_moments(numbers)


def _are_counted(sample: Sample) -> bool:
    """Return whether one word or sign precedes numbers that count the rows."""
    found = [match for text in sample.texts if (match := COUNTED.fullmatch(text))]
    if sample.seen < FEW_ROWS or len(found) < len(sample.texts) or len({match[1] for match in found}) > 1:
        return False
    numbers = [int(match[2]) for match in found]
    return sample.own_of_all >= 0.98 and max(numbers) - min(numbers) <= MAX_GAPS * len(sample.column)


def _are_random(sample: Sample) -> bool:
    """Return whether texts without blanks nearly all differ and are of one length, or mix letters as no word does."""
    texts = [text for text in sample.texts if TOKEN.fullmatch(text)]
    if sample.seen < FEW_ROWS or sample.own < 0.9 or len(texts) < 0.95 * len(sample.texts):
        return False
    mixed = sum(MIXED.match(text) is not None for text in texts)
    _, alike = Counter(map(len, texts)).most_common(1)[0]
    return alike >= 0.98 * len(texts) or mixed >= len(texts) / 2


def counts_rows(sample: Sample) -> bool:
    """Return whether whole numbers are all different and leave few gaps, as numbers that count the rows do."""
    numbers = sample.numbers
    if sample.seen < FEW_ROWS or sample.own < 0.98 or not numbers or _are_years(numbers):
        return False
    return max(numbers) - min(numbers) <= MAX_GAPS * len(sample.column) and sample.own_of_all >= 0.98


def _are_years(numbers: tuple[int, ...]) -> bool:
    return min(numbers) >= 1800 and max(numbers) <= 2200
