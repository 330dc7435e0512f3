"""Parquet files that workers wrote, and that are changed before they are verified, are refused; nothing is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.spark
from depth import every
from shoal.engines.spark import files
from shoal.engines.spark.parquet_parts import ParquetParts, parts_of
from shoal.engines.spark.written_parts import write_parts

pytest.importorskip("pyspark")
from wrong_releases import people

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {
    "quasi_identifiers": ["age", "city"],
    "sensitive": "disease",
    "identifying": "name",
    "pseudonymize": "person",
    "key": b"0123456789abcdef",
    "model": shoal.KAnonymity(6),
    "algorithm": "mondrian",
}
Spoil = Callable[[Path], object]


def table_in(path: Path) -> Path:
    """Write a table into two files of four row groups each; return their folder."""
    folder = path / "in"
    folder.mkdir()
    for number, table in enumerate([people(), people(128).slice(64)]):
        pq.write_table(table, folder / f"{number}.parquet", row_group_size=16)
    return folder


def cells(table: pa.Table) -> list[list[str]]:
    """Return the cells of a table in a form in which NaN equals NaN."""
    return [list(map(str, column.to_pylist())) for column in table.columns]


def refuses(path: Path, sentence: str) -> None:
    with pytest.raises(shoal.VerificationError, match=sentence):
        shoal.spark.anonymize_files(table_in(path), path / "out", report=path / "out.json", **ASKED)
    assert [one.name for one in path.iterdir()] == ["in"]


def changed(change: Callable[[pa.Table], pa.Table]) -> Spoil:
    """Change the table in the first file."""

    def spoil(folder: Path) -> None:
        file = min(folder.iterdir())
        before = pq.read_table(file)
        table = change(before)
        assert cells(table) != cells(before) or not table.schema.equals(before.schema, check_metadata=True)
        pq.write_table(table, file)

    return spoil


def other(table: pa.Table, name: str, values) -> pa.Table:
    at = table.column_names.index(name)
    return table.set_column(at, name, pa.array(values, table.schema.field(name).type))


def rolled(table: pa.Table, *names: str) -> pa.Table:
    for name in names:
        values = table[name].to_pylist()
        table = other(table, name, [values[-1], *values[:-1]])
    return table


def first_cell(table: pa.Table, name: str, value) -> pa.Table:
    return other(table, name, [value, *table[name].to_pylist()[1:]])


def without_nan(table: pa.Table) -> pa.Table:
    scores = table["score"]
    return other(table, "score", pc.if_else(pc.is_nan(scores), None, scores).to_pylist())


def lost(folder: Path) -> None:
    min(folder.iterdir()).unlink()


def twice(folder: Path) -> None:
    file = min(folder.iterdir())
    file.with_name("part-00009.parquet").write_bytes(file.read_bytes())


def twice_for_another(folder: Path) -> None:
    first, second = sorted(folder.iterdir())
    second.write_bytes(first.read_bytes())


def exchanged(folder: Path) -> None:
    first, second = sorted(folder.iterdir())
    content = first.read_bytes()
    assert content != second.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)


def foreign(name: str, metadata: dict[str, str] | None = None) -> Spoil:
    """Put a file without rows beside the others."""

    def spoil(folder: Path) -> None:
        empty = pq.read_table(min(folder.iterdir())).slice(0, 0)
        pq.write_table(empty.replace_schema_metadata(metadata), folder / name)

    return spoil


def damaged(folder: Path) -> None:
    file = min(folder.iterdir())
    content = bytearray(file.read_bytes())
    content[4:400] = bytes(396)
    file.write_bytes(bytes(content))


def with_dictionary(table: pa.Table) -> pa.Table:
    """Return the table with a text in the dictionary of its labels that no row has."""
    values = table["city"].combine_chunks().dictionary_encode()
    names = pa.concat_arrays([values.dictionary, pa.array(["Atlantis"])])
    return table.set_column(1, "city", pa.DictionaryArray.from_arrays(values.indices, names))


def only_hidden(folder: Path) -> None:
    """Write the first file anew with the same rows and types, and one more text in a dictionary."""
    file = min(folder.iterdir())
    table = pq.read_table(file)
    with pq.ParquetWriter(file, with_dictionary(table).schema, store_schema=False) as writer:
        writer.write_table(with_dictionary(table))
    assert cells(pq.read_table(file)) == cells(table)


OTHERWISE = "The values were not written as they are"
FOLDER = "does not hold the files that were written, and no others"
SPOILED: dict[str, tuple[Spoil, str]] = {
    "labels rolled": (changed(lambda table: rolled(table, "age", "city")), OTHERWISE),
    "a cell": (changed(lambda table: first_cell(table, "note", "c")), OTHERWISE),
    "a row lost": (changed(lambda table: table.slice(1)), OTHERWISE),
    "a file twice": (twice, FOLDER),
    "a file twice, another lost": (twice_for_another, OTHERWISE),
    "a foreign file": (foreign("part-00009.parquet", {"author": "x"}), FOLDER),
    "a hidden file": (foreign(".part.parquet"), FOLDER),
    "a text beside the rows": (only_hidden, r"has 1 value\(s\) in the file that no released row has"),
}
MORE: dict[str, tuple[Spoil, str]] = {
    "files exchanged": (exchanged, OTHERWISE),
    "a file lost": (lost, FOLDER),
    "a marker": (lambda folder: (folder / "_SUCCESS").touch(), FOLDER),
    "no Parquet file": (lambda folder: (folder / "part-00009.txt").write_text("x"), "cannot be read back"),
    "a folder": (lambda folder: (folder / ".more").mkdir(), FOLDER),
    "rows turned": (changed(lambda table: table.take(list(range(table.num_rows))[::-1])), OTHERWISE),
    "two rows exchanged": (changed(lambda table: table.take([1, 0, *range(2, table.num_rows)])), OTHERWISE),
    "a row twice": (changed(lambda table: table.take([0, *range(table.num_rows)])), OTHERWISE),
    "a row twice, another lost": (changed(lambda table: table.take([1, *range(1, table.num_rows)])), OTHERWISE),
    "null for a text": (changed(lambda table: first_cell(table, "note", None)), OTHERWISE),
    "nulls": (changed(lambda table: other(table, "note", [None] * table.num_rows)), OTHERWISE),
    "null for NaN": (changed(without_nan), OTHERWISE),
    "sensitive cells rolled": (changed(lambda table: rolled(table, "disease")), OTHERWISE),
    "pseudonyms rolled": (changed(lambda table: rolled(table, "person")), OTHERWISE),
    "a label": (changed(lambda table: first_cell(table, "city", "Kiel")), OTHERWISE),
    "a column lost": (changed(lambda table: table.drop_columns("note")), "cannot be read back"),
    "another type": (
        changed(lambda table: table.set_column(4, "score", table["score"].cast(pa.float32()))),
        "cannot be read back",
    ),
    "metadata": (changed(lambda table: table.replace_schema_metadata({"author": "x"})), "has metadata"),
    "no Parquet": (lambda folder: min(folder.iterdir()).write_bytes(b"PAR1 and no more" * 9), "cannot be read back"),
    "damaged pages": (damaged, "cannot be read back"),
}


@pytest.mark.parametrize("kind", [*SPOILED, *every(5, MORE)])
def test_files_that_hold_something_else(spark, tmp_path, monkeypatch, kind):
    spoil, sentence = (SPOILED | MORE)[kind]

    def spoiled(*given, **named):
        rows = write_parts(*given, **named)
        assert len(rows.files) == 2
        spoil(rows.folder)
        return rows

    monkeypatch.setattr(files, "write_parts", spoiled)
    refuses(tmp_path, sentence)


@pytest.mark.parametrize("groups", [0, 1])
def test_a_file_without_rows_is_looked_at_too(spark, tmp_path, monkeypatch, groups):
    def spoiled(*given, **named):
        rows = write_parts(*given, **named)
        schema, path = pq.read_schema(min(rows.folder.iterdir())), rows.folder / "part-00002.parquet"
        with pq.ParquetWriter(path, schema.with_metadata({"author": "x"})) as writer:
            for _ in range(groups):
                writer.write_table(schema.empty_table())
        assert pq.read_metadata(path).num_row_groups == groups
        return replace(rows, files=(*rows.files, "part-00002.parquet"))

    monkeypatch.setattr(files, "write_parts", spoiled)
    refuses(tmp_path, "has metadata")


def part_twice(tasks):
    return ((tasks[0][0],), (replace(tasks[0][0]),))


def group_twice(tasks):
    return ((replace(tasks[0][0], groups=(0, 0, 2, 3)),), tasks[1])


@pytest.mark.parametrize("wrong", [part_twice, group_twice, lambda tasks: tasks[::-1]])
def test_a_source_that_is_not_read_once_and_in_order(spark, tmp_path, monkeypatch, wrong):
    """The number of rows is right, and all rows of the release are right, too."""

    def some(*given, **named):
        parts = parts_of(*given, **named)
        assert [len(task) for task in parts.tasks] == [1, 1]
        return ParquetParts(parts.schema, wrong(parts.tasks))

    monkeypatch.setattr(files, "parts_of", some)
    refuses(tmp_path, "A part of the table was not read once")


def test_a_task_that_is_written_twice(spark, tmp_path, monkeypatch):
    def doubled(parts, *given):
        written = right(parts, *given)
        return written.union(written) if len(written.columns) == 4 and "digest" in written.columns else written

    right = ParquetParts.map
    monkeypatch.setattr(ParquetParts, "map", doubled)
    refuses(tmp_path, "A part of the release was not written once")


def test_pseudonyms_are_checked_in_the_rows_that_were_written(spark, tmp_path, monkeypatch):
    def spoiled(*given, **named):
        rows = write_parts(*given, **named)
        first, second = rows.digests
        return replace(rows, digests=(first + 1, second - 1))

    monkeypatch.setattr(files, "write_parts", spoiled)
    refuses(tmp_path, "The rows are not those that were written")
