"""Wrong releases of files of any size: spoiled batches, lookups and files."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal
from shoal import VerificationError
from shoal.engines import scan
from shoal.engines.lookup import Lookup
from shoal.engines.streams import relabel, sink
from verification.wrong import ASKED, TABLE, TABLES, TYPED

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
OPTIONS = {"algorithm": "mondrian", **ASKED}
KINDS = TABLES | TYPED
BLANK = "a missing value has a pseudonym"  # an empty cell of a CSV is a text like others
NAMES = ("a column is renamed", "two columns swap their names")  # which stand in a line of their own in a CSV


@pytest.fixture(params=["csv", "parquet"])
def source(request, tmp_path, monkeypatch):
    """Write the table to a file that is processed in batches of twenty rows."""
    monkeypatch.setattr(scan, "BATCH_ROWS", 20)
    path = tmp_path / "in" / f"table.{request.param}"
    path.parent.mkdir()
    if request.param == "csv":
        pyarrow.csv.write_csv(TABLE, path)
    else:
        pq.write_table(TABLE, path)
    return path


def refused(source, target):
    """Return the message of a refused release, of which nothing is left."""
    with pytest.raises(VerificationError) as refusal:
        shoal.anonymize_files(source, target, **OPTIONS)
    assert str(refusal.value).endswith("Nothing was released.")
    assert "\n" not in str(refusal.value)
    assert list(target.parent.iterdir()) == [source.parent]
    return str(refusal.value)


def plain(batch):
    """Return a batch as a table without dictionaries."""
    table = pa.Table.from_batches([batch])
    return table.cast(pa.schema([(one.name, _value_type(one.type)) for one in table.schema]))


def _value_type(kind):
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def batch_of(table):
    """Return a table as one batch."""
    return table.combine_chunks().to_batches()[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_batch(kind, source, tmp_path, monkeypatch):
    typed = source.suffix == ".parquet"
    if not typed and kind in (*TYPED, BLANK):
        pytest.skip("a CSV has neither types nor missing values")
    if (
        "identifying column is kept" in kind
        or "in place" in kind
        or kind.startswith(("raw", "pseudonyms are the values"))
    ):
        monkeypatch.setattr(scan, "BATCH_ROWS", len(TABLE))  # as these take columns of the whole table
    honest = relabel.Relabeller.relabel

    def wrong(self, batch, **given):
        made, kept = honest(self, batch, **given)
        return batch_of(KINDS[kind](_texts(plain(made), typed=typed))), kept

    monkeypatch.setattr(relabel.Relabeller, "relabel", wrong)
    refused(source, tmp_path / f"out{source.suffix}")


def _texts(table, *, typed):
    """Return a table as read from a CSV, with None for empty cells."""
    if typed:
        return table
    cost = [float(value) if value else None for value in table["cost"].to_pylist()]
    table = table.set_column(table.schema.names.index("cost"), "cost", pa.array(cost))
    for name in ("note", "card"):
        cells = [value or None for value in table[name].to_pylist()]
        table = table.set_column(table.schema.names.index(name), name, pa.array(cells, pa.string()))
    return table


@pytest.mark.parametrize("kind", ["lost", "doubled", "the first again", "in another order"])
def test_a_wrong_stream_of_batches(kind, source, tmp_path, monkeypatch):
    honest, seen = sink.Sink.write, []

    def wrong(self, batch):
        seen.append(batch)
        number = len(seen)
        if kind == "lost" and number == 2:
            return
        if kind == "doubled" and number == 2:
            honest(self, batch)
        if kind == "in another order":
            if number == 1:
                return
            honest(self, batch)
            if number == 2:
                honest(self, seen[0])
            return
        honest(self, seen[0] if kind == "the first again" else batch)

    monkeypatch.setattr(sink.Sink, "write", wrong)
    refused(source, tmp_path / f"out{source.suffix}")


def test_a_batch_that_is_not_read_again(source, tmp_path, monkeypatch):
    honest, calls = scan.Scan.batches, []

    def wrong(self, *given):
        calls.append(given)
        for number, batch in enumerate(honest(self, *given)):
            if len(calls) != 4 or number != 1:  # after the first rows were looked at twice, and all counted
                yield batch

    monkeypatch.setattr(scan.Scan, "batches", wrong)
    assert "and should have 60" in refused(source, tmp_path / f"out{source.suffix}")


@pytest.mark.parametrize("kind", ["next class", "one class"])
def test_a_wrong_lookup(kind, source, tmp_path, monkeypatch):
    honest = Lookup.classes

    def wrong(self, codes):
        found = honest(self, codes)
        return (found + 1) % (found.max() + 1) if kind == "next class" else found * 0

    monkeypatch.setattr(Lookup, "classes", wrong)
    refused(source, tmp_path / f"out{source.suffix}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_file(kind, source, tmp_path, monkeypatch):
    typed = source.suffix == ".parquet"
    if not typed and kind in (*TYPED, *NAMES, BLANK):
        pytest.skip("a CSV has neither types nor missing values, and its names are not written here")
    place = sink._ParquetFile if typed else sink._CsvFile
    honest = place.write

    def wrong(self, table):
        table = table.cast(pa.schema([(one.name, _value_type(one.type)) for one in table.schema]))
        honest(self, KINDS[kind](_texts(table, typed=typed)))

    monkeypatch.setattr(place, "write", wrong)
    refused(source, tmp_path / f"out{source.suffix}")


def test_the_right_release_is_accepted(source, tmp_path):
    made = shoal.anonymize_files(source, tmp_path / f"out{source.suffix}", **OPTIONS)
    assert made.report.k >= 4
    in_memory = shoal.anonymize(source, **OPTIONS)
    assert made.report.metrics["loss"] == in_memory.report.metrics["loss"]


def test_pseudonyms_that_differ_from_batch_to_batch(source, tmp_path, monkeypatch):
    honest, calls = relabel.pseudonyms, []

    def wrong(name, column, key):
        calls.append(name)
        return honest(name, column, f"{key}{len(calls)}")

    monkeypatch.setattr(relabel, "pseudonyms", wrong)
    refused(source, tmp_path / f"out{source.suffix}")
