"""The workbench calls the public names of shoal alone, and a script sees to it."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_imports.py"


@pytest.fixture(scope="module")
def check():
    if not SCRIPT.exists():
        pytest.skip("the scripts are not part of this distribution")
    spec = importlib.util.spec_from_file_location("check_imports", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wrong(check, line):
    return list(check.problems("ui.page", ast.parse(line), {"ui.state.places", "api"}, check.public_names() | {"ui"}))


@pytest.mark.parametrize(
    "line",
    [
        "import shoal",
        "from shoal import InputError, anonymize",
        "from shoal import ui",
        "import shoal.ui.state.places",
        "from shoal.ui.state.places import upload_name",
        "import nicegui",
    ],
)
def test_public_names_may_be_imported(check, line):
    assert wrong(check, line) == []


@pytest.mark.parametrize(
    "line",
    [
        "from shoal.api import anonymize",
        "from shoal import api",
        "import shoal.api",
        "import shoal.uid",
        "from shoal.uid import x",
        "from ..errors import InputError",
        "def late():\n    from shoal.errors import InputError",
    ],
)
def test_inner_names_may_not(check, line):
    assert len(wrong(check, line)) == 1
