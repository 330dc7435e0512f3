"""Pages of paper that are filled from the top, with room measured in points, so that nothing overlaps."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from shoal.documents.plots import CALM, GREY, matplotlib, new_figure

WIDTH, HEIGHT = 595.0, 842.0  # A4
MARGIN = 56.0
INNER = WIDTH - 2 * MARGIN
INK, PALE = "#1f2937", "#e5e7eb"
UNKNOWN = "▯"  # in place of a sign that the font does not have


class Paper:
    """The pages so far, and how far down the last one is filled."""

    def __init__(self) -> None:
        self.figures: list[Any] = []
        self.down = 0.0
        self.lacking = False  # whether a sign had to be replaced
        self.turn()

    def turn(self) -> None:
        """Begin a new page."""
        self.figures.append(new_figure(WIDTH / 72, HEIGHT / 72))
        self.down = MARGIN

    def room(self, points: float) -> None:
        """Begin a new page if there is less room than this."""
        if self.down + points > HEIGHT - MARGIN and self.down > MARGIN:
            self.turn()

    def text(
        self, x: float, text: str, *, size: float = 9.5, color: str = INK, bold: bool = False, mono: bool = False
    ) -> None:
        """Write a line of text whose top is where the page is filled to."""
        shown = known(text, mono=mono)
        self.lacking |= shown != text
        self.figures[-1].text(
            x / WIDTH,
            1 - (self.down + size) / HEIGHT,
            shown,
            fontsize=size,
            color=color,
            fontweight="bold" if bold else "normal",
            family="DejaVu Sans Mono" if mono else "DejaVu Sans",
            parse_math=False,
        )

    def box(self, x: float, width: float, height: float, color: str, *, down: float = 0.0) -> None:
        """Fill a box."""
        top = self.down + down
        place = (x / WIDTH, 1 - (top + height) / HEIGHT)
        box = matplotlib("patches").Rectangle(place, width / WIDTH, height / HEIGHT, color=color, linewidth=0)
        self.figures[-1].add_artist(box)

    def bar(self, x: float, width: float, share: float, *, color: str = CALM) -> None:
        """Draw a bar from 0 to 1 beside a line of text."""
        self.box(x, width, 6.5, PALE, down=2)
        self.box(x, width * min(share, 1.0), 6.5, color, down=2)

    def save(self, file: Path, title: str) -> None:
        """Number the pages and write them, with the same bytes at any time."""
        for number, figure in enumerate(self.figures, 1):
            note = f"{number} / {len(self.figures)}"
            figure.text(1 - MARGIN / WIDTH, 28 / HEIGHT, note, fontsize=8, color=GREY, ha="right")
        undated = {"CreationDate": None, "Title": title}
        made = BytesIO()  # as what is left open where a disk is full makes errors of its own
        with matplotlib("backends.backend_pdf").PdfPages(made, metadata=undated) as pdf:
            for figure in self.figures:
                pdf.savefig(figure)
        file.write_bytes(made.getvalue())


@cache
def _font(mono: bool) -> Any:
    manager = matplotlib("font_manager")
    family = "DejaVu Sans Mono" if mono else "DejaVu Sans"
    font = manager.get_font(manager.findfont(manager.FontProperties(family=family)))
    return font, font.get_charmap()


def known(text: str, *, mono: bool = False) -> str:
    """The text with a mark in place of signs that the font does not have."""
    signs = _font(mono)[1]
    return "".join(sign if ord(sign) in signs else UNKNOWN for sign in text)


def width_of(text: str, size: float, *, mono: bool = False) -> float:
    """How many points wide a line of text is."""
    font, _ = _font(mono)
    font.set_size(size, 72)
    font.set_text(known(text, mono=mono), 0.0)
    return float(font.get_width_height()[0]) / 64


def fitted(text: str, size: float, width: float, *, mono: bool = False) -> str:
    """As much of a line as there is room for."""
    if width_of(text, size, mono=mono) <= width:
        return text
    while text and width_of(text + "…", size, mono=mono) > width:
        text = text[:-1]
    return text + "…"


def lines_of(text: str, size: float, width: float, *, mono: bool = False) -> list[str]:
    """A text in lines that are no wider than this; words are cut only where one alone is too wide."""
    made: list[str] = []
    for line in text.split("\n"):
        made.append("")
        words = line.split(" ")
        for number, word in enumerate(words):
            longer = made[-1] + (" " if number else "") + word
            if width_of(longer, size, mono=mono) <= width:
                made[-1] = longer
                continue
            if made[-1].strip():
                made.append("")
            while width_of(word, size, mono=mono) > width:
                head = fitted(word, size, width, mono=mono)[:-1] or word[0]
                made[-1:] = [head, ""]
                word = word[len(head) :]
            made[-1] = word
    return made
