"""session(): starts Spark, after checking that Java and pyspark are installed; and its errors, raised as shoal's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.engines.spark.scratch import scratch
from shoal.errors import HierarchyError, InfeasibleError, InputError, VerificationError
from shoal.system.optional_packages import extra

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MIN_JAVA = 17
SETTINGS = {
    "spark.log.level": "ERROR",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",  # checking large batches is cheaper
    "spark.sql.caseSensitive": "true",  # Age and age are two columns
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",  # which readers recognize as timestamps
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
VERSION_TIMEOUT = 60  # seconds for Java to print its version
ERRORS = {kind.__name__: kind for kind in (HierarchyError, InputError)}
ACHIEVABLE = "What can be reached: "  # starts the note that a worker adds to its error


def pyspark(part: str) -> Any:
    """Import a module of pyspark, or say what to install."""
    return extra(f"pyspark.{part}", "spark", "Spark", verb="needs")


def session(master: str | None = None) -> SparkSession:
    """Return the running session, or start one with this master, by default on all cores of this machine."""
    sql = pyspark("sql")
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    running = sql.SparkSession.getActiveSession()
    if running is None:
        with scratch(pyspark("core.context").SparkContext) as private:
            builder = sql.SparkSession.builder.appName("shoal").master(master or "local[*]")
            for name, value in (SETTINGS | private).items():
                builder = builder.config(name, value)
            return builder.getOrCreate()
    running_master = running.sparkContext.master
    if master not in (None, running_master):
        raise InputError(f"A session with the master {running_master} runs already: stop it before you name {master}.")
    return running


def check_java() -> None:
    """Refuse to continue without a Java that Spark can use."""
    advice = "install one (Debian: apt-get install default-jre-headless), or name its folder in JAVA_HOME."
    java = _java()
    if java is None:
        raise InputError(f"Spark needs Java {MIN_JAVA} or newer, and there is none: {advice}")
    version = java_version(java)
    if version is None or version < MIN_JAVA:
        raise InputError(f"Spark needs Java {MIN_JAVA} or newer, and {java} is {version or 'something else'}: {advice}")


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which(str(Path(home) / "bin" / "java")) if home else shutil.which("java")


def java_version(java: str) -> int | None:
    """Return the major version of a Java; None if it cannot be found."""
    try:
        done = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r'version "(?:1\.)?([0-9]+)', done.stderr + done.stdout)
    return int(match[1]) if match else None


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
    errors = pyspark("errors")  # first, as it says what to install
    from py4j.protocol import Py4JError

    try:
        with errors_of_workers():
            yield
    except (errors.PySparkException, Py4JError) as error:
        lines = [line.strip(" :\t") for line in str(error).splitlines() if line.strip(" :\t")]
        lines = [line for line in lines if not line.startswith("An error occurred while calling")]
        causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
        reason = (causes[-1:] or lines[:1] or [repr(error)])[0]
        raise InputError(f"Spark failed, and nothing was written: {reason}") from error
