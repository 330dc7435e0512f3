"""Run the three anonymizers of the COMP 430/530 assignment on adult.csv and print what they cost.

Run as ``python run_all.py [folder]``; the anonymized tables stay in the folder, where one is named.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from shoal.comp430 import bottomup_anonymizer, clustering_anonymizer, cost_LM, cost_MD, random_anonymizer

HERE = Path(__file__).parent
RAW, DGHS = HERE / "adult.csv", HERE / "DGHs"
K, L, SEED = 5, 4, 1


def main(folder: Path) -> None:
    """Anonymize the table in each way, and print a line for each."""
    runs = {
        f"random, seed {SEED}": lambda out: random_anonymizer(RAW, DGHS, K, SEED, out),
        "clustering": lambda out: clustering_anonymizer(RAW, DGHS, K, out),
        "bottomup, l = 1": lambda out: bottomup_anonymizer(RAW, DGHS, K, 1, out),
        f"bottomup, l = {L}": lambda out: bottomup_anonymizer(RAW, DGHS, K, L, out),
    }
    print(f"{RAW.name}, k = {K}")
    print(f"{'anonymizer':<16} {'cost_MD':>8} {'cost_LM':>9} {'seconds':>8}")
    for name, anonymize in runs.items():
        out = folder / f"{name.replace(', ', '-').replace(' = ', '').replace(' ', '')}.csv"
        start = time.perf_counter()
        anonymize(out)
        seconds = time.perf_counter() - start
        print(f"{name:<16} {cost_MD(RAW, out, DGHS):>8} {cost_LM(RAW, out, DGHS):>9.3f} {seconds:>8.2f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as place:
            main(Path(place))
