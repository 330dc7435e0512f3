"""session(): starts Spark, after checking that Java and pyspark are installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.engines.spark.scratch import scratch
from shoal.errors import InputError

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


def pyspark(part: str) -> Any:
    """Import a module of pyspark, or say what to install."""
    try:
        return import_module(f"pyspark.{part}")
    except ImportError as error:
        raise InputError("Spark needs pyspark: pip install 'shoal[spark]'.") from error


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
