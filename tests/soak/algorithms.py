"""Random parameters of the algorithms."""

from __future__ import annotations

from shoal.algorithms import ALGORITHMS

BY_DIFFERENT_ROWS = tuple(name for name, kind in ALGORITHMS.items() if kind().equal_rows_together)
NEED_TREES = tuple(name for name, kind in ALGORITHMS.items() if kind().needs_hierarchies)


def draw_parameters(rng, name, quasi):
    """The parameters of an algorithm by name, those left out that stay as they are."""
    drawn = DRAWS.get(name, lambda rng, quasi: {})(rng, quasi)
    if rng.random() < 0.2:
        drawn = {}
    return drawn


def algorithm_of(name, parameters):
    """The algorithm, by name alone where no parameter is given."""
    return ALGORITHMS[name](**parameters) if parameters else name


def options(name, parameters):
    """The same as options of a command."""
    words = ["--algorithm", name]
    for parameter, value in parameters.items():
        if parameter == "seed":
            words += ["--seed", str(value)]
        elif parameter == "weights":
            words += [word for column, weight in value.items() for word in ("--weight", f"{column}={weight}")]
        elif parameter == "levels":
            spans = {column: f"{low}-{high}" for column, (low, high) in value.items()}
            words += [word for column, span in spans.items() for word in ("--levels", f"{column}={span}")]
        else:
            words += ["--set", f"{parameter}={str(value).lower() if isinstance(value, bool) else value}"]
    return words


def _seed(rng):
    return {"seed": rng.randrange(1000)}


def _weights(rng, quasi):
    if rng.random() < 0.75:
        return {}
    return {"weights": {rng.choice(quasi): rng.choice([0.5, 2, 3.25])}}


def _full_domain(rng, quasi):
    objectives = ["loss", "loss_geometric", "non_uniform_entropy", "discernibility", "average_class_size"]
    objective = rng.choice([*objectives, "precision", "height"])
    weighted = objective in ("loss", "loss_geometric", "non_uniform_entropy", "precision")
    levels = {"levels": {rng.choice(quasi): (0, rng.choice([0, 1, 1]))}} if rng.random() < 0.15 else {}
    return {"objective": objective} | (_weights(rng, quasi) if weighted else {}) | levels


def _local(rng, quasi):
    return (
        {"effort": rng.choice(["fast", "fast", "balanced"]), "cells": rng.choice(["free", "free", "nodes"])}
        | {"objective": rng.choice(["loss", "loss", "certainty_penalty", "entropy"])}
        | _weights(rng, quasi)
        | _seed(rng)
    )


def _mondrian(rng, quasi):
    return {
        "dimension": rng.choice(["loss", "widest", "random"]),
        "cut": rng.choice(["any", "median"]),
        "relaxed": rng.random() < 0.25,
        "ties": rng.choice(["cuts", "rows"]),
        "categorical": rng.choice(["hierarchy", "order"]),
        "blind": rng.random() < 0.15,
    } | _seed(rng)


def _sequential(rng, quasi):
    return {
        "measure": rng.choice(["loss", "certainty_penalty", "entropy"]),
        "alpha": rng.choice([0.25, 0.5, 1.0]),
        "omega": rng.choice([1.5, 2.5]),
        "starts": rng.choice([1, 2]),
        "passes": rng.choice([1, 5, 30]),
        "exchange": rng.random() < 0.3,
    } | _seed(rng)


DRAWS = {
    "agglomerative": lambda rng, quasi: {"distance": rng.choice(["rows", "row"]), "shrink": rng.random() < 0.5},
    "auto": lambda rng, quasi: _seed(rng),
    "full-domain": _full_domain,
    "graph": lambda rng, quasi: (
        {
            "variant": rng.choice(["fill", "dissolve"]),
            "by": rng.choice(["loss", "distance"]),
        }
        | _seed(rng)
    ),
    "k-member": lambda rng, quasi: {"start": rng.choice(["furthest", "random"])} | _seed(rng),
    "local": _local,
    "mondrian": _mondrian,
    "oka": lambda rng, quasi: _seed(rng),
    "random": lambda rng, quasi: _seed(rng),
    "samarati": lambda rng, quasi: {"choice": rng.choice(["lowest-loss", "lowest-loss-huang", "first"])},
    "sequential": _sequential,
}
