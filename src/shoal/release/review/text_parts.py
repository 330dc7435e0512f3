"""Parts of texts: what a column holds that was put together of several values, such as 43/10115 or 1980-F-17."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

PIECE = re.compile(r"\d+|[^\W\d]+")
MAX_PARTS = 7
MIN_SHARE = 0.9  # of the texts that have as many pieces
ENDS = (2, 4)  # characters at either end of codes that all have the same length
MIN_LENGTH, MAX_LENGTH = 4, 20  # of such codes


def parts_of(texts: Sequence[str]) -> Iterator[list[str | None]]:
    """Yield each part of texts that consist of as many pieces, or both ends of codes of one length, or the last end.

    >>> list(parts_of(["43/101", "51/207"]))
    [['43', '51'], ['101', '207']]
    >>> list(parts_of(["1980417", "1994101"]))
    [['19', '19'], ['17', '01'], ['1980', '1994'], ['0417', '4101']]
    """
    pieces = [PIECE.findall(text) for text in texts]
    (number, most), *_ = Counter(map(len, pieces)).most_common(1) or [(0, 0)]
    if 2 <= number <= MAX_PARTS and most >= MIN_SHARE * len(texts):
        for at in range(number):
            yield [piece[at] if len(piece) == number else None for piece in pieces]
    elif len({*map(len, texts)}) > 1 and all(3 <= len(text) <= MAX_LENGTH for text in texts):
        yield [text[-ENDS[0] :] for text in texts]
    elif len({*map(len, texts)}) == 1 and MIN_LENGTH <= len(texts[0]) <= MAX_LENGTH:
        for end in ENDS:
            if len(texts[0]) > end:
                yield [text[:end] for text in texts]
                yield [text[-end:] for text in texts]
