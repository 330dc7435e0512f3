"""The notebooks run from the first cell to the last, and print what they are kept with."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))
import notebooks


def printed(notebook):
    """Return what each cell prints and the figures that it shows; how frames are drawn depends on their library."""
    told = []
    for outputs in (cell.get("outputs", ()) for cell in notebook["cells"]):
        said = "".join("".join(output["text"]) for output in outputs if output.get("name") == "stdout")
        shown = ("".join(output.get("data", {}).get("text/plain", ())) for output in outputs)
        told += [text for text in (said, *shown) if text and (text is said or text.startswith("<"))]
    return told


@pytest.mark.parametrize("path", notebooks.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_is_kept_with(path):
    kept = notebooks.read(path)
    assert printed(kept)
    assert printed(notebooks.executed(kept)) == printed(kept)


@pytest.mark.parametrize("path", notebooks.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_prints_the_same_in_a_kernel(path, tmp_path):
    nbclient = pytest.importorskip("nbclient", reason="nbclient and ipykernel run notebooks as Jupyter does")
    pytest.importorskip("ipykernel")
    import nbformat

    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert printed(book) == printed(notebooks.read(path))


@pytest.mark.parametrize("path", notebooks.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_is_kept_whole_and_tells_nothing_of_a_machine(path):
    kept = notebooks.read(path)
    counts = [cell["execution_count"] for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert not [
        word for word in ("/tmp", "/home", "/work", "site-packages", "Warning:") if word in path.read_text("utf-8")
    ]


def test_there_are_four_and_each_has_its_page():
    assert len(notebooks.pages()) == 4
    page = notebooks.pages()["notebooks/first_release_with_pandas.md"]
    assert page.startswith("# A first release with pandas\n")
    assert "[Download this notebook](first_release_with_pandas.ipynb)" in page
    for shown in ("<b>Assessment</b>", "<b>Release</b>"):  # as notebooks show them
        assert shown in page


def test_a_cell_shows_its_last_value_what_it_prints_and_what_it_warns_of(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = "import pathlib, warnings\npathlib.Path('x').touch()\nwarnings.warn('careful')\nprint('a < b')\n[1, 2]"
    cells = [{"cell_type": "markdown", "source": "# Title"}, {"cell_type": "code", "source": source, "metadata": {}}]
    notebook = notebooks.executed({"cells": cells})
    outputs = notebook["cells"][1]["outputs"]
    assert [output.get("text") for output in outputs] == [["UserWarning: careful\n"], ["a < b\n"], None]
    assert outputs[2]["data"] == {"text/plain": ["[1, 2]"]}
    assert list(tmp_path.iterdir()) == []  # it ran in a folder of its own
    page = notebooks.page(notebook, "name")
    assert '<div class="output"><pre>a &lt; b</pre></div>' in page
    assert json.loads(json.dumps(notebook)) == notebook


def test_html_is_shown_without_the_blank_lines_that_would_end_it():
    output = {"data": {"text/html": ["<table>\n", "\n", "  <tr></tr></table>"], "text/plain": ["table"]}}
    assert notebooks._shown(output) == '<div class="output"><table>\n<tr></tr></table></div>'
