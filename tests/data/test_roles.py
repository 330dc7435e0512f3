"""Roles: every named column exists and has one role."""

from __future__ import annotations

import pytest

from shoal import InputError
from shoal.data.roles import Roles, check_column

COLUMNS = ["age", "Sex", " zip", "disease", "größe"]


def refusal(**roles):
    with pytest.raises(InputError) as error:
        Roles.of(COLUMNS, **{"quasi_identifiers": "age", **roles})
    return str(error.value)


def test_one_name_or_many():
    roles = Roles.of(COLUMNS, quasi_identifiers=iter(["größe", "age"]), sensitive="disease", identifying=["Sex"])
    assert roles == Roles(("größe", "age"), ("disease",), ("Sex",), ())


@pytest.mark.parametrize("none", [(), [], None])
def test_none_is_no_column(none):
    assert Roles.of(COLUMNS, quasi_identifiers="age", sensitive=none) == Roles(("age",))
    assert refusal(quasi_identifiers=none) == (
        "No quasi-identifier is named: name the columns that could reveal who a row is about, such as age or sex."
    )


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("agee", "Did you mean 'age'?"),
        ("SEX", "Did you mean 'Sex'?"),
        ("zip", "Did you mean ' zip'?"),
        ("grösse", "Did you mean 'größe'?"),
        ("income", "The columns are 'age', 'Sex', ' zip', 'disease', 'größe'."),
    ],
)
def test_a_column_that_is_not_there(name, hint):
    expected = f"There is no column {name!r}. {hint}"
    assert refusal(sensitive=name) == refusal(quasi_identifiers=["age", name]) == expected


def test_of_many_columns_some_are_named():
    with pytest.raises(InputError) as error:
        check_column("x", [f"column {i}" for i in range(23)])
    assert str(error.value).endswith("'column 18', 'column 19' and 3 more.")


@pytest.mark.parametrize(
    ("roles", "sentence"),
    [
        ({"quasi_identifiers": ["age", "age"]}, "Column 'age' is named twice as quasi-identifier: name it once."),
        ({"sensitive": ["Sex", "Sex"]}, "Column 'Sex' is named twice as sensitive: name it once."),
        (
            {"sensitive": "age"},
            "Column 'age' is named both as quasi-identifier and as sensitive: choose one role.",
        ),
        (
            {"identifying": "age"},
            "Column 'age' is named both as quasi-identifier and as identifying: choose one role.",
        ),
        (
            {"identifying": "Sex", "pseudonymize": "Sex"},
            "Column 'Sex' is named both as identifying and as pseudonymized: choose one role.",
        ),
    ],
)
def test_one_column_has_one_role(roles, sentence):
    assert refusal(**roles) == sentence


def test_names_are_text():
    assert refusal(sensitive=[7]) == "The column name 7 is not text: name columns by text."
    assert refusal(sensitive=7) == "7 does not name columns: give a name or a list of names."


def test_a_name_that_looks_the_same_is_told_apart():
    composed, apart = "Gr\u00f6\u00dfe", "Gro\u0308\u00dfe"
    with pytest.raises(InputError) as error:
        check_column(composed, ["age", apart])
    assert str(error.value) == (
        f"There is no column {composed!r}. One looks the same, but its letters are composed otherwise: "
        r"'Gro\u0308\xdfe', not 'Gr\xf6\xdfe'. Copy its name."
    )
