"""A cluster of a master and two workers makes the same release, even if a worker is killed while it is written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
NAMES = ["age", "sex", "education", "occupation"]
PARTS = 8
PATHS = os.pathsep.join(map(str, Path(__file__).parents[:3]))
MAX_SECONDS = 240

# The driver runs in its own process, as a process has one session; it makes two releases and prints each step.
DRIVER = """
import json, sys, time, warnings
from conftest import started
warnings.simplefilter("ignore")
import shoal, shoal.spark
from shoal.engines.spark import files

folder, address = sys.argv[1:]
started(address)
write_parts = files.write_parts

class Slow:
    '''Waits before each batch.'''
    def __init__(self, checked):
        self.keys, self.names, self.promise, self.checked = checked.keys, checked.names, checked.promise, checked

    def __call__(self, batches):
        for batch in self.checked(batches):
            time.sleep(0.3)
            yield batch

def slow(*given, checked):
    '''Announce the writing.'''
    print("writing", flush=True)
    return write_parts(*given, checked=Slow(checked))

files.write_parts = slow
for target in ("first", "second"):
    try:
        found = shoal.spark.anonymize_files(
            folder + "/in", folder + "/" + target, quasi_identifiers=["age", "sex", "education"],
            sensitive="occupation", model=shoal.KAnonymity(5), algorithm="mondrian",
        )
        print(json.dumps({"k": found.report.k, "classes": found.report.classes}), flush=True)
    except shoal.ShoalError as error:
        print(json.dumps({"error": str(error)}), flush=True)
"""


@contextmanager
def driver(folder: Path, address: str):
    """Run the driver; kill it with everything that it started."""
    with (folder / "driver.log").open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(folder), address],
            env=os.environ | {"PYTHONPATH": PATHS, "SPARK_LOCAL_IP": "127.0.0.1"},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
    limit = threading.Timer(MAX_SECONDS, os.killpg, (process.pid, signal.SIGKILL))
    limit.start()
    try:
        yield process
    finally:
        limit.cancel()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)
        process.stdout.close()


def released(folder: Path, plain: shoal.Release, said: dict) -> None:
    """Check that a release equals that of the table in memory."""
    assert said == {"k": plain.report.k, "classes": plain.report.classes}
    shown = pq.read_table(folder)
    for name in NAMES:
        assert sorted(shown[name].to_pylist()) == sorted(plain.frame[name].to_pylist())


@pytest.mark.deep("starts six Java processes; parts that are lost or doubled are tried in test_spark_wrong_releases")
def test_a_cluster_makes_the_same_release_or_none(cluster, tmp_path):
    adult: pa.Table = shoal.datasets.adult().select(NAMES).slice(0, 4000)
    (tmp_path / "in").mkdir()
    for number in range(PARTS):
        pq.write_table(adult.slice(number * 500, 500), tmp_path / "in" / f"{number}.parquet")
    asked = {"quasi_identifiers": NAMES[:3], "sensitive": NAMES[3], "model": shoal.KAnonymity(5)}
    plain = shoal.anonymize(adult, algorithm="mondrian", **asked)
    with driver(tmp_path, cluster.address) as process:
        assert process.stdout.readline() == "writing\n", (tmp_path / "driver.log").read_text()
        released(tmp_path / "first", plain, json.loads(process.stdout.readline()))
        assert process.stdout.readline() == "writing\n"
        time.sleep(0.5)
        assert not (tmp_path / "second").exists()
        cluster.kill_worker()
        said = json.loads(process.stdout.readline())
    if "error" in said:
        assert "nothing was written" in said["error"]
        assert not (tmp_path / "second").exists()
    else:
        released(tmp_path / "second", plain, said)
    assert not [one.name for one in tmp_path.iterdir() if one.name[0] == "."]
