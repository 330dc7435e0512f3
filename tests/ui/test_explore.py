"""Explore: rows side by side, the texts about risks, attacks and nodes, and the page itself."""

from __future__ import annotations

import asyncio
import colorsys
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest
from a_teller import Quiet
from nicegui import ui
from nicegui.testing import User

import shoal
from shoal.ui.pages.explore import explore_page
from shoal.ui.pages.explore_attack import attack_figures, attack_words
from shoal.ui.pages.explore_classes import class_figures
from shoal.ui.pages.explore_lattice import changed_since, level_words, refusal_of
from shoal.ui.pages.explore_risks import risk_lines
from shoal.ui.state import jobs
from shoal.ui.state.project import Project
from shoal.ui.state.release_files import make_release
from shoal.ui.state.rows import Rows, View
from shoal.ui.state.runs import Run
from shoal.ui.state.side_by_side import class_colours, class_name, side_by_side
from shoal.ui.state.workbench import Workbench

ODD = "<b>:class"
ROLES = {ODD: "quasi", "class": "quasi", "illness": "sensitive", "name": "identifying", "note": "other"}
TABLE = pa.table(
    {
        "name": [f"person {number}" for number in range(40)],
        ODD: [str(20 + number) for number in range(40)],
        "class": ["f", "m"] * 20,
        "illness": ["flu", "cough", "fever", "flu"] * 10,
        "note": [None if number == 3 else f"n{number % 5}" for number in range(40)],
    }
)


def project_of(**choices: Any) -> Project:
    """Return the choices for the table."""
    given = {"data": "table.csv", "roles": dict(ROLES), "models": {"k": {"k": 4}}, "algorithm": "full-domain"}
    return Project(**given | {"hierarchies": {ODD: "intervals:5,10,20", "class": "flat"}} | choices)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """A workbench with a table and two runs, made in this process."""
    monkeypatch.chdir(tmp_path)
    made = Workbench(tmp_path)
    made.path = str(tmp_path / "table.csv")
    pyarrow.csv.write_csv(TABLE, made.path)
    made.facts = jobs.open_table(Project(), made.path, None, tmp_path / "table.arrow", progress=Quiet())
    made.table = Rows.in_file(tmp_path / "table.arrow")
    made.project = project_of()
    for number, project in enumerate([project_of(algorithm="mondrian"), project_of(max_suppression=0.1)], start=1):
        folder = tmp_path / "runs" / str(number)
        folder.mkdir(parents=True)
        pyarrow.csv.write_csv(TABLE, folder / "table.csv")
        run = Run(number, project, folder, "table", lambda: None, state="done")
        run.result = make_release(project, folder, "table", progress=Quiet())
        made.runs.append(run)
    made.shown = 2
    return made


def released_of(classes: list[int], **columns: list[str | None]) -> pa.Table:
    """Return the release of a run as a table."""
    return pa.table({"class": pa.array(classes, pa.int32())} | {f"after {name}": v for name, v in columns.items()})


def test_rows_side_by_side() -> None:
    """Each row is beside its class and its released labels, which are null if it is left out."""
    original = pa.table({"id": ["p", "q", "r"], "class": ["1", "2", "3"], "ill": ["x", "y", "z"]})
    roles = {"id": "identifying", "class": "quasi", "ill": "sensitive"}
    both = side_by_side(original, released_of([5, 0, -1], **{"class": ["1-2", "*", None]}), roles)
    assert both.before == {"row": "row", "b0": "class", "b1": "ill", "b2": "id"}
    assert both.after == {"class": "class", "a0": "class", "a1": "ill"}
    _, rows = both.rows.page(View(), start=0, count=9)
    assert [(row["class"], row["b0"], row["a0"], row["b1"], row["a1"], row["b2"]) for row in rows] == [
        ("5", "1", "1-2", "x", "x", "p"),
        ("0", "2", "*", "y", "y", "q"),
        ("-1", "3", None, "z", None, "r"),
    ]


def test_rows_of_a_run(bench: Workbench) -> None:
    """A column named class does not conflict with the class numbers."""
    both = side_by_side(bench.table.table, bench.runs[0].rows.table, ROLES)  # type: ignore[union-attr]
    labels = {key for key, name in both.after.items() if name == "class"}
    assert labels == {"class", "a1"}
    total, rows = both.rows.page(View("class"), start=0, count=100)
    assert total == len(TABLE)
    shown: dict[str, set[tuple[str, str]]] = {}
    for row in rows:
        shown.setdefault(row["class"], set()).add((row["a0"], row["a1"]))
    assert len(shown) == bench.runs[0].result.after["classes"]  # type: ignore[union-attr]
    assert all(len(labels) == 1 for labels in shown.values())


@pytest.mark.parametrize("number", [-1, 0, 1, 2, 7, 19, 133, 260, 1_000_003])
def test_colours_are_readable(number: int) -> None:
    """White text on the colour of a class has a contrast of 4.5 or more."""
    hue, saturation, lightness = map(int, re.findall(r"\d+", class_colours(number)["colour"]))
    parts = colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert 1.05 / (luminance + 0.05) >= 4.5


def test_names_of_classes() -> None:
    """Suppressed and dropped rows are named; neighbouring classes look different."""
    assert [class_name(number) for number in (-1, 0, 7)] == ["left out", "suppressed", "class 7"]
    assert class_colours(7) != class_colours(8)


def test_risk_lines(bench: Workbench) -> None:
    """The measures are those of the assessments, and each has a meaning."""
    result = bench.runs[0].result
    assert result is not None
    lines = {line.name: line for line in risk_lines(result.before, result.after)}
    assert lines["k"].before == "1"
    assert int(lines["k"].after) >= 4
    assert lines["prosecutor: highest risk"].before == "100 %"
    assert lines["illness: different values (distinct ℓ)"].before == "1"
    assert all(line.meaning.endswith(".") for line in lines.values())


def test_class_figures() -> None:
    """The largest class is computed from the sizes."""
    found = {"classes": 3, "k": 1, "average_class_size": 1300.25, "class_sizes": {1: 2, 3899: 1}}
    figures = class_figures(found | {"unique_rows": 2, "suppressed_rows": 0})
    assert figures == {
        "classes": "3",
        "smallest": "1",
        "average": "1,300.2",
        "largest": "3,899",
        "unique rows": "2",
        "suppressed": "0",
    }


def findings(linked: int, certain: int) -> dict[str, Any]:
    """Return findings of an attacker."""
    learned = {"ill": {"certain": certain, "average_confidence": 0.5}}
    return {"linked": linked, "smallest": 1, "average": 2.5, "learned": learned}


def test_attack_in_words() -> None:
    """The result of an attack is described in sentences, with advice if people are still found."""
    found = {"people": 3256, "original": findings(1210, 1300), "released": findings(0, 4), "unread": {}}
    assert attack_words(found) == [
        "Of 3,256 people, 1,210 were found in the original, 0 in the release.",
        "The ill of 1,300 people is certain from the original, and of 4 from the release.",
    ]
    assert attack_figures(found)[0][:3] == ("people found", "1,210 (37.2 %)", "0 (0 %)")
    again = attack_words(found | {"released": findings(2, 4), "unread": {"age": ("x",)}})
    assert "released unchanged" in again[2]
    assert "'x'" in again[3]


def test_why_a_node_cannot_be_taken() -> None:
    """A node over the limit says what to do, and can be used once the limit is raised."""
    then = project_of(max_suppression=0.02)
    node = {"suppressed": 481, "classes": 3, "satisfied": False}
    assert refusal_of(node | {"satisfied": True}, then, then, 10_000) == ""
    told = refusal_of(node, then, then, 10_000)
    assert "481 rows, 4.8 %" in told
    assert "to 4.9 %" in told
    assert refusal_of(node, then, project_of(max_suppression=0.05), 10_000) == ""
    assert "a higher node" in refusal_of(node | {"classes": 0}, then, then, 10_000)


def test_what_has_changed_since() -> None:
    """A new limit does not change the figures of a node; another model does."""
    assert not changed_since(project_of(), project_of(max_suppression=0.5))
    assert changed_since(project_of(), project_of(models={"k": {"k": 5}}))
    tree = shoal.Hierarchy.flat(["f", "m"])
    assert not changed_since(project_of(hierarchies={"sex": tree}), project_of(hierarchies={"sex": tree}))


def test_level_words() -> None:
    """The ends of a hierarchy are named."""
    assert [level_words(level, 3) for level in (0, 1, 3)] == ["0: unchanged", "1 of 3", "3: fully hidden"]


def at_home(bench: Workbench) -> list[Callable[[], None]]:
    """Serve the page; return the functions to call after changes."""
    updates: list[Callable[[], None]] = []

    @ui.page("/")
    def home() -> None:
        update = explore_page(bench)
        if update is not None:
            updates.append(update)

    return updates


async def test_nothing_yet(user: User, tmp_path: Path) -> None:
    """Without a run, the page says where to make one."""
    at_home(Workbench(tmp_path))
    await user.open("/")
    await user.should_see("make one on the Run page")


async def test_the_parts(user: User, bench: Workbench) -> None:
    """Every part of the page shows something of the run, and rows can be narrowed to a class."""
    at_home(bench)
    await user.open("/")
    await user.should_see("After: the release")
    await user.should_see("40 rows")
    user.find(marker="rows-filter").type("39")
    await user.should_see("1 of 40 rows")
    for part, text in {
        "distributions": "Before: 40 rows",
        "risk": "prosecutor: highest risk",
        "classes": "largest",
        "lattice": "The chosen node",
    }.items():
        user.find(marker=f"part-{part}").click()
        await user.should_see(text)


async def test_another_run(user: User, bench: Workbench) -> None:
    """Only full-domain runs have a lattice; another run can be chosen, and one that ends meanwhile is shown."""
    late = bench.runs.pop()
    bench.shown = 1
    updates = at_home(bench)
    await user.open("/")
    await user.should_see("Run 1: k ≥ 4, mondrian")
    await user.should_not_see(marker="part-lattice")
    bench.runs.append(late)
    bench.shown = 2
    updates[0]()
    await user.should_see(marker="part-lattice")
    for select in user.find(marker="shown-run").elements:
        select.set_value(1)  # type: ignore[attr-defined]
    await user.should_not_see(marker="part-lattice")
    assert bench.shown == 1


async def test_an_attack(user: User, bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack answers in sentences, and a refusal appears beside the button."""

    async def attack(run: Run, known: list[str], sample: float) -> dict[str, object]:
        release = run.folder / run.result.files["parquet"]
        return await asyncio.to_thread(jobs.attack, run.project, bench.path, release, known, sample, progress=Quiet())

    monkeypatch.setattr(bench, "attack", attack)
    at_home(bench)
    await user.open("/")
    user.find(marker="part-attack").click()
    await user.should_see("what the attacker knows")
    user.find(marker="attack").click()
    await user.should_see("Of 4 people")
    for select in user.find(marker="known").elements:
        select.set_value([])  # type: ignore[attr-defined]
    user.find(marker="attack").click()
    await user.should_see("No known column is named")


async def test_a_node_is_made(user: User, bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that is chosen is made with its levels, on the Run page."""
    asked: list[dict[str, int]] = []
    monkeypatch.setattr(bench, "start", lambda *, levels: asked.append(levels))
    at_home(bench)
    await user.open("/")
    user.find(marker="part-lattice").click()
    await user.should_see("Make this release")
    user.find(marker="make-node").click()
    assert asked == [bench.runs[1].result.levels]  # type: ignore[union-attr]
    assert bench.step == "run"
