"""Summaries of results: figures and the first released rows, never original data."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
SECRET = "secret<&>"
GONE = [f"{SECRET}{letter}" for letter in "uvwxyz"]
DATA = {  # the last row is dropped, as it misses an age
    "name": GONE,
    "mail": GONE,
    "age": [30, 31, 47, 48, 77077, None],
    "town": ["a", "a", "b", "b", SECRET, SECRET],
    "ill": ["flu", "<b>cold</b>", "flu", "cold", "flu", SECRET],
    "note": ["x", "y", "z", "x", "y", SECRET],
}
ASKED = {
    "quasi_identifiers": ["age", "town"],
    "sensitive": "ill",
    "identifying": "name",
    "pseudonymize": "mail",
    "key": b"0123456789abcdef0123456789abcdef",
    "model": shoal.KAnonymity(2),
    "algorithm": "full-domain",
    "hierarchies": {"age": shoal.Hierarchy.flat(map(str, DATA["age"][:5])), "town": "flat"},
    "max_suppression": 1,
    "suppressed": "drop",
    "drop_missing": True,
}


def released(kind):
    frame = kind(DATA)
    if isinstance(frame, pd.DataFrame):
        frame = frame.set_index(pd.Index(GONE, name=SECRET))
    return shoal.anonymize(frame, **ASKED)


def shown(result):
    return repr(result), result._repr_html_()


def check(*results):
    for result in results:
        for text in shown(result):
            assert type(result).__name__ in text
            for told in (SECRET, "secret", "77077", "0123456789abcdef"):
                assert told not in text, type(result)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_no_secret_of_any_role_is_shown(kind):
    release = released(kind)
    assert len(release.frame) == 4
    check(release, release.report, release.groups, release.lattice)


def test_the_first_released_rows_are_shown():
    table = pa.table({"age": [30, 31] * 10, "note": [f"<b>{row}</b>\n" + "x" * 50 for row in range(20)]})
    text, page = shown(shoal.anonymize(table, quasi_identifiers="age", keep="note", model=shoal.KAnonymity(20)))
    first, head, *rows = text.splitlines()
    assert first.startswith("<Release: rows 20, suppressed 0, dropped 0, classes 1, k 20, loss 1, warnings ")
    assert head.split() == ["age", "note"]
    assert [row.split()[:2] for row in rows] == [["30-31", f"<b>{row}</b>\\n" + "x" * 30 + "…"] for row in range(5)]
    assert "<b>0" not in page
    assert "&lt;b&gt;0&lt;/b&gt;" in page
    assert "&lt;b&gt;5" not in page


def test_names_of_columns_are_escaped():
    table = pa.table({"<i>age": [30, 31], "<i>ill": ["flu", "cold"]})
    made = shoal.anonymize(table, quasi_identifiers="<i>age", sensitive="<i>ill", model=shoal.KAnonymity(2))
    assessed = shoal.assess(table, quasi_identifiers="<i>age", sensitive="<i>ill")
    for result in (made, assessed):
        page = result._repr_html_()
        assert "<i>" not in page
        assert "&lt;i&gt;ill" in page


def test_a_release_in_files_shows_no_secret(tmp_path):
    pq.write_table(pa.table(DATA), tmp_path / "in.parquet")
    check(shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "out.parquet", **ASKED))


def test_what_is_said_of_raw_tables_shows_no_secret():
    table = pa.table(DATA)
    release = released(pa.table).frame
    known = {"quasi_identifiers": ["age", "town"], "sensitive": "ill"}
    assessed = shoal.assess(table, require="k>=2", **known)
    assert SECRET in str(assessed.to_dict())
    assert "requirements that fail 1" in repr(assessed)
    attacked = shoal.attack(release, table, known=["age", "town"], sensitive="ill", original=table)
    both = shoal.intersect([release, release], table, k=2, **known)
    compared = shoal.compare(table, algorithms=["mondrian"], k=[2], missing_values="", **known)
    check(assessed, attacked, both, compared)
