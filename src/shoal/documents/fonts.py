"""Fonts for characters that the usual one lacks, such as those of Chinese names of columns."""

from __future__ import annotations

from functools import cache
from typing import Any

USUAL = "DejaVu Sans"
NO_FONT = "Last Resort"  # draws a box for every character


def fall_back(figure: Any) -> bool:
    """Let each text of a figure use the fonts of this machine that have what the usual one lacks; say if any does."""
    from matplotlib.text import Text

    changed = False
    for text in figure.findobj(Text):
        families = fonts_for(frozenset(text.get_text()))
        if families:
            text.set_family([USUAL, *families])
            changed = True
    return changed


@cache
def fonts_for(characters: frozenset[str]) -> tuple[str, ...]:
    """Return fonts of this machine that have characters which the usual font lacks; none if that has all of them."""
    from matplotlib import font_manager as manager

    usual = manager.get_font(manager.findfont(manager.FontProperties(family=USUAL))).get_charmap()
    missing = {ord(character) for character in characters if character.isprintable()} - usual.keys()
    found: list[str] = []
    for entry in manager.fontManager.ttflist if missing else ():
        if missing and entry.name != USUAL and not entry.name.startswith(NO_FONT) and entry.style == "normal":
            has = missing & _characters(entry.fname)
            found += [entry.name] if has else []
            missing -= has
    return tuple(dict.fromkeys(found))


@cache
def _characters(file: str) -> frozenset[int]:
    """Return the characters of a font; none if it cannot be read."""
    from matplotlib.font_manager import get_font

    try:
        return frozenset(get_font(file).get_charmap())
    except (OSError, RuntimeError):  # such as a font of bitmaps only
        return frozenset()
