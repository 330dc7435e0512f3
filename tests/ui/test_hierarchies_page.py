"""The Hierarchies page in a simulated browser: choosing, typing, ticking and undoing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_bench import FakeBench
from nicegui import ui
from nicegui.testing import User

import shoal
from shoal.ui.pages.hierarchies import hierarchies_page

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

AGES = [str(18 + number % 60) for number in range(600)]
EDUCATION = ["BSc"] * 300 + ["MSc"] * 200 + ["11th"] * 90 + ["12th"] * 10
TREE = shoal.Hierarchy.from_nested({"Higher": ["BSc", "MSc"], "School": ["11th", "10th"]})


@pytest.fixture
async def bench(user: User, tmp_path: Path) -> FakeBench:
    """A workbench with two quasi-identifiers, opened at the Hierarchies page."""
    suggestions = {"age": shoal.Suggestion("age", "quasi", "an age", other_hierarchies=("intervals:5,10,20",))}
    bench = FakeBench({"age": AGES, "education": EDUCATION}, tmp_path, ["age", "education"], suggestions=suggestions)
    bench.project.hierarchies["education"] = TREE

    @ui.page("/")
    def page() -> None:
        hierarchies_page(bench)

    await user.open("/")
    await user.should_see(marker="warning-education")
    return bench


def element(user: User, marker: str) -> Any:
    return next(iter(user.find(marker=marker).elements))


async def until(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds, which other threads bring about."""
    for _ in range(50):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("did not come about")


async def choose_method(user: User, bench: FakeBench, method: str, column: str = "age") -> None:
    before = bench.project.hierarchies.get(column)
    element(user, "method").value = method
    await until(lambda: bench.project.hierarchies.get(column) != before)
    await user.should_see(marker="method")


def tick(user: User, *labels: str) -> None:
    tree = element(user, "tree")
    ids = [node["id"] for node in tree.nodes() if node["label"] in labels]
    assert len(ids) == len(labels), f"{labels} are not all drawn"
    user.find(marker="tree").trigger("update:ticked", ids)


async def test_the_list_says_what_each_column_has(user: User, bench: FakeBench) -> None:
    await user.should_see("free ranges")
    await user.should_see("tree, 4 values, height 2")
    await user.should_see("60 values in 600 rows")
    await user.should_not_see(marker="warning-age")


async def test_a_way_is_built_with_the_suggested_numbers_at_once(user: User, bench: FakeBench) -> None:
    await choose_method(user, bench, "intervals")
    assert bench.project.hierarchies["age"] == "intervals:5,10,20"
    assert bench.changes == 1
    await user.should_see("intervals:5,10,20")
    element(user, "widths").value = "10, 20"
    await until(lambda: bench.project.hierarchies["age"] == "intervals:10,20")
    element(user, "origin").value = "8"
    await until(lambda: bench.project.hierarchies["age"] == "intervals:10,20@8")


async def test_what_cannot_be_built_is_said_under_the_field_and_changes_nothing(user: User, bench: FakeBench) -> None:
    await choose_method(user, bench, "intervals")
    element(user, "widths").value = "5, 12"
    await until(lambda: "do not nest" in (element(user, "widths").error or ""))
    assert bench.project.hierarchies["age"] == "intervals:5,10,20"
    element(user, "widths").value = "5, 15"
    await until(lambda: bench.project.hierarchies["age"] == "intervals:5,15")
    assert element(user, "widths").error is None


@pytest.mark.parametrize("method", ["prefix", "by-order", "by-frequency", "flat", "ordered", "free"])
async def test_each_way_begins_with_something_that_can_be_built(user: User, bench: FakeBench, method: str) -> None:
    await choose_method(user, bench, "intervals")
    await choose_method(user, bench, method)
    await user.should_not_see(marker="method-error")
    await user.should_not_see(marker="column-error")


async def test_undo_and_redo_go_through_ways_and_edits(user: User, bench: FakeBench) -> None:
    await choose_method(user, bench, "flat")
    await choose_method(user, bench, "by-order")
    user.find(marker="undo").click()
    await until(lambda: bench.project.hierarchies.get("age") == "flat")
    await until(lambda: element(user, "redo").enabled)
    user.find(marker="undo").click()
    await until(lambda: "age" not in bench.project.hierarchies)
    user.find(marker="redo").click()
    await until(lambda: bench.project.hierarchies.get("age") == "flat")


async def test_values_that_the_tree_does_not_know_are_added(user: User, bench: FakeBench) -> None:
    user.find(marker="column-education").click()
    await user.should_see(marker="fix-unknown")
    await user.should_see("The tree lacks 1 value of the table (10 rows): '12th'")
    tick(user, "School")
    user.find(marker="fix-unknown").click()
    await until(lambda: bench.project.hierarchies["education"] is not TREE)
    assert bench.project.hierarchies["education"].path("12th") == ("12th", "School", "*")
    await user.should_see("The tree contains every value of the table.")
    await user.should_not_see(marker="warning-education")
    user.find(marker="fix-unused").click()
    await until(lambda: "10th" not in bench.project.hierarchies["education"].leaves)


async def test_nodes_are_grouped_renamed_and_moved(user: User, bench: FakeBench) -> None:
    user.find(marker="column-education").click()
    await user.should_see(marker="fix-unknown")
    tick(user, "BSc", "11th")
    user.find(marker="group").click()
    await user.should_see(marker="accept")
    user.find(marker="accept").click()
    await until(lambda: "name is empty" in (element(user, "name").error or ""))
    user.find(marker="name").type("First")
    user.find(marker="accept").click()
    await until(lambda: "First" in bench.project.hierarchies["education"].labels)
    await user.should_not_see(marker="accept")
    tick(user, "First")
    user.find(marker="move").click()
    await user.should_see(marker="find-group")
    higher = bench.project.hierarchies["education"].labels.index("Higher")
    user.find(marker=f"group-{higher}").click()
    await until(lambda: bench.project.hierarchies["education"].path("11th") == ("11th", "First", "Higher", "*"))


async def test_a_value_of_the_table_is_not_renamed(user: User, bench: FakeBench) -> None:
    user.find(marker="column-education").click()
    await user.should_see(marker="fix-unknown")
    tick(user, "BSc")
    user.find(marker="rename").click()
    await user.should_see(marker="accept")
    user.find(marker="accept").click()
    await until(lambda: "keeps its name" in (element(user, "name").error or ""))
    assert bench.project.hierarchies["education"] is TREE


async def test_a_refused_dissolution_is_said_beside_the_tree(user: User, bench: FakeBench) -> None:
    user.find(marker="column-education").click()
    await user.should_see(marker="fix-unknown")
    tick(user, "*")
    user.find(marker="dissolve").click()
    await until(lambda: "cannot be dissolved" in element(user, "tree-message").text)


async def test_the_filter_draws_what_it_finds(user: User, bench: FakeBench) -> None:
    user.find(marker="column-education").click()
    await user.should_see(marker="fix-unknown")
    user.find(marker="tree-filter").type("msc")
    assert [node["label"] for node in element(user, "tree").nodes()] == ["*", "Higher", "MSc"]


@pytest.mark.parametrize(
    "content", ["Any\n\tHigher\n\t\tBSc\n\t\tMSc\n\t11th\n\t12th\n", "BSc,*\nMSc,*\n11th,*\n12th,*\n"]
)
async def test_a_file_of_any_format_is_uploaded(user: User, bench: FakeBench, content: str) -> None:
    user.find(marker="column-education").click()
    element(user, "method").value = "file"
    await user.should_see(marker="upload")
    await upload(user, "schools.txt", content)
    await until(lambda: bench.project.hierarchies["education"] is not TREE)
    assert set(bench.project.hierarchies["education"].leaves) == {"BSc", "MSc", "11th", "12th"}
    assert list(bench.folder.iterdir()) == []


async def test_a_bad_file_is_named_by_its_line_and_own_name(user: User, bench: FakeBench) -> None:
    user.find(marker="column-education").click()
    element(user, "method").value = "file"
    await user.should_see(marker="upload")
    await upload(user, "schools.txt", "Any\n\t\tBSc\n")
    await until(lambda: element(user, "upload-message").text != "")
    assert element(user, "upload-message").text.startswith("schools.txt, line 2: 'BSc' is indented by 2 tabs")
    assert bench.project.hierarchies["education"] is TREE


async def test_from_the_upload_there_is_a_way_back_to_the_tree(user: User, bench: FakeBench) -> None:
    user.find(marker="column-education").click()
    await user.should_see(marker="fix-unknown")
    element(user, "method").value = "file"
    await user.should_see(marker="upload")
    element(user, "method").value = "tree"
    await user.should_not_see(marker="upload")
    assert bench.project.hierarchies["education"] is TREE


async def upload(user: User, name: str, content: str) -> None:
    file = ui.upload.SmallFileUpload(name, "text/plain", content.encode())
    with user:
        await element(user, "upload").handle_uploads([file])


async def test_without_quasi_identifiers_the_step_says_where_to_choose_them(user: User, tmp_path: Path) -> None:
    @ui.page("/empty")
    def page() -> None:
        hierarchies_page(FakeBench({}, tmp_path, []))

    await user.open("/empty")
    await user.should_see("choose some on the Data page")
