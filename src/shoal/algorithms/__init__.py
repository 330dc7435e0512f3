"""Algorithms: one paper per file. A new one is added to ALGORITHMS, and nowhere else."""

from shoal.algorithms.algorithm import Algorithm
from shoal.algorithms.auto import Auto
from shoal.algorithms.clustering.agglomerative import AgglomerativeClustering
from shoal.algorithms.clustering.centroids import CentroidClustering
from shoal.algorithms.clustering.graph import GraphClustering
from shoal.algorithms.clustering.hilbert import HilbertClustering
from shoal.algorithms.clustering.k_member import KMember
from shoal.algorithms.clustering.one_pass_k_means import OnePassKMeans
from shoal.algorithms.clustering.sequential import SequentialClustering
from shoal.algorithms.full_domain.bottom_up import BottomUp
from shoal.algorithms.full_domain.datafly import Datafly
from shoal.algorithms.full_domain.full_domain import FullDomain
from shoal.algorithms.full_domain.incognito import Incognito
from shoal.algorithms.full_domain.samarati import Samarati
from shoal.algorithms.local_recoding.local_recoding import LocalRecoding
from shoal.algorithms.mondrian import Mondrian
from shoal.algorithms.random_grouping import RandomGrouping

ALGORITHMS: dict[str, type[Algorithm]] = {
    algorithm.name: algorithm
    for algorithm in (
        AgglomerativeClustering,
        Auto,
        BottomUp,
        CentroidClustering,
        Datafly,
        FullDomain,
        GraphClustering,
        HilbertClustering,
        Incognito,
        KMember,
        LocalRecoding,
        Mondrian,
        OnePassKMeans,
        RandomGrouping,
        Samarati,
        SequentialClustering,
    )
}

__all__ = [
    "ALGORITHMS",
    "AgglomerativeClustering",
    "Algorithm",
    "Auto",
    "BottomUp",
    "CentroidClustering",
    "Datafly",
    "FullDomain",
    "GraphClustering",
    "HilbertClustering",
    "Incognito",
    "KMember",
    "LocalRecoding",
    "Mondrian",
    "OnePassKMeans",
    "RandomGrouping",
    "Samarati",
    "SequentialClustering",
]
