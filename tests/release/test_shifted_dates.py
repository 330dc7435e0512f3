"""Dates of a person are moved together; where rows can be linked, the pattern of intervals is a quasi-identifier."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, datetime, timedelta

import pandas as pd
import pyarrow as pa
import pytest

import shoal
from shoal import InputError, KAnonymity, VerificationError
from shoal.io.source import Source
from shoal.release.request import Request
from shoal.release.verification.shifted_dates import check_shifted

KEY = "a secret key of more than sixteen characters"
PEOPLE = [person for person in range(40) for _ in range(3)]
DAYS = [37 * person % 200 + 11 * visit for person in range(40) for visit in range(3)]
DATES = [date(2025, 1, 1) + timedelta(days=days) for days in DAYS]
LEAVING = [day + timedelta(days=row % 4) for row, day in enumerate(DATES)]

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def table(dates=DATES, leaving=LEAVING):
    ages = [30 + person % 4 for person in PEOPLE]
    return pa.table({"who": PEOPLE, "age": ages, "admission": dates, "discharge": leaving, "row": range(120)})


def released(data, **options):
    asked = {"quasi_identifiers": "age", "unit": "who", "model": KAnonymity(3), "key": KEY, "max_suppression": 0.2}
    return shoal.anonymize(data, keep="row", shift_dates=["admission", "discharge"], **asked | options)


@pytest.mark.parametrize("kind", ["date", "text", "timestamp", "pandas"])
def test_all_dates_of_a_person_move_by_the_same_secret_number_of_days(kind):
    data = table()
    if kind == "text":
        data = table([str(day) for day in DATES], [str(day) for day in LEAVING])
    if kind in ("timestamp", "pandas"):
        data = table(*([datetime(d.year, d.month, d.day, 13, 5) for d in days] for days in (DATES, LEAVING)))
    frame = released(data.to_pandas() if kind == "pandas" else data).frame
    shown = pa.Table.from_pandas(frame, preserve_index=False) if isinstance(frame, pd.DataFrame) else frame
    assert shown["admission"].type.id == data["admission"].type.id
    offsets = defaultdict(set)
    for row, *days in zip(*(shown[name].to_pylist() for name in ("row", "admission", "discharge")), strict=True):
        for after, before in zip(days, (DATES[row], LEAVING[row]), strict=True):
            day = date.fromisoformat(after) if isinstance(after, str) else after
            offsets[PEOPLE[row]].add((day.date() if isinstance(day, datetime) else day) - before)
    assert all(len(own) == 1 for own in offsets.values())
    moved = [own.pop().days for own in offsets.values()]
    assert len(set(moved)) > 30
    assert max(map(abs, moved)) <= 365


def test_another_key_moves_them_otherwise_and_the_same_key_alike():
    def by_row(key):
        frame = released(table(), key=key).frame
        return dict(zip(frame["row"].to_pylist(), frame["admission"].to_pylist(), strict=True))

    assert by_row(KEY) == by_row(KEY) != by_row("b" * 20)


def test_intervals_of_linked_rows_are_shared_by_enough_people():
    frame = released(table(), pseudonymize="who", max_suppression=0.1).frame
    seen = defaultdict(list)
    for row in frame.to_pylist():
        seen[row["who"]].append((str(row["age"]), str(row["admission"]), str(row["discharge"])))
    assert min(Counter(tuple(sorted(rows)) for rows in seen.values()).values()) >= 3
    assert not any("2025" in str(label) for label in frame["admission"].to_pylist())


def test_missing_dates_stay_missing():
    frame = released(table([None if row % 10 == 0 else day for row, day in enumerate(DATES)])).frame
    for row, day in zip(frame["row"].to_pylist(), frame["admission"].to_pylist(), strict=True):
        assert (day is None) == (row % 10 == 0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"unit": None, "rows_are_people": True},
            "Dates are shifted by person: name the column that says whose row",
        ),
        ({"key": None}, "Dates can only be shifted with a secret key: give key=… or --key-file."),
        ({"quasi_identifiers": ["age", "admission"]}, "Column 'admission' has a role and is to be shifted: leave one"),
        ({"identifying": "discharge"}, "Column 'discharge' has a role and is to be shifted: leave one"),
        ({"shift_dates": "row"}, "Column 'row' cannot be shifted, as it has int64 and not dates."),
        ({"shift_dates": "admision"}, "There is no column 'admision'. Did you mean 'admission'?"),
    ],
)
def test_what_cannot_be_shifted_is_told(options, sentence):
    asked = {"quasi_identifiers": "age", "unit": "who", "model": KAnonymity(3), "key": KEY, "shift_dates": "admission"}
    if "identifying" in options:
        asked["shift_dates"] = ["admission", "discharge"]
    with pytest.raises(InputError) as refusal:
        shoal.anonymize(table(), **asked | options)
    assert str(refusal.value).startswith(sentence)


def test_text_that_is_no_date_is_told():
    for row, text in ((0, "soon"), (5, "31.03.2026"), (len(DATES) - 1, "2026-3-1"), (7, " 2026-03-31")):
        days = [*map(str, DATES)]
        days[row] = days[-1] = text
        with pytest.raises(InputError) as refusal:
            released(table(days))
        assert str(refusal.value) == (
            f"Column 'admission' cannot be shifted: {text!r} in row {row + 1} is not a date such as 2026-03-31. Write "
            f"all dates so, make the column one of dates first, or declare the text as missing."
        )


@pytest.mark.parametrize("linked", [False, True])
def test_a_date_that_was_moved_otherwise_is_refused(linked):
    data = table()
    options = {"pseudonymize": "who"} if linked else {}
    request = Request.of(
        data.column_names, quasi_identifiers="age", unit="who", model=KAnonymity(3), shift_dates="admission", **options
    )
    right = [DAYS[row] - DAYS[row // 3 * 3] if linked else day for row, day in enumerate(DATES)]

    def check(dates):
        check_shifted(Source.of(data), Source.of(data.set_column(2, "admission", pa.array(dates))), request)

    check(right)
    wrong = [*right[:4], right[4] + (1 if linked else timedelta(days=1)), *right[5:]]
    with pytest.raises(VerificationError, match="not all moved by the same number of days"):
        check(wrong)
    with pytest.raises(VerificationError, match="gained or lost a date in row 1"):
        check([None, *right[1:]])
