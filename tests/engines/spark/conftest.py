"""A session for all tests, and a cluster of a master and two workers on this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from spark_here import running, without_spark

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # short work starts sooner
SMALL = {
    "spark.driver.extraJavaOptions": QUICK,
    "spark.executor.extraJavaOptions": QUICK,
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.log.level": "OFF",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "300",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="session")
def has_spark() -> None:
    """Skip tests if Spark cannot run."""
    reason = without_spark()
    if reason:
        pytest.skip(reason)


def started(master: str):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    if (other := running()) is not None:
        other.stop()
    builder = SparkSession.builder.master(master)
    for name, value in SMALL.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture(scope="session")
def spark(has_spark):
    """Start a session with two threads."""
    session = started("local[2]")
    yield session
    session.stop()


@dataclass
class Cluster:
    """The address of a master, and the processes that were started."""

    address: str
    workers: list[subprocess.Popen]

    def kill_worker(self) -> None:
        """Kill the second worker and its executors immediately."""
        os.killpg(self.workers[1].pid, signal.SIGKILL)
        self.workers[1].wait(30)


@pytest.fixture
def cluster(has_spark, tmp_path):
    """Start a master and two workers as separate processes, and end them afterwards."""
    port = free_port()
    address = f"spark://127.0.0.1:{port}"
    running: list[subprocess.Popen] = []
    try:
        running.append(process(tmp_path, "master", "master.Master", "--port", str(port), "--webui-port", "0"))
        wait_for(lambda: answers(port), "the master")
        for number in (1, 2):
            log = f"worker{number}"
            options = ["--cores", "1", "--memory", "600m", "--webui-port", "0", "--work-dir", str(tmp_path / log)]
            running.append(process(tmp_path, log, "worker.Worker", *options, address))
        logs = [tmp_path / f"worker{number}.log" for number in (1, 2)]
        wait_for(lambda: all("registered with master" in log.read_text() for log in logs), "the workers")
        yield Cluster(address, running[1:])
    finally:
        for one in running:
            if one.poll() is None:
                os.killpg(one.pid, signal.SIGKILL)
            one.wait(30)


def process(folder: Path, name: str, what: str, *options: str) -> subprocess.Popen:
    """Start a Spark process in a process group of its own."""
    import pyspark

    home = Path(pyspark.__file__).parent
    quiet = {
        "SPARK_DAEMON_JAVA_OPTS": QUICK,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    with (folder / f"{name}.log").open("w") as log:
        return subprocess.Popen(
            [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{what}", "--host", "127.0.0.1", *options],
            env=os.environ | quiet,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def answers(port: int) -> bool:
    with socket.socket() as trial:
        trial.settimeout(1)
        return trial.connect_ex(("127.0.0.1", port)) == 0


def wait_for(there, what: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.1)
