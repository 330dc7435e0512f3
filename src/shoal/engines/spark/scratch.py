"""Scratch files of a session that shoal starts: raw values, in folders of this user alone that go with the process."""

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

PLACES = "SPARK_LOCAL_DIRS"  # which Spark asks first, before any setting
PATIENCE = 30  # seconds for Java to end
_made: dict[int, list[Path]] = {}  # by the number of the process, as a copy of it has others
_kept = ExitStack()


@contextmanager
def scratch(context: Any) -> Iterator[dict[str, str]]:
    """The settings with which a session that is started meanwhile keeps its scratch files in private folders."""
    folders = _folders()
    place, before = ",".join(map(str, folders)), os.environ.get(PLACES)
    settings = {
        "spark.local.dir": place,
        "spark.sql.warehouse.dir": f"{folders[0]}/warehouse",
        "spark.eventLog.enabled": "false",
    }
    if context._gateway is None:  # else Java runs already
        quoted = str(folders[0]).replace("\\", "\\\\").replace('"', '\\"')
        settings["spark.driver.defaultJavaOptions"] = f'"-Djava.io.tmpdir={quoted}" -XX:-UsePerfData'
        atexit.register(_end, context, os.getpid())
    os.environ[PLACES] = place
    try:
        with _java_ended_unless_started(context):
            yield settings
    finally:
        if before is None:
            del os.environ[PLACES]
        else:
            os.environ[PLACES] = before


def _folders() -> list[Path]:
    """New folders of this process, one in each place where Spark is to keep its scratch files."""
    if os.getpid() not in _made:
        found = []
        for place in (os.environ.get(PLACES) or tempfile.gettempdir()).split(","):
            folder = _kept.enter_context(beside(Path(place.strip()).resolve() / "spark"))
            try:
                folder.mkdir(mode=0o700)
            except OSError as error:
                raise InputError(
                    f"{place}: the scratch files of Spark cannot be written there ({error.strerror or error}): "
                    f"name another folder in {PLACES}."
                ) from error
            found.append(folder)
        _made[os.getpid()] = found
    return _made[os.getpid()]


@contextmanager
def _java_ended_unless_started(context: Any) -> Iterator[None]:
    """End the Java that is started meanwhile, should pyspark be interrupted before it knows of it."""
    module: Any = import_module("pyspark.java_gateway")
    before = module.Popen
    started: list[subprocess.Popen[bytes]] = []

    def start(*command: Any, **options: Any) -> subprocess.Popen[bytes]:
        with held():  # or a signal could come between the start and the note of it
            started.append(before(*command, **options))
        return started[-1]

    module.Popen = start
    try:
        yield
    finally:
        module.Popen = before
        for java in started:
            if java is not getattr(context._gateway, "proc", None):
                with held():
                    java.kill()  # it does not listen yet
                    java.wait()


def _end(context: Any, number: int) -> None:
    """End the Java of this process, which writes scratch files until then, and remove what it left."""
    if os.getpid() != number:
        return
    from py4j.protocol import Py4JError

    java = getattr(context._gateway, "proc", None)
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)  # which tells at length that Java is gone, as it shall be
    try:
        if context._active_spark_context is not None and (java is None or java.poll() is None):
            with suppress(Py4JError, OSError):  # Java may end meanwhile, by a signal to all processes
                context._active_spark_context.stop()  # or its threads complain that Java is gone
    finally:
        _end_java(java)
        _kept.close()


def _end_java(java: subprocess.Popen[bytes] | None) -> None:
    if java is not None and java.stdin is not None:
        with suppress(BrokenPipeError):
            java.stdin.close()  # at which it ends
        try:
            java.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            java.kill()
            java.wait()
