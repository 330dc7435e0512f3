"""Presidio's analyzer as an optional extra, with a stand-in that knows two names."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import pyarrow as pa
import pytest

import shoal
from shoal.release.review import presidio
from shoal.release.review.content import content_of


@dataclass
class Found:
    entity_type: str
    score: float


class Stub:
    """An analyzer that knows names which are in no dictionary."""

    def analyze(self, text, language):
        assert language == "en"
        return [Found("PERSON", 0.85)] * (text in ("Qwerta Zuio", "Asdfa Yxcv")) + [Found("LOCATION", 0.9)]


UNKNOWN = pa.array(["Qwerta Zuio", "Asdfa Yxcv"] * 10)


def test_it_is_asked_about_texts_that_nothing_is_known_of():
    assert content_of("x", UNKNOWN) is None
    found = content_of("x", UNKNOWN, analyzer=Stub())
    assert (found.kind, found.code, found.share) == ("names of people", "identifying-column", 1.0)
    assert content_of("x", pa.array(["Hamburg", "Bremen"] * 10), analyzer=Stub()) is None
    assert content_of("x", pa.array([1, 2] * 10), analyzer=Stub()) is None


def test_roles_are_guessed_with_it():
    table = pa.table({"x": UNKNOWN})
    assert [one.role for one in shoal.suggest_roles(table)] == ["other"]
    assert [one.role for one in shoal.suggest_roles(table, analyzer=Stub())] == ["identifying"]


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    with pytest.raises(shoal.InputError, match=r"pip install 'shoal\[presidio\]'"):
        presidio.analyzer()


@pytest.mark.parametrize("present", [True, False])
def test_nothing_is_downloaded_if_the_model_is_missing(monkeypatch, present):
    package, util = ModuleType("presidio_analyzer"), ModuleType("spacy.util")
    package.AnalyzerEngine = Stub
    util.is_package = lambda name: present and name == "en_core_web_lg"
    monkeypatch.setitem(sys.modules, "presidio_analyzer", package)
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(util=util))
    monkeypatch.setitem(sys.modules, "spacy.util", util)
    if present:
        assert isinstance(presidio.analyzer(), Stub)
    else:
        with pytest.raises(shoal.InputError, match="python -m spacy download en_core_web_lg"):
            presidio.analyzer()
