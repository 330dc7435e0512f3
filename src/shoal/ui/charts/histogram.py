"""A histogram of a numeric column with bounds, drawn as SVG in the colours of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor, log10

WIDTH, HEIGHT = 640, 170  # of the picture
LEFT, RIGHT, TOP, BOTTOM = 14, 14, 26, 22  # margins
MAX_BINS = 80
MAX_DISTANCE = 10  # pixels from the mouse to a bound that it selects


@dataclass(frozen=True)
class Histogram:
    """Rows per bin of one width: bin i contains start + i·width ≤ number < start + (i + 1)·width."""

    start: float
    width: float
    rows: tuple[int, ...]
    step: Decimal  # bounds snap to its multiples

    @property
    def end(self) -> float:
        """The end of the last bin."""
        return self.start + self.width * len(self.rows)

    @property
    def caption(self) -> str:
        """A description of the bars."""
        return f"A bar is {text_of(Decimal(repr(self.width)))} wide; the highest is {max(self.rows):,} rows."

    def x_of(self, number: float) -> float:
        """Return the x coordinate of a number."""
        return LEFT + (number - self.start) / (self.end - self.start) * (WIDTH - LEFT - RIGHT)

    def number_at(self, x: float) -> Decimal:
        """Return the number at an x coordinate, snapped to the step and limited to the range of the column."""
        share = min(1.0, max(0.0, (x - LEFT) / (WIDTH - LEFT - RIGHT)))
        number = self.start + share * (self.end - self.start)
        return round(Decimal(repr(number)) / self.step) * self.step

    def bound_at(self, x: float, bounds: Sequence[Decimal]) -> int | None:
        """Return the index of the bound near an x coordinate, if any."""
        distances = [(abs(self.x_of(float(bound)) - x), place) for place, bound in enumerate(bounds)]
        distance, place = min(distances, default=(MAX_DISTANCE + 1.0, 0))
        return place if distance <= MAX_DISTANCE else None


def histogram(counts: Mapping[str, int]) -> Histogram:
    """Make a histogram of numbers given as text, with their rows; bins have a round width.

    >>> histogram({"1": 5, "2": 7, "4": 1}).rows
    (5, 7, 0, 1)
    """
    numbers = [float(value) for value in counts]
    low, high = min(numbers), max(numbers)
    whole = all(number.is_integer() for number in numbers)
    span = (high - low) or 1.0
    width = _round_up(Decimal(repr(span / MAX_BINS)))
    if whole:
        width = max(width, Decimal(1))
    start = floor(low / float(width)) * float(width)
    bins = [0] * (floor((high - start) / float(width)) + 1)
    for number, rows in zip(numbers, counts.values(), strict=True):
        bins[min(len(bins) - 1, floor((number - start) / float(width)))] += rows
    step = _round_up(Decimal(repr(span / WIDTH)))
    return Histogram(start, float(width), tuple(bins), max(step, Decimal(1)) if whole else step)


def draw(shape: Histogram, levels: Sequence[Sequence[Decimal]], *, chosen: int | None = None) -> str:
    """Draw bars, an axis, and the bounds of level 1, thicker if more levels have them; the chosen one is marked."""
    tallest = max(max(shape.rows), 1)
    floor_y = HEIGHT - BOTTOM
    bars = []
    for place, rows in enumerate(shape.rows):
        left, right = (shape.x_of(shape.start + shape.width * at) for at in (place, place + 1))
        if rows:
            tall = max(1.0, rows / tallest * (floor_y - TOP))
            bars.append(
                f'<rect x="{left:.1f}" y="{floor_y - tall:.1f}" width="{max(0.8, right - left - 0.8):.1f}" '
                f'height="{tall:.1f}" fill="var(--q-primary)" fill-opacity="0.45"/>'
            )
    axis = f'<line x1="{LEFT}" y1="{floor_y}" x2="{WIDTH - RIGHT}" y2="{floor_y}" stroke="currentColor" opacity="0.6"/>'
    return "".join([*bars, axis, *_ticks(shape), *_bounds(shape, levels, chosen)])


def text_of(number: Decimal) -> str:
    """Write a number as it is typed: 30, not 3E+1.

    >>> text_of(Decimal("3E+1")), text_of(Decimal("0.50"))
    ('30', '0.5')
    """
    plain = f"{number:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _ticks(shape: Histogram) -> list[str]:
    step = float(_round_up(Decimal(repr((shape.end - shape.start) / 8))))
    first = ceil(shape.start / step - 1e-9)
    ticks = []
    for place in range(first, floor(shape.end / step + 1e-9) + 1):
        number = Decimal(repr(place * step))
        ticks.append(
            f'<text x="{shape.x_of(place * step):.1f}" y="{HEIGHT - 7}" font-size="11" text-anchor="middle" '
            f'fill="currentColor" opacity="0.75">{text_of(round(number, 6).normalize())}</text>'
        )
    return ticks


def _bounds(shape: Histogram, levels: Sequence[Sequence[Decimal]], chosen: int | None) -> list[str]:
    lines = []
    written = float("-inf")
    for place, bound in enumerate(levels[0] if levels else ()):
        x = shape.x_of(float(bound))
        if not LEFT - 1 <= x <= WIDTH - RIGHT + 1:
            continue
        height = sum(bound in level for level in levels)
        colour = "var(--q-negative)" if place == chosen else "currentColor"
        lines.append(
            f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="{colour}" '
            f'stroke-width="{0.5 + height}"/>'
        )
        label = text_of(bound)
        if x - written > 7 * len(label) + 4 or place == chosen:
            lines.append(
                f'<text x="{x:.1f}" y="{TOP - 10}" font-size="12" font-weight="600" text-anchor="middle" '
                f'fill="{colour}">{label}</text>'
            )
            written = x
    return lines


def _round_up(number: Decimal) -> Decimal:
    """Return the smallest of 1, 2, 5 times a power of ten that is not below the number."""
    power = floor(log10(number))
    sizes = [Decimal(digit).scaleb(power) for digit in (1, 2, 5, 10)]
    return next((size for size in sizes if size >= number), sizes[-1])
