"""Visits to a hospital: a made-up table in which people have several rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow

STATIC = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")
WARDS = {"A": 0.30, "B": 0.22, "C": 0.16, "D": 0.12, "E": 0.08, "F": 0.06, "G": 0.04, "H": 0.02}
MONTHS = 24


def visits(people: int | None = None, *, mean: float = 5.0, seed: int = 1) -> pyarrow.Table:
    """Return visits of the people of the Adult table, drawn at random: whose, when, in which ward and at what age.

    Half of the visits are to a person's usual ward; a person is a year older from their birthday on. People without a
    visit are not in the table. Occupation is the sensitive column.

    people  how many to draw from the Adult table; None: all of it, each once
    mean    of the number of visits of a person
    >>> from shoal.datasets import visits
    >>> table = visits(1000)
    >>> len(table["person"].unique()), table.num_rows
    (996, 5048)
    """
    import numpy as np
    import pyarrow as pa

    from shoal.datasets.census import adult

    table, random = adult(), np.random.default_rng(seed)
    drawn = np.arange(table.num_rows) if people is None else random.integers(0, table.num_rows, people)
    number = random.poisson(mean, drawn.size)
    drawn, number = drawn[number > 0], number[number > 0]
    whose = np.repeat(np.arange(drawn.size), number)
    wards, shares = np.array(list(WARDS)), np.array(list(WARDS.values()))
    usual = random.choice(wards, drawn.size, p=shares)[whose]
    ward = np.where(random.random(whose.size) < 0.5, usual, random.choice(wards, whose.size, p=shares))
    month = random.integers(1, MONTHS + 1, whose.size)
    birthday = random.integers(1, MONTHS + 1, drawn.size)[whose]
    rows = table.take(pa.array(drawn[whose]))
    return pa.table(
        {
            "person": pa.array([f"P{number:06d}" for number in whose.tolist()]),
            **{name: rows[name] for name in STATIC},
            "month": pa.array(month),
            "ward": pa.array(ward),
            "age_at_visit": pa.array(rows["age"].to_numpy() + (month >= birthday)),
            "occupation": rows["occupation"],
        }
    )
