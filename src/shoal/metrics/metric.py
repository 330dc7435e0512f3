"""Metric: a measure of what a release costs, with its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc

from shoal.data.recoding import Recoding
from shoal.data.table import Table


@dataclass(frozen=True)
class Metric:
    """A measure of a recoding of a table; calling it computes the figure.

    name                 in commands and reports
    title                above a column or an axis
    short                within a sentence
    higher_is_better     whether more is better, as with precision
    mean_over_rows       whether the figure of a table is the mean of those of its parts, by their rows
    needs_sensitive      whether the table needs a sensitive attribute
    worst_if_suppressed  whether no release costs more than one in which every cell is suppressed
    """

    name: str
    title: str
    short: str
    function: Callable[[Table, Recoding], float]
    higher_is_better: bool = False
    mean_over_rows: bool = False
    needs_sensitive: bool = False
    worst_if_suppressed: bool = False

    def __call__(self, table: Table, recoding: Recoding) -> float:
        """Compute the figure."""
        return self.function(table, recoding)

    @property
    def formula(self) -> str:
        """The definition, which is the docstring of the function."""
        return " ".join((getdoc(self.function) or "").split())
