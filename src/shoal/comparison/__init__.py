"""Algorithms side by side: what each costs at every k and ℓ."""

from shoal.comparison.compare import compare
from shoal.comparison.comparison import Cell, Comparison

__all__ = ["Cell", "Comparison", "compare"]
