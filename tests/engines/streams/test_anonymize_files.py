"""Releases of files that are read batch by batch."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal
from depth import every
from shoal.engines import lookup, scan
from shoal.engines.streams import distinct_rows, sink

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
NAMES = ["age", "sex", "education", "native-country", "occupation", "hours-per-week"]
ASKED = {
    "quasi_identifiers": NAMES[:4],
    "sensitive": "occupation",
    "hierarchies": {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name != "age"},
    "missing_values": ["?"],
}
K = shoal.KAnonymity(5)


def adult(rows: int = 2000) -> pa.Table:
    return shoal.datasets.adult().select(NAMES).slice(0, rows)


def written(table: pa.Table, path: Path, parts: int = 1) -> Path:
    """Write a table as a CSV or Parquet file, or as a folder of files."""
    if parts > 1:
        path.mkdir()
        step = -(-len(table) // parts)
        for number in range(parts):
            written(table.slice(number * step, step), path / f"{number}.{path.suffix[1:]}")
    elif path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        texts = table.cast(pa.schema([(name, pa.string()) for name in table.column_names]))
        pa.csv.write_csv(texts, path, pa.csv.WriteOptions(quoting_style="needed"))
    return path


def small_batches(monkeypatch):
    monkeypatch.setattr(scan, "BATCH_ROWS", 300)
    monkeypatch.setattr(sink, "GROUP_ROWS", 700)
    monkeypatch.setattr(sink, "PART_ROWS", 1000)


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("folder", [False, True])
def test_the_release_is_that_of_the_table_in_memory(tmp_path, monkeypatch, ending, parts, folder):
    small_batches(monkeypatch)
    table = adult()
    source = written(table, tmp_path / f"in{ending}", parts)
    target = tmp_path / ("out" if folder else f"out{ending}")
    found = shoal.anonymize_files(source, target, model=K, algorithm="mondrian", **ASKED)
    whole = written(table, tmp_path / f"whole{ending}")
    release = shoal.anonymize(whole, model=K, algorithm="mondrian", **ASKED)
    release.save(tmp_path / f"plain{ending}")
    read = pq.read_table if ending == ".parquet" else lambda path: pa.csv.read_csv(path)
    files = sorted(target.iterdir()) if folder else [target]
    assert len(files) == (2 if folder else 1)
    together = pa.concat_tables([read(file) for file in files])
    plain = read(tmp_path / f"plain{ending}")
    assert together.equals(plain)
    if ending == ".csv" and not folder:
        assert target.read_bytes() == (tmp_path / "plain.csv").read_bytes()
    assert found.report.metrics == pytest.approx(release.report.metrics)
    assert (found.report.k, found.report.classes, found.report.rows) == (
        release.report.k,
        release.report.classes,
        release.report.rows,
    )
    assert sorted(found.classes.sizes.tolist()) == sorted(release.classes.sizes.tolist())
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


@pytest.mark.parametrize("algorithm", ["auto", "full-domain", "samarati", "local"])
@pytest.mark.parametrize("suppressed", ["keep", "drop"])
def test_models_and_suppression(tmp_path, monkeypatch, algorithm, suppressed):
    small_batches(monkeypatch)
    source = written(adult(900), tmp_path / "in.parquet")
    model = shoal.KAnonymity(3) & shoal.DistinctDiversity(2)
    asked = {"model": model, "algorithm": algorithm, "max_suppression": 0.1, "suppressed": suppressed, **ASKED}
    found = shoal.anonymize_files(source, tmp_path / "out.parquet", report=tmp_path / "out.html", **asked)
    release = pq.read_table(tmp_path / "out.parquet")
    hidden = found.report.suppressed_rows
    assert len(release) == 900 - (hidden if suppressed == "drop" else 0)
    assert "occupation" in (tmp_path / "out.html").read_text()
    groups = Counter(zip(*(release[name].to_pylist() for name in NAMES[:4]), strict=True))
    few = sum(count for count in groups.values() if count < 3)
    assert few <= (0 if suppressed == "drop" else hidden)
    if algorithm in ("full-domain", "samarati"):
        plain = shoal.anonymize(source, **asked)
        assert release.equals(plain.frame.cast(release.schema))


def test_rows_that_miss_a_value_are_left_out_with_all_that_only_they_have(tmp_path, monkeypatch):
    small_batches(monkeypatch)
    table = adult(1500)
    source = written(table, tmp_path / "in.csv")
    found = shoal.anonymize_files(
        source, tmp_path / "out.csv", model=K, algorithm="mondrian", drop_missing=True, **ASKED
    )
    plain = shoal.anonymize(source, model=K, algorithm="mondrian", drop_missing=True, **ASKED)
    plain.save(tmp_path / "plain.csv")
    assert found.report.dropped_rows == plain.report.dropped_rows > 0
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "plain.csv").read_bytes()


def test_pseudonyms_and_identifying_columns(tmp_path, monkeypatch):
    small_batches(monkeypatch)
    table = adult(1000).append_column("id", pa.array([f"p{number}" for number in range(1000)]))
    table = table.append_column("name", pa.array([f"n{number}" for number in range(1000)]))
    source = written(table, tmp_path / "in.parquet")
    extra = {"pseudonymize": "id", "key": "0123456789abcdef", "identifying": "name"}
    shoal.anonymize_files(source, tmp_path / "out.parquet", model=K, algorithm="mondrian", **extra, **ASKED)
    plain = shoal.anonymize(source, model=K, algorithm="mondrian", **extra, **ASKED)
    assert pq.read_table(tmp_path / "out.parquet").equals(plain.frame.cast(pq.read_schema(tmp_path / "out.parquet")))


@pytest.mark.parametrize("model", every(2, [K & shoal.DistinctDiversity(2), K, K & shoal.Closeness(0.4)]), ids=str)
@pytest.mark.parametrize("algorithm", ["local", "mondrian", "auto"])
def test_blocks_satisfy_the_model_and_say_what_they_cost(tmp_path, monkeypatch, model, algorithm):
    small_batches(monkeypatch)
    source = written(adult(2500), tmp_path / "in.parquet")
    found = shoal.anonymize_files(
        source,
        tmp_path / "out.parquet",
        model=model,
        algorithm=algorithm,
        block_rows=400,
        report=tmp_path / "out.json",
        **ASKED,
    )
    told = json.loads((tmp_path / "out.json").read_text())["blocks"]
    assert told["blocks"] > 2
    assert told["estimated_loss_of_cutting"] >= 0
    release = pq.read_table(tmp_path / "out.parquet")
    verdict = shoal.verify(
        release, quasi_identifiers=NAMES[:4], sensitive="occupation", model=model, missing_values=["?"]
    )
    assert sorted(verdict.sizes.tolist()) == sorted(found.classes.sizes.tolist())
    again = shoal.measure(source, release, quasi_identifiers=NAMES[:4], hierarchies=ASKED["hierarchies"])
    assert found.report.metrics["loss"] == pytest.approx(again["loss"], abs=1e-9)


def test_rows_that_do_not_fit_are_kept_on_the_disk(tmp_path, monkeypatch):
    small_batches(monkeypatch)
    kept = []
    whole = distinct_rows.DistinctRows.__init__

    def tight(self, columns, *, max_bytes, folder):
        whole(self, columns, max_bytes=0 if max_bytes < 2**60 else max_bytes, folder=folder)
        self._allocate(512 if max_bytes < 2**60 else 16)
        kept.append(self)

    monkeypatch.setattr(distinct_rows.DistinctRows, "__init__", tight)
    table = adult(3000)
    source = written(table, tmp_path / "in.csv")
    shoal.anonymize_files(source, tmp_path / "out.csv", model=K, algorithm="mondrian", **ASKED)
    assert kept[0].spilled
    shoal.anonymize(source, model=K, algorithm="mondrian", **ASKED).save(tmp_path / "plain.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "plain.csv").read_bytes()


def test_a_wrong_label_is_noticed_and_nothing_is_written(tmp_path, monkeypatch):
    source = written(adult(500), tmp_path / "in.csv")
    of = lookup.Labels.of

    def wrong(self, ids):
        ids = ids.copy()
        ids[0] = (ids[0] + 1) % 3
        return of(self, ids)

    monkeypatch.setattr(lookup.Labels, "of", wrong)
    with pytest.raises(shoal.VerificationError, match="Nothing was released"):
        shoal.anonymize_files(source, tmp_path / "out.csv", model=K, algorithm="mondrian", **ASKED)
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_a_value_that_was_not_written_as_it_is_is_noticed(tmp_path, monkeypatch):
    source = written(adult(500), tmp_path / "in.csv")
    rows = sink.csv_rows

    def wrong(table, dialect):
        for block in rows(table, dialect):
            yield memoryview(bytes(block).replace(b",40\n", b",41\n", 1))

    monkeypatch.setattr(sink, "csv_rows", wrong)
    with pytest.raises(shoal.VerificationError, match="hours-per-week"):
        shoal.anonymize_files(source, tmp_path / "out.csv", model=K, algorithm="mondrian", **ASKED)
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_an_input_that_changes_is_noticed(tmp_path, monkeypatch):
    source = written(adult(500), tmp_path / "in.csv")

    def progress(stage, share):
        if stage == "mondrian":
            written(adult(600).slice(100), source)

    with pytest.raises(shoal.ShoalError, match=r"changed while it was read|does not satisfy|rows and should have"):
        shoal.anonymize_files(source, tmp_path / "out.csv", model=K, algorithm="mondrian", progress=progress, **ASKED)
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path):
    source = written(adult(500), tmp_path / "in.csv")
    from shoal.system.temporary_files import _machine

    left = tmp_path / f".out.csv.shoal-{_machine()}-999999999-0123abcd.tmp"
    elsewhere = tmp_path / ".out.csv.shoal-another.machine-999999999-0123abcd.tmp"
    for folder in (left, elsewhere):
        folder.mkdir()
        (folder / "release.csv").write_text("half")
    shoal.anonymize_files(source, tmp_path / "out.csv", model=K, algorithm="mondrian", **ASKED)
    assert sorted(path.name for path in tmp_path.iterdir()) == [elsewhere.name, "in.csv", "out.csv"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"memory": "lots"}, "not an amount of memory"),
        ({"memory": "1MB"}, "at least 1GB"),
        ({"block_rows": 0}, "whole number of different rows"),
        ({"algorithm": "k-member"}, "every row individually"),
        ({"algorithm": "full-domain", "block_rows": 50}, "block by block"),
        ({"report": "x.html", "block_rows": 50}, "only a .json report"),
        ({"quasi_identifiers": "aeg"}, "Did you mean 'age'"),
        ({"output": "missing/out.csv"}, "Make it first"),
        ({"output": "in.csv"}, "never overwrites"),
        ({"output": "full"}, "not empty"),
        ({"data": "nothing.csv"}, "cannot be read"),
        ({"data": "full"}, "not supported"),
        ({"model": K & shoal.DistinctDiversity(400)}, "No release"),
    ],
)
def test_refusals(tmp_path, monkeypatch, change, message):
    monkeypatch.chdir(tmp_path)
    written(adult(300), Path("in.csv"))
    Path("full").mkdir()
    Path("full/note.md").write_text("mine")
    asked = {"data": "in.csv", "output": "out.csv", "model": K, "algorithm": "mondrian", **ASKED, **change}
    data, output = asked.pop("data"), asked.pop("output")
    with pytest.raises(shoal.ShoalError, match=message):
        shoal.anonymize_files(data, output, **asked)
    assert sorted(path.name for path in Path().iterdir()) == ["full", "in.csv"]


@pytest.mark.parametrize("kind", ["types", "one row", "one class", "unicode", "wide"])
def test_odd_tables(tmp_path, kind):
    import datetime as dt
    from decimal import Decimal

    rows = 40
    odd = {
        "types": {
            "day": [dt.date(2020, 1, 1 + at % 5) for at in range(rows)],
            "real": [None if at % 7 == 0 else float("nan") if at % 7 == 1 else at % 3 + 0.5 for at in range(rows)],
            "money": [Decimal(at % 4) / 4 for at in range(rows)],
            "yes": [at % 2 == 0 for at in range(rows)],
            "moment": [dt.datetime(2020, 1, 1, at % 3) for at in range(rows)],
            "group": pa.array([f"g{at % 3}" for at in range(rows)]).dictionary_encode(),
        },
        "one row": {"a": ["x"], "b": [1]},
        "one class": {"a": ["x"] * rows, "b": [1] * rows},
        "unicode": {"név": ["ő", "ű", "\u202eabc", 'a"b', "a\nb"] * 8, "b": ["1", "2", "", "3", "4"] * 8},
        "wide": {f"c{at}": np.arange(rows) % (at % 5 + 1) for at in range(200)},
    }[kind]
    table = pa.table(odd)
    pq.write_table(table, tmp_path / "in.parquet")
    quasi = table.column_names[: max(2, table.num_columns - 1)]
    secret = [name for name in table.column_names if name not in quasi]
    asked = {"quasi_identifiers": quasi, "sensitive": secret, "model": shoal.KAnonymity(2), "algorithm": "mondrian"}
    if kind == "one row":
        with pytest.raises(shoal.InfeasibleError):
            shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "out.parquet", **asked)
        return
    shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "out.parquet", **asked)
    release = shoal.anonymize(tmp_path / "in.parquet", **asked)
    found = pq.read_table(tmp_path / "out.parquet")
    release.save(tmp_path / "plain.parquet")
    assert found.equals(pq.read_table(tmp_path / "plain.parquet"))


@pytest.mark.parametrize("drop", ["suppressed", "missing"])
def test_batches_that_lose_rows_stand_beside_others(tmp_path, monkeypatch, drop):
    small_batches(monkeypatch)
    rows = 900
    towns = pa.array([f"t{at % 7}" for at in range(rows)]).dictionary_encode()
    ages = [30 + at % 2 for at in range(rows)]
    ages[400] = 99 if drop == "suppressed" else None
    notes = ["plain"] * 400 + ["only here"] + ["plain"] * (rows - 401)
    table = pa.table({"age": ages, "town": towns, "note": notes})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=150)
    asked = {"quasi_identifiers": "age", "model": K, "algorithm": "full-domain", "hierarchies": {"age": "flat"}}
    asked |= {"drop_missing": True} if drop == "missing" else {"suppressed": "drop", "max_suppression": 1}
    shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "out.parquet", **asked)
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.num_rows == rows - 1
    assert found.schema.field("town").type == table.schema.field("town").type
    assert b"only here" not in (tmp_path / "out.parquet").read_bytes()


def test_long_cells_are_written_in_small_groups(tmp_path, monkeypatch):
    monkeypatch.setattr(sink, "MAX_BYTES", {"parquet": 1 << 16, "csv": 1 << 16})
    monkeypatch.setattr(scan, "BATCH_BYTES", 1 << 16)
    table = pa.table({"age": [at % 3 for at in range(500)], "note": [f"{at}" + "x" * 1000 for at in range(500)]})
    pq.write_table(table, tmp_path / "in.parquet")
    asked = {"quasi_identifiers": "age", "model": K, "algorithm": "mondrian"}
    shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "out.parquet", **asked)
    with pq.ParquetFile(tmp_path / "out.parquet") as file:
        assert file.metadata.num_row_groups > 3
        assert file.read()["note"].equals(table["note"])


def test_a_row_that_is_too_long_for_a_part_is_refused(tmp_path, monkeypatch):
    from shoal.io import csv

    monkeypatch.setattr(csv, "PART", 1 << 10)
    (tmp_path / "in.csv").write_text("age,note\n1,a\n2," + "x" * 5000 + "\n3,b\n")
    with pytest.raises(shoal.InputError, match="longer than 1,024 bytes"):
        shoal.anonymize_files(tmp_path / "in.csv", tmp_path / "out.csv", quasi_identifiers="age", model=K)


SIZES = ["XS", "S", "M", "L", "never"]


def categories(*, ordered: bool, whole: bool) -> pa.Table:
    """Low categories come late; each part of the file has all of them, or only its own."""
    parts = []
    for used in (["M", "L"], ["S", "M"], ["XS", "S"]):
        names = SIZES if whole else [size for size in SIZES if size in used]
        indices = pa.array([names.index(used[at % 2]) for at in range(300)], pa.int8())
        parts.append(pa.DictionaryArray.from_arrays(indices, pa.array(names), ordered=ordered))
    column = pa.chunked_array(parts)
    return pa.table({"quasi": column, "secret": column, "other": column, "age": [at // 7 % 9 for at in range(900)]})


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("drop", [False, True])
def test_categories(tmp_path, monkeypatch, ordered, whole, drop):
    small_batches(monkeypatch)
    table = categories(ordered=ordered, whole=whole)
    with pq.ParquetWriter(tmp_path / "in.parquet", table.schema) as file:
        for at in range(0, 900, 300):
            file.write_table(table.slice(at, 300))
    asked = {"quasi_identifiers": ["quasi", "age"], "sensitive": "secret", "model": K, "algorithm": "mondrian"}
    if drop:
        asked |= {"algorithm": "datafly", "max_suppression": 0.9, "suppressed": "drop", "model": shoal.KAnonymity(20)}
        asked |= {"hierarchies": {"quasi": shoal.Hierarchy.flat(SIZES), "age": "flat"}}
    shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "parts.parquet", **asked)
    shoal.anonymize(tmp_path / "in.parquet", **asked).save(tmp_path / "whole.parquet")
    found, wanted = (pq.read_table(tmp_path / f"{name}.parquet") for name in ("parts", "whole"))
    assert (len(found) < 900) == drop
    assert found.to_pylist() == wanted.to_pylist()
    for name in ("secret", "other"):
        assert found.schema.field(name).type == table.schema.field(name).type
        used = set(found[name].to_pylist())
        for chunk in found[name].chunks:
            assert set(chunk.dictionary.to_pylist()) <= used
            if ordered:
                assert chunk.dictionary.to_pylist() == [size for size in SIZES if size in used]


def test_categories_in_contrary_orders_are_refused(tmp_path):
    parts = [
        pa.DictionaryArray.from_arrays([0, 1], pa.array(names), ordered=True) for names in (["a", "b"], ["b", "a"])
    ]
    table = pa.table({"size": pa.chunked_array(parts)})
    with pq.ParquetWriter(tmp_path / "in.parquet", table.schema) as file:
        for at in (0, 2):
            file.write_table(table.slice(at, 2))
    asked = {"quasi_identifiers": "size", "model": shoal.KAnonymity(2)}
    for release in (
        lambda path: shoal.anonymize(path, **asked),
        lambda path: shoal.anonymize_files(path, "x", **asked),
    ):
        with pytest.raises(shoal.InputError, match="Column 'size' has its values in different orders in its parts"):
            release(tmp_path / "in.parquet")


def test_sensitive_values_that_are_too_many_for_the_memory_are_told(tmp_path, monkeypatch):
    pq.write_table(pa.table({"a": [1, 1, 2, 2], "s": [1, 2, 3, 4]}), tmp_path / "in.parquet")
    monkeypatch.setattr("shoal.engines.streams.memory.VALUE_BYTES", 10**9)
    with pytest.raises(shoal.InputError, match="The 4 different sensitive values need more than the memory of"):
        shoal.anonymize_files(
            tmp_path / "in.parquet",
            tmp_path / "out.parquet",
            quasi_identifiers="a",
            sensitive="s",
            model=shoal.KAnonymity(2),
        )
    assert not (tmp_path / "out.parquet").exists()
