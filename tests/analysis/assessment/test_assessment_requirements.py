"""Requirements: how they are parsed and checked."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from assessment_tables import QUASI, rows, table_of, usable
from oracles.assessment import classes_of
from shoal import Hierarchy, InputError, KAnonymity
from shoal.analysis.assessment.assess import check
from shoal.analysis.assessment.requirements import parse_requirements
from shoal.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    HighestRisk,
    RecursiveDiversity,
)

PEOPLE = pa.table(
    {
        "age": [30, 30, 30, 41, 41],
        "disease": ["flu", "flu", "cold", "flu", "flu"],
        "days": [3, 4, 5, 3, 4],
    }
)


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("k>=5", KAnonymity(5)),
        ("K ≥ 5", KAnonymity(5)),
        ("distinct l>=3", DistinctDiversity(3)),
        ("ℓ>=3", DistinctDiversity(3)),
        ("frequency l >= 1.5 of s", FrequencyDiversity(1.5, "s")),
        ("Entropy  L>=2", EntropyDiversity(2)),
        ("t<=0.2", Closeness(0.2)),
        ("equal t<=.2 of A B", Closeness(0.2, sensitive="A B")),
        ('alpha<=0.5 of "x, of y"', AlphaK(0.5, 1, "x, of y")),
        ("β≤1", BetaLikeness(1)),
        ("enhanced beta<=1e-1", BetaLikeness(0.1, enhanced=True)),
        ("delta<=1", DeltaDisclosure(1)),
        ("delta<1", DeltaDisclosure(1)),
        ("recursive(4,3)", RecursiveDiversity(4, 3)),
        ("recursive ( 0.5 , 2 ) of s", RecursiveDiversity(0.5, 2, "s")),
        ("risk<=0.1", HighestRisk(0.1)),
        ("average risk<=0.1", AverageRisk(0.1)),
    ],
)
def test_each_is_read(text, model):
    (found,) = parse_requirements(text)
    assert (found.text, found.model) == (text, model)


def test_several_are_read_from_text_models_and_lists():
    text = "k>=5, recursive(4,3); t<=0.2 of x,"
    assert [found.text for found in parse_requirements(text)] == ["k>=5", "recursive(4,3)", "t<=0.2 of x"]
    mixed = parse_requirements(["k>=5", KAnonymity(2) & DistinctDiversity(3)])
    assert [found.text for found in mixed] == ["k>=5", "k = 2", "distinct l = 3"]
    assert parse_requirements(()) == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "privacy>=9",
            "The requirement 'privacy>=9' is not known: write k>=…, distinct l>=…, frequency l>=…, entropy l>=…, "
            "recursive(c, l), p-sensitive(p, k), alpha<=…, beta<=…, enhanced beta<=…, delta<=…, t<=…, ordered t<=…, "
            "hierarchical t<=…, risk<=…, average risk<=…, k-map>=… or presence(low, high).",
        ),
        ("k<=5", "The requirement 'k<=5' asks the wrong way: write k>=5."),
        ("k<5", "The requirement 'k<5' asks the wrong way: write k>=5."),
        ("k>5", "The requirement 'k>5' needs >= instead of >: write k>=6."),
        ("t<0.2", "The requirement 't<0.2' needs <= instead of <: write t<=0.2."),
        ("k>=-1", "The requirement 'k>=-1' cannot be read: write k>=… with a number."),
        ("k>=", "The requirement 'k>=' cannot be read: write k>=… with a number."),
        ("recursive(4)", "The requirement 'recursive(4)' cannot be read: write recursive(c, l) with numbers."),
        (
            "k>=5 and k<9",
            "The requirement 'k>=5 and k<9' cannot be read: write k>=… with a number, and a comma before the next one.",
        ),
        ("t>=0.2", "The requirement 't>=0.2' asks the wrong way: write t<=0.2."),
        ("k>=5.5", "k must be a whole number of at least 2, not 5.5."),
        ("t<=1.2.3", "'1.2.3' in a requirement is not a number."),
        ("t<=7", "t = 7 is out of range: choose a number from 0 to 1."),
        ("k>=5 of x", "The requirement 'k>=5 of x' is not about a sensitive column: leave out 'of x'."),
        ("hierarchical t<=0.2", "The requirement hierarchical t<=0.2 needs a sensitive column and none is named."),
        ("hierarchical t<=0.2 of x", "The hierarchical distance of 'x' needs a hierarchy of that column: give one."),
    ],
)
def test_what_cannot_be_read_is_refused(text, sentence):
    with pytest.raises(InputError) as caught:
        parse_requirements(text)
    assert str(caught.value) == sentence


def test_what_is_neither_text_nor_model_is_refused():
    with pytest.raises(InputError) as caught:
        parse_requirements([5])
    assert str(caught.value) == "5 is no requirement: give text such as 'k>=5', or a model."


def test_a_verdict_names_the_smallest_class_that_fails():
    k, distinct, average = check(PEOPLE, "k>=3, l>=2, average risk<=0.1", quasi_identifiers="age", sensitive="disease")
    assert (k.holds, k.failing_classes, k.failing_rows) == (False, 1, 2)
    assert (k.example.labels, k.example.size, k.example.first_row) == ({"age": "41"}, 2, 4)
    assert (distinct.holds, distinct.example) == (False, k.example)
    assert (average.holds, average.failing_classes, average.example) == (False, 2, None)
    assert all(check(PEOPLE, KAnonymity(2), quasi_identifiers="age"))


def test_an_assessment_has_the_same_verdicts():
    options = {"quasi_identifiers": "age", "sensitive": "disease"}
    found = shoal.assess(PEOPLE, require="k>=3, t<=0.4", **options)
    assert found.requirements == check(PEOPLE, "k>=3, t<=0.4", **options)
    assert not found.holds
    assert shoal.assess(PEOPLE, require="k>=2", **options).holds


def test_ordered_and_hierarchical_distances_need_what_they_need():
    options = {"quasi_identifiers": "age", "sensitive": ["disease", "days"]}
    assert check(PEOPLE, "ordered t<=0.3 of days", **options)[0].holds
    with pytest.raises(InputError, match="'disease' needs an order"):
        check(PEOPLE, "ordered t<=0.3", **options)
    trees = {"disease": Hierarchy.flat(["flu", "cold"]), "days": Hierarchy.flat(["3", "4", "5"])}
    same = check(PEOPLE, "hierarchical t<=0.3, t<=0.3", sensitive_hierarchies=trees, **options)
    assert same[0].holds == same[1].holds


def test_sensitive_columns_are_needed_and_known():
    with pytest.raises(InputError, match="needs a sensitive attribute and none is named"):
        check(PEOPLE, "l>=2", quasi_identifiers="age")
    with pytest.raises(InputError, match="asks for the sensitive attribute 'x'"):
        check(PEOPLE, "l>=2 of x", quasi_identifiers="age", sensitive="disease")


@settings(deadline=None)
@given(
    rows=rows().filter(usable),
    text=st.sampled_from(["k>=2", "l>=2", "l>=2 of s", "alpha<=0.5", "recursive(2,2)", "risk<=0.25"]),
)
def test_each_class_is_asked(rows, text):
    asked = {
        "k": lambda members: len(members) >= 2,
        "l": lambda members: all(len({row[name] for row in members}) >= 2 for name in ("s", "n")),
        "l of s": lambda members: len({row["s"] for row in members}) >= 2,
        "alpha": lambda members: all(_most(members, name) * 2 <= len(members) for name in ("s", "n")),
        "recursive": lambda members: all(
            _most(members, name) < 2 * (len(members) - _most(members, name)) for name in ("s", "n")
        ),
        "risk": lambda members: len(members) >= 4,
    }
    key = "l of s" if "of" in text else text.partition(">")[0].partition("<")[0].partition("(")[0]
    failing = [members for members in classes_of(rows, QUASI) if not asked[key](members)]
    (found,) = check(table_of(rows), text, quasi_identifiers=QUASI, sensitive=["s", "n"])
    assert (found.failing_classes, found.failing_rows) == (len(failing), sum(map(len, failing)))
    if failing:
        smallest = min(failing, key=len)
        first = next(place for place, row in enumerate(rows) if row is smallest[0])
        assert (found.example.size, found.example.first_row) == (len(smallest), first + 1)


def _most(members, name):
    values = [row[name] for row in members]
    return max(map(values.count, values))
