"""Data sets that ship with shoal, for examples, tests and benchmarks."""

from shoal.datasets.census import adult, adult_hierarchies
from shoal.datasets.hospital import visits

__all__ = ["adult", "adult_hierarchies", "visits"]
