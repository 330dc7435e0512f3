"""What algorithms tell by the need to generalize: the attacker's confidence, by enumerating all possible originals.

R. Wong, A. Fu, K. Wang, J. Pei, Minimality attack in privacy preserving data publishing (2007): an attacker who knows
the quasi-identifiers of everybody, the algorithm and the model asks of each possible original whether it would have
been released like this. A release is m-confidential if nobody's illness is then believed with more than 1/m.

Random tables of a few people are drawn. Some have the illness, everybody else a value of their own. For each way to
choose who is ill the table is anonymized; ways that give the same release cannot be told apart, and the confidence
about a person is the share of these ways in which the person is ill. Nothing is estimated.

    python benchmarks/minimality.py [--tables 40] [--people 10] [--l 2] [--local 4]
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import ceil

import numpy as np
import pyarrow as pa
from notes import note

import shoal
from shoal.data.domain import Ranges, Sets
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics import METRICS

SEEDS = 16  # keys of the random order, all equally likely to the attacker

Method = Callable[[Table, shoal.PrivacyModel, int], list[Recoding]]  # returns equally likely releases


def signature(table: Table, recoding: Recoding, ill: frozenset[int]) -> tuple:
    """What a release shows: for each class its labels, its size and how many are ill; suppressed rows are a class."""

    def label(shown: object, number: int) -> object:
        if isinstance(shown, Ranges):
            return int(shown.low[number]), int(shown.high[number])
        if isinstance(shown, Sets):
            return tuple(shown.codes[shown.starts[number] : shown.starts[number + 1]].tolist())
        return int(shown[number])  # type: ignore[index]

    classes = defaultdict(list)
    for row, number in enumerate(recoding.ids.tolist()):
        classes[number].append(row in ill)
    labels = {n: tuple(label(shown, n) for shown in recoding.shown) if n >= 0 else ("*",) for n in classes}
    return tuple(sorted((repr(labels[n]), len(rows), sum(rows)) for n, rows in classes.items()))


def by(algorithm: shoal.Mondrian | shoal.FullDomain | shoal.LocalRecoding) -> Method:
    return lambda table, model, seed: [algorithm.recode(table, model)]


def random_order(table: Table, model: shoal.PrivacyModel, seed: int) -> list[Recoding]:
    """Mondrian with the attribute of each cut by a secret key."""
    return [shoal.Mondrian(dimension="random", seed=key).recode(table, model) for key in range(SEEDS)]


def k_for_any(table: Table, model: shoal.PrivacyModel, seed: int) -> list[Recoding]:
    """Mondrian by quasi-identifiers alone, with k so large that the model holds whoever has which value."""
    most = int(np.bincount(table.sensitive_codes[:, 0]).max())
    return [shoal.Mondrian().recode(table, shoal.KAnonymity(min(len(table.weights), ceil(model.l * most))))]


def stricter(algorithm: shoal.Mondrian) -> Method:
    """The same algorithm, asked for one more than the ℓ that is wanted."""
    return lambda table, model, seed: [algorithm.recode(table, replace(model, l=model.l + 1))]


METHODS: dict[str, Method] = {
    "Mondrian": by(shoal.Mondrian()),
    "Mondrian, widest attribute at its median": by(shoal.Mondrian(dimension="widest", cut="median")),
    "full-domain": by(shoal.FullDomain()),
    "local recoding": by(shoal.LocalRecoding()),
    "Mondrian, asked for ℓ + 1": stricter(shoal.Mondrian()),
    "Mondrian, random attribute, secret key": random_order,
    "Mondrian, blind": by(shoal.Mondrian(blind=True)),
    "Mondrian by k alone, k that does for anybody": k_for_any,
}


NAMES = dict(  # of the figures
    zip(METHODS, ("mondrian", "widest", "full_domain", "local", "stricter", "random", "blind", "by_k"), strict=True)
)


def tables(number: int, people: int, seed: int) -> list[tuple[dict[str, list], int]]:
    """Draw quasi-identifiers and how many are ill."""
    random = np.random.RandomState(seed)
    return [
        (
            {"age": random.randint(0, 10, people).tolist(), "zip": random.choice([*"abcd"], people).tolist()},
            int(random.randint(2, people // 2)),
        )
        for _ in range(number)
    ]


def measure(method: Method, columns: dict[str, list], ill: int, model: shoal.PrivacyModel) -> list[tuple]:
    """Return for each way to be ill the highest confidence about anybody, what the classes show, and the loss."""
    people = len(columns["age"])
    guides = {
        "age": shoal.Hierarchy.intervals(range(10), widths=[2, 4]) if method is METHODS["full-domain"] else None,
        "zip": shoal.Hierarchy.from_nested({"ab": ["a", "b"], "cd": ["c", "d"]}),
    }
    worlds = list(map(frozenset, combinations(range(people), ill)))
    seen: dict[tuple, list[tuple[int, float, float]]] = defaultdict(list)  # who, how likely, at what loss
    for number, world in enumerate(worlds):
        values = ["ill" if person in world else f"other {person}" for person in range(people)]
        table = encode(
            {name: pa.chunked_array([cells]) for name, cells in (columns | {"illness": values}).items()},
            quasi=list(columns),
            sensitive=["illness"],
            guides={name: guide for name, guide in guides.items() if guide is not None},
            style=shoal.Style(),
        )
        releases = method(table, model, number)
        for recoding in releases:
            loss = METRICS["certainty_penalty"].function(table, recoding)
            seen[signature(table, recoding, world)].append((number, 1 / len(releases), loss))
    found = []
    for classes, entries in seen.items():
        shown = max(number_ill / size for _, size, number_ill in classes)
        total = sum(chance for _, chance, _ in entries)
        beliefs = [
            sum(chance for number, chance, _ in entries if person in worlds[number]) / total for person in range(people)
        ]
        found += [(max(beliefs), shown, loss) for _, _, loss in entries]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--l", type=int, default=2)
    parser.add_argument("--local", type=int, default=4, help="tables for local recoding, which takes longest")
    asked = parser.parse_args()
    print(f"{asked.tables} random tables of {asked.people} people ({asked.local} for local recoding)")
    heads = ("above 1/l", "certain", "belief", "as shown", "loss", "seconds")
    for model in (shoal.FrequencyDiversity(asked.l), shoal.DistinctDiversity(asked.l)):
        print(f"\n{f'{type(model).__name__}({asked.l})':46}" + "".join(f"{head:>11}" for head in heads))
        for name, method in METHODS.items():
            start = time.perf_counter()
            drawn = tables(asked.local if name == "local recoding" else asked.tables, asked.people, 0)
            found = [one for columns, ill in drawn for one in measure(method, columns, ill, model)]
            beliefs, shown, losses = np.array(found).T
            above, certain = (np.mean(beliefs > bound) for bound in (1 / asked.l + 1e-9, 1 - 1e-9))
            shares = {"above_percent": 100 * above, "certain_percent": 100 * certain}
            means = {"belief": beliefs.mean(), "shown": shown.mean(), "loss": losses.mean()}
            note(f"{type(model).__name__}.{NAMES[name]}", **shares, **means)
            print(
                f"{name:46}{above:11.1%}{certain:11.1%}{beliefs.mean():11.3f}{shown.mean():11.3f}{losses.mean():11.3f}"
                f"{time.perf_counter() - start:11.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
