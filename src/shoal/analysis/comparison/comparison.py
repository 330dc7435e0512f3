"""Comparison: what every algorithm costs at every k and ℓ."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.analysis.comparison import plots, sheet
from shoal.analysis.comparison.discussion import discussion
from shoal.analysis.comparison.page import html
from shoal.analysis.comparison.results import Results
from shoal.documents.plots import write
from shoal.errors import InputError
from shoal.system import atomic_files


@dataclass(frozen=True, repr=False)
class Comparison(Results):
    """The results of a comparison, with their discussion, their page and their plots."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dictionaries: the data, each cell with all its runs, and the discussion."""
        return {
            "data": self.name,
            "rows": self.rows,
            "quasi_identifiers": list(self.quasi),
            "sensitive": list(self.sensitive),
            "measures": list(self.measures),
            "complete": self.complete,
            "suppressed": dict(self.suppressed),
            "notes": list(self.notes),
            "cells": [asdict(cell.setting) | {"runs": list(cell.runs)} for cell in self.cells],
            "discussion": self.discussion(),
        }

    def to_json(self) -> str:
        """Return everything as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def discussion(self) -> list[str]:
        """Say what was expected, what came out and why, what it costs in time, and what to choose, in sentences."""
        return [sentence for paragraph in discussion(self) for sentence in paragraph.sentences]

    def to_html(self) -> str:
        """Return an HTML page with everything; needs matplotlib."""
        return html(self)

    def save(self, folder: str | PathLike[str]) -> list[Path]:
        """Write cells.csv, cells.json, index.html, report.pdf (one A4 page) and the plots; needs matplotlib.

        folder  the folder to write into, which is made if its parent exists
        """
        drawn = {f"{name}.svg": figure for name, figure in plots.figures(self).items()}
        drawn["report.pdf"] = sheet.draw(self)
        texts = {"cells.csv": self.to_csv(), "cells.json": self.to_json(), "index.html": self.to_html()}
        writers = {name: partial(atomic_files.write_text, text) for name, text in texts.items()}
        writers |= {name: partial(write, figure, suffix=Path(name).suffix) for name, figure in drawn.items()}
        return _write_all(folder, writers)

    def save_cells(self, folder: str | PathLike[str]) -> list[Path]:
        """Write cells.csv and cells.json.

        folder  the folder to write into, which is made if its parent exists
        """
        texts = {"cells.csv": self.to_csv(), "cells.json": self.to_json()}
        return _write_all(folder, {name: partial(atomic_files.write_text, text) for name, text in texts.items()})


def _write_all(folder: str | PathLike[str], writers: Mapping[str, Callable[[Path], None]]) -> list[Path]:
    """Write files into a folder, which is made if its parent exists."""
    place = Path(folder)
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"{place}: no folder can be made here ({error.strerror}).") from error
    by_path = {place / name: writer for name, writer in writers.items()}
    atomic_files.replace_whole(by_path)
    return list(by_path)
