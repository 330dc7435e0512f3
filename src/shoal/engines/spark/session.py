"""Starting Spark: Java and pyspark are looked for before a session is made."""

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

LEAST_JAVA = 17
SETTINGS = {
    "spark.log.level": "ERROR",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",  # each batch is checked, which costs less in large ones
    "spark.sql.caseSensitive": "true",  # Age and age are two columns
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",  # of which readers know that they are moments
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
PATIENCE = 60  # seconds for Java to say which version it is


def pyspark(part: str) -> Any:
    """A part of pyspark, or what to install."""
    try:
        return import_module(f"pyspark.{part}")
    except ImportError as error:
        raise InputError("Spark needs pyspark: pip install 'shoal[spark]'.") from error


def session(master: str | None = None) -> SparkSession:
    """The session that runs, or a new one with this master; without one, on all cores of this machine."""
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
    own = running.sparkContext.master
    if master not in (None, own):
        raise InputError(f"A session with the master {own} runs already: stop it before you name {master}.")
    return running


def check_java() -> None:
    """Refuse to go on without a Java that Spark can use."""
    advice = "install one (Debian: apt-get install default-jre-headless), or name its folder in JAVA_HOME."
    java = _java()
    if java is None:
        raise InputError(f"Spark needs Java {LEAST_JAVA} or newer, and there is none: {advice}")
    version = java_version(java)
    if version is None or version < LEAST_JAVA:
        raise InputError(
            f"Spark needs Java {LEAST_JAVA} or newer, and {java} is {version or 'something else'}: {advice}"
        )


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which(str(Path(home) / "bin" / "java")) if home else shutil.which("java")


def java_version(java: str) -> int | None:
    """The main version of a Java, None where it does not tell."""
    try:
        done = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=PATIENCE)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(?:1\.)?([0-9]+)', done.stderr + done.stdout)
    return int(found[1]) if found else None
