"""Parameters may be any kind of number: of Python, of numpy, fractions and decimals."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import shoal

TABLE = pa.table({"age": [20 + row // 10 for row in range(60)], "illness": ["flu", "cold", "gout"] * 20})
OPTIONS = {"quasi_identifiers": "age", "sensitive": "illness", "accept": ("homogeneous-class", "tiny-table")}


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_numpy_numbers_are_those_of_python(kind):
    models = [
        shoal.KAnonymity(kind(5)) & shoal.DistinctDiversity(kind(2)),
        shoal.RecursiveDiversity(kind(2), kind(2)),
        shoal.AlphaK(0.5, kind(5)),
    ]
    plain = [
        shoal.KAnonymity(5) & shoal.DistinctDiversity(2),
        shoal.RecursiveDiversity(2, 2),
        shoal.AlphaK(0.5, 5),
    ]
    for model, same in zip(models, plain, strict=True):
        release = shoal.anonymize(TABLE, model=model, **OPTIONS)
        assert release.frame.equals(shoal.anonymize(TABLE, model=same, **OPTIONS).frame)
    assert type(shoal.KAnonymity(kind(5)).k) is int


@pytest.mark.parametrize(
    "model",
    [
        shoal.EntropyDiversity(Fraction(7, 3)),
        shoal.FrequencyDiversity(Fraction(3, 2)),
        shoal.Closeness(Fraction(1, 3)),
        shoal.RecursiveDiversity(Fraction(7, 2), 2),
        shoal.AlphaK(Fraction(1, 2), 3),
        shoal.BetaLikeness(Fraction(3, 2)),
        shoal.DeltaDisclosure(Decimal("1.5")),
    ],
    ids=str,
)
def test_fractions_and_decimals_are_told_in_digits(tmp_path, model):
    release = shoal.anonymize(TABLE, model=model, **OPTIONS)
    assert model.words()
    release.save(tmp_path / "safe.csv", report=tmp_path / "safe.html")
    assert (tmp_path / "safe.html").stat().st_size > 1000


def test_what_a_table_allows_can_be_asked_for():
    uneven = pa.table({"age": [1] * 4, "illness": ["flu", "flu", "cold", "gout"]})
    with pytest.raises(shoal.InfeasibleError, match=r"allows c of more than 1\b"):
        shoal.anonymize(uneven, model=shoal.RecursiveDiversity(1, 2), **OPTIONS)
    eight = pa.table({"age": [1] * 8, "illness": list("aabbcdef")})
    with pytest.raises(shoal.InfeasibleError, match=r"allows l of at most ([\d.]+)") as told:
        shoal.anonymize(eight, model=shoal.EntropyDiversity(6), **OPTIONS)
    allowed = str(told.value).rpartition("at most ")[2].strip(" .").split()[0].rstrip(".,;")
    shoal.anonymize(eight, model=shoal.EntropyDiversity(float(allowed)), **OPTIONS)
