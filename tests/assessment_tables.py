"""Random small tables to assess."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import strategies as st

QUASI = ["q", "r"]


@st.composite
def rows(draw, max_rows=24):
    """Rows with two quasi-identifiers, a text and a number, any of them missing."""
    one = st.fixed_dictionaries(
        {
            "q": st.sampled_from(["a", "b", None]),
            "r": st.sampled_from([1, 2, None]),
            "s": st.sampled_from(["u", "v", "w", None]),
            "n": st.sampled_from([3, 5, 40, None]),
        }
    )
    return draw(st.lists(one, min_size=1, max_size=max_rows))


def table_of(rows):
    """The rows as a table, whatever of them is missing."""
    kinds = {"q": pa.string(), "r": pa.int64(), "s": pa.string(), "n": pa.int64()}
    return pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in kinds.items()})


def usable(rows):
    """Whether each quasi-identifier has a value."""
    return all(any(row[name] is not None for row in rows) for name in QUASI)
