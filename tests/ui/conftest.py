"""Fixtures of the tests of the workbench's server."""

from __future__ import annotations

import pytest
from a_bench import PORT, Bench


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
