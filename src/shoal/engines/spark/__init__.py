"""Releases of Spark DataFrames: Spark counts, relabels and verifies the rows, and the driver runs the algorithm."""

from shoal.engines.spark.files import anonymize_files
from shoal.engines.spark.run import Release, anonymize, release
from shoal.engines.spark.session import session

__all__ = ["Release", "anonymize", "anonymize_files", "release", "session"]
