"""The parts of a run over files, each compared with plain Python."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings, strategies as st

from shoal.engines.lookup import Lookup
from shoal.engines.scan import Scan
from shoal.engines.streams.count import KnownValues
from shoal.engines.streams.digests import Digests
from shoal.engines.streams.distinct_rows import DistinctRows
from shoal.engines.streams.memory import memory_of, rows_that_fit
from shoal.errors import InputError

TEXTS = st.one_of(st.none(), st.text(max_size=4))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 12), st.booleans())
def test_different_rows_are_counted(seed, columns, batches, tight):
    random = np.random.RandomState(seed)
    with TemporaryDirectory() as folder:
        rows = DistinctRows(columns, max_bytes=1 if tight else 2**40, folder=Path(folder))
        rows._allocate(64)
        expected: Counter[tuple[int, ...]] = Counter()
        for _ in range(batches):
            batch = random.randint(-1, 4, (random.randint(1, 200), columns)).astype(np.int32)
            weights = random.randint(1, 9, len(batch)).astype(np.int64)
            rows.add(batch, weights)
            for row, weight in zip(map(tuple, batch.tolist()), weights.tolist(), strict=True):
                expected[row] += weight
        rows.finish()
        found = Counter()
        for places, weights in rows.parts():
            for row, weight in zip(map(tuple, places.tolist()), weights.tolist(), strict=True):
                assert row not in found
                found[row] = weight
        assert found == expected
        assert len(rows) == len(expected)
        assert rows.rows == sum(expected.values())
        whole, _ = rows.all()
        assert len(whole) == len(expected)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(TEXTS, max_size=8), max_size=6), st.booleans())
def test_values_have_one_place_each(batches, as_dictionary):
    known = KnownValues("c", pa.string())
    places: dict[str | None, int] = {}
    for batch in batches:
        column = pa.array(batch, pa.string())
        found = known.places(column.dictionary_encode() if as_dictionary else column, learn=True)
        for value, place in zip(batch, found.tolist(), strict=True):
            assert places.setdefault(value, place) == place
            assert (place == -1) == (value is None)
    assert len(set(places.values())) == len(places)
    assert len(known) == len({*places} - {None})
    with pytest.raises(InputError, match="changed while it was read"):
        known.places(pa.array(["never seen before"]), learn=False)


def test_an_ordered_column_keeps_its_order_or_is_refused():
    def column(values, order):
        return pa.DictionaryArray.from_arrays(pa.array([order.index(v) for v in values]), pa.array(order), ordered=True)

    known = KnownValues("size", pa.dictionary(pa.int64(), pa.string(), ordered=True))
    assert known.places(column(["M", "L"], ["S", "M", "L"]), learn=True).tolist() == [0, 1]
    assert known.places(column(["S", "M"], ["XS", "S", "M", "XXL"]), learn=True).tolist() == [2, 0]
    values = known.values(np.array([2, 1, 1, 0])).values
    assert values.type.ordered
    assert values.to_pylist() == ["M", "L", "S"]
    assert values.dictionary.to_pylist() == ["S", "M", "L"]
    known.places(column(["S", "M"], ["M", "S"]), learn=True)
    with pytest.raises(InputError, match="different orders"):
        known.values(np.array([3, 1, 2, 0]))


def test_categories_without_rows_are_nothing_new():
    def column(order):
        return pa.DictionaryArray.from_arrays(pa.array([0]), pa.array(order))

    known = KnownValues("size", column(["S"]).type)
    known.places(column(["S", "M"]), learn=True)
    assert len(known) == 1
    assert known.places(column(["S", "M", "L"]), learn=False).tolist() == [0]
    with pytest.raises(InputError, match="changed while it was read"):
        known.places(column(["M", "S"]), learn=False)


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=12), st.data())
def test_digests_change_with_values_and_places_but_not_with_batches(values, data):
    def digest(cells, cuts, *, as_dictionary):
        found = Digests(["c"], text=True)
        for part in np.split(np.arange(len(cells)), cuts):
            column = pa.array([cells[at] for at in part], pa.string())
            found.add(pa.record_batch({"c": column.dictionary_encode() if as_dictionary else column}))
        return found

    cuts = sorted(data.draw(st.lists(st.integers(0, len(values)), max_size=3)))
    plain = digest(values, [], as_dictionary=False)
    assert digest(values, cuts, as_dictionary=True) == plain
    assert digest([value or "" for value in values], cuts, as_dictionary=False) == plain  # as CSV writes them
    at, other = data.draw(st.integers(0, len(values) - 1)), data.draw(st.text(max_size=4))
    changed = [*values[:at], other, *values[at + 1 :]]
    assert (digest(changed, [], as_dictionary=False) == plain) == (other == (values[at] or ""))
    swapped = values[::-1]
    same = [value or "" for value in swapped] == [value or "" for value in values]
    assert (digest(swapped, [], as_dictionary=False) == plain) == same
    assert plain.different(digest(changed, [], as_dictionary=False)) in ("", "c")


TYPED = {
    "int": pa.array([1, 2, None, 2, -1], pa.int16()),
    "float": pa.array([1.5, float("nan"), None, 1.5, -0.5]),
    "bool": pa.array([True, False, None, True, False]),
    "text": pa.array(["a", "", None, "a", "b"]),
    "binary": pa.array([b"a", b"\xff", None, b"", b"b"]),
    "date": pa.array([1, 2, None, 2, 9], pa.date32()),
    "decimal": pa.array([1, 2, None, 2, 9], pa.decimal128(9, 2)),
    "list": pa.array([[1], [], None, [1], [None]]),
    "struct": pa.array([{"a": 1}, {"a": None}, None, {"a": 1}, {"a": 2}]),
    "fixed": pa.array([b"ab", b"cd", None, b"ab", b"xy"], pa.binary(2)),
    "nothing": pa.nulls(5),
}


@pytest.mark.parametrize("kind", TYPED)
def test_digests_of_any_type_tell_null_from_values(kind):
    column = TYPED[kind]

    def digest(*parts):
        found = Digests(["c"], text=False)
        for part in parts:
            found.add(pa.record_batch({"c": part}))
        return found

    whole = digest(column)
    assert digest(column.slice(0, 2), column.slice(2)) == whole, "slices with offsets are the same rows"
    if kind == "nothing":
        return
    turned = column.take(pa.array([4, 1, 2, 3, 0]))
    assert digest(turned) != whole
    for row in range(len(column)):
        value = None if column[row].is_valid else column[0].as_py()
        cells = [value if at == row else column[at].as_py() for at in range(len(column))]
        assert digest(pa.array(cells, column.type)) != whole, row
    if kind == "text":
        assert digest(column.dictionary_encode()) == whole


def test_lookup_finds_each_class_and_no_other():
    codes = np.array([[a, b] for a in range(300) for b in range(-1, 40)], np.int32)
    classes = np.arange(len(codes), dtype=np.int32) % 97 - 1
    lookup = Lookup(lambda: iter([(codes[:5000], classes[:5000]), (codes[5000:], classes[5000:])]), len(codes))
    order = np.random.RandomState(0).permutation(len(codes))
    assert (lookup.classes(codes[order]) == classes[order]).all()
    with pytest.raises(InputError, match="changed while it was read"):
        lookup.classes(np.array([[300, 0]], np.int32))


def test_rows_with_one_fingerprint_get_another(monkeypatch):
    from shoal.engines import lookup

    tried = []

    def fingerprints(codes, salt):
        tried.append(int(salt))
        alike = len(set(tried)) < 3
        return np.ones(len(codes), np.uint64) if alike else codes[:, 0].astype(np.uint64) + np.uint64(1)

    monkeypatch.setattr(lookup, "fingerprints", fingerprints)
    codes = np.arange(10, dtype=np.int32).reshape(-1, 1)
    found = Lookup(lambda: [(codes, codes[:, 0])], 10)
    assert found.classes(codes).tolist() == list(range(10))
    assert len(set(tried)) == 3
    monkeypatch.setattr(lookup, "fingerprints", lambda codes, salt: np.ones(len(codes), np.uint64))
    with pytest.raises(InputError, match="cannot be told apart"):
        Lookup(lambda: [(codes, codes[:, 0])], 10)


def test_rows_cannot_be_made_to_have_one_fingerprint():
    with np.errstate(over="ignore"):
        starts = np.arange(1 << 21, dtype=np.uint64)
        hashes = starts + np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
        hashes = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        hashes = (hashes ^ (hashes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        hashes ^= hashes >> np.uint64(31)
    order = np.argsort(hashes)
    near = np.diff(hashes[order])
    at = int(np.flatnonzero((near < 2**31) & (starts[order][1:] > 8) & (starts[order][:-1] > 8))[0])
    one, other, apart = int(starts[order[at]]), int(starts[order[at + 1]]), int(near[at])
    # Each pair has one hash under a salt that is added to the first number.
    crafted = [row for salt in range(1, 9) for row in ([one - salt, apart], [other - salt, 0])]
    codes = np.array(crafted, np.int32)
    classes = np.arange(len(codes), dtype=np.int32)
    assert (Lookup(lambda: [(codes, classes)], len(codes)).classes(codes) == classes).all()


@pytest.mark.parametrize(
    ("given", "bytes_"),
    [("4GB", 4 * 10**9), (" 2 gib ", 2**31), ("1500MB", 15 * 10**8), ("3G", 3 * 10**9), (10**9, 10**9)],
)
def test_amounts_of_memory(given, bytes_):
    assert memory_of(given) == bytes_
    assert rows_that_fit(bytes_, 9) > 0


def test_sensitive_values_take_memory_from_the_rows():
    assert 0 < rows_that_fit(10**9, 5, 10**6) < rows_that_fit(10**9, 5) // 3
    assert rows_that_fit(10**9, 5, 10**7) == 0


@pytest.mark.parametrize("given", ["", "GB", "-4GB", "4 parsecs", "nan GB", True, None, 4.5, "1GB "[:0], 5])
def test_no_amounts_of_memory(given):
    with pytest.raises(InputError, match="memory"):
        memory_of(given)


def test_folders(tmp_path):
    table = pa.table({"a": [1, 2, 3]})
    with pytest.raises(InputError, match="no files"):
        Scan.of(tmp_path)
    pq.write_table(table, tmp_path / "b.parquet")
    pq.write_table(table, tmp_path / "a.parquet")
    (tmp_path / "_SUCCESS").write_text("")
    (tmp_path / ".hidden").write_text("")
    scan = Scan.of(tmp_path)
    assert [path.name for path in scan.paths] == ["a.parquet", "b.parquet"]
    assert sum(len(batch) for batch in scan.batches(["a"])) == 6
    pq.write_table(pa.table({"a": ["x"]}), tmp_path / "c.parquet")
    with pytest.raises(InputError, match=r"c\.parquet: its columns are not those of a\.parquet"):
        Scan.of(tmp_path)
    (tmp_path / "c.parquet").unlink()
    (tmp_path / "d.csv").write_text("a\n1\n")
    with pytest.raises(InputError, match="CSV and Parquet"):
        Scan.of(tmp_path)
    (tmp_path / "d.csv").unlink()
    (tmp_path / "year=2020").mkdir()
    with pytest.raises(InputError, match="folder within"):
        Scan.of(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"a,b\n1\n", "the row has 1 field"),
        (b'a,b\n1,"2\n', "never closed"),
        (b"a,b\n1,\xff\xfe\n", "not UTF-8"),
        (b"a,a\n1,2\n", "appears twice"),
        (b"a,b\n", "no rows"),
    ],
)
def test_broken_csv(tmp_path, content, message):
    import shoal

    (tmp_path / "in.csv").write_bytes(content)
    with pytest.raises(InputError, match=message):
        shoal.anonymize_files(
            tmp_path / "in.csv", tmp_path / "out.csv", quasi_identifiers="a", model=shoal.KAnonymity(2)
        )
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_a_broken_parquet_file(tmp_path):
    (tmp_path / "in.parquet").write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(InputError, match="Parquet"):
        Scan.of(tmp_path / "in.parquet")
