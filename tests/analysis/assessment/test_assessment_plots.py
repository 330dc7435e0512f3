"""The plot of an assessment."""

from __future__ import annotations

import sys
from itertools import product

import pyarrow as pa
import pytest

import shoal
from depth import every
from shoal import InputError
from shoal.documents.plots import check_plot

SIGNATURES = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture
def found():
    data = pa.table({"x": [*range(3), *[7] * 4, *[8] * 60, *[9] * 1500]})
    return shoal.assess(data, quasi_identifiers="x", population=pa.concat_tables([data, data]))


@pytest.mark.parametrize("ending", SIGNATURES)
def test_a_picture_is_drawn(found, tmp_path, ending):
    pytest.importorskip("matplotlib")
    found.plot(tmp_path / f"risk.{ending}")
    assert (tmp_path / f"risk.{ending}").read_bytes().startswith(SIGNATURES[ending])
    assert [path.name for path in tmp_path.iterdir()] == [f"risk.{ending}"]


@pytest.mark.parametrize(("rows", "threshold"), every(4, product([["a"], ["a"] * 3, list("abc")], [0, 0.01, 1])))
def test_small_tables_have_a_picture_too(tmp_path, rows, threshold):
    pytest.importorskip("matplotlib")
    found = shoal.assess(pa.table({"x": rows}), quasi_identifiers="x", threshold=threshold)
    found.plot(tmp_path / "risk.svg")
    assert (tmp_path / "risk.svg").read_bytes().startswith(SIGNATURES["svg"])


def test_without_matplotlib_the_command_to_install_it_is_told(found, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InputError) as caught:
        found.plot(tmp_path / "risk.png")
    assert str(caught.value) == "Plots need matplotlib: pip install 'shoal[plots]'."
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_are_refused(tmp_path):
    (tmp_path / "in.png").write_text("")
    with pytest.raises(InputError, match=r"a plot is a \.png, \.svg or \.pdf file"):
        check_plot(tmp_path / "risk.jpg")
    with pytest.raises(InputError, match="never overwrites"):
        check_plot(tmp_path / "in.png", tmp_path / "in.png")
    with pytest.raises(InputError, match="no file can be written here"):
        check_plot(tmp_path / "none" / "risk.png")
