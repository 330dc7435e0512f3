"""The report on a release as a page or on paper: what was done, what is guaranteed, what it cost.

facts.py gathers what may be told, document.py puts it into words, html.py and pdf.py draw these, from parts.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from shoal import writing
from shoal.keeping import json_writer
from shoal.report.document import document
from shoal.report.facts import facts_of
from shoal.report.html import html

if TYPE_CHECKING:
    from shoal.release import Release
    from shoal.streams.reports import Told


def page(release: Release) -> str:
    """The report as HTML in one file."""
    return html(document(facts_of(release)))


def writers(
    release: Release | Told, paths: list[Path], digest: Callable[[], str] | None = None
) -> dict[Path, Callable[[Path], None]]:
    """What writes each report into a file, by the ending of its name; the facts are gathered once.

    The .json report tells the digest of the release that it belongs to.
    """
    made = document(facts_of(release))
    as_json = cache(release.to_json)

    def text(content: str) -> Callable[[Path], None]:
        return lambda file: writing.write_text(content, file)

    def writer(path: Path) -> Callable[[Path], None]:
        ending = path.suffix.lower()
        if ending == ".json":
            return json_writer(as_json(), digest)
        if ending == ".pdf":
            from shoal.report.pdf import write

            return lambda file: write(made, file)
        return text(html(made))

    return {path: writer(path) for path in paths}
