"""Comparisons and suggestions where people have several rows."""

from __future__ import annotations

import pyarrow as pa
import pytest

import shoal
from shoal import InputError

STATIC = pa.table(
    {
        "who": [f"p{row // 3}" for row in range(90)],
        "age": [20 + row // 3 % 11 for row in range(90)],
        "ill": ["xyz"[row * 7 % 3] for row in range(90)],
    }
)
VARYING = STATIC.set_column(1, "age", pa.array([20 + row * 7 % 30 for row in range(90)]))


def compared(table, algorithms, **options):
    asked = {"quasi_identifiers": "age", "k": 4, "repeat": 1, "measures": "loss", "unit": "who"}
    return shoal.compare(table, algorithms=algorithms, **asked | options)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("table", [STATIC, VARYING], ids=["static", "varying"])
def test_the_loss_is_that_of_a_release_of_people(table):
    comparison = compared(table, ["mondrian", "full-domain"])
    for cell in comparison.cells:
        release = shoal.anonymize(
            table,
            quasi_identifiers="age",
            identifying="ill",
            model=shoal.KAnonymity(4),
            algorithm=cell.setting.algorithm,
            unit="who",
        )
        assert cell.mean("loss") == pytest.approx(release.report.metrics["loss"])
    assert "k and ℓ are of the 30 people of column 'who', not of rows; losses are of rows." in comparison.notes
    by_rows = compared(table, ["mondrian"], unit=None)
    assert by_rows.cells[0].mean("loss") <= comparison.cells[0].mean("loss")
    assert not any("people" in note for note in by_rows.notes)


def test_an_algorithm_that_cannot_count_people_says_so():
    [cell] = compared(VARYING, ["k-member"]).cells
    assert "k-member clustering cannot count people if quasi-identifiers of a person change" in str(cell)
    [static] = compared(STATIC, ["k-member"]).cells
    assert static.mean("loss") < 1


def test_finished_runs_are_kept_apart_from_those_of_rows(tmp_path):
    kept = tmp_path / "runs.jsonl"
    people = compared(STATIC, ["mondrian"], keep=kept).cells[0].mean("loss")
    rows = compared(STATIC, ["mondrian"], keep=kept, unit=None).cells[0].mean("loss")
    assert rows < people
    assert compared(STATIC, ["mondrian"], keep=kept).cells[0].mean("loss") == people


def test_a_unit_that_is_not_there_is_told():
    with pytest.raises(InputError, match="There is no column 'nobody'"):
        compared(STATIC, ["mondrian"], unit="nobody")


def test_a_value_of_each_person_identifies_them_whatever_their_rows():
    code = pa.array([f"{row // 3 * 7919 % 100_003:05}" for row in range(90)])
    table = STATIC.append_column("number", code)
    rows = {one.column: one for one in shoal.suggest_roles(table)}
    people = {one.column: one for one in shoal.suggest_roles(table, unit="who")}
    assert rows["number"].role != "identifying"
    assert (people["number"].role, people["number"].why) == (
        "identifying",
        "most people have a value of their own, so that whoever knows it finds the person",
    )
    assert (people["who"].role, people["who"].why) == ("unit", "it says whose row it is")
