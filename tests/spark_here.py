"""Whether Spark can run here."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shoal.engines.spark.session import check_java
from shoal.errors import InputError


def without_spark() -> str | None:
    """Why Spark cannot run, None where it can."""
    if importlib.util.find_spec("pyspark") is None:
        return "pyspark is not installed"
    try:
        check_java()
    except InputError as error:
        return str(error)
    return None


@contextmanager
def no_session_left() -> Iterator[None]:
    """Stop a session that was started meanwhile, so that the next test gets the one it asks for."""
    before = running()
    yield
    started = running()
    if before is None and started is not None:
        started.stop()


def running() -> Any:
    """The session of this process, None where none runs."""
    if importlib.util.find_spec("pyspark") is None:
        return None
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession()
