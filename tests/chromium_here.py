"""Debian's chromium, driven by playwright, for tests that look at pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

EXECUTABLES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browser() -> Iterator[object]:
    """Start a headless browser; skip the test if there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, EXECUTABLES)), None)
    if found is None:
        pytest.skip("there is no chromium on this machine")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        try:
            yield opened
        finally:
            opened.close()
