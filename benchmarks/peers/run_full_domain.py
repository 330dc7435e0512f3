"""Run the full-domain generalization of anjana or crowds on a CSV table and write the label of every cell."""

import argparse
import csv
import json
import resource
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pandas as pd

ROW = "row number"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("table", help="CSV file with a header line")
    parser.add_argument("--quasi", required=True, help="quasi-identifiers, comma separated")
    parser.add_argument("--levels", type=Path, required=True, help="folder of <column>.txt, lines 'value;group;*'")
    parser.add_argument("--k", type=int, required=True)
    parser.add_argument("--limit", type=float, required=True, help="per cent of the rows that may be suppressed")
    parser.add_argument("--out", required=True, help="CSV file to write: the labels per row, empty if lost")
    return parser.parse_args()


def read_levels(path):
    """The labels of each level as a list over the values; shorter lines stay at the top."""
    with path.open(newline="") as file:
        lines = list(csv.reader(file, delimiter=";"))
    height = max(map(len, lines))
    return list(zip(*([*line, *[line[-1]] * (height - len(line))] for line in lines), strict=True))


def with_anjana(table, quasi, levels, k, limit):
    """Generalize the attribute with the most values until at most the limit is suppressed."""
    from anjana.anonymity import k_anonymity

    hierarchies = {name: dict(enumerate(map(list, levels[name]))) for name in quasi}
    return lambda: k_anonymity(table, [], quasi, k, limit, hierarchies)


def with_crowds(table, quasi, levels, k, limit):
    """OLA: the minimal nodes of the lattice, and of these the most precise; its own top level is None."""
    from crowds.kanonymity.generalizations import GenRule
    from crowds.kanonymity.ola import anonymize

    rules = {}
    for name in quasi:
        values, *above = levels[name]
        rules[name] = GenRule([dict(zip(values, labels, strict=True)).get for labels in above[:-1]])
    tops = {name: levels[name][-1][0] for name in quasi}
    return lambda: anonymize(table, rules, k=k, max_sup=limit)[0].fillna(tops)


TOOLS = {"anjana": with_anjana, "crowds": with_crowds}


def peak_mb():
    """The largest resident size of this process so far, interpreter and libraries included."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / 2**20 if sys.platform == "darwin" else size / 2**10


def main():
    arguments = parse_arguments()
    quasi = arguments.quasi.split(",")
    table = pd.read_csv(arguments.table, usecols=quasi, dtype=str, keep_default_na=False)[quasi]
    levels = {name: read_levels(arguments.levels / f"{name}.txt") for name in quasi}
    table[ROW] = range(len(table))
    call = TOOLS[arguments.tool](table, quasi, levels, arguments.k, arguments.limit)
    start = time.process_time()
    released = call()
    cpu_s = time.process_time() - start
    labels = released.set_index(ROW)[quasi].reindex(range(len(table)))
    labels.to_csv(arguments.out, index=False)
    figures = {"tool": arguments.tool, "version": version(arguments.tool), "cpu_s": round(cpu_s, 3)}
    print(json.dumps(figures | {"peak_mb": round(peak_mb(), 1)}))


if __name__ == "__main__":
    main()
