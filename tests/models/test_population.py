"""k-map and presence against a population."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import shoal
from shoal import DeltaPresence, DistinctDiversity, InfeasibleError, InputError, KMap, VerificationError, verify
from shoal.data.classes import Classes

TOWNS = shoal.Hierarchy.from_parents(["*", "north", "a", "b", "south", "c", "d"], [-1, 0, 1, 1, 0, 4, 4])
PEOPLE = pa.table(
    {"age": [20, 21, 22, 23, 24, 30, 31, 32, 40, 41], "town": ["a", "b", "a", "b", "a", "c", "d", "c", "d", "d"]}
)
SAMPLE = pa.table({"age": [20, 23, 31, 41], "town": ["a", "b", "d", "d"], "ill": ["x", "y", "x", "y"]})


pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def covered(released, people, tree):
    """How many people fit each released row, by plain loops over labels like 20-23, south, ?."""

    def fits(label, value):
        if label in ("*", str(value)):
            return True
        low, dash, high = label.partition("-")
        return bool(dash) and int(low) <= value <= int(high)

    return [
        sum(fits(row["age"], p["age"]) and row["town"] in tree.path(p["town"]) for p in people.to_pylist())
        for row in released.to_pylist()
    ]


@pytest.mark.parametrize("k", [2, 3, 4, 5, 10])
@pytest.mark.parametrize("relaxed", [False, True])
def test_every_released_row_fits_k_people(k, relaxed, tmp_path):
    made = shoal.anonymize(
        SAMPLE,
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        hierarchies={"town": TOWNS},
        model=KMap(k, PEOPLE),
        algorithm=shoal.Mondrian(relaxed=relaxed),
    )
    assert min(covered(made.frame, PEOPLE, TOWNS)) >= k
    assert made.frame["ill"].to_pylist() == SAMPLE["ill"].to_pylist()
    made.save(tmp_path / "out.csv")


@pytest.mark.parametrize("algorithm", ["bottom-up", "samarati"])
@pytest.mark.parametrize("k", [2, 5, 10])
def test_full_domain_rows_fit_k_people_too(algorithm, k, tmp_path):
    trees = {"town": TOWNS, "age": "intervals:5,10,50"}
    made = shoal.anonymize(
        SAMPLE,
        quasi_identifiers=["age", "town"],
        hierarchies=trees,
        model=KMap(k, PEOPLE),
        algorithm=algorithm,
    )
    assert made.classes.people.min() >= k
    assert made.report.k >= 1
    made.save(tmp_path / "out.csv")


@pytest.mark.parametrize(("low", "high"), [(0, 0.5), (0.2, 0.5), (0.4, 0.4)])
def test_full_domain_keeps_presence_uncertain(low, high):
    made = shoal.anonymize(
        SAMPLE,
        quasi_identifiers=["age", "town"],
        hierarchies={"town": TOWNS, "age": "intervals:5,10,50"},
        model=DeltaPresence(low, high, PEOPLE),
        algorithm="bottom-up",
    )
    shares = made.classes.sizes / made.classes.people
    assert shares.min() >= low
    assert shares.max() <= high
    assert low == 0 or made.classes.people.sum() == 10, "nobody of the population is known to be absent"


def test_a_sample_row_may_be_alone_where_the_population_hides_it():
    made = shoal.anonymize(SAMPLE, quasi_identifiers=["age", "town"], sensitive="ill", model=KMap(2, PEOPLE))
    assert made.report.k == 1
    assert made.report.classes == 3


def test_it_combines_with_other_models():
    model = KMap(2, PEOPLE) & DistinctDiversity(2)
    made = shoal.anonymize(SAMPLE, quasi_identifiers=["age", "town"], sensitive="ill", model=model)
    assert made.report.distinct_sensitive == {"ill": 2}


def test_a_class_that_fits_too_few_people_is_caught():
    released = pa.table({"age": ["20-21", "20-21"], "town": ["*", "*"]})
    with pytest.raises(VerificationError):
        verify(released, quasi_identifiers=["age", "town"], model=KMap(3, PEOPLE), hierarchies={"town": TOWNS})
    classes = verify(released, quasi_identifiers=["age", "town"], model=KMap(2, PEOPLE), hierarchies={"town": TOWNS})
    assert classes.people.tolist() == [2]


def test_presence_is_the_share_of_people_in_the_table():
    classes = Classes(np.array([1, 2, 2]), people=np.array([10, 4, 2]))
    assert DeltaPresence(0.1, 0.5, PEOPLE).satisfied(classes).tolist() == [True, True, False]
    assert DeltaPresence(0.2, 1, PEOPLE).satisfied(classes).tolist() == [False, True, True]
    assert DeltaPresence(0, 0.1, PEOPLE).satisfied(classes).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (
            KMap(11, PEOPLE),
            "No release of this table can satisfy 11-map: the population has 10 people, so k can be at most 10.",
        ),
        (KMap(2, PEOPLE.drop_columns("town")), "The population has no column 'town', which is a quasi-identifier."),
        (
            KMap(2, PEOPLE) & KMap(3, PEOPLE.slice(0, 5)),
            "The models ask about different populations: give them the same table.",
        ),
        (KMap(1, PEOPLE), "1-map protects nobody: choose at least 2."),
    ],
    ids=range(4),
)
def test_refusals(model, sentence):
    with pytest.raises((InputError, InfeasibleError)) as refusal:
        shoal.anonymize(SAMPLE, quasi_identifiers=["age", "town"], sensitive="ill", model=model)
    assert str(refusal.value) == sentence


def test_mondrian_refuses_a_model_whose_classes_must_not_overlap():
    sentence = "Mondrian's classes may overlap, which (0, 0.5)-presence does not allow: choose full-domain."
    with pytest.raises(InputError, match=re.escape(sentence)):
        shoal.anonymize(
            SAMPLE, quasi_identifiers=["age", "town"], model=DeltaPresence(0, 0.5, PEOPLE), algorithm="mondrian"
        )


def test_the_population_may_be_a_file_or_another_kind_of_frame(tmp_path):
    path = tmp_path / "people.csv"
    pd.DataFrame(PEOPLE.to_pydict()).to_csv(path, index=False)
    for population in (path, str(path), pd.DataFrame(PEOPLE.to_pydict())):
        made = shoal.anonymize(SAMPLE, quasi_identifiers=["age", "town"], sensitive="ill", model=KMap(3, population))
        assert made.classes.people.min() >= 3


def test_a_check_against_two_populations_is_refused():
    released = pa.table({"age": ["20-21", "20-21"], "town": ["*", "*"]})
    with pytest.raises(InputError, match="different populations"):
        verify(released, quasi_identifiers=["age", "town"], model=KMap(2, PEOPLE) & KMap(2, PEOPLE.slice(0)))


def test_missing_values_of_the_population_are_missing():
    sample = pd.DataFrame({"town": ["?", "a", "a", "?"]})
    people = pd.DataFrame({"town": ["NA", "?", "a", "a", "NA", "a"]})
    made = shoal.anonymize(sample, quasi_identifiers="town", model=KMap(3, people), missing_values=["?", "NA"])
    assert made.frame["town"].tolist() == ["?", "a", "a", "?"]
    assert made.classes.people.tolist() == [3, 3]


def test_low_above_high_is_refused():
    with pytest.raises(InputError, match=r"low = 0.5 is above high = 0.1: give the smaller first."):
        DeltaPresence(0.5, 0.1, PEOPLE)


def test_rows_are_not_dropped_where_that_tells_people_that_they_are_absent():
    with pytest.raises(InputError) as refusal:
        shoal.anonymize(
            SAMPLE,
            quasi_identifiers=["age", "town"],
            model=DeltaPresence(0.2, 0.8, PEOPLE),
            algorithm="samarati",
            max_suppression=1,
            suppressed="drop",
        )
    assert str(refusal.value) == (
        "Dropped rows would tell people that they are not in the table, which (0.2, 0.8)-presence does not allow: "
        "keep suppressed rows, or suppress none."
    )


@pytest.mark.parametrize("other", [shoal.DeltaDisclosure(2), shoal.BetaLikeness(2, enhanced=True)], ids=str)
def test_classes_of_the_population_alone_are_asked_without_a_warning(other):
    made = shoal.anonymize(
        SAMPLE,
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        hierarchies={"town": TOWNS, "age": "intervals:5,10,50"},
        model=KMap(2, PEOPLE) & other,
        algorithm="full-domain",
    )
    assert made.report.rows == 4


def test_means_are_refused_as_they_do_not_tell_who_fits():
    with pytest.raises(InputError) as refusal:
        shoal.anonymize(
            SAMPLE, quasi_identifiers=["age", "town"], model=KMap(2, PEOPLE), style=shoal.Style(numbers="mean")
        )
    assert str(refusal.value) == ("2-map counts the people whom a class fits, which a mean does not show: use ranges.")


DAYS = np.array(["1970-01-01", "1971-02-05", "1972-03-11", "1973-04-15", "1974-05-20"], "datetime64[D]")
MORE_DAYS = np.sort(np.concatenate([DAYS + shift for shift in (-70, -30, 0, 40, 90)]))


def born(days, kind):
    return pa.table({"born": pa.array(days).cast(pa.timestamp("us")).cast(kind)})


def moments(days, hours):
    """The days with a time of day each."""
    seconds = np.asarray(hours) * 3600
    return pa.table({"born": pa.array(days.astype("datetime64[s]") + seconds, pa.timestamp("us"))})


def with_clock(days):
    """The days, each second of them with a time of day."""
    return moments(days, np.arange(days.size) % 2 * 10)


def labels_of(sample, people, model=None, **options):
    options = {"algorithm": "mondrian"} | options
    made = shoal.anonymize(
        sample, quasi_identifiers="born", model=KMap(3, people) if model is None else model, **options
    )
    return made.frame["born"].to_pylist()


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64(), pa.timestamp("s"), pa.timestamp("us"), pa.timestamp("ns")])
def test_days_and_moments_are_compared_on_one_scale(kind):
    expected = labels_of(born(DAYS, pa.date32()), born(MORE_DAYS, pa.date32()))
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d( - \d{4}-\d\d-\d\d)?", label) for label in expected)
    assert labels_of(born(DAYS, pa.date32()), born(MORE_DAYS, kind)) == expected
    assert labels_of(born(DAYS, kind), born(MORE_DAYS, pa.date32())) == expected
    assert labels_of(born(DAYS, kind), with_clock(MORE_DAYS)) == expected


def test_a_moment_of_the_population_is_on_the_day_that_the_table_shows():
    sample = born(DAYS[:1], pa.date32())
    assert labels_of(sample, moments(DAYS[:1].repeat(3), [0, 9, 23])) == [DAYS[0].item()]


def test_days_of_the_population_are_midnights_where_the_table_has_moments():
    sample = moments(DAYS, 10)
    found = labels_of(sample, born(MORE_DAYS, pa.date32()))
    assert found[0] == "1970-01-01 10:00:00 - 1971-02-05 10:00:00"


def test_a_tree_of_days_knows_the_moments_of_a_population():
    sample, people = born(DAYS, pa.date32()), with_clock(MORE_DAYS)
    expected = labels_of(sample, born(MORE_DAYS, pa.date32()), hierarchies={"born": "dates"})
    assert labels_of(sample, people, hierarchies={"born": "dates"}) == expected
    presence = DeltaPresence(0, 0.5, people)
    found = labels_of(sample, people, presence, hierarchies={"born": "dates"}, algorithm="full-domain")
    assert not any(":" in label for label in found)


def test_a_tree_of_moments_still_knows_them():
    sample = moments(DAYS, 10)
    people = moments(MORE_DAYS, 10)
    found = labels_of(sample, people, hierarchies={"born": "dates:month,year"}, algorithm="full-domain")
    assert set(map(len, found)) <= {1, 4, 7}


@pytest.mark.parametrize("kind", [pa.date32(), pa.timestamp("us")])
def test_days_and_texts_are_compared_as_texts(kind):
    people = pa.table({"born": [str(day) for day in MORE_DAYS]})
    found = labels_of(born(DAYS, kind), people)
    assert all(str(day) in label.split(" | ") for day, label in zip(DAYS, found, strict=True))
    clock = pa.table({"born": [f"{day} 10:00:00" for day in DAYS.repeat(3)]})
    assert labels_of(moments(DAYS, 10), clock) == [f"{day} 10:00:00" for day in DAYS]


def test_categories_of_days_are_days():
    sample = pa.table({"born": born(DAYS, pa.date32())["born"].dictionary_encode()})
    assert labels_of(sample, with_clock(MORE_DAYS)) == labels_of(born(DAYS, pa.date32()), born(MORE_DAYS, pa.date32()))
