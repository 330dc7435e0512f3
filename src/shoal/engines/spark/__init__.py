"""Releases of Spark DataFrames: counted, labelled and verified by Spark, with the algorithms on the driver."""

from shoal.engines.spark.files import anonymize_files
from shoal.engines.spark.run import Release, anonymize, release
from shoal.engines.spark.session import session

__all__ = ["Release", "anonymize", "anonymize_files", "release", "session"]
