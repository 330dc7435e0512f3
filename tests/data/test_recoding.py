"""Groups of rows that show the same are one class, which shows what all of its rows need."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from shoal.data import recoding
from shoal.data.domain import Ranges, Sets
from shoal.data.recoding import Recoding
from strategies import tables


def plain(shown):
    """What each class shows, as values that can be compared."""
    if isinstance(shown, Ranges):
        return list(zip(shown.low.tolist(), shown.high.tolist(), strict=True))
    if isinstance(shown, Sets):
        return [shown.codes[a:b].tolist() for a, b in zip(shown.starts[:-1], shown.starts[1:], strict=True)]
    return shown.tolist()


@given(table=tables(max_rows=30), seed=st.integers(0, 2**32 - 1), large=st.booleans())
@settings(max_examples=300, deadline=None)
def test_merged_groups_show_what_their_rows_need(table, seed, large):
    ids = np.random.RandomState(seed).randint(-1, 12, len(table.weights))
    known = sorted(set(ids[ids >= 0].tolist()))
    ids = np.array([known.index(number) if number >= 0 else -1 for number in ids], np.int32)
    usual = Recoding.of_groups(table, ids)
    joined = [
        plain(domain.join(np.ascontiguousarray(column), usual.ids, usual.sizes.size))
        for domain, column in zip(table.domains, table.codes.T, strict=True)
    ]
    assert [plain(shown) for shown in usual.shown] == joined
    assert len(set(map(repr, zip(*joined, strict=True)))) == usual.sizes.size
    assert ((usual.ids < 0) == (ids < 0)).all()
    assert usual.sizes.tolist() == np.bincount(usual.ids[usual.ids >= 0], minlength=usual.sizes.size).tolist()
    original, recoding.MAX_NUMBER = recoding.MAX_NUMBER, 1 if large else recoding.MAX_NUMBER
    try:
        assert (Recoding.of_groups(table, ids).ids == usual.ids).all()
    finally:
        recoding.MAX_NUMBER = original
