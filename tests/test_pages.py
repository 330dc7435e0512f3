"""Pages stand alone, and what they are given is shown as text."""

from __future__ import annotations

import re

from shoal import pages
from shoal.plotting import new_figure, write


def test_texts_are_shown_as_they_are():
    odd = "<script>alert(\"x\")</script> & 'y'"
    made = pages.page(
        odd,
        pages.section(odd, pages.paragraph(odd, kind="note"), pages.code(odd)),
        pages.facts({odd: odd}),
        pages.table([odd, "b"], [[odd, 1]], numbers=[1]),
    )
    assert "<script" not in made
    assert made.count("&lt;script&gt;") == 9
    assert "<td class=number>1</td>" in made


def test_a_picture_is_inside_the_page_and_the_same_at_any_time(tmp_path):
    def draw():
        figure = new_figure(3, 2)
        figure.subplots().plot([1, 2], [3, 4])
        return figure

    made = pages.page("A plot", pages.picture(draw(), "two points"))
    assert made == pages.page("A plot", pages.picture(draw(), "two points"))
    assert 'aria-label="two points"' in made
    assert not re.search(r"(src|href)=\"(?!#)", made)
    for ending in (".svg", ".pdf", ".png"):
        for name in ("a", "b"):
            write(draw(), tmp_path / f"{name}{ending}", ending)
        assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()
