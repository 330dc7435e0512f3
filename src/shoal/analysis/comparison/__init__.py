"""Algorithms side by side: what each costs at every k and ℓ."""

from shoal.analysis.comparison.compare import compare
from shoal.analysis.comparison.comparison import Cell, Comparison

__all__ = ["Cell", "Comparison", "compare"]
