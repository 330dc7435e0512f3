"""The report on a release as a page or on paper: what was done, what is guaranteed, what it cost.

facts.py gathers what may be told, document.py puts it into words, html.py and pdf.py draw these, from parts.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.documents.html import html
from shoal.release.report.facts import facts_of
from shoal.release.report.sections import document
from shoal.release.reuse.record import json_writer
from shoal.system import atomic_files

if TYPE_CHECKING:
    from shoal.engines.streams.reports import Told
    from shoal.release.release import Release


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
        return lambda file: atomic_files.write_text(content, file)

    def writer(path: Path) -> Callable[[Path], None]:
        ending = path.suffix.lower()
        if ending == ".json":
            return json_writer(as_json(), digest)
        if ending == ".pdf":
            from shoal.documents.pdf import write

            return lambda file: write(made, file)
        return text(html(made))

    return {path: writer(path) for path in paths}
