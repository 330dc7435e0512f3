"""Run project-lighthouse-anonymize on a CSV table and write the class number of every row."""

import argparse
import json
import logging
import resource
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from project_lighthouse_anonymize import k_anonymize
from project_lighthouse_anonymize.gtrees import GTree

ROW = "row number"
WARM_UP_ROWS = 300
WARM_UP_K = 5


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
    parser.add_argument(
        "--trees",
        type=Path,
        help="directory of level files adult_<column>.txt, lines 'leaf;group;*' (default: flat trees)",
    )
    parser.add_argument("--k", type=int, required=True)
    parser.add_argument("--out", required=True, help="file to write: a class number per row, -1 if lost")
    return parser.parse_args()


def read_table(path, numeric, categorical):
    """Read the quasi-identifiers, categorical ones as text, and number the rows."""
    header = list(pd.read_csv(path, nrows=0).columns)
    missing = [name for name in [*numeric, *categorical] if name not in header]
    if missing:
        sys.exit(f"{path}: no column named {', '.join(missing)}")
    table = pd.read_csv(
        path,
        usecols=[*numeric, *categorical],
        dtype=dict.fromkeys(categorical, "object"),
        keep_default_na=False,
    )
    not_numbers = [name for name in numeric if not pd.api.types.is_numeric_dtype(table[name])]
    if not_numbers:
        sys.exit(f"{path}: not numeric: {', '.join(not_numbers)}")
    table[ROW] = np.arange(len(table))
    return table


def level_paths(directory, column):
    """Read a level file as one path per leaf, from the leaf up to the root."""
    path = directory / f"adult_{column.replace('-', '_')}.txt"
    if not path.is_file():
        sys.exit(f"no tree file {path}")
    return [line.split(";") for line in path.read_text().splitlines() if line.strip()]


def make_tree(paths):
    """Build a generalization tree from leaf-to-root paths that end in '*'."""
    tree = GTree()
    nodes = {("*",): tree.create_node("*")}
    for path in paths:
        from_root = tuple(reversed(path))
        for depth in range(2, len(from_root) + 1):
            place = from_root[:depth]
            if place not in nodes:
                nodes[place] = tree.create_node(place[-1], parent=nodes[place[:-1]])
    tree.add_default_geometric_sizes()
    return tree


def make_trees(table, categorical, directory):
    """Build one tree per categorical column, flat ones without a directory of level files."""
    trees = {}
    for column in categorical:
        values = sorted(table[column].unique())
        paths = level_paths(directory, column) if directory else [[value, "*"] for value in values]
        unknown = set(values) - {path[0] for path in paths}
        if unknown:
            sys.exit(f"{column}: not in its tree: {', '.join(sorted(unknown))}")
        trees[column] = make_tree(paths)
    return trees


def timed_call(table, columns, k, trees):
    """Anonymize in this process alone; return the released table, the CPU and the wall seconds."""
    logger = logging.getLogger("lighthouse")
    logger.setLevel(logging.ERROR)
    wall_start, cpu_start = time.perf_counter(), time.process_time()
    released, _, _ = k_anonymize(logger, table, columns, k, trees, ROW, parallelism=None)
    return released, time.process_time() - cpu_start, time.perf_counter() - wall_start


def number_classes(released, columns, row_count):
    """Number the classes of the released table, in which equal quasi-identifiers make a class."""
    classes = np.full(row_count, -1)
    classes[released[ROW]] = released.groupby(columns, sort=False, dropna=False).ngroup()
    return classes


def peak_mb():
    """The largest resident size of this process so far, interpreter and libraries included."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / 2**20 if sys.platform == "darwin" else size / 2**10


def main():
    arguments = parse_arguments()
    columns = [*arguments.numeric, *arguments.categorical]
    table = read_table(arguments.table, arguments.numeric, arguments.categorical)
    trees = make_trees(table, arguments.categorical, arguments.trees)
    warnings.simplefilter("ignore", FutureWarning)

    # A first call on a few rows pays for just-in-time compilation, outside the timed call.
    few_rows = table.head(WARM_UP_ROWS).copy()
    few_trees = make_trees(table, arguments.categorical, arguments.trees)
    _, warm_up_cpu_s, _ = timed_call(few_rows, columns, WARM_UP_K, few_trees)

    released, cpu_s, wall_s = timed_call(table, columns, arguments.k, trees)
    peak = peak_mb()

    classes = number_classes(released, columns, len(table))
    np.savetxt(arguments.out, classes, fmt="%d")
    print(
        json.dumps(
            {
                "tool": "project-lighthouse-anonymize",
                "version": version("project-lighthouse-anonymize"),
                "k": arguments.k,
                "cpu_s": round(cpu_s, 3),
                "wall_s": round(wall_s, 3),
                "warm_up_cpu_s": round(warm_up_cpu_s, 3),
                "peak_mb": round(peak, 1),
                "rows_lost": int((classes < 0).sum()),
            }
        )
    )


if __name__ == "__main__":
    main()
