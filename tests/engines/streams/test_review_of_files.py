"""Files of any size are reviewed in the pass that counts their rows."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from review.tables import NOT_REPEATED, REPEATED, ROWS, values

import shoal
from depth import every
from shoal.engines import repeated_values, scan

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ROLES = {"i": {"identifying": "{}"}, "p": {"pseudonymize": "{}", "key": "x" * 16}, "n": {}}


def released(folder: Path, name: str, kind: str, role: str, **more: object) -> None:
    """Release a Parquet file with this column in small batches."""
    pq.write_table(pa.table({name: values(kind), "q": [row % 7 for row in range(ROWS)]}), folder / "t.parquet")
    roles = {key: value.format(name) for key, value in ROLES[role].items()}
    shoal.anonymize_files(
        folder / "t.parquet", folder / "safe.parquet", quasi_identifiers="q", model=shoal.KAnonymity(2), **roles, **more
    )


@pytest.mark.parametrize(("name", "kind", "role"), every(8, REPEATED))
def test_people_repeat(tmp_path, monkeypatch, name, kind, role):
    monkeypatch.setattr(scan, "BATCH_ROWS", 600)
    with pytest.raises(shoal.ReviewError) as stopped:
        released(tmp_path, name, kind, role)
    assert [(finding.code, finding.column) for finding in stopped.value.findings] == [("repeated-people", name)]
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]


@pytest.mark.parametrize(("name", "kind", "role"), every(8, NOT_REPEATED))
def test_no_false_alarm(tmp_path, name, kind, role):
    released(tmp_path, name, kind, role)
    assert (tmp_path / "safe.parquet").exists()


def test_too_many_people_are_estimated(tmp_path, monkeypatch):
    monkeypatch.setattr(repeated_values, "MAX_VALUES", 100)
    with pytest.raises(shoal.ReviewError, match=r"2,000 rows are of about [34]\d\d people"):
        released(tmp_path, "patient_id", "number", "i")


def test_a_column_that_links_the_rows_of_people_stops_a_release_of_files(tmp_path):
    lines = [f"p{row // 3},{20 + row // 3 % 4},{row % 5},p{row // 3}@x.org" for row in range(180)]
    source, target = tmp_path / "visits.csv", tmp_path / "safe.csv"
    source.write_text("\n".join(["pid,age,month,mail", *lines, ""]), encoding="utf-8")
    asked = {"quasi_identifiers": ["age", "month"], "unit": "pid", "model": shoal.KAnonymity(3), "memory": "1GB"}
    with pytest.raises(shoal.ReviewError, match="Column 'mail' links rows although 'pid' is removed"):
        shoal.anonymize_files(source, target, **asked)
    assert not target.exists()
    shoal.anonymize_files(source, target, identifying="mail", **asked)
    assert target.exists()
