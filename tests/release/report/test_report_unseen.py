"""A report does not depend on the values of suppressed rows, nor on where between round numbers a rare value lies."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import Phase, assume, given, settings, strategies as st

import shoal
from shoal.data.domain import SetDomain
from shoal.release.report.distribution import distribution
from shoal.release.report.facts import facts_of

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

DAYS = st.integers(0, 25_000).map(lambda day: str(np.datetime64("1930-01-01") + day))
# For each kind of column: its tree, the level of the release, values that many rows have, and what other rows have.
KINDS = {
    "intervals": ("intervals:10,20,40", 1, list(range(20, 60)), st.integers(0, 200)),
    "texts": ("flat", 0, list("ABCDEFGHIJKLM"), st.text("ABCDXYZ19- |", max_size=3) | DAYS),
    "numbers in a text": ("flat", 0, [str(age) for age in range(20, 35)], st.integers(0, 99).map(str) | st.just("abc")),
    "prefixes": ("prefix", 2, [f"1{i}{j}0" for i in range(4) for j in range(4)], st.integers(1000, 9999).map(str)),
    "dates": ("dates", 1, [f"19{y}-{m:02d}-03" for y in range(60, 70) for m in (1, 6)], DAYS),
}


def anonymized(kind, values, towns, suppressed):
    tree, level, *_ = KINDS[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return shoal.anonymize(
            pa.table({"value": values, "town": towns}),
            quasi_identifiers=["value", "town"],
            hierarchies={"value": tree, "town": "flat"},
            model=shoal.KAnonymity(5),
            algorithm=shoal.FullDomain(levels={"value": level, "town": 0}),
            max_suppression=0.2,
            suppressed=suppressed,
        )


@settings(max_examples=100, deadline=None, phases=[Phase.generate])
@given(st.data(), st.sampled_from(sorted(KINDS)), st.sampled_from(["keep", "drop"]))
def test_the_report_is_the_same_whatever_suppressed_rows_hold(data, kind, suppressed):
    *_, common, other = KINDS[kind]
    kept = sorted(data.draw(st.lists(st.sampled_from(common), min_size=12, max_size=20)) * 6)
    hidden = data.draw(st.integers(1, 4))
    pages, frames = [], []
    for names in ("stuvw", "abcde"):  # towns of one row each: these rows are in no class
        odd = data.draw(st.lists(other, min_size=hidden, max_size=hidden))
        release = anonymized(kind, kept + odd, ["Rome"] * len(kept) + list(names[:hidden]), suppressed)
        assert release.report.suppressed_rows == hidden
        pages.append(release.to_html())
        frames.append(release.frame)
    assume(frames[0].equals(frames[1]))
    assert pages[0] == pages[1]


def test_losses_are_those_of_the_rows_that_are_kept():
    ages = [21, 22, 23, 24, 31, 32] * 5
    odd = anonymized("intervals", [*ages, 112], ["Rome"] * 30 + ["Oslo"], "keep")
    told = {attribute.name: attribute.loss for attribute in facts_of(odd).attributes}
    assert odd.report.loss_by_attribute["value"] != told["value"]
    assert told["value"] == pytest.approx((20 * 3 / 5 + 10 * 1 / 5 + 1) / 31)
    assert told["town"] == pytest.approx(1 / 31)
    assert facts_of(odd).penalty == pytest.approx(((20 * 4 / 6 + 10 * 2 / 6 + 1) / 31 + 1 / 31) / 2)


def test_the_search_tells_no_figures_where_rows_are_suppressed():
    ages = [21, 22, 23, 24, 31, 32] * 5
    page = anonymized("intervals", [*ages, 112], ["Rome"] * 30 + ["Oslo"], "keep").to_html()
    assert "<td>complete: no other levels are better</td>" in page
    assert "nodes" not in page
    page = anonymized("intervals", ages, ["Rome"] * 30, "keep").to_html()
    assert "nodes looked at; none is better" in page


@settings(max_examples=300, deadline=None, phases=[Phase.generate])
@given(st.data(), st.integers(5, 9))
def test_where_between_round_numbers_a_rare_value_lies_has_no_say(data, floor):
    counts = data.draw(
        st.dictionaries(
            st.integers(0, 4000).map(lambda tenth: tenth / 10), st.integers(1, 12), min_size=12, max_size=60
        )
    )
    rows = sorted(value for value, count in counts.items() for _ in range(count))
    assume(len(rows) >= 2 * floor)
    # A grid of cuts has steps of a hundredth of what lies between the ends or more, here of 1 or more.
    enough = max(floor, len(rows) // 50)
    assume(rows[-enough] - rows[enough - 1] >= 100)
    rare = data.draw(st.sampled_from(sorted(counts)))
    free = sorted({int(rare) + tenth / 10 for tenth in range(10)} - set(counts))
    assume(counts[rare] < floor and free)
    moved = {data.draw(st.sampled_from(free)) if value == rare else value: count for value, count in counts.items()}

    def drawn(counts):
        numbers = sorted(counts)
        domain = SetDomain(tuple(map(str, numbers)))
        return distribution(domain, np.array([counts[number] for number in numbers]), floor)

    assert drawn(counts) == drawn(moved)
    bars, scale = drawn(counts)
    assert min(bar.rows for bar in bars) >= floor
    assert scale.cuts == tuple(sorted(scale.cuts))


def test_a_cut_is_made_whether_or_not_a_rare_value_lies_on_it():
    groups = [{f"{low} and more": [str(low + i) for i in range(20)]} for low in range(0, 1000, 20)]
    tree = shoal.Hierarchy.from_nested({"*": groups})
    common = [i for i in range(7, 1000, 20) for _ in range(6)]

    def page(rare):
        release = shoal.anonymize(
            pa.table({"income": [*common, rare]}),
            quasi_identifiers="income",
            hierarchies={"income": tree},
            model=shoal.KAnonymity(5),
            algorithm=shoal.FullDomain(levels={"income": 1}),
        )
        return release.to_html()

    assert "400 to &lt; 500" in page(500)
    assert len({page(rare) for rare in (500, 501, 511, 519)}) == 1


@pytest.mark.parametrize(
    "values",
    [
        range(17, 91),
        [i / 100 for i in range(100)],
        [1e308 * (-1) ** i / (i + 1) for i in range(40)],
        [5e-324 * i for i in range(40)],
        [1e16 + 2 * i for i in range(40)],
        [7.0 + 1e-15 * i for i in range(40)],
        [-(2.0**i) for i in range(40)],
    ],
)
def test_numbers_of_any_size_are_cut(values):
    values = sorted(set(values))
    bars, scale = distribution(SetDomain(tuple(map(str, values))), np.full(len(values), 3), 5)
    assert len(bars) > 1
    assert sum(bar.rows for bar in bars) == 3 * len(values)
    assert len(set(scale.names)) == len(bars)
    for bar in bars:
        assert re.fullmatch(r"(< |≥ )?[-\d.e+]+( to < [-\d.e+]+)?", bar.name)
