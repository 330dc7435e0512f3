"""Files whose rows are needed all at once: released in memory if they fit into the memory that was asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.engines import whole_table
from shoal.engines.streams.memory import memory_for_whole
from streams.test_anonymize_files import written
from streams.test_people_in_files import rows_of, visits

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
KEY = "a secret of at least 16 bytes"
ASKED = {"quasi_identifiers": ["age", "month"], "model": shoal.KAnonymity(3), "max_suppression": 0.2, "key": KEY}
PROMISES = {
    "profiles": {"unit": "person", "pseudonymize": "person"},
    "households": {"group": "person"},
    "dates": {"unit": "person", "shift_dates": "day", "keep": "day"},
}


def table(people: int = 60) -> pa.Table:
    found = visits(people=people).drop(["row", "ill"])
    return found.append_column("day", pa.array(found["month"].to_pylist(), pa.int32()).cast(pa.date32()))


def asked(promise: str) -> dict:
    return ASKED | PROMISES[promise] | ({} if promise == "dates" else {"identifying": "day"})


def read(path: Path) -> pa.Table:
    if path.is_dir():
        return pa.concat_tables(read(part) for part in sorted(path.iterdir()))
    return pq.read_table(path) if path.suffix == ".parquet" else pa.csv.read_csv(path)


def profiles(release: pa.Table) -> Counter:
    """Count the people who have each multiset of rows, by their pseudonyms."""
    rows: dict = {}
    for row in release.to_pylist():
        rows.setdefault(row["person"], []).append((str(row["age"]), str(row["month"])))
    return Counter(tuple(sorted(own)) for own in rows.values())


@pytest.mark.parametrize("ending", [".csv", ".parquet", ""])
@pytest.mark.parametrize("promise", PROMISES)
def test_the_release_is_that_of_memory(tmp_path, promise, ending):
    source, target = written(table(), tmp_path / f"in{ending or '.parquet'}"), tmp_path / f"out{ending}"
    made = shoal.anonymize_files(source, target, memory="2GB", report=tmp_path / "r.json", **asked(promise))
    expected = shoal.anonymize(source, **asked(promise))
    assert rows_of(read(target)) == rows_of(expected.frame)
    assert (made.report.k, made.report.people, made.path) == (expected.report.k, expected.report.people, target)
    assert made.report.warnings == expected.report.warnings
    if promise == "profiles":
        assert min(profiles(read(target)).values()) >= 3
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["input"] == expected.report.input
    assert report["people"]["promise"] == ("classes" if promise == "dates" else promise)
    assert report["release"]["sha256"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source.name, target.name, "r.json"])


def test_a_folder_of_files_with_all_reports(tmp_path):
    (tmp_path / "in").mkdir()
    rows = table()
    for part in range(3):
        pq.write_table(rows.slice(part * 60, 60 if part < 2 else None), tmp_path / "in" / f"{part}.parquet")
    reports = [tmp_path / "r.json", tmp_path / "r.html"]
    made = shoal.anonymize_files(tmp_path / "in", tmp_path / "out.csv", report=reports, **asked("profiles"))
    assert made.report.input["sha256_of"] == "the SHA-256 of all files"
    assert made.report.input["rows"] == rows.num_rows
    assert min(profiles(read(tmp_path / "out.csv")).values()) >= 3
    assert "anonymize_files" in reports[1].read_text()


def test_a_table_that_does_not_fit_is_refused_with_the_memory_it_needs(tmp_path, monkeypatch):
    source = written(table(), tmp_path / "in.parquet")
    monkeypatch.setattr(whole_table, "memory_for_whole", lambda rows, size, columns: rows * 10**8)
    with pytest.raises(shoal.InputError) as refusal:
        shoal.anonymize_files(source, tmp_path / "out.parquet", memory="2GB", **asked("profiles"))
    rows = table().num_rows
    assert str(refusal.value) == (
        f"The promise of profiles matches all rows of 'person', which needs the whole table in memory: about "
        f"{rows / 10:.1f} GB for {rows} rows, and 2.0 GB may be used. Give as much if the machine has it: "
        f"memory='{-(-rows // 10)}GB', --memory {-(-rows // 10)}GB."
    )
    with pytest.raises(shoal.InputError, match=r"^shift_dates = .* moves all dates of a person, which needs the whole"):
        shoal.anonymize_files(source, tmp_path / "out.parquet", memory="2GB", **asked("dates"))
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]
    shoal.anonymize_files(source, tmp_path / "out.parquet", memory=f"{-(-rows // 10)}GB", **asked("profiles"))


def test_the_memory_that_is_named_is_enough_and_grows_with_the_table():
    small, large = memory_for_whole(10**6, 10**8, 5), memory_for_whole(2 * 10**6, 2 * 10**8, 5)
    assert small < large < 2 * small
    assert memory_for_whole(10**6, 10**8, 6) > small


MEASURE = """
import resource, sys, shoal
warnings = __import__("warnings"); warnings.simplefilter("ignore")
shoal.anonymize_files(sys.argv[1], sys.argv[2], unit="person", pseudonymize="person", key="a secret of at least 16 b",
    quasi_identifiers=["age", "sex", "month", "ward"], sensitive="occupation", model=shoal.KAnonymity(5),
    identifying=["workclass", "education", "marital-status", "race", "native-country", "age_at_visit"],
    max_suppression=0.05)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss is that of Linux")
@pytest.mark.deep("releases 25,000 rows in a process of its own to measure its memory")
def test_the_estimate_is_not_below_what_a_run_takes(tmp_path):
    rows = shoal.datasets.visits(5000)
    pa.csv.write_csv(rows, tmp_path / "in.csv")
    line = [sys.executable, "-c", MEASURE, str(tmp_path / "in.csv"), str(tmp_path / "out.csv")]
    peak = int(subprocess.run(line, capture_output=True, text=True, check=True).stdout)
    assert peak < memory_for_whole(rows.num_rows, rows.nbytes, 5) < 4 * peak


def test_blocks_are_refused(tmp_path):
    source = written(table(), tmp_path / "in.parquet")
    with pytest.raises(shoal.InputError, match="so that they cannot be solved in blocks: leave out block_rows"):
        shoal.anonymize_files(source, tmp_path / "out.parquet", block_rows=100, **asked("households"))


def test_a_release_that_does_not_verify_is_not_put_in_place(tmp_path, monkeypatch):
    source = written(table(), tmp_path / "in.csv")
    honest = whole_table.writable
    monkeypatch.setattr(whole_table, "writable", lambda release, kind: honest(release, kind).slice(1))
    with pytest.raises(shoal.VerificationError):
        shoal.anonymize_files(source, tmp_path / "out.csv", report=tmp_path / "r.json", **asked("profiles"))
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_warnings_name_the_line_of_the_caller(tmp_path):
    found = table()
    doses = pa.array(np.random.default_rng(1).random(found.num_rows))  # all different
    source = written(found.append_column("dose", doses), tmp_path / "in.csv")
    with pytest.warns(shoal.PrivacyWarning, match="unique within their class") as caught:
        shoal.anonymize_files(source, tmp_path / "out.csv", **asked("profiles"))
    assert {warning.filename for warning in caught} == {__file__}
