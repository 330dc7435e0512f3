"""Algorithms: one paper per file."""

from shoal.algorithms.algorithm import Algorithm
from shoal.algorithms.auto import Auto
from shoal.algorithms.bottom_up import BottomUp
from shoal.algorithms.centroid_clustering import CentroidClustering
from shoal.algorithms.datafly import Datafly
from shoal.algorithms.full_domain import FullDomain
from shoal.algorithms.graph_clustering import GraphClustering
from shoal.algorithms.incognito import Incognito
from shoal.algorithms.k_member import KMember
from shoal.algorithms.local_recoding import LocalRecoding
from shoal.algorithms.mondrian import Mondrian
from shoal.algorithms.one_pass_k_means import OnePassKMeans
from shoal.algorithms.random_grouping import RandomGrouping
from shoal.algorithms.samarati import Samarati
from shoal.algorithms.sequential_clustering import SequentialClustering

ALGORITHMS: dict[str, type[Algorithm]] = {
    "auto": Auto,
    "bottom-up": BottomUp,
    "clustering": CentroidClustering,
    "datafly": Datafly,
    "full-domain": FullDomain,
    "graph": GraphClustering,
    "incognito": Incognito,
    "k-member": KMember,
    "local": LocalRecoding,
    "mondrian": Mondrian,
    "oka": OnePassKMeans,
    "random": RandomGrouping,
    "samarati": Samarati,
    "sequential": SequentialClustering,
}

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Auto",
    "BottomUp",
    "CentroidClustering",
    "Datafly",
    "FullDomain",
    "GraphClustering",
    "Incognito",
    "KMember",
    "LocalRecoding",
    "Mondrian",
    "OnePassKMeans",
    "RandomGrouping",
    "Samarati",
    "SequentialClustering",
]
