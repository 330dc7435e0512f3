"""Ranges that do not end at the values of people: closed at cuts, or moved outward by a secret step."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

import shoal
from oracles.range_ends import step
from shoal import InputError, KAnonymity
from shoal.data.cells import Cells
from shoal.data.label_ranges import place_of
from shoal.release.range_ends.steps import steps

KEY = "a secret key of more than sixteen characters"
OTHER = "another key of more than sixteen characters"
pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def released(table, quasi, k=2, **options):
    asked = {"algorithm": "mondrian", "ranges": "stepped", "key": KEY, "rows_are_people": True} | options
    return shoal.anonymize(table, quasi_identifiers=quasi, model=KAnonymity(k), **asked)


def ends(label):
    return [int(end) for end in (label.split("-") * 2)[:2]]


def test_steps_are_the_hmac_of_column_side_and_cell():
    secret = b"k" * 16
    assert [steps(secret, "age", side, ["x", "y"], 9).tolist() for side in ("low", "high")] == [
        [step("k" * 16, "age", side, cell, 9) for cell in ("x", "y")] for side in ("low", "high")
    ]


def test_steps_are_uniform():
    drawn = steps(KEY.encode(), "age", "low", [str(number) for number in range(9000)], 9)
    counts = np.bincount(drawn, minlength=9)
    assert counts.size == 9
    assert ((counts - 1000) ** 2 / 1000).sum() < 26.1  # chi-squared with 8 degrees of freedom, 0.1 %


def test_closed_ranges_by_hand():
    # Cut in the middle between 24 and 60, as both sides need two rows; the scale of 20 … 66 is 20 … 70.
    table = pa.table({"age": [20, 24, 60, 66]})
    release = released(table, "age", ranges="closed", key=None)
    assert release.frame["age"].to_pylist() == ["20-42", "20-42", "43-70", "43-70"]


def test_ranges_are_stepped_by_default_where_there_is_a_key_and_k_is_small():
    table = pa.table({"age": [*range(20, 60)] * 3})

    def shown(k, key, **options):
        release = released(table, "age", k, ranges=None, key=key, **options)
        return release.request.ranges, release.frame

    assert shown(5, KEY) == ("stepped", released(table, "age", 5).frame)
    assert shown(5, None) == ("tight", released(table, "age", 5, ranges="tight", key=None).frame)
    assert shown(49, KEY)[0] == "stepped"
    assert shown(50, KEY)[0] == "tight"
    assert shown(5, KEY, style=shoal.Style(numbers="mean"))[0] == "tight"


def test_ranges_that_cannot_be_moved_are_tight_by_default(tmp_path):
    (tmp_path / "t.csv").write_text("age\n" + "".join(f"{20 + row % 40}\n" for row in range(120)))
    asked = {"quasi_identifiers": "age", "model": KAnonymity(5), "algorithm": "mondrian", "rows_are_people": True}
    for rows, kind in ((None, "stepped"), (20, "tight")):  # blocks do not know each other's cells
        written = shoal.anonymize_files(tmp_path / "t.csv", tmp_path / "s.csv", key=KEY, block_rows=rows, **asked)
        assert written.request.ranges == kind
    times = pa.table({"at": pa.array([*range(0, 3600, 60)], pa.time32("s"))})
    release = released(times, "at", 5, ranges=None)
    assert release.request.ranges == "tight"
    assert 'ranges="tight"' in release.to_python() or "key=" not in release.to_python()


def test_closed_ranges_need_no_algorithm_to_be_named():
    table = pa.table({"age": [20, 24, 60, 66] * 3})
    release = released(table, "age", 3, ranges="closed", key=None, algorithm="auto")
    assert release.report.choice == "auto picked Mondrian: closed ranges show its cells."
    assert set(release.frame["age"].to_pylist()) == set(
        released(table, "age", 3, ranges="closed").frame["age"].to_pylist()
    )


def test_values_of_dropped_rows_lie_outside_the_scale():
    table = pa.table({"age": [20, 24, 29, 60, 66, 999], "ward": ["a", "a", "b", "b", "a", None]})
    release = released(table, ["age", "ward"], drop_missing=True)
    assert release.report.rows == 5


def test_moved_ends_are_not_warned_of():
    table = pa.table({"age": [20, 24, 29, 60, 66, 69]})
    assert "range-ends" in {finding.code for finding in released(table, "age", ranges="tight", key=None).review.open}
    assert "range-ends" not in {finding.code for finding in released(table, "age").review.open}


def test_stepped_ranges_by_hand():
    # Bins of 1 from 20 to 70; a ninth of 51 bins are 6 steps, 0 to 5; the cells are 20 … 42 and 43 … 70.
    table = pa.table({"age": [20, 24, 60, 66]})
    shown = released(table, "age").frame["age"].to_pylist()
    low, high = step(KEY, "age", "low", "43 70", 6), step(KEY, "age", "high", "43 70", 6)
    assert shown[2] == shown[3] == f"{60 - low}-{min(70, 66 + high)}"
    assert shown[0] == shown[1] == f"20-{24 + step(KEY, 'age', 'high', '20 42', 6)}"


def test_ranges_stop_at_the_cut():
    # The cut between 40 and 41 leaves no room between them.
    table = pa.table({"age": [20, 40, 41, 66]})
    for number in range(30):
        shown = released(table, "age", key=f"{KEY} {number}").frame["age"].to_pylist()
        assert ends(shown[0])[1] == 40
        assert ends(shown[2])[0] == 41


@pytest.mark.parametrize("algorithm", ["mondrian", "local", "k-member", shoal.Mondrian(relaxed=True)])
def test_the_same_key_makes_the_same_release_and_another_key_another(algorithm):
    table = shoal.datasets.adult().slice(0, 400).select(["age", "hours-per-week", "sex"])
    columns = ["age", "hours-per-week", "sex"]
    first, again, other = (released(table, columns, 4, algorithm=algorithm, key=key) for key in (KEY, KEY, OTHER))
    assert first.frame.equals(again.frame)
    assert not first.frame.equals(other.frame)
    tight = released(table, columns, 4, algorithm=algorithm, ranges="tight", key=None)
    assert first.report.metrics["loss"] > tight.report.metrics["loss"]


def test_the_same_cell_keeps_its_step_if_rows_are_added():
    table = pa.table({"age": [20, 24, 60, 66]})
    more = pa.table({"age": [20, 24, 60, 66, 64]})
    first, second = (released(some, "age").frame["age"].to_pylist() for some in (table, more))
    assert second[:4] == first  # a fresh step would tell 60 by intersecting the two ranges


def test_cells_of_joined_classes_reach_to_the_outermost_cuts():
    cells = Cells.whole(1).cut(np.array([0]), np.array([4], np.int32), np.array([6], np.int32))
    cells = cells.cut(np.array([0, 0]), np.array([1, 7], np.int32), np.array([3, 9], np.int32))
    assert cells.ends[:, 0].tolist() == [[-1, -1, 1, 3], [1, 3, 4, 6], [4, 6, 7, 9], [7, 9, -1, -1]]
    joined = cells.joined(np.array([0, 1, 1, 2], np.int32), 3)
    assert joined.ends[:, 0].tolist() == [[-1, -1, 1, 3], [1, 3, 7, 9], [7, 9, -1, -1]]
    assert cells.joined(np.array([0, 1, 1, 1], np.int32), 2).ends[1, 0].tolist() == [1, 3, -1, -1]


def test_dates_numbers_and_moments_get_readable_ends():
    days = [date(1940, 1, 17) + timedelta(days=601 * row % 25_000) for row in range(200)]
    table = pa.table(
        {
            "age": [20.0 + row * 7 % 60 for row in range(200)],
            "weight": [51.35 + row * 0.37 for row in range(200)],
            "born": days,
            "seen": [datetime(2024, 1, 1) + timedelta(minutes=997 * row) for row in range(200)],
        }
    )
    for ranges in ("closed", "stepped"):
        release = released(table, ["age", "weight", "born", "seen"], 10, ranges=ranges)
        shown = release.frame.to_pylist()
        assert all("." not in row["age"] and "." not in row["weight"] for row in shown)
        for row in shown:
            low, high = row["born"].split(" - ")
            assert (low[5:], high[5:]) == ("01-01", "12-31")
            assert all(end.endswith(":00:00") for end in row["seen"].split(" - "))
        assert sum(row["born"] == f"{day} - {day}" for row, day in zip(shown, days, strict=True)) == 0


def test_missing_values_stay_apart():
    table = pa.table({"age": [20, 24, 60, 66, None, None]})
    for ranges in ("closed", "stepped"):
        shown = released(table, "age", ranges=ranges).frame["age"].to_pylist()
        assert shown[4:] == ["?", "?"]
        assert place_of(shown[0].split("-")[0])[1] <= 20


def test_the_report_says_what_the_ends_tell(tmp_path):
    table = pa.table({"age": [20, 24, 60, 66]})
    release = released(table, "age")
    release.save(tmp_path / "safe.csv", report=tmp_path / "safe.html")
    page = (tmp_path / "safe.html").read_text(encoding="utf-8")
    assert "age by 0 to 5 steps on the scale 20, 21 … 70" in page
    assert {'    ranges="stepped",', "    key=key,"} <= set(release.to_python().splitlines())
    assert KEY not in repr(vars(release)) + page
    assert "ranges" not in released(table, "age", ranges="tight").report.parameters


def test_the_next_delivery_shows_the_same_ranges(tmp_path):
    table = pa.table({"age": [20, 24, 60, 66]})
    first = released(table, "age")
    first.save(tmp_path / "safe.csv", report=tmp_path / "safe.json")
    again = shoal.apply(tmp_path / "safe.json", pa.table({"age": [24, 22, 61, 65]}), rows_are_people=True)
    assert again.frame["age"].to_pylist() == first.frame["age"].to_pylist()


def test_files_show_the_same_as_tables_in_memory(tmp_path):
    table = shoal.datasets.adult().slice(0, 500).select(["age", "hours-per-week", "sex"])
    quasi = ["age", "hours-per-week", "sex"]
    csv.write_csv(table, tmp_path / "table.csv")
    options = {"algorithm": "mondrian", "ranges": "stepped", "key": KEY, "rows_are_people": True}
    shoal.anonymize_files(
        tmp_path / "table.csv", tmp_path / "safe.csv", quasi_identifiers=quasi, model=KAnonymity(5), **options
    )
    expected = released(table, quasi, 5)
    expected.save(tmp_path / "expected.csv")
    assert (tmp_path / "safe.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()
    with pytest.raises(InputError, match="Stepped ranges need all distinct rows together"):
        shoal.anonymize_files(
            tmp_path / "table.csv",
            tmp_path / "blocks.csv",
            quasi_identifiers=quasi,
            model=KAnonymity(5),
            block_rows=100,
            **options,
        )


def test_people_are_counted_where_ranges_move():
    ages = [20 + 7 * row % 50 for row in range(60)]
    table = pa.table({"who": [row // 2 for row in range(60)], "age": ages, "row": range(60)})
    release = shoal.anonymize(
        table.drop(["row"]), quasi_identifiers="age", unit="who", model=KAnonymity(4), ranges="stepped", key=KEY
    )
    assert release.report.k >= 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"key": None}, "Stepped ranges need a secret key, the same for each release of the table"),
        ({"key": "short"}, "The key has 5 bytes"),
        ({"ranges": "loose"}, "ranges = 'loose' is not known: choose tight, closed or stepped."),
        ({"ranges": "closed", "algorithm": "local"}, "does not cut the table into cells that tile it"),
        ({"ranges": "closed", "algorithm": shoal.Mondrian(relaxed=True)}, "does not cut the table into cells"),
        ({"style": shoal.Style(numbers="mean")}, "Means of numbers would show what stepped ranges hide"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        released(pa.table({"age": [20, 24, 60, 66]}), "age", **options)


def test_times_of_day_are_refused_by_name():
    table = pa.table({"at": pa.array([60 * number for number in range(4)], pa.time32("s"))})
    with pytest.raises(InputError, match=r"Column 'at' holds values such as .* whose ranges cannot be moved"):
        released(table, "at")
