"""Pages need no other files, and show their content as text."""

from __future__ import annotations

import re

from shoal.documents import html_page
from shoal.documents.plots import new_figure, write


def test_texts_are_shown_as_they_are():
    odd = "<script>alert(\"x\")</script> & 'y'"
    made = html_page.page(
        odd,
        html_page.section(odd, html_page.paragraph(odd, kind="note"), html_page.code(odd)),
        html_page.facts({odd: odd}),
        html_page.table([odd, "b"], [[odd, 1]], numbers=[1]),
    )
    assert "<script" not in made
    assert made.count("&lt;script&gt;") == 9
    assert "<td class=number>1</td>" in made


def test_a_picture_is_inside_the_page_and_the_same_at_any_time(tmp_path):
    def draw():
        figure = new_figure(3, 2)
        figure.subplots().plot([1, 2], [3, 4])
        return figure

    made = html_page.page("A plot", html_page.picture(draw(), "two points"))
    assert made == html_page.page("A plot", html_page.picture(draw(), "two points"))
    assert 'aria-label="two points"' in made
    assert not re.search(r"(src|href)=\"(?!#)", made)
    for ending in (".svg", ".pdf", ".png"):
        for name in ("a", "b"):
            write(draw(), tmp_path / f"{name}{ending}", ending)
        assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()
