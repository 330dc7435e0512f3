"""A report names no rare original value, and gives no small count of original rows."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from datetime import date, timedelta
from html import unescape

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings, strategies as st

import shoal
from shoal.release.report.facts import MIN_FLOOR, facts_of

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

# Numbers stand near the round ones that a scale is cut at; no figure of a report is as large.
NUMBERS = st.integers(0, 30).map(lambda step: 1_000_000 + 5 * step)
WORDS = st.integers(0, 12).map("word{}x".format)
DATES = st.integers(0, 40).map(lambda step: date(1990, 1, 1) + timedelta(days=97 * step))
TOKEN = re.compile(r"\d{4}-\d{2}-\d{2}|\w+")


@st.composite
def releases(draw):
    """Return a release of a random table, and the columns of the table."""
    rows = draw(st.integers(6, 60))
    kinds = draw(st.lists(st.sampled_from([NUMBERS, WORDS, DATES]), min_size=1, max_size=3, unique_by=id))
    values = {
        f"q{j}": draw(st.lists(kind | st.none() if draw(st.booleans()) else kind, min_size=rows, max_size=rows))
        for j, kind in enumerate(kinds)
    }
    columns = {name: column for name, column in values.items() if any(value is not None for value in column)}
    columns = columns or {"q": ["word0x"] * rows}
    secret = draw(st.lists(st.sampled_from(["red", "green", "blue"]), min_size=rows, max_size=rows))
    options = draw(
        st.sampled_from(
            [
                {"algorithm": "mondrian"},
                {"algorithm": "full-domain", "max_suppression": 0.4},
                {"algorithm": "full-domain", "max_suppression": 0.4, "suppressed": "drop"},
                {"algorithm": "k-member", "order": "classes"},
                {"algorithm": "mondrian", "style": shoal.Style(numbers="mean")},
            ]
        )
    )
    model = shoal.KAnonymity(draw(st.integers(2, 6)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = shoal.anonymize(
            pa.table(columns | {"secret": secret}),
            quasi_identifiers=list(columns),
            sensitive="secret",
            model=model,
            **options,
        )
    return release, columns, model.k


def tokens(text: str) -> set[str]:
    return set(TOKEN.findall(text))


def smallest_class(release, names, k) -> int:
    """Count the rows of the smallest class that keeps the promise, from the frame."""
    shown = zip(*(release.frame[name].to_pylist() for name in names), strict=True)
    return min(size for size in Counter(shown).values() if size >= k)


def cuts_of(release) -> set[str]:
    """Return the names of the cuts between the bars of original values."""
    bars = [bar.name for one in facts_of(release).attributes for bar in one.before]
    return {cut for name in bars for cut in re.findall(r"(?:< |≥ |^)([\d.-]+)(?= to <|, or missing|$)", name)}


@settings(max_examples=120, deadline=None, phases=[Phase.generate])
@given(releases())
def test_rare_values_are_named_only_where_the_release_shows_them(made):
    release, columns, k = made
    least = max(k, smallest_class(release, columns, k))
    cuts = cuts_of(release)
    told = tokens(unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", release.to_html(), flags=re.DOTALL)))
    for name, column in columns.items():
        shown = set().union(*(tokens(str(label)) for label in release.frame[name].to_pylist()))
        for value, count in Counter(column).items():
            if value is not None and count < least and str(value) not in shown | cuts:
                assert str(value) not in told, (name, value)


@settings(max_examples=120, deadline=None, phases=[Phase.generate])
@given(releases())
def test_no_bar_stands_for_few_original_rows(made):
    release, columns, k = made
    facts = facts_of(release)
    assert facts.floor >= max(MIN_FLOOR, smallest_class(release, columns, k))
    for one in facts.attributes:
        rows = [bar.rows for bar in one.before]
        assert min(rows) >= min(facts.floor, sum(rows))
        # The original values of suppressed rows are in no bar: what is shown of the others could be subtracted.
        assert sum(rows) == facts.after.rows
    for bar in facts.before.sizes:
        assert bar.rows == 0 or bar.rows >= min(facts.floor, facts.before.rows)
    for rows in (facts.before.unique_rows, facts.before.rows_above):
        assert rows is None or rows == 0 or rows >= facts.floor


def test_warnings_are_told_without_the_values_that_they_name():
    table = pa.table({"age": [*map(str, range(20)), "secretive"] * 2, "odd": ["a", "b", "a | b"] * 14})
    release = shoal.anonymize(table, quasi_identifiers=["age", "odd"], model=shoal.KAnonymity(40))
    assert any("'secretive'" in sentence for sentence in release.report.warnings)
    told = [one for one in facts_of(release).open_findings if one.startswith("Column")]
    assert "Column 'age' holds numbers and some other text, so it is released as sets." in told[1]
    assert told[0] == "Column 'odd' holds a value that reads like a set. Choose another separator for sets."
    assert not any("secretive" in sentence for sentence in facts_of(release).open_findings)
    assert "secretive" not in release.to_html()


def test_the_name_of_a_group_in_a_warning_is_not_told():
    tree = shoal.Hierarchy.from_parents(["*", "rare", "b", "c", "rare"], [-1, 0, 1, 1, 0])
    table = pa.table({"town": ["b", "c"] * 10 + ["rare"]})
    release = shoal.anonymize(table, quasi_identifiers="town", hierarchies={"town": tree}, model=shoal.KAnonymity(21))
    assert any("has 'rare' as a value" in sentence for sentence in release.report.warnings)
    assert "rare" not in tokens(re.sub(r"<style>.*?</style>", "", release.to_html(), flags=re.DOTALL)) - {"rarer"}


def test_neither_checksum_nor_folder_nor_key_nor_other_columns_are_told(tmp_path, monkeypatch):
    folder = tmp_path / "patients_of_dr_who"
    folder.mkdir()
    rows = "\n".join(f"name{i},{30 + i % 2},ill{i},memo{i}" for i in range(20))
    (folder / "t.csv").write_text(f"name,age,disease,memo\n{rows}\n")
    monkeypatch.chdir(folder)
    release = shoal.anonymize(
        "t.csv",
        quasi_identifiers="age",
        sensitive="disease",
        pseudonymize="name",
        keep="memo",
        key="0123456789abcdef0123456789abcdef",
        model=shoal.KAnonymity(5),
    )
    made = release.to_html()
    for secret in (release.report.input["sha256"], "dr_who", "0123456789abcdef", "name3", "ill3", "memo3"):
        assert secret not in made
    assert "t.csv" in made


@pytest.mark.parametrize("people", [7, 9])
def test_a_population_gives_the_least_number_of_rows(people):
    everyone = pd.DataFrame({"age": [20, 30, 40] * people})
    table = pd.DataFrame({"age": [20, 20, 30, 40]})
    release = shoal.anonymize(table, quasi_identifiers="age", model=shoal.KMap(7, everyone))
    facts = facts_of(release)
    assert facts.floor == 7
    assert facts.people >= 7
    assert [bar.name for bar in facts.attributes[0].before] == ["all 3 values"]


def test_a_model_without_k_still_hides_what_few_rows_have():
    table = pd.DataFrame({"town": ["Rome"] * 10 + ["Oslo"] * 2, "s": ["a", "b"] * 6})
    release = shoal.anonymize(table, quasi_identifiers="town", sensitive="s", model=shoal.Closeness(0.4))
    assert release.report.k == 2
    facts = facts_of(release)
    assert facts.floor == MIN_FLOOR
    assert [(bar.name, bar.rows) for bar in facts.attributes[0].before] == [("all 2 values", 12)]
