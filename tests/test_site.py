"""The documentation builds without a warning, and loads nothing from elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs", reason="make docs installs it")
pytest.importorskip("material")

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import mkdocs_hook  # noqa: E402


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


def test_the_site_has_all_parts_and_is_searched_without_a_server_elsewhere(site):
    assert {"index.html", "learn", "recipes", "reference", "notebooks", "benchmarks.html"} <= set(os.listdir(site))
    index = (site / "search" / "search_index.json").read_text("utf-8")
    for word in ("quasi-identifier", "shoal.anonymize", "--max-suppression", "ReviewError"):
        assert word in index
    assert list(mkdocs_hook.loaded_from_elsewhere(site)) == []


@pytest.mark.parametrize(
    ("name", "content", "loaded"),
    [
        ("a.html", '<script src="https://cdn.example/x.js"></script>', "https://cdn.example/x.js"),
        ("a.html", '<img src="//example/x.png">', "//example/x.png"),
        ("a.html", '<link rel="stylesheet" href="https://fonts.example/css">', "https://fonts.example/css"),
        ("a.html", '<link rel="preconnect" href="https://fonts.example">', "https://fonts.example"),
        ("a.html", "<style>@font-face { src: url(https://fonts.example/f) }</style>", "https://fonts.example/f"),
        ("a.css", '@import "https://fonts.example/f.css";', "https://fonts.example/f.css"),
    ],
)
def test_what_is_loaded_from_elsewhere_is_found(tmp_path, name, content, loaded):
    (tmp_path / name).write_text(content)
    assert list(mkdocs_hook.loaded_from_elsewhere(tmp_path)) == [(Path(name), loaded)]


@pytest.mark.parametrize(
    "content",
    [
        '<a href="https://example.org">a link</a>',
        '<link rel="canonical" href="https://example.org">',
        '<img src="images/x.svg">',
        "<code>&lt;script src=https://example.org&gt;</code>",
    ],
)
def test_links_and_own_files_are_left_alone(tmp_path, content):
    (tmp_path / "a.html").write_text(content)
    assert list(mkdocs_hook.loaded_from_elsewhere(tmp_path)) == []
