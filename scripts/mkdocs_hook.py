"""What `make docs` adds to docs/ (the reference, made from the code, and the notebooks as pages) and checks of site/.

The site is read offline, and by people who want nobody to know what they read: it may link to other places, but loads
nothing from them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import notebooks
import reference

FOLLOWED = {"canonical", "next", "prev", "alternate", "edit"}  # links that a browser does not load by itself
ELSEWHERE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
IN_STYLES = re.compile(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)", re.IGNORECASE)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made from code."""
    for place, text in (reference.pages() | notebooks.pages()).items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(text: str, **page: Any) -> str:
    """Lead to the page of a notebook where a link names its file, which is what readers of the repository need."""
    return re.sub(r"(notebooks/\w+)\.ipynb\)", r"\1.md)", text)


def on_post_build(config: Any) -> None:
    """Refuse a site that loads anything from elsewhere."""
    found = sorted(f"{place}: {address}" for place, address in loaded_from_elsewhere(Path(config["site_dir"])))
    if found:
        raise PluginError("the site loads from elsewhere:\n" + "\n".join(found))


def loaded_from_elsewhere(site: Path) -> Iterator[tuple[Path, str]]:
    """Return what the pages and styles of a site load from other places, each with its file."""
    for path in site.rglob("*.html"):
        page = _Loads()
        page.feed(path.read_text("utf-8"))
        yield from ((path.relative_to(site), address) for address in page.addresses)
    for path in (*site.rglob("*.css"), *site.rglob("*.svg")):
        yield from ((path.relative_to(site), address) for address in IN_STYLES.findall(path.read_text("utf-8")))


class _Loads(HTMLParser):
    """Collects the addresses elsewhere that a browser loads when it shows a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at what the element loads, and at its style."""
        given = {name: value or "" for name, value in attrs}
        loads = [given.get(name, "") for name in ("src", "poster", "data")]
        loads += [part.strip() for part in given.get("srcset", "").split(",")]
        if tag == "link" and not FOLLOWED & {*given.get("rel", "").split()}:
            loads.append(given.get("href", ""))
        self.addresses += filter(ELSEWHERE.match, loads)
        self.addresses += IN_STYLES.findall(given.get("style", ""))

    def handle_data(self, data: str) -> None:
        """Look at styles within the page."""
        if self.cdata_elem == "style":
            self.addresses += IN_STYLES.findall(data)
