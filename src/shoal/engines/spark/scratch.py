"""Scratch files of a session that shoal starts: they hold raw values, in private folders that the process removes."""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.system.interrupts import held
from shoal.system.temporary_files import beside

FOLDERS_VARIABLE = "SPARK_LOCAL_DIRS"  # which overrides Spark's settings
EXIT_TIMEOUT = 30  # seconds for Java to exit
_made: dict[int, list[Path]] = {}  # by process id, since a forked process needs its own
_open_folders = ExitStack()


@contextmanager
def scratch(context: Any) -> Iterator[dict[str, str]]:
    """Yield the settings that make a session started in this context keep its scratch files in private folders."""
    folders = _folders()
    paths, previous = ",".join(map(str, folders)), os.environ.get(FOLDERS_VARIABLE)
    settings = {
        "spark.local.dir": paths,
        "spark.sql.warehouse.dir": f"{folders[0]}/warehouse",
        "spark.eventLog.enabled": "false",
    }
    if context._gateway is None:  # Java does not run yet
        quoted = str(folders[0]).replace("\\", "\\\\").replace('"', '\\"')
        settings["spark.driver.defaultJavaOptions"] = f'"-Djava.io.tmpdir={quoted}" -XX:-UsePerfData'
        atexit.register(_end, context, os.getpid())
        logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)  # or it would log at length that Java is gone
    os.environ[FOLDERS_VARIABLE] = paths
    try:
        with _java_ended_unless_started(context):
            yield settings
    finally:
        if previous is None:
            del os.environ[FOLDERS_VARIABLE]
        else:
            os.environ[FOLDERS_VARIABLE] = previous


def _folders() -> list[Path]:
    """Return the private folders of this process, one in each folder where Spark should keep its scratch files."""
    if os.getpid() not in _made:
        folders = []
        for place in (os.environ.get(FOLDERS_VARIABLE) or tempfile.gettempdir()).split(","):
            folder = _open_folders.enter_context(beside(Path(place.strip()).resolve() / "spark"))
            try:
                folder.mkdir(mode=0o700)
            except OSError as error:
                raise InputError(
                    f"{place}: the scratch files of Spark cannot be written there ({error.strerror or error}): "
                    f"name another folder in {FOLDERS_VARIABLE}."
                ) from error
            folders.append(folder)
        _made[os.getpid()] = folders
    return _made[os.getpid()]


@contextmanager
def _java_ended_unless_started(context: Any) -> Iterator[None]:
    """End the Java started in this context if pyspark is interrupted before it has taken note of it."""
    module: Any = import_module("pyspark.java_gateway")
    original = module.Popen
    started: list[subprocess.Popen[bytes]] = []

    def start(*command: Any, **options: Any) -> subprocess.Popen[bytes]:
        with held():  # otherwise a signal could arrive between the start and the append
            started.append(original(*command, **options))
        return started[-1]

    module.Popen = start
    try:
        yield
    finally:
        module.Popen = original
        for java in started:
            if java is not getattr(context._gateway, "proc", None):
                with held():
                    java.kill()  # it does not respond yet
                    java.wait()


def _end(context: Any, process: int) -> None:
    """End the Java of this process, which writes scratch files until then, and remove its files."""
    if os.getpid() != process:
        return
    from py4j.protocol import Py4JError

    java = getattr(context._gateway, "proc", None)
    try:
        if context._active_spark_context is not None and (java is None or java.poll() is None):
            with suppress(Py4JError, OSError):  # Java may have been ended by a signal to all processes
                context._active_spark_context.stop()  # otherwise its threads complain that Java is gone
    finally:
        if java is not None and java.stdin is not None:
            with suppress(BrokenPipeError):
                java.stdin.close()  # which makes it exit
            try:
                java.wait(EXIT_TIMEOUT)
            except subprocess.TimeoutExpired:
                java.kill()
                java.wait()
        _open_folders.close()
