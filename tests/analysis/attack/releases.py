"""Random releases, with leaks planted into them or without."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

import shoal

QUASI = ["age", "zip", "sex"]


def people(random: np.random.RandomState, rows: int) -> pd.DataFrame:
    """Draw people of one population."""
    columns = {
        "age": np.clip(random.normal(45, 18, rows).round(), 18, 95).astype(int),
        "zip": [f"Z{number:02}" for number in random.randint(0, 40, rows)],
        "sex": random.choice(["f", "m"], rows),
        "disease": random.choice(["flu", "cold", "hiv", "ulcer"], rows, p=[0.4, 0.3, 0.2, 0.1]),
    }
    return pd.DataFrame(columns)


@dataclass(frozen=True)
class Case:
    """A release, its original and people who are not in it."""

    release: pd.DataFrame
    original: pd.DataFrame
    control: pd.DataFrame

    def attack(self, kind: str, **more):
        return shoal.attack(self.release, kind=kind, original=self.original, control=self.control, **more)


def case(
    seed: int, *, k: int | None = None, rows: int | None = None, ordered: bool = False, code: bool = False
) -> Case:
    """Anonymize random people by Mondrian; `ordered` sorts them by age first, `code` gives each a number."""
    random = np.random.RandomState(seed)
    rows = rows or random.randint(200, 501)
    k = k or random.randint(4, 13)
    original, control = people(random, rows), people(random, rows)
    if ordered:
        original = original.sort_values("age", kind="stable", ignore_index=True)
    if code:
        numbers = random.permutation(10 * rows)
        original["code"], control["code"] = numbers[:rows], numbers[rows : 2 * rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", shoal.PrivacyWarning)
        release = shoal.anonymize(
            original,
            quasi_identifiers=QUASI,
            sensitive="disease",
            model=shoal.KAnonymity(k),
            algorithm="mondrian",
            strict=False,
        )
    return Case(release.frame, original, control)
