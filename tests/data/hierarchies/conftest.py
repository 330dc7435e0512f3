"""Files of hierarchies to read."""

from __future__ import annotations

import pytest


@pytest.fixture
def file(tmp_path):
    """Make a file of the given content, text or bytes."""

    def make(content, name="tree.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """One folder for all examples of a random test."""
    return tmp_path_factory.mktemp("trees")
