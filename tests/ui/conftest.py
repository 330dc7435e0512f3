"""Fixtures of the tests of the workbench's server."""

from __future__ import annotations

import pytest
from a_bench import PORT, Bench

IDLE = []  # processes of workers, with their connections


@pytest.fixture
def where():
    from shoal.ui.server.hosts import Where

    return Where("127.0.0.1", "127.0.0.1", PORT)


@pytest.fixture
def visitors(tmp_path):
    """Make an empty list of visitors; `told` records new tokens."""
    pytest.importorskip("nicegui")
    from shoal.ui.server.visitors import Visitors

    told = []
    made = Visitors(
        folder=tmp_path, new_bench=Bench, max_upload=1000, home=tmp_path, anywhere=True, on_new_token=told.append
    )
    made.told = told
    return made


@pytest.fixture(autouse=True)
def workers_stay(request, monkeypatch):
    """Let a worker that is idle at the end of a test serve the next one, as each takes seconds to start."""
    if request.module.__name__.rpartition(".")[2] == "test_worker":
        return
    from shoal.ui.state.worker import Worker

    start, kill = Worker._start, Worker.kill

    def start_or_take(self):
        while IDLE:
            self._process, self._connection, self._stop = IDLE.pop()
            if self._process.is_alive():
                return
        start(self)

    def keep_or_kill(self):
        if self._process is None or self._turn.locked() or not self._process.is_alive():
            kill(self)
            return
        IDLE.append((self._process, self._connection, self._stop))
        self._process = None
        kill(self)

    monkeypatch.setattr(Worker, "_start", start_or_take)
    monkeypatch.setattr(Worker, "kill", keep_or_kill)
