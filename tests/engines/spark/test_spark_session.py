"""Messages if Java or pyspark is missing."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import shoal
from shoal.engines.spark import session


def java(folder, version: str) -> None:
    """Write a program that pretends to be this version of Java."""
    (folder / "bin").mkdir()
    (folder / "bin" / "java").write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    (folder / "bin" / "java").chmod(0o755)


def test_no_java(tmp_path, monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(shoal.InputError, match=r"Java 17 or newer, and there is none: .*default-jre-headless"):
        session.check_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(shoal.InputError, match="there is none"):
        session.check_java()


@pytest.mark.parametrize(("version", "main"), [("1.8.0_392", 8), ("11.0.21", 11), ("17", 17), ("21.0.2", 21)])
def test_versions_of_java(tmp_path, monkeypatch, version, main):
    java(tmp_path, version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert session.java_version(str(tmp_path / "bin" / "java")) == main
    if main >= 17:
        session.check_java()
        return
    with pytest.raises(shoal.InputError, match=f"bin/java is {main}: install one .*default-jre-headless"):
        session.check_java()


def test_something_else_named_java(tmp_path, monkeypatch):
    java(tmp_path, "")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(shoal.InputError, match="is something else"):
        session.check_java()


def test_no_pyspark(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(shoal.InputError, match=r"pip install 'shoal\[spark\]'"):
        session.session()
    with pytest.raises(shoal.InputError, match=r"pip install 'shoal\[spark\]'"):
        shoal.spark.release(None, quasi_identifiers="age", model=shoal.KAnonymity(2))


def test_pyspark_is_imported_when_it_is_used():
    code = "import sys, shoal, shoal.spark; print('pyspark' in sys.modules, 'pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == ["False", "False"]


def test_the_session_that_runs_is_taken(spark):
    assert session.session() is spark
    own = spark.sparkContext.master
    assert session.session(own) is spark
    told = f"the master {own} runs already: stop it before you name spark://x:1"
    with pytest.raises(shoal.InputError, match=re.escape(told)):
        session.session("spark://x:1")
