"""Errors of Spark and of its workers, raised as errors of shoal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from shoal.engines.spark.session import pyspark
from shoal.errors import HierarchyError, InfeasibleError, InputError, VerificationError

ERRORS = {kind.__name__: kind for kind in (HierarchyError, InputError)}
ACHIEVABLE = "What can be reached: "  # starts the note that a worker adds to its error


@contextmanager
def errors_of_workers() -> Iterator[None]:
    """Raise an error that shoal raised in a worker as the same error here; leave Spark's own errors alone."""
    try:
        yield
    except pyspark("errors").PySparkException as error:
        if "No module named 'shoal" in str(error):
            raise InputError(
                "The Python of Spark's workers has no shoal: install it there, or name another Python in "
                "PYSPARK_PYTHON before the session starts."
            ) from error
        match = re.search(rf"shoal\.errors\.({'|'.join(ERRORS)}|InfeasibleError|VerificationError): (.*)", str(error))
        if match is None:
            raise
        if match[1] == InfeasibleError.__name__:
            note = re.search(f"{re.escape(ACHIEVABLE)}(.*)", str(error))
            raise InfeasibleError(match[2].strip(), achievable=note[1].strip() if note else "") from error
        if match[1] == VerificationError.__name__:
            raise VerificationError(match[2].strip(), closing="") from error  # the worker's text ends with it
        raise ERRORS[match[1]](match[2].strip()) from error


@contextmanager
def errors_in_one_sentence() -> Iterator[None]:
    """Raise any error of Spark as one sentence."""
    from py4j.protocol import Py4JError

    try:
        with errors_of_workers():
            yield
    except (pyspark("errors").PySparkException, Py4JError) as error:
        lines = [line.strip(" :\t") for line in str(error).splitlines() if line.strip(" :\t")]
        lines = [line for line in lines if not line.startswith("An error occurred while calling")]
        causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
        reason = (causes[-1:] or lines[:1] or [repr(error)])[0]
        raise InputError(f"Spark failed, and nothing was written: {reason}") from error
