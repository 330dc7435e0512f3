"""Algorithms: one paper per file."""

from shoal.algorithms.algorithm import Algorithm
from shoal.algorithms.mondrian import Mondrian

ALGORITHMS: dict[str, type[Algorithm]] = {"mondrian": Mondrian}

__all__ = ["ALGORITHMS", "Algorithm", "Mondrian"]
