"""derived-column: copies of hidden values, in whatever form, stop a release; unrelated columns do not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import shoal

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ROWS = [30, 100, 300, 3000]
DRAWS = {
    "lognormal": lambda random, rows: random.lognormal(10.3, 0.6, rows).astype(int),
    "pareto": lambda random, rows: (random.pareto(1.2, rows) * 1000).astype(int),
    "ages": lambda random, rows: random.randint(18, 95, rows),
    "uniform": lambda random, rows: random.randint(0, 100_000, rows),
}
COPIES = {
    "copy": lambda values: values,
    "scaled": lambda values: 7.5 * values + 3,
    "falling": lambda values: -values.astype(float),
    "text": lambda values: [f"{value:012d}x" for value in values],
    "nested": lambda values: [{"a": int(value)} for value in values],
}


def people(draw: str, rows: int) -> tuple[np.ndarray, pd.DataFrame]:
    random = np.random.RandomState(7)
    values = DRAWS[draw](random, rows)
    zips = random.choice([str(code) for code in range(13000, 13060)], rows)
    return values, pd.DataFrame({"income": values, "sex": random.choice(["f", "m"], rows), "zip": zips})


def findings(table, **options) -> list:
    """The derived columns that stop a release of a table."""
    asked = {"quasi_identifiers": ["income", "sex", "zip"], "hierarchies": {"zip": "prefix"}, "algorithm": "mondrian"}
    try:
        shoal.anonymize(table, **{"model": shoal.KAnonymity(5)} | asked | options)
    except shoal.ReviewError as stopped:
        return [(finding.code, finding.columns) for finding in stopped.findings]
    return []


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("copy", ["copy", "scaled", "falling"])
def test_numbers_that_follow_a_hidden_number(draw, rows, copy):
    values, table = people(draw, rows)
    assert findings(table.assign(wage=COPIES[copy](values))) == [("derived-column", ("wage",))]


@pytest.mark.parametrize("copy", ["text", "nested"])
def test_copies_in_another_form(copy):
    values, table = people("ages", 3000)
    found = findings(pa.table(table.to_dict("list") | {"wage": COPIES[copy](values)}))
    assert ("derived-column", ("wage",)) in found


PUT_TOGETHER = {
    "cents": lambda age, sex: round(100 + (sex == "f") + age / 100, 2),
    "last digits": lambda age, sex: int(str(37 * (age % 11) + (sex == "f")) + str(age)),
    "four digits": lambda age, sex: 1000 + 100 * (sex == "f") + age,
    "minutes": lambda age, sex: pd.Timestamp(2024, 1, 1 + (sex == "f")) + pd.Timedelta(minutes=int(age)),
    "age and sex": lambda age, sex: f"{age}/{sex}",
    "words between": lambda age, sex: f"sex {sex}, aged {age}",
    "one number": lambda age, sex: 71_000 + 100 * (sex == "f") + age,
    "one text": lambda age, sex: f"{sex}xy{age}",
}


@pytest.mark.parametrize("rows", [300, 3000])
@pytest.mark.parametrize("form", PUT_TOGETHER)
def test_values_put_together_in_one_text(form, rows):
    ages, table = people("ages", rows)
    notes = [PUT_TOGETHER[form](age, code) for age, code in zip(ages, table["sex"], strict=True)]
    assert findings(table.assign(note=notes)) == [("derived-column", ("note",))]
    order = np.random.RandomState(1).permutation(rows)
    assert findings(table.assign(note=[notes[at] for at in order])) == []


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("draw", DRAWS)
def test_the_same_numbers_in_another_order_tell_nothing(draw, rows):
    values, table = people(draw, rows)
    assert findings(table.assign(wage=np.random.RandomState(1).permutation(values))) == []


@pytest.mark.parametrize("of", [lambda ages: 2024 - ages, lambda ages: np.argsort(np.argsort(ages, kind="stable"))])
def test_an_index_that_tells(of):
    ages, table = people("ages", 1000)
    table = table.rename(columns={"income": "age"}).drop(columns="zip")
    asked = {"quasi_identifiers": ["age", "sex"], "model": shoal.KAnonymity(5), "algorithm": "mondrian"}
    with pytest.raises(shoal.ReviewError, match="The index of the frame is released as it is and tells the hidden"):
        shoal.anonymize(table.set_axis(of(ages)), **asked)
    other = np.random.RandomState(1).permutation(len(table))
    levels = pd.MultiIndex.from_arrays([["a"] * len(ages), of(ages)])
    with pytest.raises(shoal.ReviewError, match="The index of the frame is released as it is and tells the hidden"):
        shoal.anonymize(table.set_axis(levels), **asked)
    for index in (None, table.index[::-1], other, [f"row {at}" for at in other]):
        shoal.anonymize(table if index is None else table.set_axis(index), **asked)
    shoal.anonymize(table.set_axis(of(ages)), order="shuffled", **asked)  # which drops it


def test_a_rising_index_of_exact_values_tells_them():
    incomes = np.unique(np.random.RandomState(2).lognormal(10, 0.5, 500).astype(int))
    table = pd.DataFrame({"income": incomes, "sex": ["f", "m"] * (incomes.size // 2) + ["f"] * (incomes.size % 2)})
    asked = {"quasi_identifiers": ["income", "sex"], "model": shoal.KAnonymity(5), "algorithm": "mondrian"}
    with pytest.raises(shoal.ReviewError, match="The index of the frame is released as it is and tells the hidden"):
        shoal.anonymize(table.set_axis(incomes), **asked)
    found = shoal.anonymize(table, **asked).review.open  # row numbers tell the order alone, which is warned of
    assert "row-order" in [one.code for one in found]


@pytest.mark.parametrize("form", ["flu {}", "flu ({})", "{} flu", '{{"age": {}}}'])
def test_a_part_of_a_sensitive_column_that_repeats_a_quasi_identifier_warns(form):
    values, table = people("ages", 1000)
    disease = [form.format(value) for value in values]
    asked = {"quasi_identifiers": ["income", "sex"], "sensitive": "disease", "algorithm": "mondrian"}
    release = shoal.anonymize(table.drop(columns="zip").assign(disease=disease), model=shoal.KAnonymity(5), **asked)
    assert ("derived-column", ("disease",)) in [(one.code, one.columns) for one in release.review.open]


@pytest.mark.parametrize("copy", ["copy", "falling", "text"])
def test_a_sensitive_column_that_repeats_a_quasi_identifier_warns(copy):
    values, table = people("ages", 1000)
    asked = {"quasi_identifiers": ["income", "sex"], "sensitive": "wage", "algorithm": "mondrian"}
    copied = table.drop(columns="zip").assign(wage=COPIES[copy](values))
    release = shoal.anonymize(copied, model=shoal.KAnonymity(5), **asked)
    (found,) = [finding for finding in release.review.open if finding.code == "derived-column"]
    assert found.sentence.startswith("The sensitive column 'wage' is released as it is and tells the hidden values")
    order = np.random.RandomState(1).permutation(len(copied))
    other = shoal.anonymize(copied.assign(wage=copied["wage"].to_numpy()[order]), model=shoal.KAnonymity(5), **asked)
    assert "derived-column" in other.review.clean


def test_flags_tell_together():
    adult = shoal.datasets.adult().select(["age", "education", "sex"]).to_pandas()
    flags = pd.get_dummies(adult["education"]).astype(int)
    trees = {"education": shoal.datasets.adult_hierarchies()["education"]}
    asked = {"quasi_identifiers": ["age", "education", "sex"], "hierarchies": trees, "model": shoal.KAnonymity(50)}
    table = pd.concat([adult, flags], axis=1)
    assert findings(table, **asked) == [("derived-column", tuple(flags.columns))]
    release = shoal.anonymize(table, **asked, algorithm="mondrian", keep=list(flags.columns))
    assert "derived-column" in {finding.code for finding in release.review.answered}


@pytest.mark.parametrize("others", [5, 30])
def test_flags_tell_together_among_unrelated_ones(others):
    _, table = people("ages", 2000)
    random = np.random.RandomState(3)
    flags = {f"zip {code}": (table["zip"] == code).astype(int) for code in sorted(table["zip"].unique())}
    unrelated = {f"flag {number}": random.randint(0, 2, 2000) for number in range(others)}
    both = pd.DataFrame(unrelated | flags)
    assert findings(pd.concat([table, both], axis=1)) == [("derived-column", tuple(flags))]
    assert findings(pd.concat([table, pd.DataFrame(unrelated)], axis=1)) == []


def test_an_occupation_beside_an_education_is_no_copy():
    adult = shoal.datasets.adult().slice(0, 600).select(["age", "education", "sex", "occupation"])
    trees = {"education": shoal.datasets.adult_hierarchies()["education"]}
    asked = {"quasi_identifiers": ["age", "education", "sex"], "hierarchies": trees}
    assert findings(adult, **asked) == []
