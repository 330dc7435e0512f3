"""Whether Spark can run here."""

from __future__ import annotations

import importlib.util

from shoal.errors import InputError
from shoal.spark.starting import check_java


def without_spark() -> str | None:
    """Why Spark cannot run, None where it can."""
    if importlib.util.find_spec("pyspark") is None:
        return "pyspark is not installed"
    try:
        check_java()
    except InputError as error:
        return str(error)
    return None
