"""The steps of the workbench in a simulated browser: content, choices and errors."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from nicegui import ui
from nicegui.testing import User

from shoal.ui.pages.frame import frame
from shoal.ui.state.places import allowed_path
from shoal.ui.state.workbench import Workbench


@pytest.fixture
async def bench(tmp_path: Path, user: User):
    """A workbench with its page at /, and a table of 120 people beside it."""
    made = Workbench(tmp_path / "private")
    made.folder.mkdir()
    made.may_open = lambda text: allowed_path(text, folder=tmp_path, anywhere=True)
    lines = [f"P{row},{20 + row % 6},{'fm'[row % 2]},{['flu', 'cold', 'NA'][row % 3]}" for row in range(120)]
    (tmp_path / "people.csv").write_text("\n".join(["name,age,sex,disease", *lines]) + "\n", encoding="utf-8")

    @ui.page("/")
    def page() -> None:
        frame(SimpleNamespace(bench=made, dark=None))

    yield made
    await made.close()


async def until(holds, seconds: float = 60) -> None:
    for _ in range(int(seconds * 20)):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come to that")


def text_of(user: User, marker: str) -> str:
    """Return the text of an element, empty while it is hidden."""
    try:
        return next(iter(user.find(marker=marker).elements)).text
    except AssertionError:
        return ""


async def opened(user: User, bench: Workbench) -> None:
    await user.open("/")
    user.find(marker="path").type("people.csv")
    user.find(marker="open").click()
    await until(lambda: bench.risks is not None)


async def go(user: User, step: str) -> None:
    user.find(marker="steps").elements.pop().set_value(step)
    await asyncio.sleep(0.1)


async def test_without_a_table_every_step_says_what_to_do(user: User, bench: Workbench) -> None:
    await user.open("/")
    await user.should_see("Open a table")
    for step, sentence in {
        "protection": "There is no table yet",
        "release": "There is no release yet",
    }.items():
        await go(user, step)
        await user.should_see(sentence)
    await go(user, "run")
    user.find(marker="start").click()
    await user.should_see("There is no table yet: open one on the Data page.")
    for step in ("hierarchies", "explore"):
        await go(user, step)
        await user.should_not_see("This page could not be shown")


async def test_a_file_without_a_line_of_names_is_opened_if_that_is_said(
    user: User, bench: Workbench, tmp_path: Path
) -> None:
    (tmp_path / "raw.data").write_text("30, f, flu.\n31, m, flu.\n30, f, cold.\n31, m, cold.\n", encoding="utf-8")
    await user.open("/")
    user.find(marker="path").type("raw.data")
    user.find(marker="open").click()
    await until(lambda: "line 1: this line seems to be a row" in text_of(user, "open-problem"))
    user.find(marker="first-line").elements.pop().set_value("row")
    user.find(marker="names").type("age, sex, disease")
    user.find(marker="open").click()
    await until(lambda: bench.risks is not None)
    assert bench.columns == ["age", "sex", "disease"]
    assert bench.rows == 4
    assert bench.project.names == ["age", "sex", "disease"]
    assert sorted(bench.counts("disease").items()) == [("cold", 2), ("flu", 2)]


async def test_a_file_may_stay_without_names(user: User, bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "raw.data").write_text("30, f\n31, m\n30, f\n31, m\n", encoding="utf-8")
    await user.open("/")
    user.find(marker="first-line").elements.pop().set_value("row")
    user.find(marker="path").type("raw.data")
    user.find(marker="open").click()
    await until(lambda: bench.columns == ["column1", "column2"])
    assert bench.project.names is False


async def test_a_path_that_leads_nowhere_is_told_beside_the_field(user: User, bench: Workbench) -> None:
    await user.open("/")
    user.find(marker="path").type("nobody.csv")
    user.find(marker="open").click()
    await until(lambda: "nobody.csv" in text_of(user, "open-problem"))
    assert bench.facts is None


async def test_roles_are_shown_with_reasons_and_can_be_changed(user: User, bench: Workbench) -> None:
    await opened(user, bench)
    table = user.find(marker="roles").elements.pop()
    assert {row["name"]: row["role"] for row in table.rows} == {
        "name": "identifying",
        "age": "quasi",
        "sex": "quasi",
        "disease": "sensitive",
    }
    assert "the name says health" in table.rows[3]["why"]
    assert table.rows[3]["missing"] == "40"
    user.find(marker="roles").trigger("role", {"name": "sex", "role": "other"})
    await until(lambda: bench.project.quasi == ["age"] and bench.risks and bench.risks.classes == 6)
    assert text_of(user, "about") == "people.csv · 120 rows"
    user.find(marker="roles").trigger("role", {"name": "sex", "role": "nothing"})
    user.find(marker="roles").trigger("role", {"name": "nobody", "role": "quasi"})
    await asyncio.sleep(0.2)
    assert set(bench.project.roles.values()) == {"identifying", "quasi", "other", "sensitive"}
    assert "nobody" not in bench.project.roles


async def test_a_switch_says_that_each_row_is_a_different_person(user: User, bench: Workbench) -> None:
    await opened(user, bench)
    assert not bench.project.rows_are_people
    user.find(marker="rows-are-people").click()
    assert bench.project.rows_are_people


async def test_sliders_say_at_once_how_many_rows_are_at_risk(user: User, bench: Workbench) -> None:
    await opened(user, bench)
    await go(user, "protection")
    await until(lambda: text_of(user, "at-risk-k") == "Holds already in the original table.")
    user.find(marker="number-k-k").elements.pop().set_value(21)
    await until(lambda: text_of(user, "at-risk-k") == "At risk now: 120 rows (100 %)")
    user.find(marker="number-k-k").elements.pop().set_value(300)
    await until(lambda: bench.project.models == {"k": {"k": 300}})
    assert user.find(marker="number-k-k").elements.pop().value == 300
    for wrong in (0, -5, 1):
        user.find(marker="number-k-k").elements.pop().set_value(wrong)
        await user.should_see("2 or more")
        assert bench.project.models == {"k": {"k": 300}}
    user.find(marker="slider-k-k").elements.pop().set_value(20)
    await until(lambda: text_of(user, "at-risk-k") == "Holds already in the original table.")
    assert bench.project.models == {"k": {"k": 20}}
    user.find(marker="model-l").elements.pop().set_value(True)
    await until(lambda: "At risk now: 120 rows" in text_of(user, "at-risk-l"))
    user.find(marker="number-k-k").elements.pop().set_value(None)
    await asyncio.sleep(0.2)
    assert bench.project.models["k"] == {"k": 20}
    user.find(marker="algorithm").elements.pop().set_value("local")
    await user.should_see(marker="weight-age")
    user.find(marker="weight-age").elements.pop().set_value(3)
    assert bench.project.weights == {"age": 3}
    user.find(marker="algorithm").elements.pop().set_value("auto")
    assert bench.project.weights == {}


async def test_a_run_comes_to_a_release_that_can_be_taken(user: User, bench: Workbench) -> None:
    await opened(user, bench)
    bench.project.algorithm = "mondrian"
    await go(user, "run")
    user.find(marker="start").click()
    await user.should_see("Take the best so far")
    await until(lambda: bench.runs and not bench.runs[0].active)
    assert bench.runs[0].state == "done", bench.runs[0].problem
    await user.should_see(marker="explore-1")
    bench.project.models = {"k": {"k": 500}}
    user.find(marker="start").click()
    await until(lambda: len(bench.runs) == 2 and not bench.runs[1].active)
    await user.should_see("No release of this table can satisfy k = 500")
    await go(user, "release")
    await user.should_see("Verified: k = 5")
    for name in ("csv", "parquet", "html", "pdf", "json", "toml", "py", "bundle"):
        await user.should_see(marker=f"download-{name}")
    await go(user, "explore")
    await user.should_see("Distributions")
