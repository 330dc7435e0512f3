"""Make adult.csv and its DGHs from the Adult table and the hierarchies that ship with shoal.

Run as ``python make_data.py [folder]``; without a folder it makes the files beside it anew.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import shoal

QUASI_IDENTIFIERS = ["age", "workclass", "education", "marital-status", "relationship", "race", "sex", "native-country"]
SENSITIVE = "occupation"
STEP = 12  # every twelfth row without missing values


def main(folder: Path) -> None:
    """Write the table, and a DGH for each quasi-identifier."""
    table = shoal.datasets.adult(drop_missing=True).select([*QUASI_IDENTIFIERS, SENSITIVE])
    with (folder / "adult.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.column_names)
        writer.writerows(list(row.values()) for row in table.to_pylist()[::STEP])
    (folder / "DGHs").mkdir(exist_ok=True)
    trees = shoal.datasets.adult_hierarchies()
    for name in QUASI_IDENTIFIERS:
        trees[name].save(folder / "DGHs" / f"{name}.txt", format="tab-tree")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
