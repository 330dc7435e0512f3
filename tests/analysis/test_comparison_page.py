"""The page of a comparison in a browser: nothing is cut off, on wide screens and narrow ones."""

from __future__ import annotations

import pytest

import shoal
from chromium_here import browser
from shoal.analysis.comparison.comparison import Comparison
from shoal.analysis.comparison.plan import Setting
from shoal.analysis.comparison.results import Cell

# What sticks out of the page, unless it is in something that can be scrolled.
OUTSIDE = """() => {
    const width = document.documentElement.clientWidth
    const scrolls = element => element && (["auto", "scroll"].includes(getComputedStyle(element).overflowX)
        ? element.getBoundingClientRect().right <= width + 1 : scrolls(element.parentElement))
    return [...document.querySelectorAll("body *")].filter(element =>
        element.getBoundingClientRect().right > width + 1 && !element.closest("svg") && !scrolls(element)
    ).map(element => element.outerHTML.slice(0, 80)).concat(
        document.documentElement.scrollWidth > width ? ["the page is wider than the window"] : [])
}"""
COURSE = {name: [*((k, 1) for k in (4, 8, 16, 32, 64, 128, 256))] for name in ("random", "clustering", "bottom-up")}
MANY = {name: [(k, l) for k in range(2, 20) for l in (1, 2)] for name in [*shoal.ALGORITHMS, "x" * 60]}  # noqa: E741


def comparison(settings, quasi, name="a table with a long name.csv"):
    measures = ("loss_rows", "distortion", "time")
    cells = [
        Cell(
            Setting(name, *at),
            tuple(dict(zip(measures, (1234.5 + run, 123456 + run, 0.123), strict=True)) for run in (0, 7)),
        )
        for name, places in settings.items()
        for at in places
    ]
    return Comparison(name, 9999, quasi, ("income",), measures, tuple(cells), ("A note.",))


@pytest.mark.parametrize(
    ("settings", "quasi"),
    [(COURSE, ("age", "sex")), (MANY, tuple(f"a_column_with_a_long_name_{number}" for number in range(200)))],
    ids=["course", "many"],
)
def test_nothing_is_cut_off(tmp_path, settings, quasi):
    page = tmp_path / "index.html"
    page.write_text(comparison(settings, quasi, f"{'x' * 90}.csv").to_html(), encoding="utf-8")
    with browser() as opened:
        for width in (1200, 400):
            view = opened.new_page(viewport={"width": width, "height": 900})
            view.goto(page.as_uri())
            assert view.evaluate(OUTSIDE) == []
            assert view.locator("table").count() >= 3
            view.evaluate("document.querySelector('h1').style.width = '5000px'")
            assert view.evaluate(OUTSIDE)  # it would be noticed
