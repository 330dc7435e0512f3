"""Draw the made-up patients of the tutorial: docs/examples/patients.csv, the same on every machine."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

TABLE = Path(__file__).parent.parent / "docs" / "examples" / "patients.csv"
ROWS = 400
FIRST = {
    "f": ["Ada", "Bea", "Cleo", "Dora", "Edna", "Fay", "Gina", "Hope", "Ida", "Joan"],
    "m": ["Abe", "Ben", "Cal", "Dan", "Eli", "Fred", "Gus", "Hal", "Ian", "Jon"],
}
LAST = [
    "Archer",
    "Baker",
    "Cooper",
    "Dyer",
    "Eads",
    "Fisher",
    "Gardner",
    "Hunter",
    "Irving",
    "Joiner",
    "Kemp",
    "Mason",
    "Nash",
    "Porter",
    "Reeve",
    "Smith",
    "Taylor",
]
ZIPS = ["13051", "13053", "13056", "13068", "13069", "14843", "14845", "14850", "14853", "14882"]
DISEASES = {"flu": 0.3, "asthma": 0.2, "hypertension": 0.2, "diabetes": 0.15, "hepatitis": 0.1, "HIV": 0.05}


def main() -> None:
    """Write the table."""
    random = np.random.RandomState(7)
    lines = []
    for _ in range(ROWS):
        sex = str(random.choice(["f", "m"]))
        name = f"{random.choice(FIRST[sex])} {random.choice(LAST)}"
        age = 18 + random.binomial(72, random.choice([0.2, 0.45, 0.7]))
        disease = random.choice(list(DISEASES), p=list(DISEASES.values()))
        lines.append([name, age, sex, random.choice(ZIPS), disease])
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([["name", "age", "sex", "zip", "disease"], *lines])


if __name__ == "__main__":
    main()
