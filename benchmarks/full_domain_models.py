"""Full-domain generalization beyond k-anonymity and loss: models of shares, objectives, whole calls, many columns.

Tables, hierarchies and the way of measuring are those of full_domain.py: with SHOAL_REFERENCE_DATA those of ARX, eight
quasi-identifiers and occupation as the sensitive attribute. CPU times are the best of some runs after one that does not
count; a "whole call" is `shoal.anonymize` from the table in memory to the verified release. ARX's figures were measured
once, in a warm JVM on another machine, and are typed in here.
"""

from __future__ import annotations

import argparse
import warnings
from functools import partial
from itertools import product

import pyarrow as pa
import pyarrow.compute as pc
from full_domain import EIGHT, KS, REFERENCE, TABLE, adult, new_table, timed
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

import shoal
from shoal.algorithms.full_domain.objectives import OBJECTIVES
from shoal.data.budget import budget_of
from shoal.data.encoding import encode
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.metrics import loss

REPEATS = 3
FIGURES = {  # by what is printed
    "t .2, equal": "t_equal",
    "t .2, hierarchical": "t_hierarchical",
    "β 1": "beta",
    "β 1, enhanced": "beta_enhanced",
    "frequency ℓ 3": "frequency_l",
    "α .3": "alpha",
}
BESIDE = ["fnlwgt", "capital-gain", "capital-loss", "income"]  # the columns of Adult without a shipped tree
WIDTHS = {
    "fnlwgt": [10_000, 50_000, 100_000, 500_000],
    "capital-gain": [1000, 10_000, 50_000],
    "capital-loss": [100, 500, 1000],
}
LIMITS = [0.05, 1.0]
# ARX 3.9.2, k = 5, CPU s at 5 and 100 %.
ARX = {"t .2, equal": (1.84, 2.61), "t .2, hierarchical": (1.55, 2.45)}


def encoded(data: pa.Table, quasi: list[str], sensitive: list[str], trees: dict[str, shoal.Hierarchy]) -> Table:
    columns = {name: data[name] for name in [*quasi, *sensitive]}
    guides = {name: trees[name] for name in quasi}
    return encode(columns, quasi=quasi, sensitive=sensitive, guides=guides, style=Style())


def best_of(work, repeats: int = REPEATS) -> tuple[float, object]:
    """The least CPU time of some runs after a first one, and what the work returned."""
    found = work()
    return min(timed(work)[0] for _ in range(repeats)), found


def models() -> RichTable:
    """Models of shares, which are not monotone while rows are suppressed."""
    data, trees = adult()
    table, tree = encoded(data, EIGHT, ["occupation"], trees), trees["occupation"]
    cases = {
        "t .2, equal": shoal.Closeness(0.2),
        "t .2, hierarchical": shoal.Closeness(0.2, "hierarchical", hierarchy=tree),
        "β 1": shoal.BetaLikeness(1),
        "β 1, enhanced": shoal.BetaLikeness(1, enhanced=True),
        "frequency ℓ 3": shoal.FrequencyDiversity(3),
        "α .3": shoal.AlphaK(0.3, 5),
    }
    shown = new_table("k = 5 and another model, 8 quasi-identifiers", "model | limit | loss (LM) | checked | CPU s")
    if REFERENCE:
        shown.add_column("ARX's CPU s", justify="right")
    for (name, model), (at, limit) in product(cases.items(), enumerate(LIMITS)):
        both, allowed = shoal.KAnonymity(5) & model, budget_of(limit, table.rows)
        cpu, found = best_of(partial(shoal.FullDomain().recode, table, both, max_suppressed=allowed))
        cells = [name, f"{limit:.0%}", f"{loss(table, found):.4f}", f"{len(set(found.lattice.judged)):,}", f"{cpu:.2f}"]
        note(f"{TABLE}.{FIGURES[name]}.limit{limit:g}", loss=loss(table, found), cpu=cpu)
        if name in ARX:
            note(f"typed.{FIGURES[name]}.limit{limit:g}", cpu=ARX[name][at])
        shown.add_row(*cells, *([f"{ARX[name][at]:.2f}" if name in ARX else "–"] if REFERENCE else []))
    return shown


def objectives() -> RichTable:
    """Every objective, for occupation as the target of classification."""
    data, trees = adult()
    table = encoded(data, EIGHT, ["occupation"], trees)
    shown = new_table(
        "Objectives, k = 5, 5 %, 8 quasi-identifiers", "objective | its value | loss (LM) | checked | CPU ms"
    )
    for name in OBJECTIVES:
        allowed = budget_of(0.05, table.rows)
        search = partial(shoal.FullDomain(name).recode, table, shoal.KAnonymity(5), max_suppressed=allowed)
        cpu, found = best_of(search, 1)
        cells = [f"{found.value:.6g}", f"{loss(table, found):.4f}", f"{len(set(found.lattice.judged)):,}"]
        note(f"{TABLE}.{name}", value=found.value, loss=loss(table, found), cpu=cpu)
        shown.add_row(name, *cells, f"{1000 * cpu:.0f}")
    return shown


def whole_calls() -> RichTable:
    """What a whole call without suppression takes."""
    data, trees = adult()
    shown = new_table("Whole call, no suppression, 8 quasi-identifiers", "k | loss (LM) | CPU ms")
    options = {"quasi_identifiers": EIGHT, "hierarchies": {name: trees[name] for name in EIGHT}, "accept": "small-k"}
    call = partial(shoal.anonymize, data.select(EIGHT), algorithm="full-domain", **options)
    for k in KS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cpu, found = best_of(partial(call, model=shoal.KAnonymity(k)), 15)
        note(f"{TABLE}.whole.k{k}", loss=found.report.metrics["loss"], cpu=cpu)
        shown.add_row(f"{k}", f"{found.report.metrics['loss']:.4f}", f"{1000 * cpu:.1f}")
    return shown


def many_columns(seconds: float) -> RichTable:
    """Twelve and fifteen columns of Adult: the eleven with trees that shoal ships, and others."""
    shipped = sorted(shoal.datasets.adult_hierarchies())
    shown = new_table(
        f"Adult with shipped trees, k = 5, 5 %, {seconds:g} seconds at most",
        "rows | with the eleven | their trees | nodes | loss (LM) | none below | CPU s | ended by",
    )
    shown.caption = (
        f"The eleven: {', '.join(shipped)}.\nflat: the value or nothing; intervals: of {WIDTHS}, income flat.\n"
        "ARX 3.9.2: .3653 with 12 columns, .4433 with 15; of its run, the rows and the trees of those beside the "
        "eleven are not known."
    )
    cases = [*product([[name] for name in BESIDE], ["flat"]), *product([BESIDE], ["flat", "intervals"])]
    for complete, (more, kind) in product([True, False], cases):
        data = shoal.datasets.adult(drop_missing=complete)
        trees = shoal.datasets.adult_hierarchies() | {name: tree_beside(data, name, kind) for name in more}
        table = encoded(data, [name for name in data.column_names if name in trees], [], trees)
        search, allowed = shoal.FullDomain(time_limit=seconds), budget_of(0.05, table.rows)
        cpu, found = timed(partial(search.recode, table, shoal.KAnonymity(5), max_suppressed=allowed))
        cells = [f"{table.rows:,}", "all others" if more == BESIDE else more[0], kind, f"{found.lattice.nodes:.2g}"]
        cells += [f"{loss(table, found):.4f}", f"{found.bound:.4f}", f"{cpu:.1f}", found.stopped or "proof"]
        columns = "all" if more == BESIDE else more[0]
        note(f"columns.{columns}.{kind}.rows{table.rows}", loss=loss(table, found), bound=found.bound, cpu=cpu)
        shown.add_row(*cells, end_section=(more, kind) == cases[-1])
    return shown


def tree_beside(data: pa.Table, name: str, kind: str) -> shoal.Hierarchy:
    """A tree for a column without a shipped one."""
    values = pc.unique(data[name]).to_pylist()
    if kind == "intervals" and name in WIDTHS:
        return shoal.Hierarchy.intervals(values, widths=WIDTHS[name])
    return shoal.Hierarchy.flat(sorted(map(str, values)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", default="models,objectives,calls,columns", help="what to measure")
    parser.add_argument("--time-limit", type=float, default=7.0, help="seconds for each large lattice")
    arguments = parser.parse_args()
    parts = {
        "models": models,
        "objectives": objectives,
        "calls": whole_calls,
        "columns": lambda: many_columns(arguments.time_limit),
    }
    for name in arguments.parts.split(","):
        Console(width=120).print(parts[name]())


if __name__ == "__main__":
    main()
