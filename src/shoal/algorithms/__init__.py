"""Algorithms: one paper per file."""

from shoal.algorithms.algorithm import Algorithm
from shoal.algorithms.bottom_up import BottomUp
from shoal.algorithms.mondrian import Mondrian
from shoal.algorithms.samarati import Samarati

ALGORITHMS: dict[str, type[Algorithm]] = {"bottom-up": BottomUp, "mondrian": Mondrian, "samarati": Samarati}

__all__ = ["ALGORITHMS", "Algorithm", "BottomUp", "Mondrian", "Samarati"]
