"""Run anonypy's Mondrian k-anonymity on a CSV table and write the class number of every row."""

import argparse
import json
import resource
import sys
import time
from importlib.metadata import version

import anonypy
import numpy as np
import pandas as pd


def names(text):
    return [name for name in text.split(",") if name]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="CSV file with a header line")
    parser.add_argument("--numeric", type=names, default=[], help="numeric quasi-identifiers, comma separated")
    parser.add_argument(
        "--categorical",
        type=names,
        default=[],
        help="categorical quasi-identifiers, comma separated",
    )
    parser.add_argument("--sensitive", help="the sensitive column anonypy asks for (default: the last column)")
    parser.add_argument("--k", type=int, required=True)
    parser.add_argument("--out", required=True, help="file to write: a class number per row, -1 if lost")
    return parser.parse_args()


def read_table(path, numeric, categorical, sensitive):
    """Read the quasi-identifiers and the sensitive column, non-numeric ones as categories."""
    header = list(pd.read_csv(path, nrows=0).columns)
    sensitive = sensitive or header[-1]
    missing = [name for name in [*numeric, *categorical, sensitive] if name not in header]
    if missing:
        sys.exit(f"{path}: no column named {', '.join(missing)}")
    as_category = dict.fromkeys([*categorical, sensitive], "category")
    for name in numeric:
        as_category.pop(name, None)
    table = pd.read_csv(path, usecols=[*numeric, *as_category], dtype=as_category, keep_default_na=False)
    not_numbers = [name for name in numeric if not pd.api.types.is_numeric_dtype(table[name])]
    if not_numbers:
        sys.exit(f"{path}: not numeric: {', '.join(not_numbers)}")
    return table, sensitive


def record_partitions(preserver):
    """Keep the row partitions that the public call makes and otherwise throws away."""
    recorded = []
    partition = preserver.modrian.partition

    def partition_and_record(*arguments):
        recorded[:] = partition(*arguments)
        return recorded

    preserver.modrian.partition = partition_and_record
    return recorded


def peak_mb():
    """The largest resident size of this process so far, interpreter and libraries included."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / 2**20 if sys.platform == "darwin" else size / 2**10


def main():
    arguments = parse_arguments()
    columns = [*arguments.numeric, *arguments.categorical]
    table, sensitive = read_table(arguments.table, arguments.numeric, arguments.categorical, arguments.sensitive)

    wall_start, cpu_start = time.perf_counter(), time.process_time()
    preserver = anonypy.Preserver(table, columns, sensitive)
    partitions = record_partitions(preserver)
    preserver.anonymize_k_anonymity(arguments.k)
    cpu_s, wall_s = time.process_time() - cpu_start, time.perf_counter() - wall_start
    peak = peak_mb()

    classes = np.full(len(table), -1)
    for number, rows in enumerate(partitions):
        classes[rows] = number
    np.savetxt(arguments.out, classes, fmt="%d")
    print(
        json.dumps(
            {
                "tool": "anonypy",
                "version": version("anonypy"),
                "k": arguments.k,
                "cpu_s": round(cpu_s, 3),
                "wall_s": round(wall_s, 3),
                "peak_mb": round(peak, 1),
                "rows_lost": int((classes < 0).sum()),
            }
        )
    )


if __name__ == "__main__":
    main()
