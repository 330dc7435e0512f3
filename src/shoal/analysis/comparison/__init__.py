"""Comparison of algorithms: what each costs at every k and ℓ."""

from shoal.analysis.comparison.compare import compare
from shoal.analysis.comparison.comparison import Comparison
from shoal.analysis.comparison.results import Cell

__all__ = ["Cell", "Comparison", "compare"]
