"""similar_names(): people who are written in several ways, and so counted as several.

Names that differ only in blanks or in upper and lower case may be one person, in which case classes have fewer people
than were counted. Whether they are, only the owner of the table knows, so they are not merged but warned of.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_text import is_text, plain
from shoal.data.unit import named_units
from shoal.engines.value_hashes import hash_values
from shoal.io.source import Source
from shoal.release.request import Request
from shoal.release.review.finding import Finding
from shoal.release.row_order import storage

BLANKS = r"[\s\p{Z}]+"  # of any kind, as a regular expression


def similar_names(source: Source, request: Request) -> list[Finding]:
    """Warn of the columns of people and households, in a table in memory, that write some in several ways."""
    found = []
    for name in () if request.unit is None else request.unit.columns:
        values = plain(storage(source.arrow(name)))
        if is_text(values.type):
            names = pc.unique(named_units(values, request.missing_values)).drop_null()
            found += warning_of_similar(name, surplus([names]))
    return found


def surplus(names: Iterable[pa.Array]) -> int:
    """Return how many of some different texts differ from another one only in blanks or in upper and lower case."""
    count, hashes = 0, [np.zeros(0, np.uint64)]
    for part in names:
        count += len(part)
        hashes.append(np.unique(hash_values(pc.utf8_lower(pc.replace_substring_regex(part, BLANKS, "")))))
    return count - int(np.unique(np.concatenate(hashes)).size)


def warning_of_similar(name: str, count: int) -> list[Finding]:
    """Warn of values that may be other spellings of the same people, if there are any."""
    if not count:
        return []
    values, differ, are = ("value", "differs", "is") if count == 1 else ("values", "differ", "are")
    return [
        Finding(
            "similar-names",
            f"Column {name!r} has {count:,} {values} that {differ} from another one only in blanks or in upper and "
            f"lower case, and {are} counted as different people: if they are the same, classes have fewer people than "
            f"stated. Write each person in one way.",
            (name,),
            figures={"values": count},
        )
    ]
