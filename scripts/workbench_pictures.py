"""Takes the pictures of the workbench that stand in the docs: the guided first run in a browser without a window."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "ui"))
PICTURES = ROOT / "docs" / "images"

from a_chromium import browser, choose, new_page, step, workbench  # noqa: E402


def main() -> None:
    """Go through the steps and keep a picture of each."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, workbench(Path(folder)) as next_link, browser() as opened:
        page = new_page(opened, next_link())

        def keep(name: str, wait: int = 1500) -> None:
            page.mouse.move(1360, 400)
            page.wait_for_timeout(wait)
            page.screenshot(path=PICTURES / f"workbench-{name}.png")
            print(f"docs/images/workbench-{name}.png")

        page.get_by_role("button", name="Try it with the Adult table").click()
        page.get_by_text("Columns", exact=True).wait_for()
        keep("data", 4000)
        step(page, "Hierarchies")
        page.get_by_text("free ranges", exact=True).wait_for()
        page.get_by_text("education", exact=True).click()
        keep("hierarchies")
        page.get_by_text("age", exact=True).first.click()
        choose(page, "Method", "Custom bounds")
        keep("bounds")
        choose(page, "Method", "Free ranges or sets")
        step(page, "Protection")
        keep("protection", 3000)
        make(page)
        step(page, "Protection")
        choose(page, "algorithm", "Mondrian: fast, for large tables")
        make(page)
        step(page, "Hierarchies")
        page.get_by_text("free ranges", exact=True).click()
        page.get_by_text("intervals:5,10,20").click()
        step(page, "Protection")
        choose(page, "algorithm", "full-domain: the best levels, the same for all rows")
        page.locator("[aria-label='suppression limit in percent']").click(position={"x": 100, "y": 10})
        make(page)
        keep("run")
        page.get_by_label("Explore this run").last.click()
        page.get_by_text("Before: the table").wait_for()
        page.get_by_role("tab", name="Lattice").click()
        keep("lattice", 3000)
        step(page, "Run")
        page.get_by_label("Explore this run").first.wait_for()
        step(page, "Explore")
        page.get_by_label("the run that is looked at").click()
        page.get_by_role("option").first.click()
        page.get_by_text("Before: the table").wait_for()
        keep("explore", 4000)
        page.keyboard.press("d")
        page.get_by_role("tab", name="Risk").click()
        keep("dark", 2500)
        page.keyboard.press("d")
        step(page, "Release")
        keep("release", 2000)


def make(page) -> None:
    """Make one more release."""
    step(page, "Run")
    page.get_by_role("button", name="Make a release").wait_for()
    page.wait_for_timeout(500)
    before = page.get_by_label("Explore this run").count()
    page.get_by_role("button", name="Make a release").click()
    page.get_by_label("Explore this run").nth(before).wait_for(timeout=180_000)


if __name__ == "__main__":
    main()
