"""Draws the picture of “Rows or people?”: among how many people an attacker finds each person, before and after.

The attacker knows all quasi-identifiers of one visit of a person, and counts the different people whose rows it fits.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import shoal

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "rows-or-people.png"
QUASI = ["age", "workclass", "education", "marital-status", "sex"]
K = 5


def main() -> None:
    """Release the visits of 2,000 people in both ways, attack both, and draw what was found."""
    warnings.simplefilter("ignore", shoal.PrivacyWarning)
    visits = shoal.datasets.visits(2000)
    visits = visits.select(["person", *QUASI, "occupation"])
    options = {"quasi_identifiers": QUASI, "sensitive": "occupation", "model": shoal.KAnonymity(K)}
    options["algorithm"] = "mondrian"
    by_rows = shoal.anonymize(visits, identifying="person", rows_are_people=True, **options)
    by_people = shoal.anonymize(visits, unit="person", **options)
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True)
    for axis, release, title in (
        (axes[0], by_rows, f"k = {K} rows"),
        (axes[1], by_people, f"k = {K} people"),
    ):
        found = fewest_candidates(release, visits.to_pandas())
        draw(axis, found, title)
        print(f"{title}: {(found < K).sum()} of {found.size} people among fewer than {K}, {(found == 1).sum()} alone")
    axes[0].set_ylabel("people")
    figure.tight_layout()
    figure.savefig(PICTURE, dpi=120)
    print(PICTURE.name)


def fewest_candidates(release: shoal.Release, visits: pd.DataFrame) -> np.ndarray:
    """Return for each person the fewest people among whom one of their visits leaves them."""
    groups = release.groups
    pairs = pd.DataFrame({"class": groups.ids, "person": visits["person"].to_numpy()[groups.numbers]})
    people = pairs.groupby("class")["person"].nunique()
    return pairs.assign(found=pairs["class"].map(people)).groupby("person")["found"].min().to_numpy()


def draw(axis: plt.Axes, found: np.ndarray, title: str) -> None:
    """Draw how many people are found among how many."""
    numbers = np.arange(1, 13)
    people = [int((np.minimum(found, 12) == number).sum()) for number in numbers]
    colours = ["#c0392b" if number < K else "#2d6a9f" for number in numbers]
    axis.bar(numbers, people, color=colours)
    below = int((found < K).sum())
    axis.set_title(f"{title}: {below:,} of {found.size:,} people among fewer than {K}", fontsize=9)
    axis.set_xticks(numbers, [*map(str, numbers[:-1]), "12+"])
    axis.set_xlabel("different people whom the attacker cannot tell apart")
    axis.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()
