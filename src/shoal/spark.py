"""Releases of Spark DataFrames: counted, labelled and verified by Spark, with the algorithms on the driver."""

from shoal.engines.spark import Release, anonymize, anonymize_files, release, session

__all__ = ["Release", "anonymize", "anonymize_files", "release", "session"]
