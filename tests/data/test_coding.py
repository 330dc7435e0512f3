"""A table of distinct rows with weights equals the table of its rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from shoal.data.coding import Coding, Values, places_in
from shoal.data.encoding import encode
from shoal.data.rows import in_order
from shoal.data.style import Style
from shoal.errors import InputError

STYLE = Style()
CELLS = {
    "texts": st.sampled_from(["a", "b", "?", None]),
    "numbers": st.sampled_from(["1", "1.0", "2", "10", "?"]),
    "floats": st.sampled_from([0.0, -0.0, 1.5, float("nan"), None]),
    "whole": st.one_of(st.none(), st.integers(-3, 3)),
}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_distinct_rows_with_weights_encode_as_the_rows_do(data):
    kinds = data.draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=2, max_size=4))
    rows = data.draw(st.lists(st.tuples(*(CELLS[kind] for kind in kinds)), min_size=1, max_size=25))
    names = [f"c{at}" for at in range(len(kinds))]
    types = {"texts": pa.string(), "numbers": pa.string(), "floats": pa.float64(), "whole": pa.int64()}
    columns = {
        name: pa.array([row[at] for row in rows], types[kinds[at]], from_pandas=False) for at, name in enumerate(names)
    }
    quasi, missing = tuple(names[:-1]), ("?",)
    values = [
        Values(name, (counts := pa.array(column).value_counts()).field(0), counts.field(1).to_numpy())
        for name, column in columns.items()
    ]
    try:
        plain = encode(
            {name: pa.chunked_array([column]) for name, column in columns.items()},
            quasi=quasi,
            sensitive=names[-1:],
            guides={},
            missing_values=missing,
            style=STYLE,
        )
    except InputError as error:
        with pytest.raises(InputError, match=str(error)[:20]):
            Coding.of(values, quasi=quasi, guides={}, missing_values=missing, style=STYLE)
        return
    coding = Coding.of(values, quasi=quasi, guides={}, missing_values=missing, style=STYLE)
    table = coding.table(coding.of_places(coding.places(columns)), np.ones(len(rows), np.int64))
    assert [domain.labels for domain in coding.domains] == [
        domain.labels for domain in plain.domains + plain.sensitive_domains
    ]
    both = [table.codes, table.sensitive_codes], [plain.codes, plain.sensitive_codes]
    weighted, repeated = (np.concatenate(parts, axis=1) for parts in both)
    assert sorted(map(tuple, np.repeat(weighted, table.weights, axis=0))) == sorted(map(tuple, repeated))
    assert len(set(map(tuple, weighted))) == len(weighted)
    assert list(map(tuple, weighted)) == sorted(map(tuple, weighted))
    assert table.rows == len(rows)
    for name in table.sensitive:
        assert table.overall[name].labels == plain.overall[name].labels
        assert table.overall[name].counts.tolist() == plain.overall[name].counts.tolist()


def test_rows_of_more_than_64_bits_are_ordered():
    codes = np.random.RandomState(0).randint(0, 50_000, (200, 6)).astype(np.int32)
    codes[100:] = codes[:100]
    order, starts = in_order(codes, [50_000] * 6)
    rows = [tuple(row) for row in codes[order]]
    assert rows == sorted(rows)
    assert starts.tolist() == list(range(0, 200, 2))


def test_a_value_that_was_not_there_before_is_refused():
    with pytest.raises(InputError, match="changed while it was read"):
        places_in(pa.array(["a", "c"]), pa.array(["a", "b"]), "letters")
