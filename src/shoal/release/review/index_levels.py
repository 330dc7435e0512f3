"""identifying-column: an index of a pandas frame that says who people are; it comes back with the release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

import numpy as np
import pyarrow as pa

from shoal.release.review.codes import KIND as CODES
from shoal.release.review.content import content_of
from shoal.release.review.evidence import Passed
from shoal.release.review.finding import Finding
from shoal.release.review.sampling import spread

MIN_EQUAL = 0.5  # share of rows in which an index that copies a column has its value
INSTEAD = "Make it a column and give it a role (frame.reset_index()), or drop it (frame.reset_index(drop=True))."


def identifying_index(levels: Sequence[tuple[str, pa.Array]], gone: Mapping[str, pa.ChunkedArray]) -> Iterator[Finding]:
    """Find levels that hold what identifies people, or the values of columns that are removed or pseudonymized.

    A level without a name may hold codes, as row numbers do; one that only numbers the rows tells their order.
    """
    for name, level in levels:
        content = content_of(name, level)
        if content is not None and (content.kind != CODES or (name and not numbers_the_rows(level))):
            yield _finding(f"holds {content.kind} ({content.share:.0%} of its values)", content.code, content.share)
        elif gone and not numbers_the_rows(level):
            column, share = max(((own, share_equal(level, gone[own])) for own in gone), key=itemgetter(1))
            if share >= MIN_EQUAL:
                done = f"repeats column {column!r}, which is removed or pseudonymized,"
                yield _finding(done, "identifying-column", share)


def _finding(what: str, code: str, share: float) -> Finding:
    sentence = f"The index of the frame {what} and would be released as it is. {INSTEAD}"
    return Finding(code, sentence, figures={"share": round(share, 4)}, blocks=True)


def numbers_the_rows(level: pa.Array) -> bool:
    """Return whether the values of a level have equal steps, so that it tells no more than the order of the rows."""
    if pa.types.is_integer(level.type) and not level.null_count:
        steps = np.diff(level.to_numpy())
        return not steps.size or bool((steps == steps[0]).all())
    index = Passed.of(level)
    return (
        index is not None
        and index.numbers is not None
        and (index.codes.size < 2 or np.ptp(np.diff(index.numbers)) == 0)
    )


def share_equal(level: pa.Array, column: pa.ChunkedArray) -> float:
    """Return in what share of the rows that have both values they are equal."""
    one, other = (_texts(values) for values in (pa.chunked_array([level]), column))
    both = [(a, b) for a, b in zip(one, other, strict=True) if a and b]
    return sum(a == b for a, b in both) / len(both) if both else 0.0


def _texts(column: pa.ChunkedArray) -> list[str]:
    """Return the values of some rows as texts to compare: 7, 7.0 and " 7" are equal, and a missing value is empty."""
    values = spread(column).to_pylist()
    whole = [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]
    return ["" if value is None else str(value).strip().casefold() for value in whole]
