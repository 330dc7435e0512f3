"""Custom bounds on the page: dragged with the mouse and typed, always in agreement."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_bench import FakeBench
from nicegui import ui
from nicegui.testing import User
from test_hierarchies_page import choose_method, element, until

import shoal
from shoal.ui.charts.histogram import histogram
from shoal.ui.pages.hierarchies import hierarchies_page

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.skipif(not hasattr(shoal.Hierarchy, "cuts"), reason="shoal.Hierarchy.cuts is not there yet"),
]

AGES = [str(20 + number % 40) for number in range(400)]


@pytest.fixture
async def bench(user: User, tmp_path: Path) -> FakeBench:
    """A workbench with one column of ages, opened at its custom bounds."""
    bench = FakeBench({"age": AGES}, tmp_path, ["age"])

    @ui.page("/")
    def page() -> None:
        hierarchies_page(bench)

    await user.open("/")
    await user.should_see(marker="method")
    await choose_method(user, bench, "cuts")
    await user.should_see(marker="histogram")
    return bench


def mouse(user: User, bench: FakeBench, kind: str, number: float) -> None:
    x = histogram(bench.counts("age")).x_of(number)
    user.find(marker="histogram").trigger("mouse", {"mouse_event_type": kind, "image_x": x, "buttons": 1})


def spelled(bench: FakeBench) -> str:
    return str(bench.project.hierarchies["age"])


async def test_the_quarters_of_the_rows_are_the_start(user: User, bench: FakeBench) -> None:
    assert spelled(bench) == "cuts:30,40,50/40"
    assert element(user, "bounds-1").value == "30, 40, 50"
    assert element(user, "bounds-2").value == "40"


async def test_a_bound_is_dragged_and_the_fields_follow(user: User, bench: FakeBench) -> None:
    mouse(user, bench, "mousedown", 40)
    for number in (41, 42.4, 43.2):
        mouse(user, bench, "mousemove", number)
    await until(lambda: element(user, "bounds-1").value == "30, 43, 50")
    assert spelled(bench) == "cuts:30,40,50/40"  # built when the mouse lets go
    mouse(user, bench, "mouseup", 43.2)
    await until(lambda: spelled(bench) == "cuts:30,43,50/43")
    assert element(user, "bounds-2").value == "43"


async def test_a_press_beside_every_bound_drags_none(user: User, bench: FakeBench) -> None:
    mouse(user, bench, "mousedown", 35)
    mouse(user, bench, "mousemove", 38)
    mouse(user, bench, "mouseup", 38)
    assert element(user, "bounds-1").value == "30, 40, 50"


async def test_bounds_are_added_by_a_double_click_or_a_button_and_removed(user: User, bench: FakeBench) -> None:
    mouse(user, bench, "dblclick", 35)
    await until(lambda: spelled(bench) == "cuts:30,35,40,50/40")
    user.find(marker="remove-bound").click()
    await until(lambda: spelled(bench) == "cuts:30,40,50/40")
    user.find(marker="add-bound").click()
    await until(lambda: spelled(bench) == "cuts:25,30,40,50/40")


async def test_typed_bounds_move_the_picture(user: User, bench: FakeBench) -> None:
    before = element(user, "histogram").content
    element(user, "bounds-1").value = "25 40"
    await until(lambda: spelled(bench) == "cuts:25,40/40")
    assert element(user, "histogram").content != before


async def test_what_is_typed_wrongly_is_said_under_its_field(user: User, bench: FakeBench) -> None:
    element(user, "bounds-2").value = "41"
    await until(lambda: "which level 1 does not have" in (element(user, "bounds-2").error or ""))
    element(user, "bounds-1").value = "30, forty"
    await until(lambda: "'forty' is not a number" in (element(user, "bounds-1").error or ""))
    assert spelled(bench) == "cuts:30,40,50/40"


async def test_levels_are_added_and_removed(user: User, bench: FakeBench) -> None:
    user.find(marker="add-level").click()
    await until(lambda: "only one bound" in (element(user, "bounds-2").error or ""))
    user.find(marker="remove-level").click()
    await until(lambda: spelled(bench) == "cuts:30,40,50")
    user.find(marker="add-level").click()
    await until(lambda: spelled(bench) == "cuts:30,40,50/40")
