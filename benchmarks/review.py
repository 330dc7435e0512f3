"""What the review costs on top of a release, and the attacks of the lab beside those of Anonymeter.

python benchmarks/review.py [--rows 1000000]

The table is UCI Adult, drawn with replacement, all 15 columns; Mondrian, k = 10, seven quasi-identifiers. The attacks
are on a release of half of the table, k = 5, with the other half as the control group; Anonymeter, where it is
installed, makes as many guesses on the same rows of plain values, as it does not read ranges.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from notes import note
from rich.console import Console
from rich.table import Table

import shoal
from shoal.engines.memory import run

QUASI = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
PARTS = ("review_columns", "stop_at_repeated_people", "review_release", "verify")
GUESSES = 1000


def main() -> None:
    """Print the figures."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    _print_review(parser.parse_args().rows)
    _print_attacks()


def _print_review(rows: int) -> None:
    adult = shoal.datasets.adult()
    table = adult.take(np.random.RandomState(0).randint(0, adult.num_rows, rows))
    others = [name for name in table.column_names if name not in (*QUASI, "occupation")]
    seconds = dict.fromkeys(PARTS, 0.0)
    for part in PARTS:
        setattr(run, part, _timed(part, seconds, getattr(run, part)))
    asked = {"sensitive": "occupation", "keep": others, "model": shoal.KAnonymity(10), "algorithm": "mondrian"}
    show = Table("rows × columns", "run", "whole, s", "review, s", "verification, s")
    for title in ("first", "second"):
        seconds.update(dict.fromkeys(PARTS, 0.0))
        start = time.perf_counter()
        shoal.anonymize(table, quasi_identifiers=QUASI, hierarchies=_trees(), **asked)
        whole, review = time.perf_counter() - start, sum(seconds[part] for part in PARTS[:-1])
        note(title, whole=whole, review=review, verification=seconds["verify"])
        figures = (f"{figure:.2f}" for figure in (whole, review, seconds["verify"]))
        show.add_row(f"{rows:,} × {table.num_columns}", title, *figures)
    Console(width=120).print(show)


def _print_attacks() -> None:
    adult = shoal.datasets.adult().select([*QUASI, "occupation"])
    order = np.random.RandomState(1).permutation(adult.num_rows)
    members, control = adult.take(order[::2]), adult.take(order[1::2])
    asked = {"quasi_identifiers": QUASI, "sensitive": "occupation", "model": shoal.KAnonymity(5)}
    frame = shoal.anonymize(members, hierarchies=_trees(), algorithm="mondrian", **asked).frame
    lab: dict[str, Any] = {"original": members, "control": control, "known": QUASI, "attacks": GUESSES}
    show = Table("attack", "shoal, generalized: CPU s", "risk", "shoal, plain values: CPU s", "Anonymeter: CPU s")
    for kind in ("singling-out", "linkability", "inference", "membership", "downcoding"):
        options = {**lab, "hierarchies": _trees(), **({"sensitive": "occupation"} if kind == "inference" else {})}
        taken, found = _cpu(lambda kind=kind, options=options: shoal.attack(frame, kind=kind, **options))
        plain, peer = None, None
        if kind in ("linkability", "inference"):
            plain, _ = _cpu(lambda kind=kind, options=options: shoal.attack(members, kind=kind, **options))
            peer = _anonymeter(kind, members.to_pandas(), control.to_pandas())
        note(kind.replace("-", "_"), cpu=taken, risk=found.risk, plain_cpu=plain, anonymeter_cpu=peer)
        beside = ["–" if seconds is None else f"{seconds:.2f}" for seconds in (plain, peer)]
        show.add_row(kind, f"{taken:.2f}", f"{found.risk:.3f}", *beside)
    Console(width=120).print(show)


def _anonymeter(kind: str, members: Any, control: Any) -> float | None:
    """Return the CPU seconds of Anonymeter on the plain values, None where it is not installed."""
    try:
        from anonymeter import evaluators
    except ImportError:
        return None
    if kind == "inference":
        evaluator = evaluators.InferenceEvaluator(
            members, members, aux_cols=QUASI, secret="occupation", n_attacks=GUESSES, control=control
        )
    else:
        half = len(QUASI) // 2
        evaluator = evaluators.LinkabilityEvaluator(
            members, members, aux_cols=(QUASI[:half], QUASI[half:]), n_attacks=GUESSES, control=control
        )
    return _cpu(lambda: evaluator.evaluate(n_jobs=1))[0]


def _trees() -> dict[str, shoal.Hierarchy]:
    return {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in QUASI[1:]}


def _timed(name: str, seconds: dict[str, float], function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the time of each call to the seconds of its name."""

    def timed(*arguments: Any, **named: Any) -> Any:
        start = time.perf_counter()
        try:
            return function(*arguments, **named)
        finally:
            seconds[name] += time.perf_counter() - start

    return timed


def _cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of the second of two runs, and its result."""
    work()
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


if __name__ == "__main__":
    main()
