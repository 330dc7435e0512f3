"""What pictures share: their colours, the check of their files, and writing them whole or not at all."""

from __future__ import annotations

import warnings
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.io import files
from shoal.system import atomic_files
from shoal.system.optional_packages import extra

ENDINGS = (".png", ".svg", ".pdf")
CALM, ALARM, OTHER, GREY = "#33658a", "#c8553d", "#7a9e7e", "#6b7280"


def check_plot(path: str | PathLike[str], *inputs: str | PathLike[str] | None) -> None:
    """Refuse a file of another kind, an input, or a place where nothing can be written, before any work is done."""
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise InputError(f"{target}: a plot is a {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]} file.")
    read = [files.file_of(given) for given in inputs if given is not None]
    if any(target.exists() and given is not None and files.same(target, given) for given in read):
        raise InputError(f"{target}: this is the input, which shoal never overwrites. Choose another file.")
    if not target.parent.is_dir() or target.is_dir():
        raise InputError(f"{target}: this is no place for a file. Name a file in a folder that exists.")
    matplotlib("figure")


def matplotlib(part: str) -> Any:
    """Import a part of matplotlib; raise InputError with what to install if it is missing."""
    return extra(f"matplotlib.{part}", "plots", "Plots")


def new_figure(width: float, height: float) -> Any:
    """An empty figure of so many inches."""
    return matplotlib("figure").Figure(figsize=(width, height), layout="constrained", facecolor="white")


def save(figure: Any, path: str | PathLike[str]) -> None:
    """Write a figure, whole or not at all."""
    target = Path(path)
    atomic_files.replace_whole({target: lambda file: write(figure, file, target.suffix)})


def write(figure: Any, file: Path, ending: str) -> None:
    """Write a figure as a file of the kind that the ending says, with the same bytes at any time."""
    kind = ending.lower().removeprefix(".")
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    with matplotlib("style").context({"svg.hashsalt": "shoal"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # signs that the font lacks are drawn as boxes
        made = BytesIO()  # as what is left open where a disk is full makes errors of its own
        figure.savefig(made, format=kind, dpi=150, metadata=undated)
        file.write_bytes(made.getvalue())


def dress(axes: Any, title: str, x: str, y: str, *, size: float = 11) -> None:
    """Title, labels and a calm frame; the title is of the given size."""
    axes.set_title(title, loc="left", fontsize=size)
    axes.set_xlabel(x, color=GREY)
    axes.set_ylabel(y, color=GREY)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#e5e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=GREY, labelsize=9)
