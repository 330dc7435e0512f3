"""Reports on releases in files: the release can be repeated, and applied to the next table."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest

import shoal
from streams.test_anonymize_files import ASKED, K, adult, written

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


@pytest.mark.parametrize("algorithm", ["mondrian", "full-domain"])
def test_the_classes_are_applied_to_the_next_table(tmp_path, algorithm):
    source = written(adult(1500), tmp_path / "in.parquet")
    asked = ASKED | {"model": K, "algorithm": algorithm}
    shoal.anonymize_files(source, tmp_path / "out.parquet", report=tmp_path / "out.json", **asked)
    plain = shoal.anonymize(source, **asked)
    plain.save(tmp_path / "plain.parquet", report=tmp_path / "plain.json")
    ways = [shoal.apply(tmp_path / name, source, max_suppression=0.2) for name in ("out.json", "plain.json")]
    assert ways[0].frame.equals(ways[1].frame)
    assert ways[0].report.k >= 5


def test_the_lines_of_python_make_the_same_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(adult(900), tmp_path / "in.parquet")
    asked = {name: value for name, value in ASKED.items() if name != "hierarchies"}
    shoal.anonymize_files("in.parquet", "out.parquet", report="out.html", model=K, algorithm="mondrian", **asked)
    first = pq.read_table("out.parquet")
    page = (tmp_path / "out.html").read_text()
    code = page.partition("import shoal")[2].partition("</code>")[0].replace("&quot;", '"')
    (tmp_path / "out.parquet").unlink()
    exec("import shoal" + code, {})
    assert pq.read_table("out.parquet").equals(first)


@pytest.mark.parametrize("report", ["safe/report.json", "safe/"])
def test_a_report_within_the_folder_of_the_release_is_refused_before_any_work(tmp_path, monkeypatch, report):
    monkeypatch.chdir(tmp_path)
    written(adult(100), tmp_path / "in.parquet")
    (tmp_path / "safe").mkdir()
    with pytest.raises(shoal.InputError, match="inside its folder"):
        shoal.anonymize_files("in.parquet", "safe", report=report, **ASKED | {"model": K, "algorithm": "mondrian"})
    assert list((tmp_path / "safe").iterdir()) == []
