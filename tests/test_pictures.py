"""The pictures of the docs are those that the algorithms of today draw."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import shoal
from shoal.algorithms import ALGORITHMS

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import algorithm_pictures  # noqa: E402

IMAGES = ROOT / "docs" / "images"
MAX_BYTES = 20_000  # of a picture


@pytest.fixture(scope="module")
def drawing():
    """The pictures, and the names of the algorithms that were run to draw them."""
    ran, anonymize = set(), shoal.anonymize

    def watched(data, *, algorithm="auto", **asked):
        ran.add(algorithm if isinstance(algorithm, str) else algorithm.name)
        return anonymize(data, algorithm=algorithm, **asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shoal, "anonymize", watched)
        return algorithm_pictures.pictures(), ran


def test_every_algorithm_has_a_picture_of_how_it_cuts(drawing):
    _, ran = drawing
    assert ran | {"auto"} == set(ALGORITHMS)  # auto cuts nothing, it picks one of the others


def test_pictures_are_up_to_date_and_small(drawing):
    drawn, _ = drawing
    kept = {path.name: path.read_text("utf-8") for path in IMAGES.glob("*.svg")}
    assert drawn.keys() == kept.keys()
    stale = [name for name, text in drawn.items() if text != kept[name]]
    assert not stale, f"run scripts/algorithm_pictures.py: {stale}"
    for name, text in drawn.items():
        assert ElementTree.fromstring(text).tag.endswith("svg"), name
        assert len(text) < MAX_BYTES, name


def test_every_picture_is_on_a_page_and_says_what_it_shows():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = [picture for page in pages for picture in re.findall(r"!\[([^]]*)\]\(([^)]+)\)", page.read_text("utf-8"))]
    assert all(words.strip() for words, _ in shown)
    assert {path.name for path in IMAGES.glob("*.svg")} <= {Path(target).name for _, target in shown}
