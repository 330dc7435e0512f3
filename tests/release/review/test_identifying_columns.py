"""A column without a role that identifies people stops a release until it is answered."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from release.review.warned import ROWS, table, warned
from shoal import KAnonymity, ReviewError

IDENTIFIERS = {
    "numbers": range(ROWS),
    "text": [f"name {i}" for i in range(ROWS)],
    "codes": [f"P-{1000 + i}" for i in range(ROWS)],
    "decimals": pa.array(range(ROWS), pa.decimal128(5)),
    "dictionary": pa.array([f"A{100 + i}" for i in range(ROWS)]).dictionary_encode(),
    "uuid": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes([i]) * 16 for i in range(ROWS)], pa.binary(16))),
    "views": pa.array([f"A{100 + i}" for i in range(ROWS)]).cast(pa.string_view()),
}


def stopped(data, **options):
    """Release a table; return what stopped it, and see that its sentences are those of the error."""
    with pytest.raises(ReviewError) as caught:
        shoal.anonymize(data, quasi_identifiers="age", model=KAnonymity(2), **options)
    findings = caught.value.findings
    assert str(caught.value) == "\n".join(finding.sentence for finding in findings)
    assert all(finding.blocks and not finding.answer for finding in findings)
    return findings


PLACES = [(52 + at / 771, 13 + at / 913) for at in range(ROWS)]
NESTED = {
    "pairs": [[*place] for place in PLACES],
    "fields": [{"lat": lat, "lon": lon} for lat, lon in PLACES],
    "points": [{"type": "Point", "coordinates": [lon, lat]} for lat, lon in PLACES],
}


@pytest.mark.parametrize("column", NESTED.values(), ids=NESTED)
def test_nested_coordinates(column):
    order = [(7 * at) % ROWS for at in range(ROWS)]
    (finding,) = stopped(pa.table(table(place=[column[at] for at in order])))
    assert "holds coordinates" in finding.sentence


@pytest.mark.parametrize("column", IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_a_column_that_identifies(column):
    (finding,) = stopped(pa.table(table(id=column)))
    assert (finding.columns, finding.code in ("identifying-column", "free-text")) == (("id",), True)
    assert warned(pa.table(table(id=column)), keep="id") == []
    shuffled = {"order": "shuffled"}  # as these columns are sorted
    assert warned(pa.table(table(id=column)), identifying="id", **shuffled) == []


def test_floats_are_measured_and_only_warned_of():
    (said,) = warned(pa.table(table(dose=[i / 7 for i in range(ROWS)])), accept="small-k")
    assert said == (
        "Column 'dose' has no role and makes 100% of the rows unique within their class: someone who knows these "
        "values of a person finds the row. Give it a role, such as quasi-identifier, unless nobody else can know the "
        "values."
    )


@pytest.mark.parametrize("kind", [pd.Categorical, lambda values: pl.Series(values, dtype=pl.Categorical)])
def test_a_category_that_identifies(kind):
    names = kind([f"name {i * 7 % ROWS}" for i in range(ROWS)])
    frame = (pl.DataFrame if isinstance(names, pl.Series) else pd.DataFrame)(table(id=names))
    assert [finding.column for finding in stopped(frame)] == ["id"]
    assert warned(frame, identifying="id") == warned(frame, pseudonymize="id", key="x" * 16) == []


def test_the_sentence_has_the_share_and_the_ways_on():
    mails = [f"p{i}@example.org" for i in range(ROWS - 10)] + ["none"] * 10
    (finding,) = stopped(pa.table(table(**{"my mail": mails})))
    assert finding.sentence == (
        "Column 'my mail' has no role and holds e-mail addresses (97% of its values). Remove it "
        "(identifying='my mail', --identifying 'my mail'), give it another role, or, if you have looked and it may "
        "leave as it is, keep it (keep='my mail', --keep 'my mail')."
    )
    assert finding.figures == {"share": round(30 / 31, 4)}


def test_all_columns_are_named_at_once():
    both = table(mail=[f"p{i}@example.org" for i in range(ROWS)], name=["Ann Smith", "John Doe"] * 20)
    assert [finding.column for finding in stopped(pa.table(both))] == ["mail", "name"]
    assert [finding.column for finding in stopped(pa.table(both), keep="mail")] == ["name"]


def test_a_sensitive_column_is_warned_of():
    mails = [f"p{i}@example.org" for i in range(ROWS)]
    assert warned(pa.table(table(mail=mails)), sensitive="mail") == [
        "The sensitive column 'mail' holds e-mail addresses (100% of its values), which may tell who a row is about, "
        "and is released as it is. Remove or pseudonymize it if so."
    ]


def test_free_text_stops_a_release():
    notes = [f"The patient came in on day {i} and felt worse than before." for i in range(ROWS)]
    (finding,) = stopped(pa.table(table(note=notes)))
    assert (finding.code, finding.columns) == ("free-text", ("note",))


def test_missing_values_are_not_identifying():
    assert warned(pa.table(table(mail=["n@a"] * ROWS)), missing_values="n@a") == []
    assert warned(pa.table(table(mail=pa.nulls(ROWS, pa.string())))) == []
