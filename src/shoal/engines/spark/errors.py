"""What goes wrong in Spark, told in shoal's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from shoal.engines.spark.session import pyspark
from shoal.errors import HierarchyError, InfeasibleError, InputError, VerificationError

RAISED = {kind.__name__: kind for kind in (HierarchyError, InputError)}
ACHIEVABLE = "What can be reached: "  # how a worker begins the note of what it found


@contextmanager
def shown_by_workers() -> Iterator[None]:
    """Raise what shoal raised in a worker as such; what Spark says of itself stays as it is."""
    try:
        yield
    except pyspark("errors").PySparkException as error:
        if "No module named 'shoal" in str(error):
            raise InputError(
                "The Python of Spark's workers has no shoal: install it there, or name another one in PYSPARK_PYTHON "
                "before the session starts."
            ) from error
        found = re.search(rf"shoal\.errors\.({'|'.join(RAISED)}|InfeasibleError|VerificationError): (.*)", str(error))
        if found is None:
            raise
        if found[1] == InfeasibleError.__name__:
            note = re.search(f"{re.escape(ACHIEVABLE)}(.*)", str(error))
            raise InfeasibleError(found[2].strip(), achievable=note[1].strip() if note else "") from error
        if found[1] == VerificationError.__name__:
            raise VerificationError(found[2].strip(), closing="") from error  # the worker's text ends with it
        raise RAISED[found[1]](found[2].strip()) from error


@contextmanager
def told() -> Iterator[None]:
    """Raise all that goes wrong in Spark as one sentence."""
    from py4j.protocol import Py4JError

    try:
        with shown_by_workers():
            yield
    except (pyspark("errors").PySparkException, Py4JError) as error:
        lines = [line.strip(" :\t") for line in str(error).splitlines() if line.strip(" :\t")]
        told = [line for line in lines if not line.startswith("An error occurred while calling")]
        causes = [line.removeprefix("Caused by: ") for line in told if line.startswith("Caused by: ")]
        reason = (causes[-1:] or told[:1] or [repr(error)])[0]
        raise InputError(f"Spark failed, and nothing was written: {reason}") from error
