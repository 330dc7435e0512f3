"""Run pycanon's checks on a CSV table and print what each finds and how long it takes."""

import argparse
import json
import time
from importlib.metadata import version

import pandas as pd
from pycanon import anonymity

CHECKS = {
    "k": lambda data, quasi, sensitive: anonymity.k_anonymity(data, quasi),
    "distinct l": anonymity.l_diversity,
    "entropy l": anonymity.entropy_l_diversity,
    "alpha": lambda data, quasi, sensitive: anonymity.alpha_k_anonymity(data, quasi, sensitive)[0],
    "basic beta": anonymity.basic_beta_likeness,
    "delta": anonymity.delta_disclosure,
    "t": anonymity.t_closeness,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="CSV file with a header line")
    parser.add_argument("--quasi", required=True, help="quasi-identifiers, comma separated")
    parser.add_argument("--sensitive", required=True, help="the sensitive column")
    parser.add_argument("--checks", default=",".join(CHECKS), help="what to compute, comma separated")
    arguments = parser.parse_args()
    data = pd.read_csv(arguments.table, keep_default_na=False)
    found = {}
    for name in arguments.checks.split(","):
        start = time.process_time()
        value = CHECKS[name](data, arguments.quasi.split(","), [arguments.sensitive])
        found[name] = {"value": float(value), "cpu_s": round(time.process_time() - start, 4)}
    print(json.dumps({"tool": "pycanon", "version": version("pycanon"), "checks": found}))


if __name__ == "__main__":
    main()
