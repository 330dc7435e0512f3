"""Releases of Spark DataFrames: Spark counts, relabels and verifies the rows, and the driver runs the algorithm."""

from shoal.engines.spark import Release, anonymize, anonymize_files, release, session

__all__ = ["Release", "anonymize", "anonymize_files", "release", "session"]
