"""What the tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a job in the background, where Ctrl-C is for others
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of reference tables and hierarchies, where there is one."""
    folder = os.environ.get("SHOAL_REFERENCE_DATA")
    if not folder:
        pytest.skip("SHOAL_REFERENCE_DATA names no folder of reference data")
    return Path(folder)
