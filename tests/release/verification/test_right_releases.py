"""Correct releases of every kind of column are never refused, in any format."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from depth import every
from shoal import InfeasibleError, InputError, KAnonymity
from shoal.engines import scan

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

MOMENT = datetime(2020, 1, 1, 10, 11, 12)
VALUES = {
    "bool": pa.array([True, False]),
    "int8": pa.array([1, 2], pa.int8()),
    "uint64": pa.array([2**64 - 1, 3], pa.uint64()),
    "float32": pa.array([0.1, 123456792.0], pa.float32()),
    "double": pa.array([1e-5, 1e15]),
    "zeros": pa.array([0.0, -0.0]),
    "decimal": pa.array([Decimal("1.50"), Decimal("99999999.99")]),
    "date": pa.array([date(2020, 1, 1), date(2021, 1, 1)]),
    "date64": pa.array([date(2020, 1, 1), date(2021, 1, 1)], pa.date64()),
    "seconds": pa.array([MOMENT, datetime(2021, 1, 1)], pa.timestamp("s")),
    "microseconds": pa.array([MOMENT, datetime(2021, 1, 1)], pa.timestamp("us")),
    "nanoseconds": pa.array([1000, 10**9], pa.timestamp("ns")),
    "zone": pa.array(
        [MOMENT.replace(tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)], pa.timestamp("us", "Europe/Berlin")
    ),
    "time": pa.array([time(0), time(10, 11)], pa.time64("us")),
    "time of seconds": pa.array([time(0), time(10, 11)], pa.time32("s")),
    "duration": pa.array([timedelta(1), timedelta(2, 5)], pa.duration("us")),
    "text": pa.array(["a | b", "1-3"]),
    "large text": pa.array(["x", ""], pa.large_string()),
    "view": pa.array(["x", "y"], pa.string_view()),
    "category": pa.array(["s", "m"]).dictionary_encode(),
    "category of numbers": pa.array([1, 2]).dictionary_encode(),
}
ALONE = {  # for columns that are passed on
    "binary": pa.array([b"a", b"\xff"]),
    "list": pa.array([[1.0, float("nan")], []]),
    "struct": pa.array([{"a": float("nan")}, None]),
}
WAYS = ["csv", "parquet", "sqlite", "duckdb"]


def table(values, *, rows=8):
    """Return a table with the values in turn, as quasi-identifier and as a column without a role."""
    column = pa.array([values[row % 2].as_py() for row in range(rows)], values.type)
    return pa.table({"q": column, "p": column, "s": ["x", "y"] * (rows // 2)})


def saved(release, way, folder):
    """Save the release, unless a column has no equivalent in the format, which is refused."""
    target = f"{way}:///{folder / 'out'}.{way}#t" if way in ("sqlite", "duckdb") else folder / f"out.{way}"
    try:
        release.save(target)
    except InputError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("tree", every(2, [None, "flat"]))
@pytest.mark.parametrize("kind", VALUES)
def test_a_value_of_any_type(kind, tree, way, tmp_path):
    given = table(VALUES[kind])
    options = {"algorithm": "full-domain", "hierarchies": {"q": tree}} if tree else {"algorithm": "mondrian"}
    made = shoal.anonymize(given, quasi_identifiers="q", model=KAnonymity(2), **options)
    saved(made, way, tmp_path)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ALONE)
def test_a_column_that_is_passed_on(kind, way, tmp_path):
    column = ALONE[kind].take(pa.array([0, 1] * 4))
    made = shoal.anonymize(pa.table({"q": [1, 2] * 4, "p": column}), quasi_identifiers="q", model=KAnonymity(2))
    saved(made, way, tmp_path)


@pytest.mark.parametrize("frame", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("kind", ["microseconds", "nanoseconds", "zone", "date", "double", "category", "bool"])
def test_rows_that_are_dropped_do_not_change_how_others_read(kind, frame, tmp_path):
    values = VALUES[kind].take(pa.array([1, 1, 1, 0]))
    given = pa.table({"q": values, "s": ["a", "b", "c", "d"]})
    given = {"pandas": given.to_pandas, "polars": lambda: pl.from_arrow(given), "pyarrow": lambda: given}[frame]()
    for options in (
        {"max_suppression": 0.5, "suppressed": "drop", "missing_values": ()},
        {"drop_missing": True, "missing_values": ["d"], "sensitive": "s"},
    ):
        made = shoal.anonymize(
            given,
            quasi_identifiers="q",
            model=KAnonymity(2),
            algorithm="full-domain",
            hierarchies={"q": "flat"},
            **options,
        )
        assert len(made.frame) == 3
        made.save(tmp_path / "out.csv")


def test_decimals_of_python(tmp_path):
    frame = pd.DataFrame({"q": [Decimal("1.50"), Decimal("1.50"), Decimal("99999999.99")]})
    options = {"algorithm": "full-domain", "hierarchies": {"q": "flat"}, "suppressed": "drop", "max_suppression": 0.4}
    made = shoal.anonymize(frame, quasi_identifiers="q", model=KAnonymity(2), **options)
    assert made.frame["q"].tolist() == ["1.50", "1.50"]


def test_batches_in_which_every_moment_is_a_midnight(tmp_path, monkeypatch):
    monkeypatch.setattr(scan, "BATCH_ROWS", 4)
    moments = [datetime(2020, 1, 1)] * 4 + [MOMENT] * 4 + [datetime(2021, 1, 1)] * 4
    pq.write_table(pa.table({"q": moments}), tmp_path / "in.parquet")
    for options in ({"algorithm": "full-domain", "hierarchies": {"q": "flat"}}, {"algorithm": "mondrian"}):
        made = shoal.anonymize_files(
            tmp_path / "in.parquet", tmp_path / "out.parquet", quasi_identifiers="q", model=KAnonymity(2), **options
        )
        assert made.report.classes == 3
        (tmp_path / "out.parquet").unlink()


def test_two_zeros_are_one_sensitive_value():
    given = pa.table({"q": list("aabb"), "s": [0.0, -0.0, 0.0, -0.0]})
    with pytest.raises(InfeasibleError):
        shoal.anonymize(given, quasi_identifiers="q", sensitive="s", model=KAnonymity(2) & shoal.DistinctDiversity(2))


@pytest.mark.parametrize("pattern", ["{low}{high}", "{low}.{high}", "{low}e{high}", "{low}0{high}"])
def test_ranges_that_read_like_numbers_are_refused(pattern):
    with pytest.raises(InputError, match="read like numbers"):
        shoal.Style(numbers=pattern)


def test_half_floats_part_by_part_are_refused_in_a_sentence(tmp_path):
    pq.write_table(pa.table({"q": pa.array(np.array([1, 1], np.float16))}), tmp_path / "in.parquet")
    with pytest.raises(InputError, match="which is not read part by part"):
        shoal.anonymize_files(
            tmp_path / "in.parquet", tmp_path / "out.parquet", quasi_identifiers="q", model=KAnonymity(2)
        )


@pytest.mark.parametrize("kind", ["bool", "int8", "date", "category"])
def test_a_column_whose_values_all_stay_keeps_its_type(kind):
    given = table(VALUES[kind])
    made = shoal.anonymize(given, quasi_identifiers="q", model=KAnonymity(2), algorithm="mondrian").frame
    assert made["q"].to_pylist() == given["q"].to_pylist()
    assert pa.types.is_dictionary(made["q"].type) == pa.types.is_dictionary(given["q"].type)
    coarser = shoal.anonymize(given, quasi_identifiers="q", model=KAnonymity(8), algorithm="mondrian").frame
    assert coarser["q"].type == pa.string()
