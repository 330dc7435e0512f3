"""Algorithms: one paper per file."""

from shoal.algorithms.algorithm import Algorithm
from shoal.algorithms.bottom_up import BottomUp
from shoal.algorithms.datafly import Datafly
from shoal.algorithms.full_domain import FullDomain
from shoal.algorithms.incognito import Incognito
from shoal.algorithms.mondrian import Mondrian
from shoal.algorithms.random_grouping import RandomGrouping
from shoal.algorithms.samarati import Samarati

ALGORITHMS: dict[str, type[Algorithm]] = {
    "bottom-up": BottomUp,
    "datafly": Datafly,
    "full-domain": FullDomain,
    "incognito": Incognito,
    "mondrian": Mondrian,
    "random": RandomGrouping,
    "samarati": Samarati,
}

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "BottomUp",
    "Datafly",
    "FullDomain",
    "Incognito",
    "Mondrian",
    "RandomGrouping",
    "Samarati",
]
