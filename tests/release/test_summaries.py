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
        frame = frame.set_index(pd.Index([f"{SECRET} {row % 2}" for row in range(len(frame))], name=SECRET))
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
    check(release, release.report, release.review, release.groups, release.lattice)
    assert release.review.findings
    check(*release.review.findings)


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
    check(assessed, attacked, both, compared, *assessed.requirements)
    found = shoal.attack(release, kind="all", sensitive="ill", original=table, attacks=20)
    check(found, *found.experiments.values())


def test_lists_of_results_are_tables_in_notebooks():
    table = pa.table(DATA)
    for found in (shoal.suggest_roles(table), shoal.assess_columns(table, size=1)):
        check(*found)
        page = found._repr_html_()
        assert page.count("<tr>") == len(found) + 1
        assert "secret" not in page + repr(found)
        assert isinstance(found, list)


def test_a_source_names_its_columns_and_shows_no_row(tmp_path):
    (tmp_path / "patients.csv").write_text(f"name,age\n{SECRET},30\n")
    assert repr(shoal.read(tmp_path / "patients.csv")) == "<Source: patients.csv, rows 1, columns name, age>"


def test_a_certificate_says_what_was_checked(tmp_path):
    (tmp_path / "patients.csv").write_text(
        "name,age,ill\n" + "".join(f"{SECRET}{row},{30 + row},flu\n" for row in range(9))
    )
    asked = {"quasi_identifiers": "age", "sensitive": "ill", "identifying": "name", "model": shoal.KAnonymity(3)}
    shoal.anonymize(tmp_path / "patients.csv", **asked).save(tmp_path / "safe.csv", report=tmp_path / "safe.json")
    made = shoal.certify(
        tmp_path / "safe.csv", tmp_path / "patients.csv", report=tmp_path / "safe.json", key=SECRET * 2, **asked
    )
    check(made)
    assert repr(made).startswith("<ReleaseCertificate: release safe.csv, checks that hold ")
    assert all(sentence in repr(made) for sentence in made.sentences)


def test_an_attack_stands_beside_the_original_and_experiments_beside_each_other():
    table = pa.table({"age": [30, 31, 47, 48] * 5, "sex": ["f"] * 20, "ill": ["flu", "cold"] * 10})
    release = shoal.anonymize(table, quasi_identifiers=["age", "sex"], sensitive="ill", model=shoal.KAnonymity(10))
    attacked = shoal.attack(release.frame, original=table, sample=1.0, known="age", sensitive="ill", k=6)
    lines = [line.split() for line in repr(attacked).splitlines()]
    assert lines[1:4] == [["original", "released"], ["linked", "20", "0"], ["fewest", "rows", "5", "10"]]
    assert len(repr(shoal.attack(release.frame, table, known="age")).splitlines()) == 1  # nothing to compare with
    found = shoal.attack(release.frame, kind="all", original=table, sensitive="ill", attacks=20)
    assert [line.split()[0] for line in repr(found).splitlines()[1:]] == ["attack", *found.experiments]
    assert found["inference"].sentence in found["inference"]._repr_html_()


def test_a_comparison_shows_what_each_setting_costs():
    table = pa.table({"age": [30, 31, 47, 48] * 5})
    found = shoal.compare(
        table, quasi_identifiers="age", algorithms=["mondrian"], k=[2, 21], measures=["loss", "time"], repeat=1
    )
    text = repr(found).splitlines()
    assert text[1].split()[:3] == ["algorithm", "k", "ℓ"]
    assert text[2].split()[:4] == ["mondrian", "2", "1", "0"]
    assert text[3].split() == ["mondrian", "21", "1", "-", "-"]  # more than there are rows
