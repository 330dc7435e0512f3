"""Pages that are filled from the top, with positions measured in points, so that nothing overlaps."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from shoal.documents.plots import CALM, GREY, matplotlib

WIDTH, HEIGHT = 595.0, 842.0  # A4
MARGIN = 56.0
INNER = WIDTH - 2 * MARGIN
INK, PALE = "#1f2937", "#e5e7eb"
UNKNOWN = "▯"  # replaces a character that the font does not have


class Paper:
    """The pages so far, and how far the last one is filled."""

    def __init__(self) -> None:
        self.figures: list[Any] = []
        self.down = 0.0
        self.lacking = False  # whether a character had to be replaced
        self.turn()

    def turn(self) -> None:
        """Begin a new page."""
        self.figures.append(matplotlib("figure").Figure(figsize=(WIDTH / 72, HEIGHT / 72), facecolor="white"))
        self.down = MARGIN

    def room(self, points: float) -> None:
        """Begin a new page if less room than this is left."""
        if self.down + points > HEIGHT - MARGIN and self.down > MARGIN:
            self.turn()

    def text(
        self, x: float, text: str, *, size: float = 9.5, color: str = INK, bold: bool = False, mono: bool = False
    ) -> None:
        """Write a line of text at the current position."""
        shown = drawable(text, mono=mono)
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
        """Draw a filled box."""
        top = self.down + down
        place = (x / WIDTH, 1 - (top + height) / HEIGHT)
        box = matplotlib("patches").Rectangle(place, width / WIDTH, height / HEIGHT, color=color, linewidth=0)
        self.figures[-1].add_artist(box)

    def bar(self, x: float, width: float, share: float, *, color: str = CALM) -> None:
        """Draw a bar from 0 to 1 beside a line of text."""
        self.box(x, width, 6.5, PALE, down=2)
        self.box(x, width * min(share, 1.0), 6.5, color, down=2)

    def save(self, file: Path, title: str) -> None:
        """Number the pages and write them; equal pages give equal bytes."""
        for number, figure in enumerate(self.figures, 1):
            note = f"{number} / {len(self.figures)}"
            figure.text(1 - MARGIN / WIDTH, 28 / HEIGHT, note, fontsize=8, color=GREY, ha="right")
        undated = {"CreationDate": None, "Title": title}
        content = BytesIO()  # a file left open on a full disk would raise errors of its own
        with matplotlib("backends.backend_pdf").PdfPages(content, metadata=undated) as pdf:
            for figure in self.figures:
                pdf.savefig(figure)
        file.write_bytes(content.getvalue())


@cache
def _font(mono: bool, bold: bool = False) -> Any:
    manager = matplotlib("font_manager")
    family = "DejaVu Sans Mono" if mono else "DejaVu Sans"
    weight = "bold" if bold else "normal"
    font = manager.get_font(manager.findfont(manager.FontProperties(family=family, weight=weight)))
    return font, font.get_charmap()


def drawable(text: str, *, mono: bool = False) -> str:
    """Replace the characters that the font does not have."""
    available = _font(mono)[1]
    return "".join(character if ord(character) in available else UNKNOWN for character in text)


def width_of(text: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """Return the width of a line of text in points."""
    font, _ = _font(mono, bold)
    font.set_size(size, 72)
    font.set_text(drawable(text, mono=mono), 0.0)
    return float(font.get_width_height()[0]) / 64


@cache
def _advance(character: str, mono: bool) -> float:
    """Return how far a character moves the next one, as a share of the font size."""
    font, _ = _font(mono)
    font.set_size(1, 72)
    return float(font.load_char(ord(drawable(character, mono=mono))).linearHoriAdvance) / 65536


def fits(text: str, size: float, width: float, *, mono: bool = False) -> bool:
    """Say whether a line of text is at most so wide; it is only measured if the sum over its characters is close."""
    estimate = size * sum(_advance(character, mono) for character in text)
    return estimate < 0.85 * width or (estimate < 1.25 * width and width_of(text, size, mono=mono) <= width)


def fitted(text: str, size: float, width: float, *, mono: bool = False) -> str:
    """Cut a line to a width."""
    if fits(text, size, width, mono=mono):
        return text
    while text and not fits(text + "…", size, width, mono=mono):
        text = text[:-1]
    return text + "…"


def lines_of(text: str, size: float, width: float, *, mono: bool = False) -> list[str]:
    """Wrap a text to a width; words are cut only if one alone is too wide."""
    lines: list[str] = []
    for line in text.split("\n"):
        lines.append("")
        words = line.split(" ")
        for number, word in enumerate(words):
            longer = lines[-1] + (" " if number else "") + word
            if fits(longer, size, width, mono=mono):
                lines[-1] = longer
                continue
            if lines[-1].strip():
                lines.append("")
            while not fits(word, size, width, mono=mono):
                head = fitted(word, size, width, mono=mono)[:-1] or word[0]
                lines[-1:] = [head, ""]
                word = word[len(head) :]
            lines[-1] = word
    return lines
