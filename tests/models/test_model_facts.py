"""What each model says of itself: its name, its flags, its smallest class, and what a table can reach."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from shoal import InputError
from shoal.data.classes import Classes, Overall
from shoal.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DeltaPresence,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    HighestRisk,
    KAnonymity,
    KMap,
    PrivacyModel,
    PSensitivity,
    RecursiveDiversity,
)
from shoal.models.population import one_population

PEOPLE = object()  # a population: nobody looks into it here

# model, its words, its smallest class, and which of the flags it has:
# m: joined classes keep it, s: even if rows are left out, v: sensitive values, a: all classes at once, d: disjoint
FACTS = [
    (KAnonymity(5), "k = 5", 5, "ms"),
    (DistinctDiversity(3), "distinct l = 3", 3, "msv"),
    (PSensitivity(2, 4), "2-sensitive 4-anonymity", 4, "msv"),
    (PSensitivity(4, 2), "4-sensitive 2-anonymity", 4, "msv"),
    (FrequencyDiversity(2.5), "frequency l = 2.5", 3, "mv"),
    (EntropyDiversity(2.5), "entropy l = 2.5", 3, "mv"),
    (RecursiveDiversity(1.5, 3), "recursive (1.5, 3)-diversity", 3, "mv"),
    (AlphaK(0.3, 2), "(0.3, 2)-anonymity", 4, "mv"),
    (AlphaK(0.3, 7), "(0.3, 7)-anonymity", 7, "mv"),
    (BetaLikeness(0.5), "basic beta = 0.5", 1, "mv"),
    (BetaLikeness(1.5, enhanced=True), "enhanced beta = 1.5", 1, "mv"),
    (DeltaDisclosure(0.7), "delta = 0.7 disclosure", 1, "mv"),
    (Closeness(0.2), "t = 0.2 (equal)", 1, "mv"),
    (Closeness(0.2, distance="ordered"), "t = 0.2 (ordered)", 1, "mv"),
    (HighestRisk(0.3), "highest risk = 0.3", 4, "ms"),
    (AverageRisk(0.3), "average risk = 0.3", 1, "ma"),
    (KMap(4, PEOPLE), "4-map", 1, "ms"),
    (DeltaPresence(0.1, 0.5, PEOPLE), "(0.1, 0.5)-presence", 1, "md"),
]
WORDS = [words for _, words, _, _ in FACTS]
OF_VALUES = [model for model, _, _, flags in FACTS if "v" in flags]


def named(model, name):
    """The model for one sensitive attribute."""
    return type(model)(**{**vars(model), "sensitive": name})


def flags_of(model):
    found = {
        "m": model.monotone,
        "s": model.monotone_with_suppression,
        "v": model.uses_sensitive,
        "a": not model.per_class,
        "d": model.disjoint,
    }
    return "".join(letter for letter, has in found.items() if has)


def classes_of(**counts):
    """Classes with the counts of the values a, b, … of each sensitive attribute, one class a line."""
    histograms = {name: np.array(lines, np.int64) for name, lines in counts.items()}
    overall = {name: Overall(tuple("abcdefgh"[: h.shape[1]]), h.sum(axis=0)) for name, h in histograms.items()}
    return Classes(next(iter(histograms.values())).sum(axis=1), overall, histograms.__getitem__)


@pytest.mark.parametrize(("model", "words", "smallest", "flags"), FACTS, ids=WORDS)
def test_what_a_model_says_of_itself(model, words, smallest, flags):
    assert str(model) == words
    assert model.smallest == smallest
    assert flags_of(model) == flags
    assert not model.trivial
    assert model.parts == (model,)


def test_nothing_is_taken_for_granted_of_a_model_that_says_nothing():
    class Own(PrivacyModel):
        def satisfied(self, classes):
            return classes.sizes > 0

        def reach(self, whole):
            return "anything"

    assert flags_of(Own()) == "v"
    assert Own().smallest == 1
    assert not Own().trivial
    assert Own().populations == []


@pytest.mark.parametrize("model", OF_VALUES, ids=str)
def test_a_model_of_one_attribute_names_it(model):
    assert str(named(model, "ill")) == f"{model} of 'ill'"


@pytest.mark.parametrize("model", OF_VALUES, ids=str)
def test_a_model_of_one_attribute_leaves_the_others_alone(model):
    even, uneven = [[2, 2, 2, 2]] * 2, [[8, 0, 0, 0], [0, 0, 0, 8]]
    if isinstance(model, Closeness) and model.distance == "ordered":
        model = Closeness(model.t, distance="ordered", order=list("abcd"))
    classes = classes_of(fine=even, bad=uneven)
    assert named(model, "fine").satisfied(classes).all()
    assert not named(model, "bad").satisfied(classes).any()
    assert not model.satisfied(classes).any(), "without a name each of them counts"
    assert "'fine'" in named(model, "fine").reach(classes)
    assert "'bad'" not in named(model, "fine").reach(classes)


def test_an_attribute_that_is_not_there_is_named_in_the_refusal():
    classes = classes_of(x=[[1, 1]], y=[[1, 1]])
    for name, sentence in [
        ("z", "The model asks for the sensitive attribute 'z', but the sensitive attributes are 'x', 'y'."),
        (["x"], "A model names one sensitive attribute, not ['x']: combine models with & for several."),
    ]:
        with pytest.raises(InputError) as refusal:
            DistinctDiversity(2, name).satisfied(classes)
        assert str(refusal.value) == sentence
    with pytest.raises(InputError) as refusal:
        DistinctDiversity(2).satisfied(Classes(np.array([2])))
    assert str(refusal.value) == "The model needs a sensitive attribute and none is named: give sensitive=…."


@pytest.mark.parametrize(
    ("trivial", "not_quite"),
    [
        (KAnonymity(1), [KAnonymity(2)]),
        (DistinctDiversity(1), [DistinctDiversity(2)]),
        (PSensitivity(1, 1), [PSensitivity(1, 2), PSensitivity(2, 1)]),
        (FrequencyDiversity(1), [FrequencyDiversity(2), FrequencyDiversity(1.1)]),
        (EntropyDiversity(1), [EntropyDiversity(2), EntropyDiversity(1.1)]),
        (RecursiveDiversity(1.1, 1), [RecursiveDiversity(1, 1), RecursiveDiversity(2, 2)]),
        (AlphaK(1, 1), [AlphaK(0.5, 1), AlphaK(1, 2)]),
        (Closeness(1), [Closeness(0.9)]),
        (HighestRisk(1), [HighestRisk(0.9)]),
        (AverageRisk(1), [AverageRisk(0.9)]),
        (KMap(1, PEOPLE), [KMap(2, PEOPLE)]),
        (DeltaPresence(0, 1, PEOPLE), [DeltaPresence(0, 0.9, PEOPLE), DeltaPresence(0.1, 1, PEOPLE)]),
        (KAnonymity(1) & DistinctDiversity(1), [KAnonymity(1) & DistinctDiversity(2)]),
    ],
    ids=lambda value: str(value) if not isinstance(value, list) else "",
)
def test_a_model_that_protects_nobody_says_so(trivial, not_quite):
    assert trivial.trivial
    assert not any(model.trivial for model in not_quite)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (KAnonymity(9), "the table has 6 rows, so k can be at most 6"),
        (DistinctDiversity(9), "column 's' has 3 different values, so l can be at most 3"),
        (
            PSensitivity(9, 9),
            "the table has 6 rows, so k can be at most 6; column 's' has 3 different values, so p can be at most 3",
        ),
        (PSensitivity(9, 2), "column 's' has 3 different values, so p can be at most 3"),
        (FrequencyDiversity(9), "column 's' allows l of at most 2"),
        (EntropyDiversity(9), "column 's' allows l of at most 2.74945"),
        (RecursiveDiversity(0.5, 2), "column 's' allows c of more than 1"),
        (AlphaK(0.1, 9), "the table has 6 rows; column 's' allows alpha of no less than 0.5"),
        (BetaLikeness(1), "column 's' allows beta of no less than 0"),
        (DeltaDisclosure(1), "column 's' allows delta of more than 0"),
        (Closeness(0.1), "column 's' allows t of no less than 0"),
        (HighestRisk(0.01), "the table has 6 rows, so the risk is at least 1/6"),
        (AverageRisk(0.01), "the table has 6 rows, so the risk is at least 1/6"),
        (KAnonymity(2) & KAnonymity(8), "the table has 6 rows, so k can be at most 6"),
        (
            KAnonymity(2) & DistinctDiversity(2),
            "the table has 6 rows, so k can be at most 6; column 's' has 3 different values, so l can be at most 3",
        ),
    ],
    ids=str,
)
def test_what_a_table_can_reach(model, sentence):
    assert model.reach(classes_of(s=[[3, 2, 1]])) == sentence


def test_what_a_table_can_reach_for_several_attributes():
    whole = classes_of(x=[[3, 1]], y=[[2, 2]], z=[[4, 0]])
    assert DistinctDiversity(2).reach(whole) == "column 'z' has 1 different value, so l can be at most 1"
    assert FrequencyDiversity(3).reach(whole) == (
        "column 'x' allows l of at most 1.33333; column 'y' allows l of at most 2; column 'z' allows l of at most 1"
    )
    assert DistinctDiversity(1).reach(classes_of(x=[[1]], y=[[1]])) == (
        "column 'x' has 1 different value, so l can be at most 1; column 'y' has 1 different value, "
        "so l can be at most 1"
    )
    assert KAnonymity(2).reach(Classes(np.array([1]))) == "the table has 1 row, so k can be at most 1"


def test_what_a_population_can_reach():
    whole = Classes(np.array([4]), people=np.array([10]))
    assert KMap(11, PEOPLE).reach(whole) == "the population has 10 people, so k can be at most 10"
    assert DeltaPresence(0.5, 0.6, PEOPLE).reach(whole) == "4 of 10 people are in the table"


def test_a_combination_is_what_its_parts_are():
    def both(*models):
        combined = models[0]
        for model in models[1:]:
            combined = combined & model
        return flags_of(combined)

    assert both(KAnonymity(2), HighestRisk(0.5)) == "ms"
    assert both(KAnonymity(2), Closeness(0.2)) == "mv"
    assert both(AverageRisk(0.5), KAnonymity(2)) == "ma"
    assert both(KAnonymity(2), DeltaPresence(0, 0.5, PEOPLE)) == "md"
    assert (KAnonymity(2) & KMap(2, PEOPLE)).populations == [PEOPLE]
    assert one_population(KAnonymity(2) & KMap(2, PEOPLE) & DeltaPresence(0, 0.5, PEOPLE)) is PEOPLE
    assert one_population(KAnonymity(2)) is None
    with pytest.raises(TypeError):
        KAnonymity(2) & 3


def test_a_population_must_be_there_for_a_model_that_asks_about_it():
    with pytest.raises(InputError) as refusal:
        KMap(2, PEOPLE).satisfied(Classes(np.array([2])))
    assert str(refusal.value) == "The model needs a population table, and the classes were made without one."


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: AlphaK(0.5, 0), "k = 0 is too small: choose a whole number of at least 2."),
        (lambda: PSensitivity(0, 2), "p = 0 is too small: choose a whole number of at least 2."),
        (lambda: PSensitivity(2, 0), "k = 0 is too small: choose a whole number of at least 2."),
        (lambda: RecursiveDiversity(2, 0), "l = 0 is too small: choose a whole number of at least 2."),
        (lambda: RecursiveDiversity(-1, 2), "c = -1 is out of range: choose a number of at least 0."),
        (lambda: KMap(0, PEOPLE), "k = 0 is too small: choose a whole number of at least 2."),
        (lambda: BetaLikeness(-1), "beta = -1 is out of range: choose a number of at least 0."),
        (lambda: BetaLikeness(1, enhanced="yes"), "enhanced is True or False, not 'yes'."),
        (lambda: DeltaDisclosure(-1), "delta = -1 is out of range: choose a number of at least 0."),
        (lambda: AverageRisk(1.5), "risk = 1.5 is out of range: choose a number from 0 to 1."),
        (lambda: AverageRisk(0), "risk = 0 cannot be satisfied: choose a number above 0."),
        (lambda: DeltaPresence(-1, 1, PEOPLE), "low = -1 is out of range: choose a number from 0 to 1."),
        (lambda: DeltaPresence(2, 1, PEOPLE), "low = 2 is out of range: choose a number from 0 to 1."),
        (lambda: DeltaPresence(0, 2, PEOPLE), "high = 2 is out of range: choose a number from 0 to 1."),
        (
            lambda: Closeness(0.2, distance="hierarchical", hierarchy="towns"),
            "The hierarchy of a distance is a shoal.Hierarchy, not 'towns'.",
        ),
        (lambda: HighestRisk(True), "risk must be a number from 0 to 1, not True."),
        (lambda: HighestRisk(float("inf")), "risk must be a number from 0 to 1, not inf."),
    ],
    ids=range(17),
)
def test_more_parameters_are_checked(make, sentence):
    with pytest.raises(InputError) as refusal:
        make()
    assert str(refusal.value) == sentence


def test_parameters_at_the_end_of_their_range_are_taken():
    assert AlphaK(1, 2).smallest == 2
    assert HighestRisk(1).smallest == 1
    assert Closeness(0).t == 0
    assert DeltaPresence(0.5, 0.5, PEOPLE).low == 0.5
    assert HighestRisk(Fraction(1, 3)).smallest == HighestRisk(np.float64(0.4)).smallest == 3
    assert KAnonymity(np.int64(2)).smallest == 2
