"""A table as in hospitals, with many different dates and codes: the same on every machine, and released in time."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import time
from pathlib import Path

import pandas as pd
import pyarrow.compute as pc
import pytest

import shoal
from shoal import Hierarchy
from shoal.release.report import writers

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

FILE = Path(__file__).parents[2] / "benchmarks" / "hospital.py"
TREES = {"birth_date": "dates", "postal_code": "prefix", "sex": "flat", "admission": "dates"}


@pytest.fixture(scope="module")
def hospital():
    sys.path.append(str(FILE.parent))  # for what it imports
    spec = importlib.util.spec_from_file_location("hospital", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.hospital


def released(data, **options):
    call = {
        "quasi_identifiers": list(TREES),
        "sensitive": "diagnosis",
        "identifying": ["patient", "name", "note"],
        "hierarchies": TREES,
        "model": shoal.KAnonymity(5),
        "algorithm": "mondrian",
        "rows_are_people": True,  # patients have two visits on average, and it is the time that is tested
    }
    return shoal.anonymize(data, **call | options)


def cpu(work):
    """Return the CPU seconds of the faster of two runs."""
    times = []
    for _ in range(2):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def test_the_table_is_the_same_on_every_machine(hospital):
    rows = "\n".join(map(repr, hospital(2_000, 7).to_pylist()))
    digest = hashlib.sha256(rows.encode()).hexdigest()
    assert digest == "c85d89390bbd3eb03d1e924f430e36abd1aeca4c7f8f1dc7995a6326e7cdd92d"
    assert hospital(2_000, 8) != hospital(2_000, 7)


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 1_000])
def test_any_number_of_rows(hospital, rows):
    assert hospital(rows).num_rows == rows


def test_what_the_table_holds(hospital):
    data = hospital(50_000)
    kinds = {name: pc.count_distinct(data[name]).as_py() for name in data.column_names}
    assert 23_900 <= kinds["birth_date"] <= 24_000
    assert kinds["patient"] == 25_000
    assert kinds["sex"] == 11
    assert {len(code) for code in data["diagnosis"].to_pylist()} == {3, 5, 6}
    assert any("ü" in name for name in data["name"].to_pylist())
    missing = {name for name in data.column_names if data[name].null_count}
    assert missing == {"birth_date", "postal_code", "sex", "cost", "note"}


def test_what_a_report_keeps_is_built_in_time_with_many_dates(hospital):
    release = released(hospital(50_000))
    assert cpu(release.to_json) < 2  # about .1; a set of all leaves for each node took 20


def test_nothing_is_kept_where_no_report_is_asked_for(hospital, tmp_path, monkeypatch):
    release = released(hospital(1_000))

    def refuse(basis):
        raise AssertionError("built without need")

    monkeypatch.setattr(writers, "report_with_generalization", refuse)
    release.save(tmp_path / "safe.csv")
    release.save(tmp_path / "again.csv", report=tmp_path / "safe.html")
    with pytest.raises(AssertionError, match="without need"):
        release.save(tmp_path / "third.csv", report=tmp_path / "safe.json")


def test_it_is_built_once_for_several_reports(hospital, tmp_path, monkeypatch):
    release, built = released(hospital(1_000)), []
    whole = writers.report_with_generalization
    monkeypatch.setattr(writers, "report_with_generalization", lambda basis: built.append(1) or whole(basis))
    names = ["a.json", "b.json", "c.html"]
    release.save(tmp_path / "safe.csv", report=[tmp_path / name for name in names])
    assert built == [1]
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()


def test_the_page_of_the_classes_converts_each_column_once(hospital):
    release = released(hospital(20_000).to_pandas())
    assert cpu(release.groups.to_html) < 3  # about .6; the whole column for each class took 9


def test_an_ordered_column_with_many_values_is_assessed_in_time(hospital):
    days = hospital(50_000)["birth_date"].drop_null().cast("string").to_pandas()
    frame = pd.DataFrame({"born": pd.Categorical(days, ordered=True)})
    assert cpu(lambda: shoal.assess(frame, quasi_identifiers="born")) < 2  # .3; a search from the start for each took 4


def test_frequencies_that_double_build_their_tree_in_time():
    counts = {f"v{place:05}": 2**place for place in range(8_000)}
    assert cpu(lambda: Hierarchy.by_frequency(counts)) < 1  # .3; a list of all members for each group took 1.7


def test_a_set_of_many_dates_is_no_range_however_many_dashes_it_has(hospital):
    from shoal.data.label_ranges import span_of
    from shoal.data.style import Style

    days = [str(day) for day in hospital(4_000)["birth_date"].drop_null().to_pylist()]
    label = " | ".join(days)
    assert span_of(label, Style()) is None
    assert cpu(lambda: [span_of(label, Style()) for _ in range(100)]) < 0.5  # .01; each dash was tried, for 60
    assert span_of(" | ".join(["1", "2", "3", "4"]), Style(numbers="{low} | {high}")) is None
    assert span_of("1 | 2", Style(numbers="{low} | {high}")) == ("number", (1, 0), (2, 0))
    assert span_of("1-2", Style(separator="-")) == ("number", (1, 0), (2, 0))
    assert span_of("2020-01-01 - 2020-02-01", Style(separator="-"))[0] == "moment"
