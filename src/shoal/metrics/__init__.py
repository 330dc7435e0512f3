"""Measures of what a release costs: one measure, or close family, per file.

A new measure is added to METRICS, and nowhere else.
"""

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
from shoal.metrics.huang import loss_huang
from shoal.metrics.information_loss import information_loss
from shoal.metrics.loss import loss, loss_by_attribute, loss_geometric, loss_rows, loss_sum
from shoal.metrics.metric import Metric
from shoal.metrics.non_uniform_entropy import non_uniform_entropy
from shoal.metrics.precision import precision

__all__ = ["METRICS", "Metric", "loss_by_attribute", "measured", "metrics_for"]

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("ambiguity", "ambiguity", "ambiguity", ambiguity),
        Metric("average_class_size", "average class size", "average class size", average_class_size),
        Metric("average_class_size_all", "average class size all", "average class size all", average_class_size_all),
        Metric(
            "certainty_penalty",
            "certainty penalty (NCP)",
            "NCP",
            certainty_penalty,
            mean_over_rows=True,
            worst_if_suppressed=True,
        ),
        Metric("discernibility", "discernibility (DM)", "discernibility", discernibility),
        Metric("discernibility_star", "discernibility star", "discernibility star", discernibility_star),
        Metric("distortion", "distortion (MD)", "MD", distortion, worst_if_suppressed=True),
        Metric("divergence", "divergence", "divergence", divergence),
        Metric("entropy_loss", "entropy loss", "entropy loss", entropy_loss),
        Metric("information_loss", "information loss", "information loss", information_loss, worst_if_suppressed=True),
        Metric("loss", "loss (LM)", "LM", loss, mean_over_rows=True, worst_if_suppressed=True),
        Metric("loss_geometric", "loss geometric", "loss geometric", loss_geometric, worst_if_suppressed=True),
        Metric("loss_huang", "loss (LM by Huang)", "LM by Huang", loss_huang, worst_if_suppressed=True),
        Metric("loss_rows", "total loss (LM)", "total LM", loss_rows, worst_if_suppressed=True),
        Metric(
            "loss_sum",
            "loss (LM, sum over attributes)",
            "LM over attributes",
            loss_sum,
            mean_over_rows=True,
            worst_if_suppressed=True,
        ),
        Metric("non_uniform_entropy", "non uniform entropy", "non uniform entropy", non_uniform_entropy),
        Metric("normalized_class_size", "normalized class size", "normalized class size", normalized_class_size),
        Metric("precision", "precision", "precision", precision, higher_is_better=True, mean_over_rows=True),
        Metric("classification", "classification", "classification", classification, needs_sensitive=True),
        Metric(
            "private_entropy_loss",
            "private entropy loss",
            "private entropy loss",
            private_entropy_loss,
            needs_sensitive=True,
        ),
    )
}


def metrics_for(*, sensitive: bool) -> dict[str, Metric]:
    """Return the measures that apply to a table with or without a sensitive attribute."""
    return {name: metric for name, metric in METRICS.items() if sensitive or not metric.needs_sensitive}


def measured(table: Table, recoding: Recoding) -> dict[str, float]:
    """Compute every measure that applies to the table."""
    return {name: metric(table, recoding) for name, metric in metrics_for(sensitive=bool(table.sensitive)).items()}
