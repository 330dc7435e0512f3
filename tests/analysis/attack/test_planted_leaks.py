"""Leaks that are planted into random releases are found in every one of them, and clean releases raise no alarm."""

from __future__ import annotations

import numpy as np
import pytest

import shoal
from analysis.attack.releases import QUASI, Case, case

SEEDS = [
    pytest.param(seed, marks=() if seed < 5 else pytest.mark.deep("a hundred releases take a minute"))
    for seed in range(100)
]
ALARMS = 10  # at most, in 100 clean releases: 5 are expected, more than 10 have a chance of about 1 %


def with_column(planted: Case, name: str, cells) -> Case:
    return Case(planted.release.assign(**{name: np.asarray(cells)}), planted.original, planted.control)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_copy_of_a_generalized_column(seed):
    clean = case(seed)
    copied = with_column(clean, "note", clean.original["age"])
    assert copied.attack("downcoding", known=QUASI).leaks
    assert copied.attack("singling-out", known=QUASI).leaks


@pytest.mark.parametrize("seed", SEEDS)
def test_a_code_of_a_generalized_column(seed):
    clean = case(seed)
    assert with_column(clean, "x", clean.original["age"] * 7 + 3).attack("downcoding", known=QUASI).leaks
    zips = np.random.RandomState(seed).permutation(clean.original["zip"].unique())
    numbers = {name: number for number, name in enumerate(zips)}
    assert with_column(clean, "x", clean.original["zip"].map(numbers)).attack("downcoding", known=QUASI).leaks


@pytest.mark.parametrize("form", [str, lambda number: f"{number}.0"])
def test_a_code_that_is_written_as_text(form):
    clean = case(1)
    born = (2020 - clean.original["age"]).map(form)
    assert with_column(clean, "born", born).attack("downcoding", known=QUASI).rate > 0.9


@pytest.mark.parametrize("form", ["{}y", "{} years", "age={}", "77/{}", '{{"a": {}}}', "seen at {} by dr"])
def test_a_copy_that_is_a_part_of_a_text(form):
    clean = case(1)
    note = clean.original["age"].map(form.format)
    assert with_column(clean, "note", note).attack("downcoding", known=QUASI).rate > 0.9


@pytest.mark.parametrize("gap", [None, "", "n/a"])
def test_a_copy_with_gaps(gap):
    clean = case(1)
    note = clean.original["age"].astype(object if gap is not None else float)
    note[::20] = gap
    found = with_column(clean, "note", note).attack("downcoding", known=QUASI)
    assert (found.leaks, found.rate > 0.85) == (True, True)
    note[np.arange(len(note)) % 10 < 6] = gap
    found = with_column(clean, "note", note).attack("downcoding", known=QUASI)
    assert (found.leaks, found.rate > 0.4) == (True, True)


def test_columns_of_any_type_can_be_there():
    clean = case(1)
    lists = clean.release.assign(x=[[1, 2]] * len(clean.release))
    plain = clean.attack("downcoding", known=QUASI)
    assert Case(lists, clean.original, clean.control).attack("downcoding", known=QUASI) == plain


def test_without_a_control_group_fixed_steps_raise_no_alarm():
    alarms = 0
    for seed in range(20):
        random = np.random.RandomState(seed)
        ages = np.clip(random.normal(45, 18, 400).round(), 18, 95).astype(int)
        original = case(seed).original.head(0).reindex(range(400)).assign(age=ages, sex="f")[["age", "sex"]]
        steps = original.assign(age=np.where(ages < 50, "18-49", "50-95"))
        shuffled = steps.sample(frac=1, random_state=seed, ignore_index=True)
        alarms += shoal.attack(shuffled, original=original, known=["age", "sex"], kind="downcoding").leaks
    assert alarms == 0


@pytest.mark.parametrize("form", [str, str.upper, " {} ".format])
def test_a_copy_of_texts_that_are_hidden_altogether(form):
    clean = case(1)
    hidden = clean.release.assign(zip="*", note=clean.original["zip"].map(form))
    found = Case(hidden, clean.original, clean.control).attack("downcoding", known=QUASI)
    assert {one.about: one.leaks for one in found.comparisons}["zip"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_kept_order(seed):
    found = case(seed, ordered=True).attack("downcoding", known=QUASI)
    assert found.leaks
    assert found.worst.about == "age"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_unique_code(seed):
    coded = case(seed, code=True)
    for kind in ("singling-out", "membership"):
        assert coded.attack(kind, known=[*QUASI, "code"]).leaks


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", [2, 3])
def test_tight_ranges_of_small_classes(seed, k):
    assert case(seed, k=k).attack("singling-out", known=QUASI).leaks


@pytest.mark.deep("a hundred releases take a minute")
@pytest.mark.parametrize("kind", ["singling-out", "linkability", "downcoding"])
def test_large_classes_raise_no_alarm(kind):
    assert sum(case(seed, k=50).attack(kind, known=QUASI).leaks for seed in range(100)) <= ALARMS


@pytest.mark.parametrize("seed", SEEDS)
def test_a_copy_in_shuffled_rows(seed):
    clean = case(seed)
    order = np.random.RandomState(seed).permutation(len(clean.release))
    for cells in (clean.original["age"], 2020 - clean.original["age"]):
        copied = with_column(clean, "note", cells)
        shuffled = Case(copied.release.iloc[order].reset_index(drop=True), copied.original, copied.control)
        found = shuffled.attack("downcoding", known=QUASI)
        assert found.leaks
        assert found.rate > 0.95


@pytest.mark.deep("a hundred releases take a minute")
def test_shuffled_rows_raise_no_alarm():
    alarms = 0
    for seed in range(100):
        clean = case(seed, k=50)
        order = np.random.RandomState(seed).permutation(len(clean.release))
        random = np.random.RandomState(seed).randint(0, 90, len(order))
        noisy = with_column(clean, "note", random).release.iloc[order].reset_index(drop=True)
        alarms += Case(noisy, clean.original, clean.control).attack("downcoding", known=QUASI).leaks
    assert alarms <= ALARMS


def test_shuffled_rows_hide_a_kept_order():
    ordered = case(1, ordered=True)
    order = np.random.RandomState(0).permutation(len(ordered.release))
    shuffled = Case(ordered.release.iloc[order].reset_index(drop=True), ordered.original, ordered.control)
    open_order, hidden = (one.attack("downcoding", known=QUASI) for one in (ordered, shuffled))
    assert open_order.rate > 2 * hidden.rate


def test_levels_that_leave_no_gaps_do_not_tell_who_is_there():
    planted = case(1, rows=500)
    tree = {"age": "cuts:30,45,60", "zip": "flat", "sex": "flat"}
    levels = shoal.FullDomain(levels={"age": 1, "zip": 1, "sex": 0})
    release = shoal.anonymize(
        planted.original, quasi_identifiers=QUASI, hierarchies=tree, model=shoal.KAnonymity(20), algorithm=levels
    )
    coarse = Case(release.frame, planted.original, planted.control)
    found = coarse.attack("membership", known=QUASI, hierarchies=tree)
    assert (found.rate, found.control_rate, found.leaks) == (1.0, 1.0, False)
