"""What plots share: colours, the check of their files, and writing them completely or not at all."""

from __future__ import annotations

import warnings
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.documents.fonts import fall_back
from shoal.errors import InputError
from shoal.io import files
from shoal.system import atomic_files
from shoal.system.optional_packages import extra

SUFFIXES = (".png", ".svg", ".pdf")
CALM, ALARM, OTHER, GREY = "#33658a", "#c8553d", "#7a9e7e", "#6b7280"


def check_plot(path: str | PathLike[str], *inputs: str | PathLike[str] | None) -> None:
    """Raise InputError, before any work is done, if a plot cannot be written to a path or would replace an input."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise InputError(f"{target}: a plot is a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file.")
    input_files = [files.file_of(place) for place in inputs if place is not None]
    if any(target.exists() and file is not None and files.same(target, file) for file in input_files):
        raise InputError(f"{target}: this is the input, which shoal never overwrites. Choose another file.")
    if not target.parent.is_dir() or target.is_dir():
        raise InputError(f"{target}: no file can be written here. Name a file in a folder that exists.")
    matplotlib("figure")


def matplotlib(part: str) -> Any:
    """Import a part of matplotlib; raise InputError with what to install if it is missing."""
    return extra(f"matplotlib.{part}", "plots", "Plots")


def new_figure(width: float, height: float) -> Any:
    """Create an empty figure; the sizes are in inches."""
    return matplotlib("figure").Figure(figsize=(width, height), layout="constrained", facecolor="white")


def save(figure: Any, path: str | PathLike[str]) -> None:
    """Write a figure, completely or not at all."""
    target = Path(path)
    atomic_files.replace_whole({target: lambda file: write(figure, file, target.suffix)})


def write(figure: Any, file: Path, suffix: str) -> None:
    """Write a figure in the format of a suffix; equal figures give equal bytes."""
    kind = suffix.lower().removeprefix(".")
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    kind_of_font = 3 if fall_back(figure) else 42  # those of other fonts as shapes, which every viewer draws
    options = {"svg.hashsalt": "shoal", "pdf.fonttype": kind_of_font}
    with matplotlib("style").context(options), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # characters that no font has are drawn as boxes
        content = BytesIO()  # a file left open on a full disk would raise errors of its own
        figure.savefig(content, format=kind, dpi=150, metadata=undated)
        file.write_bytes(content.getvalue())


def dress(axes: Any, title: str, x: str, y: str, *, size: float = 11) -> None:
    """Give axes a title of the given size, labels and a quiet frame."""
    axes.set_title(title, loc="left", fontsize=size)
    axes.set_xlabel(x, color=GREY)
    axes.set_ylabel(y, color=GREY)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#e5e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=GREY, labelsize=9)
