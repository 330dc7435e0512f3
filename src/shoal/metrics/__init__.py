"""Measures of what a release costs: one measure, or close family, per file.

METRICS apply to every table, SENSITIVE_METRICS to those with a sensitive attribute.
"""

from collections.abc import Callable

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics.ambiguity import ambiguity
from shoal.metrics.certainty_penalty import certainty_penalty
from shoal.metrics.class_sizes import (
    average_class_size,
    average_class_size_all,
    discernibility,
    discernibility_star,
    normalized_class_size,
)
from shoal.metrics.classification import classification
from shoal.metrics.distortion import distortion
from shoal.metrics.divergence import divergence
from shoal.metrics.entropy import entropy_loss, private_entropy_loss
from shoal.metrics.information_loss import information_loss
from shoal.metrics.loss import loss, loss_by_attribute, loss_geometric, loss_rows, loss_sum
from shoal.metrics.non_uniform_entropy import non_uniform_entropy
from shoal.metrics.precision import precision

Metric = Callable[[Table, Recoding], float]

METRICS: dict[str, Metric] = {
    "ambiguity": ambiguity,
    "average_class_size": average_class_size,
    "average_class_size_all": average_class_size_all,
    "certainty_penalty": certainty_penalty,
    "discernibility": discernibility,
    "discernibility_star": discernibility_star,
    "distortion": distortion,
    "divergence": divergence,
    "entropy_loss": entropy_loss,
    "information_loss": information_loss,
    "loss": loss,
    "loss_geometric": loss_geometric,
    "loss_rows": loss_rows,
    "loss_sum": loss_sum,
    "non_uniform_entropy": non_uniform_entropy,
    "normalized_class_size": normalized_class_size,
    "precision": precision,
}

SENSITIVE_METRICS: dict[str, Metric] = {
    "classification": classification,
    "private_entropy_loss": private_entropy_loss,
}


def measured(table: Table, recoding: Recoding) -> dict[str, float]:
    """Every measure that the table allows: those of sensitive attributes only where it has one."""
    wanted = METRICS | SENSITIVE_METRICS if table.sensitive else METRICS
    return {name: metric(table, recoding) for name, metric in wanted.items()}


__all__ = [
    "METRICS",
    "SENSITIVE_METRICS",
    "ambiguity",
    "average_class_size",
    "average_class_size_all",
    "certainty_penalty",
    "classification",
    "discernibility",
    "discernibility_star",
    "distortion",
    "divergence",
    "entropy_loss",
    "information_loss",
    "loss",
    "loss_by_attribute",
    "loss_geometric",
    "loss_rows",
    "loss_sum",
    "measured",
    "non_uniform_entropy",
    "normalized_class_size",
    "precision",
    "private_entropy_loss",
]
