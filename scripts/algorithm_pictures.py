"""Draws the pictures of the docs: how algorithms cut a table, from real runs, and how time and memory grow.

Run it after a change to an algorithm; `make bench` runs it, too. A test says if a picture is out of date.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import shoal

sys.path.insert(0, str(Path(__file__).parent))
import growth_pictures
import lattice_pictures
import plane_pictures
import release_pictures

PICTURES = Path(__file__).parent.parent / "docs" / "images"


def pictures() -> dict[str, str]:
    """Return every picture as text, by the name of its file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", shoal.PrivacyWarning)
        drawn = [room.pictures() for room in (plane_pictures, lattice_pictures, release_pictures, growth_pictures)]
    return {f"{name}.svg": picture.svg() for some in drawn for name, picture in some.items()}


def main() -> None:
    """Write the pictures into docs/images/."""
    for name, text in pictures().items():
        (PICTURES / name).write_text(text, encoding="utf-8")
        print(f"docs/images/{name}")


if __name__ == "__main__":
    main()
