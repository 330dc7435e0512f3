"""Objectives: the measures by which a full-domain generalization can be the best, by name."""

from __future__ import annotations

from collections.abc import Callable

from shoal.algorithms.full_domain.cell_objectives import (
    height,
    loss,
    loss_geometric,
    loss_maximum,
    loss_rank,
    non_uniform_entropy,
    precision,
)
from shoal.algorithms.full_domain.class_objectives import (
    ambiguity,
    average_class_size,
    classification,
    discernibility,
    discernibility_star,
    divergence,
)
from shoal.algorithms.full_domain.lattice import Lattice
from shoal.algorithms.full_domain.objective import Objective, Options

OBJECTIVES: dict[str, Callable[[Lattice, Options], Objective]] = {
    "loss": loss,
    "loss_geometric": loss_geometric,
    "loss_maximum": loss_maximum,
    "loss_rank": loss_rank,
    "precision": precision,
    "non_uniform_entropy": non_uniform_entropy,
    "discernibility": discernibility,
    "discernibility_star": discernibility_star,
    "average_class_size": average_class_size,
    "ambiguity": ambiguity,
    "divergence": divergence,
    "classification": classification,
    "height": height,
}
FACTORED = ("loss", "loss_geometric", "loss_maximum", "loss_rank", "precision")  # which take a suppression factor
WEIGHTED = (*FACTORED, "non_uniform_entropy")
