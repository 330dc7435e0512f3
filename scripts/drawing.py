"""Draws small SVG pictures that are readable on a phone, on light and on dark pages: each brings its own background."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
#: name: (on light pages, on dark pages)
COLOURS = {
    "card": ("#ffffff", "#1d2129"),
    "edge": ("#d5dbe1", "#3a414d"),
    "text": ("#1b2530", "#e8ebf0"),
    "muted": ("#5a6672", "#a5afbb"),
    "strong": ("#00796b", "#4db6ac"),
    "weak": ("#c2410c", "#f59e6b"),
    "calm": ("#d7efec", "#1f4a47"),
    "g0": ("#1f6fd0", "#5ea4f5"),
    "g1": ("#d9600a", "#f79248"),
    "g2": ("#218a4c", "#4cc27d"),
    "g3": ("#b8307c", "#ee7dbb"),
    "g4": ("#6a4fc9", "#a996f5"),
    "g5": ("#0b8896", "#3fc3d1"),
    "g6": ("#c62f3f", "#f5808c"),
    "g7": ("#8a6420", "#cfa455"),
    "g8": ("#5f7a12", "#a5c04d"),
    "g9": ("#52606f", "#a9b7c6"),
}
GROUPS = 10  # colours of groups


def style() -> str:
    """Return the colours as classes: f-NAME fills, s-NAME strokes."""

    def rules(side: int) -> str:
        return "".join(f".f-{n}{{fill:{c[side]}}}.s-{n}{{stroke:{c[side]}}}" for n, c in COLOURS.items())

    return f"<style>text{{font-family:{FONT}}}{rules(0)}@media(prefers-color-scheme:dark){{{rules(1)}}}</style>"


@dataclass
class Picture:
    """A card of a width and a height with shapes on it; `says` is its text for those who cannot see it."""

    width: float
    height: float
    says: str
    shapes: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 14,
        colour: str = "text",
        bold: bool = False,
        at: str = "",
    ) -> None:
        """Write words with their baseline at a place; `at` is start, middle or end."""
        more = (' font-weight="600"' if bold else "") + (f' text-anchor="{at}"' if at else "")
        place = f'x="{short(x)}" y="{short(y)}" font-size="{short(size)}"'
        self.shapes.append(f'<text {place} class="f-{colour}"{more}>{escape(words)}</text>')

    def dot(self, x: float, y: float, *, radius: float, colour: str) -> None:
        """Draw a filled circle."""
        self.shapes.append(f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(radius)}" class="f-{colour}"/>')

    def ring(
        self, x: float, y: float, *, radius: float, fill: str, colour: str, wide: float = 1.5, dashed: bool = False
    ) -> None:
        """Draw a circle with a border."""
        dashes = ' stroke-dasharray="3 2.5"' if dashed else ""
        self.shapes.append(
            f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(radius)}" class="f-{fill} s-{colour}" '
            f'stroke-width="{short(wide)}"{dashes}/>'
        )

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        *,
        fill: str,
        colour: str = "",
        opacity: float = 1,
        round_by: float = 4,
    ) -> None:
        """Draw a box with round corners."""
        border = f' s-{colour}" stroke-width="1.4' if colour else ""
        faint = f' fill-opacity="{short(opacity)}"' if opacity < 1 else ""
        self.shapes.append(
            f'<rect x="{short(left)}" y="{short(top)}" width="{short(right - left)}" height="{short(bottom - top)}" '
            f'rx="{short(round_by)}" class="f-{fill}{border}"{faint}/>'
        )

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        *,
        colour: str,
        wide: float = 1,
        dashed: bool = False,
    ) -> None:
        """Draw a straight line."""
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        (x1, y1), (x2, y2) = start, end
        self.shapes.append(
            f'<line x1="{short(x1)}" y1="{short(y1)}" x2="{short(x2)}" y2="{short(y2)}" class="s-{colour}" '
            f'stroke-width="{short(wide)}" stroke-linecap="round"{dashes}/>'
        )

    def path(self, points: Iterable[tuple[float, float]], *, colour: str, wide: float = 1) -> None:
        """Draw a line through points."""
        through = " ".join(f"{short(x)},{short(y)}" for x, y in points)
        self.shapes.append(
            f'<polyline points="{through}" fill="none" class="s-{colour}" stroke-width="{short(wide)}" '
            'stroke-linejoin="round"/>'
        )

    def svg(self) -> str:
        """Return the picture as text."""
        wide, high = short(self.width), short(self.height)
        size = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
        inside = f'width="{short(self.width - 1)}" height="{short(self.height - 1)}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
                f"<title>{escape(self.says)}</title>",
                style(),
                f'<rect x=".5" y=".5" {inside} rx="8" class="f-card s-edge"/>',
                *self.shapes,
                "</svg>\n",
            ]
        )


def short(number: float) -> str:
    """Write a number with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")
