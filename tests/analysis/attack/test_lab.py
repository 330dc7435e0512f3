"""The attacks of the lab, on tables whose rates are known and against plain loops."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles import attack_lab as oracle
from shoal import Hierarchy, InputError
from shoal.analysis.attack import ground
from shoal.analysis.attack.facet import Facet
from shoal.analysis.attack.predicate_size import corrected
from shoal.analysis.attack.tightness import prior, shares
from shoal.analysis.attack.trial import Comparison, Trial
from shoal.data.column import Column

NUMBERS = {"1": {"1"}, "3": {"3"}, "1-2": {"1", "2"}, "2-4": {"2", "3", "4"}, "*": {"1", "2", "3", "4"}}
TEXTS = {"x": {"x"}, "x | y": {"x", "y"}, "y": {"y"}, "*": {"x", "y", "z"}}


def facet(labels: list[str], values: list[str], **more) -> Facet:
    """One label per row, one value per person."""

    def column(cells):
        different = list(dict.fromkeys(cells))
        places = np.array([different.index(cell) for cell in cells], np.int32)
        return Column("c", different, places, np.bincount(places))

    return Facet.of(column(labels), [column(values)], more.get("tree"), shoal.Style())


@st.composite
def releases(draw):
    row = st.tuples(st.sampled_from(list(NUMBERS)), st.sampled_from(list(TEXTS)), st.sampled_from("stu"))
    person = st.tuples(st.sampled_from("1234"), st.sampled_from("xyz"), st.sampled_from("stu"))
    # So that the range of the numbers and the values that "*" covers are those of the oracle.
    everyone = [("1", "x", "s"), ("2", "y", "t"), ("3", "z", "u"), ("4", "x", "s")]
    people = [*everyone, *draw(st.lists(person, max_size=6))]
    return draw(st.lists(row, min_size=1, max_size=10)), people


@settings(deadline=None)
@given(releases(), st.sampled_from([2**23, 1]))
def test_attacks_are_what_plain_loops_find(drawn, cells):
    rows, people = drawn
    frame, known = (pd.DataFrame(table, columns=["n", "t", "secret"]) for table in (rows, people))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ground, "MAX_CELLS", cells)
        found = shoal.attack(frame, kind="all", original=known, sensitive="secret")
    meanings, wholes = [NUMBERS, TEXTS], [Fraction(3), Fraction(1)]
    shown = [row[:2] for row in rows]
    breadths = [len(NUMBERS[number]) * len(TEXTS[text]) for number, text in shown]
    links = guesses = Fraction(0)
    yes = 0
    for number, text, secret in people:
        near = oracle.nearest(shown, (number, text), meanings, wholes)
        weights = [Fraction(1, breadth) for breadth in breadths]
        guesses += oracle.guessed(near, weights, [row[2] for row in rows], secret)
        sides = [
            oracle.nearest([row[place : place + 1] for row in shown], (value,), meanings[place:], wholes[place:])
            if place == 1
            else oracle.nearest([row[:1] for row in shown], (value,), meanings[:1], wholes[:1])
            for place, value in enumerate((number, text))
        ]
        links += oracle.linked(*sides)
        yes += any(
            number in NUMBERS[row[0]] and text in TEXTS[row[1]] and breadth < 12
            for row, breadth in zip(shown, breadths, strict=True)
        )
    inference, linkability = (found[kind].comparisons[0].attack for kind in ("inference", "linkability"))
    assert inference.attacks == linkability.attacks == len(people)
    assert inference.successes == pytest.approx(float(guesses))
    assert linkability.successes == pytest.approx(float(links))
    assert found["membership"].comparisons[0].attack == Trial(len(people), yes)


def test_linkability_of_classes_of_three_is_one_in_three():
    release = pd.DataFrame({"age": ["20-22"] * 3 + ["30-32"] * 3, "zip": ["1*"] * 3 + ["2*"] * 3})
    original = pd.DataFrame({"age": [20, 21, 22, 30, 31, 32], "zip": ["11", "12", "13", "21", "22", "23"]})
    found = shoal.attack(release, kind="linkability", original=original, sides=["age", "zip"])
    assert found.rate == pytest.approx(1 / 3)
    assert found.comparisons[0].baseline.rate == pytest.approx(1 / 6)


def test_inference_by_majority_and_against_people_who_are_not_there():
    release = pd.DataFrame(
        {"age": ["20-22"] * 3 + ["30-32"] * 3, "illness": ["flu", "flu", "cold", "hiv", "hiv", "hiv"]}
    )
    original = pd.DataFrame({"age": [20, 21, 22, 30, 31, 32], "illness": release["illness"]})
    control = pd.DataFrame({"age": [20, 31, 32, 40], "illness": ["cold", "hiv", "flu", "cold"]})
    found = shoal.attack(release, kind="inference", original=original, control=control, sensitive="illness")
    one = found.comparisons[0]
    assert (one.attack, one.control, one.baseline) == (Trial(6, 5.0), Trial(4, 1.0), Trial(6, 3.0))
    assert found.sentence.startswith("In 5 of 6 tries, illness of a person was guessed right from the release; with ")


def test_membership_tells_who_fits_no_row():
    release = pd.DataFrame({"age": ["20-22"] * 3 + ["*"], "sex": ["f"] * 3 + ["*"]})
    original = pd.DataFrame({"age": [20, 21, 22, 60], "sex": ["f", "f", "f", "m"]})
    control = pd.DataFrame({"age": [21, 23, 40], "sex": ["f", "f", "m"]})
    one = shoal.attack(release, kind="membership", original=original, control=control).comparisons[0]
    assert (one.attack, one.control) == (Trial(4, 3), Trial(3, 1))  # the row of stars fits anybody, and tells nothing


def test_singling_out_by_a_code_and_by_the_ends_of_ranges():
    release = pd.DataFrame({"code": range(10), "age": ["20-24"] * 5 + ["30-34"] * 5})
    original = pd.DataFrame({"code": range(10), "age": [20, 21, 22, 23, 24, 30, 31, 32, 33, 34]})
    control = pd.DataFrame({"code": range(20, 30), "age": [20, 20, 21, 24, 24, 30, 34, 34, 40, 41]})
    by_code = shoal.attack(release, kind="singling-out", original=original, control=control)
    assert {(one.about, one.attack.rate, one.control.rate) for one in by_code.comparisons} >= {
        ("several columns", 1.0, 0.0)
    }
    by_age = shoal.attack(release, kind="singling-out", original=original, control=control, known="age")
    several = next(one for one in by_age.comparisons if one.about == "several columns")
    assert (several.attack, several.control) == (Trial(4, 4), Trial(4, 1.0))  # 20, 24, 30 and 34; 30 in the control


def test_downcoding_by_the_ends_of_ranges():
    release = pd.DataFrame({"age": ["20-29", "20-29", "40-49", "40-49"]})
    original = pd.DataFrame({"age": [20, 29, 49, 40]})
    control = pd.DataFrame({"age": [20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 44, 45, 46]})
    one = shoal.attack(release, kind="downcoding", original=original, control=control).comparisons[0]
    assert one.attack == Trial(4, 2.0)  # either end, for both rows of a class
    assert one.control.attacks == 4
    assert one.control.successes == pytest.approx(2 / 10)


def test_rows_in_another_order_are_judged_by_the_people_who_fit_them():
    release = pd.DataFrame({"age": ["20-29", "20-29", "40-49", "40-49"]})
    original = pd.DataFrame({"age": [49, 29, 40, 20]})
    one = shoal.attack(release, kind="downcoding", original=original).comparisons[0]
    assert one.attack == Trial(4, 2.0)
    assert one.control == one.baseline == Trial(4, pytest.approx(2.0))  # four values: each label covers two


@pytest.mark.parametrize("size", [2, 3, 4])
def test_shares_of_a_tight_range(size):
    values = ["1", "2", "3", "4"]
    column = facet(["1-4"] * 3 + ["2-3"], values)
    likely = prior(column)
    assert likely == pytest.approx([3 / 16, 5 / 16, 5 / 16, 3 / 16])
    found = shares(column, np.array([0]), np.array([size]), likely)[0]
    expected = oracle.shares(values, likely, size, lambda rows: {"1", "4"} <= set(rows))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_shares_of_a_set_hold_every_member(size):
    values = ["x", "y", "z"]
    column = facet(["x | y | z", "x"], values)
    likely = prior(column)
    found = shares(column, np.array([0]), np.array([size]), likely)[0]
    assert found == pytest.approx(oracle.shares(values, likely, size, lambda rows: set(rows) == set(values)))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_shares_under_a_node_are_not_all_under_one_child(size):
    tree = Hierarchy.from_nested({"p": ["a", "b"], "q": ["c"]})
    values = ["a", "b", "c"]
    column = facet(["*", "p", "c"], values, tree=tree)
    likely = prior(column)
    found = shares(column, np.array([0]), np.array([size]), likely)[0]
    child = {"a": "p", "b": "p", "c": "q"}
    expected = oracle.shares(values, likely, size, lambda rows: len({child[row] for row in rows}) > 1)
    assert found == pytest.approx(expected)


def test_steps_of_one_width_are_not_taken_for_tight():
    column = facet(["20-29", "30-39", "40-49"], [str(age) for age in range(20, 50)])
    found = shares(column, np.array([0]), np.array([2]), prior(column))[0]
    assert found[:10] == pytest.approx([0.1] * 10)


BRACKETS = {"20": "[20, 30[", "29": "[20, 30[", "30": "]29, 40]", "40": "]29, 40]", "65": ">=65", "99": ">=65"}


def test_ranges_of_other_tools_are_read():
    people = pd.DataFrame({"age": [int(age) for age in BRACKETS for _ in range(5)], "sex": ["f", "m"] * 15})
    shown = people.assign(age=[BRACKETS[str(age)] for age in people["age"]])
    plain = people.assign(
        age=[{2: "20-29", 3: "30-40", 4: "30-40", 6: "65-99", 9: "65-99"}[a // 10] for a in people["age"]]
    )
    for kind in ("membership", "linkability", "downcoding"):
        read, expected = (shoal.attack(one, kind=kind, original=people) for one in (shown, plain))
        assert (read.comparisons, read.unread) == (expected.comparisons, {})


FORMS = [
    "{} to {}", "{}–{}", "{} — {}", "{} − {}", "{}...{}", "{}~{}", "{} bis {}", "between {} and {}", "{}-{} years",
    "({}, {})", "[{}, {}]",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_ranges(form):
    people = pd.DataFrame({"age": [20, 29, 30, 39, 20, 39], "sex": list("fmfmfm")})
    shown = people.assign(age=[form.format(20, 29) if age < 30 else form.format(30, 39) for age in people["age"]])
    found = shoal.attack(shown, kind="membership", original=people)
    assert (found.rate, found.unread) == (1.0, {})


def test_labels_that_cannot_be_read_are_named():
    people = pd.DataFrame({"job": ["nurse", "smith"] * 10, "sex": ["f", "m"] * 10, "disease": ["flu", "hiv"] * 10})
    released = people.assign(job=["care", "manual"] * 10)
    found = shoal.attack(released, kind="all", original=people, sensitive="disease")
    sentence = "Column 'job': 2 labels, such as 'care', cannot be read, and someone who can learns more."
    assert sentence in found.sentence
    assert all(sentence in one.sentence for one in found.experiments.values())
    assert found["inference"].to_dict()["unread"] == {"job": ["care", "manual"]}
    tree = Hierarchy.from_parents(["*", "care", "manual", "nurse", "smith"], [-1, 0, 0, 1, 2])
    told = shoal.attack(released, kind="inference", original=people, sensitive="disease", hierarchies={"job": tree})
    assert (told.unread, told.rate) == ({}, 1.0)


def test_a_control_group_of_another_size():
    random = np.random.RandomState(0)
    weights = random.random_sample(4000) / 100
    small, large = (random.binomial(size, weights) for size in (250, 1000))
    estimate = corrected(small, 250, 1000)
    assert abs(estimate - (large == 1).sum()) < 0.15 * (large == 1).sum()
    assert abs((small == 1).sum() - (large == 1).sum()) > 0.3 * (large == 1).sum()
    assert corrected(large, 1000, 1000) == (large == 1).sum()
    assert corrected(np.zeros(5, np.int64), 10, 20) == 0


def test_trials():
    assert Trial(20, 20).interval() == pytest.approx((0.8389, 1.0), abs=1e-4)
    assert (Trial(0, 0).rate, Trial(0, 0).interval()) == (0.0, (0.0, 1.0))
    one = Comparison("age", Trial(200, 100), Trial(200, 100), Trial(200, 0), held_out=True)
    assert (one.difference, one.risk, one.leaks) == (0.0, 0.0, False)
    plain = Comparison("age", Trial(400, 400), Trial(400, 386), Trial(400, 0), held_out=True, plain=True)
    assert plain.risk == pytest.approx(0.035, abs=0.002)


def test_nothing_generalized_is_nothing_to_downcode():
    table = pd.DataFrame({"age": [20, 21]})
    found = shoal.attack(table, kind="downcoding", original=table)
    assert (found.comparisons, found.leaks, found.rate) == ((), False, 0.0)
    assert found.sentence == "The release shows no generalized value, so there is nothing to refine."


def test_equal_seeds_give_equal_results():
    random = np.random.RandomState(0)
    table = pd.DataFrame(
        {"age": random.randint(20, 60, 90), "zip": random.randint(0, 9, 90), "ill": random.choice([*"ab"], 90)}
    )
    results = [
        shoal.attack(table, kind="all", original=table, sensitive="ill", attacks=20, seed=seed).to_dict()
        for seed in (1, 1, 2)
    ]
    assert results[0] == results[1] != results[2]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"kind": "guess"}, "kind = 'guess' is not an attack: choose one of linking, singling-out, "),
        ({"original": None}, "An attack of the kind 'inference' is judged by the original: give the original table."),
        ({"sample": 0.5}, "sample is for attacks of the kind 'linking', not for 'inference': leave it out."),
        ({"sensitive": ()}, "Nothing is to be inferred: name the secret column, such as sensitive='disease'."),
        ({"attacks": 0}, "attacks = 0 must be a whole number of at least 1."),
        ({"control": pd.DataFrame({"age": []})}, "The table has no rows."),
        ({"control": pd.DataFrame({"age": [1]})}, "In the control table, there is no column 'ill'."),
        ({"kind": "linkability"}, "Linkability needs two known columns, and 'age' is the only one."),
        ({"kind": "linkability", "sides": ["age"]}, "Linkability takes two sets of columns, not 1: "),
        ({"kind": "linkability", "sides": ["age", "age"]}, "Column 'age' is on both sides, which would link anybody"),
        ({"kind": "linkability", "sides": ["age", "zip"]}, "In what the attacker knows, there is no column 'zip'."),
    ],
)
def test_wrong_arguments(options, sentence):
    table = pd.DataFrame({"age": [20, 21], "ill": ["a", "b"]})
    with pytest.raises(InputError) as refused:
        shoal.attack(table, **{"kind": "inference", "original": table, "sensitive": "ill"} | options)
    assert str(refused.value).startswith(sentence)


def test_a_plot_and_a_page(tmp_path):
    table = pd.DataFrame({"age": ["20-29"] * 4, "zip": [1, 2, 3, 4], "ill": [*"abab"]})
    original = table.assign(age=[20, 23, 24, 29])
    found = shoal.attack(table, kind="all", original=original, sensitive="ill")
    found.plot(tmp_path / "all.png")
    found["inference"].plot(tmp_path / "one.svg")
    assert found.save(tmp_path / "page.pdf").read_bytes().count(b"/Type /Page\n") <= 1
    page = found.save(tmp_path / "page.html").read_text("utf-8")
    for words in ("Singling out", "Linkability", "Inference", "No people were held out", found["inference"].sentence):
        assert words in page
    with pytest.raises(InputError, match=r"the page of an attack is an \.html or a \.pdf file"):
        found.save(tmp_path / "page.txt")
