"""Run the notebooks of the documentation, keep what their cells print and show, and turn them into pages.

python scripts/notebooks.py    runs docs/notebooks/*.ipynb anew; a test holds that what is printed stays the same
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import tempfile
import warnings
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"


def notebooks() -> list[Path]:
    """Return the paths of the notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    """Read a notebook."""
    return json.loads(path.read_text("utf-8"))  # type: ignore[no-any-return]


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Run the cells one after another in an empty folder; return the notebook with what they print and show."""
    names: dict[str, Any] = {}
    cells, count = [], 0
    with _empty_folder():
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                cell = cell | {"execution_count": count, "outputs": _outputs("".join(cell["source"]), names, count)}
            cells.append(cell)
    return notebook | {"cells": cells}


def _outputs(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Run a cell as Jupyter does: the value of its last expression is shown."""
    lines = ast.parse(source)
    last = lines.body.pop() if lines.body and isinstance(lines.body[-1], ast.Expr) else None
    said = io.StringIO()
    value = None
    with contextlib.redirect_stdout(said), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        exec(compile(lines, f"<cell {count}>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"<cell {count}>", "eval"), names)
    found: list[dict[str, Any]] = [_stream("stderr", f"{one.category.__name__}: {one.message}\n") for one in caught]
    if said.getvalue():
        found.append(_stream("stdout", said.getvalue()))
    if value is not None:
        shown = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            shown["text/html"] = _lines(value._repr_html_())
        found.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": shown})
    return found


def _stream(name: str, text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": _lines(text)}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@contextlib.contextmanager
def _empty_folder() -> Iterator[None]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def page(notebook: dict[str, Any], name: str) -> str:
    """Return a notebook as Markdown: its text, its cells, and what they printed and showed."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += [_shown(output) for output in cell.get("outputs", [])]
        if len(parts) == 1:
            parts.append(f"[Download this notebook]({name}.ipynb){{ download }}")
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any]) -> str:
    """Return what a cell printed or showed as HTML without blank lines, which would end it in Markdown."""
    data = output.get("data", {})
    if "text/html" in data:
        lines = [line.strip() for line in data["text/html"]]
    else:
        text = "".join(data.get("text/plain", output.get("text", ()))).rstrip()
        lines = f"<pre>{escape(text)}</pre>".splitlines()
    return '<div class="output">' + "\n".join(filter(None, lines)) + "</div>"


def pages() -> dict[str, str]:
    """Return the page of every notebook by its place below docs/."""
    return {f"notebooks/{path.stem}.md": page(read(path), path.stem) for path in notebooks()}


def main() -> None:
    """Run every notebook and keep what its cells print and show."""
    for path in notebooks():
        path.write_text(json.dumps(executed(read(path)), indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
