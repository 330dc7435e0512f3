"""Measures of what a release costs: one measure, or close family, per file."""

from collections.abc import Callable

from shoal.metrics.certainty_penalty import certainty_penalty
from shoal.metrics.class_sizes import average_class_size, discernibility
from shoal.metrics.distortion import distortion
from shoal.metrics.loss import loss, loss_by_attribute, loss_rows, loss_sum
from shoal.recoding import Recoding
from shoal.table import Table

METRICS: dict[str, Callable[[Table, Recoding], float]] = {
    "average_class_size": average_class_size,
    "certainty_penalty": certainty_penalty,
    "discernibility": discernibility,
    "distortion": distortion,
    "loss": loss,
    "loss_rows": loss_rows,
    "loss_sum": loss_sum,
}

__all__ = [
    "METRICS",
    "average_class_size",
    "certainty_penalty",
    "discernibility",
    "distortion",
    "loss",
    "loss_by_attribute",
    "loss_rows",
    "loss_sum",
]
