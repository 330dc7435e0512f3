"""Releases of Spark DataFrames: counted, labelled and verified by Spark, with the algorithms on the driver."""

from shoal.spark.files import anonymize_files
from shoal.spark.run import Release, anonymize, release
from shoal.spark.starting import session

__all__ = ["Release", "anonymize", "anonymize_files", "release", "session"]
