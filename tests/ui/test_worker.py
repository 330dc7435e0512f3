"""A worker returns results, reports progress and stops; if it is killed, that is reported and a new one starts."""

import asyncio
import os
import signal

import pytest

from shoal.ui.state import jobs
from shoal.ui.state.project import Project
from shoal.ui.state.worker import Worker, WorkError


async def test_answers_and_refuses_in_words(tmp_path) -> None:
    worker = Worker()
    try:
        with pytest.raises(WorkError, match=r"none.csv"):
            await worker.run(jobs.open_table, Project(), str(tmp_path / "none.csv"), None, tmp_path / "t.arrow")
        (tmp_path / "a.csv").write_text("age,sex\n1,f\n2,m\n", encoding="utf-8")
        told = []
        facts = await worker.run(
            jobs.open_table,
            Project(),
            str(tmp_path / "a.csv"),
            None,
            tmp_path / "t.arrow",
            progress=lambda stage, share: told.append(stage),
        )
        assert isinstance(facts, jobs.TableFacts)
        assert facts.rows == 2
        assert told[0] == "reading"
    finally:
        worker.kill()


async def test_killed_worker_is_reported_and_replaced(tmp_path) -> None:
    worker = Worker()
    (tmp_path / "a.csv").write_text("age,sex\n1,f\n2,m\n", encoding="utf-8")
    given = (Project(), str(tmp_path / "a.csv"), None, tmp_path / "t.arrow")
    try:
        await worker.run(jobs.open_table, *given)
        os.kill(worker._process.pid, signal.SIGSTOP)  # so that it cannot answer before
        asking = asyncio.create_task(worker.run(jobs.open_table, *given))
        await asyncio.sleep(0.1)
        os.kill(worker._process.pid, signal.SIGKILL)
        with pytest.raises(WorkError, match="killed from outside"):
            await asking
        assert (await worker.run(jobs.open_table, *given)).rows == 2
    finally:
        worker.kill()
