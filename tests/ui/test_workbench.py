"""The workbench without pages: what is opened, chosen, run and taken away."""

from __future__ import annotations

import asyncio
import os
import signal
import zipfile
from pathlib import Path

import pyarrow.ipc
import pytest

import shoal
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench, _stem
from shoal.ui.state.worker import WorkError

PLACES = ["Ulm", "Köln", "Bonn", "Graz"]


@pytest.fixture
async def bench(tmp_path: Path):
    made = Workbench(tmp_path / "private")
    made.folder.mkdir()
    yield made
    await made.close()
    assert not made.folder.exists()


def table(folder: Path, rows: int = 430) -> Path:
    path = folder / "people.csv"
    lines = ["name,age,place,disease"]
    lines += [f"P{row},{18 + row % 20},{PLACES[row // 20 % 4]},{['flu', 'cold', ''][row % 3]}" for row in range(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


async def until(holds, seconds: float = 90) -> None:
    for _ in range(int(seconds * 20)):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come to that")


async def opened(bench: Workbench, folder: Path) -> None:
    path = table(folder)
    await bench.open(str(path), name=path.name)
    bench.project.roles["place"] = "quasi"
    bench.project.algorithm = "mondrian"
    bench.changed()
    await until(lambda: bench.risks is not None and bench.risks.classes == 80)


async def test_the_column_of_people_who_repeat_is_the_unit(bench, tmp_path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("patient_id,age\n" + "".join(f"P{row // 3},{20 + row // 3 % 9}\n" for row in range(90)))
    await bench.open(str(path), name=path.name)
    assert (bench.project.unit, bench.quasi) == ("patient_id", ["age"])


async def test_a_table_is_opened_with_evidence(bench, tmp_path) -> None:
    await opened(bench, tmp_path)
    assert bench.rows == 430
    columns = {column.name: column for column in bench.facts.columns}
    assert columns["name"].distinction == 1
    assert columns["disease"].missing == 143
    assert bench.project.missing == [""]
    assert bench.project.roles == {"name": "identifying", "age": "quasi", "place": "quasi", "disease": "sensitive"}
    assert bench.counts("place") == {"Ulm": 120, "Köln": 110, "Bonn": 100, "Graz": 100}
    assert bench.counts("disease") == {"flu": 144, "cold": 143}
    assert [one.columns for one in await bench.column_sets()] == [("age",), ("place",), ("age", "place")]


async def test_rows_at_risk_follow_the_sliders(bench, tmp_path) -> None:
    await opened(bench, tmp_path)
    bench.project.models = {"k": {"k": 6}}
    bench.changed()
    await until(lambda: bench.risks and bench.risks.at_risk["k"])
    truth = shoal.check(str(tmp_path / "people.csv"), "k>=6", quasi_identifiers=["age", "place"])[0]
    assert bench.risks.at_risk["k"] == bench.risks.together == truth.failing_rows == 250
    bench.project.models = {"k": {"k": 1000}, "ordered t": {"t": 0.2}}
    bench.changed()
    await until(lambda: bench.risks and bench.risks.refused)
    assert bench.risks.at_risk == {"k": 430}
    assert "needs an order" in bench.risks.refused["ordered t"]
    bench.project.roles = dict.fromkeys(bench.columns, "other")
    bench.changed()
    await until(lambda: bench.risks_problem)
    assert "quasi-identifying" in bench.risks_problem


async def test_runs_side_by_side_and_what_may_be_taken_away(bench, tmp_path) -> None:
    await opened(bench, tmp_path)
    first = bench.start()
    bench.project.models = {"k": {"k": 20}, "l": {"l": 2}}
    second = bench.start()
    await until(lambda: not first.active and not second.active)
    assert (first.state, second.state) == ("done", "done"), (first.problem, second.problem)
    assert first.project.models == {"k": {"k": 5}}
    assert first.result.report["k"] >= 5
    assert second.result.report["k"] >= 20
    assert second.result.after["prosecutor"]["highest"] <= 0.05
    assert len(first.rows) == 430
    assert bench.download(1, "csv").read_text(encoding="utf-8").count("\n") == 431
    with zipfile.ZipFile(bench.download(2, "bundle")) as archive:
        assert {"shoal.toml", "release.py", "people-safe.csv", "people-safe.pdf"} <= set(archive.namelist())
        assert "people.csv" not in archive.namelist()
    for name in ("../../people.csv", "release.arrow", "", "people-safe.csv"):
        assert bench.download(1, name) is None
    assert bench.download(3, "csv") is None
    found = await bench.attack(second, ["age", "place"], 0.5)
    assert found["people"] == 215
    assert found["released"]["linked"] == 0


async def test_what_cannot_be_is_said(bench, tmp_path) -> None:
    with pytest.raises(shoal.InputError, match="no table yet"):
        bench.start()
    with pytest.raises(WorkError, match=r"none\.csv"):
        await bench.open(str(tmp_path / "none.csv"))
    assert bench.facts is None
    await opened(bench, tmp_path)
    bench.project.models = {}
    with pytest.raises(shoal.InputError, match="No protection"):
        bench.start()
    bench.project.models = {"k": {"k": 431}}
    run = bench.start()
    await until(lambda: not run.active)
    assert run.state == "failed"
    assert "No release of this table can satisfy" in run.problem
    bench.project.models, bench.project.weights = {"k": {"k": 5}}, {"age": 3.0}
    with pytest.raises(shoal.InputError, match="Weights are for"):
        bench.start()


async def test_people_with_several_rows_stop_a_run_unless_rows_are_people(bench, tmp_path) -> None:
    lines = [f"P{row // 2},{row % 40}" for row in range(400)]
    (tmp_path / "visits.csv").write_text("\n".join(["patient_id,age", *lines]) + "\n", encoding="utf-8")
    await bench.open(str(tmp_path / "visits.csv"), name="visits.csv")
    assert bench.project.unit == "patient_id"
    bench.project.give("patient_id", "identifying")
    bench.project.algorithm = "mondrian"
    run = bench.start()
    await until(lambda: not run.active)
    assert run.state == "failed"
    assert run.problem.startswith("Values of 'patient_id' repeat: 400 rows are of 200 people")
    bench.project.rows_are_people = True
    run = bench.start()
    await until(lambda: not run.active)
    assert run.state == "done"
    assert "rows_are_people = true\n" in (run.folder / "shoal.toml").read_text(encoding="utf-8")


async def started(bench: Workbench, folder: Path, *, seconds: float) -> Run:
    """Start a run that takes this long."""
    lines = [f"{row * 7919 % 97},{row * 104729 % 1009}" for row in range(5000)]
    (folder / "people.csv").write_text("\n".join(["age,zip", *lines]) + "\n", encoding="utf-8")
    await bench.open(str(folder / "people.csv"), name="people.csv")
    bench.project.hierarchies = {}
    bench.project.algorithm, bench.project.effort, bench.project.seconds = "local", "best", seconds
    return bench.start()


async def test_a_column_says_whose_row_it_is_and_people_are_counted(bench, tmp_path) -> None:
    lines = [f"p{row // 3},{20 + row // 3 % 5},{row % 3},{'abc'[row % 3]}" for row in range(90)]
    (tmp_path / "visits.csv").write_text("\n".join(["patient_id,age,month,ward", *lines, ""]), encoding="utf-8")
    await bench.open(str(tmp_path / "visits.csv"), name="visits.csv")
    bench.project.roles = dict.fromkeys(bench.columns, "quasi")
    bench.project.hierarchies = {}
    bench.project.give("ward", "unit")
    bench.project.give("patient_id", "unit")
    assert (bench.project.unit, bench.project.roles["ward"]) == ("patient_id", "identifying")
    bench.project.roles["ward"] = "sensitive"
    bench.project.algorithm = "mondrian"
    run = bench.start()
    await until(lambda: not run.active)
    assert (run.state, run.problem) == ("done", "")
    assert run.result.report["people"]["people"] == 30
    assert run.result.report["k"] >= 5
    assert run.result.after["k"] >= 5
    assert run.result.before["k"] <= 6
    assert 'unit = "patient_id"' in run.result.config
    assert 'unit="patient_id"' in run.result.script
    with pyarrow.ipc.open_file(run.folder / "release.arrow") as file:
        labels = file.read_all()["after age"].to_pylist()
    for row, label in enumerate(labels):  # the release is shuffled; here each label stands beside its own row
        ends = [int(end) for end in str(label).split("-")]
        assert ends[0] <= 20 + row // 3 % 5 <= ends[-1]


async def test_a_crashed_run_is_reported_and_the_next_one_works(bench, tmp_path) -> None:
    run = await started(bench, tmp_path, seconds=60)
    await until(lambda: run.share > 0 or run.stage == "reading")
    os.kill(run._worker._process.pid, signal.SIGKILL)
    await until(lambda: not run.active)
    assert run.state == "failed"
    assert "killed from outside" in run.problem
    bench.project.algorithm = "mondrian"
    again = bench.start()
    await until(lambda: not again.active)
    assert again.state == "done", again.problem


async def test_a_cancelled_run_leaves_no_process(bench, tmp_path) -> None:
    run = await started(bench, tmp_path, seconds=60)
    await until(lambda: run.state == "running" and run._worker._process is not None)
    run.cancel()
    await until(lambda: not run._worker._process.is_alive())
    assert run.state == "cancelled"
    assert bench.download(run.number, "csv") is None


async def test_a_node_of_the_lattice_becomes_a_run(bench, tmp_path) -> None:
    await opened(bench, tmp_path)
    bench.project.algorithm = "full-domain"
    bench.project.hierarchies = {"age": "intervals:10,20", "place": "flat"}
    run = bench.start()
    await until(lambda: not run.active)
    nodes = run.result.nodes
    assert len(nodes) == 4 * 2
    other = next(one for one in nodes if one["satisfied"] and not one["chosen"])
    levels = {name: other[f"level {name}"] for name in ("age", "place")}
    applied = bench.start(levels=levels)
    await until(lambda: not applied.active)
    assert applied.result.levels == levels
    assert applied.result.report["metrics"]["loss"] == pytest.approx(other["loss"])


async def test_a_time_budget_ends_with_the_best_so_far_which_can_be_made_again(bench, tmp_path, monkeypatch) -> None:
    run = await started(bench, tmp_path, seconds=1)
    await until(lambda: not run.active, 120)
    assert run.state == "done", run.problem
    assert "rounds=" in run.result.script
    assert "rounds = " in run.result.config
    safe = bench.download(1, "csv")
    before = safe.read_bytes()
    monkeypatch.chdir(run.folder)
    safe.unlink()
    import runpy

    runpy.run_path("release.py")
    assert safe.read_bytes() == before


@pytest.mark.parametrize(
    ("data", "stem"),
    [("/a/b/Über uns.csv", "Über-uns"), ("sqlite:///x.db#t", "t"), ("...", "table"), ("a.tar.parquet", "a-tar")],
)
def test_names_of_what_is_made(data: str, stem: str) -> None:
    assert _stem(data) == stem


async def test_another_table_takes_the_place_of_the_first(bench, tmp_path) -> None:
    await opened(bench, tmp_path)
    first = bench.start()
    await until(lambda: not first.active)
    assert first.state == "done"
    folder = first.folder
    await opened(bench, tmp_path)
    assert bench.runs == []
    assert not folder.exists()
    again = bench.start()
    await until(lambda: not again.active)
    assert (again.number, again.state) == (1, "done"), again.problem


async def test_a_file_that_changed_is_opened_again_first(bench, tmp_path) -> None:
    path = table(tmp_path)
    await bench.open(str(path))
    bench.project.algorithm = "mondrian"
    run = bench.start()  # a worker reads the table later
    path.write_text(path.read_text(encoding="utf-8") + "P,99,Ulm,flu\n", encoding="utf-8")
    await until(lambda: not run.active)
    assert run.state == "failed"
    with pytest.raises(shoal.InputError, match="has changed since it was opened"):
        bench.start()
    path.unlink()
    with pytest.raises(shoal.InputError, match="has changed since it was opened"):
        bench.start()


async def test_a_table_opened_again_is_read_again(bench, tmp_path) -> None:
    path = table(tmp_path)
    await bench.open(str(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(f"{line},{'ssn' if number == 0 else number}" for number, line in enumerate(lines[:300])))
    await bench.open(str(path))
    assert (bench.rows, bench.columns[-1]) == (299, "ssn")
    assert len(bench.table) == 299


async def test_columns_that_nobody_saw_are_not_released(bench, tmp_path) -> None:
    await opened(bench, tmp_path)
    del bench.project.roles["name"]
    run = bench.start()
    await until(lambda: not run.active)
    assert run.state == "failed"
    assert "The columns have changed" in run.problem


async def test_an_upload_that_cannot_be_read_changes_nothing(bench, tmp_path) -> None:
    await opened(bench, tmp_path)
    broken = bench.place_for("people.csv")
    broken.write_text("a,a\n1,2\n", encoding="utf-8")
    with pytest.raises(WorkError) as refused:
        await bench.open(str(broken), name="people.csv")
    assert str(refused.value).startswith("people.csv: ")
    assert str(bench.folder) not in str(refused.value)
    assert bench.rows == 430
    assert not broken.exists()
    run = bench.start()
    await until(lambda: not run.active)
    assert run.state == "done"


async def test_an_uploaded_hierarchy_is_read_once_and_named_without_its_folder(bench) -> None:
    place = bench.place_for("towns.txt")
    place.write_text("*\n\tUlm\n\tBonn\n", encoding="utf-8")
    assert (await bench.read_hierarchy(place)).leaves == ("Ulm", "Bonn")
    broken = bench.place_for("towns.txt")
    broken.write_text("*\n\t\tUlm\n", encoding="utf-8")
    with pytest.raises(WorkError, match=r"^towns\.txt, line 2"):
        await bench.read_hierarchy(broken)
    assert uploads(bench) == []


async def test_two_tables_opened_at_once_come_one_after_the_other(bench, tmp_path) -> None:
    (tmp_path / "small.csv").write_text("age\n1\n2\n", encoding="utf-8")
    await asyncio.gather(bench.open(str(table(tmp_path, 20_000))), bench.open(str(tmp_path / "small.csv")))
    assert (bench.rows, len(bench.table), bench.columns) == (2, 2, ["age"])


def uploads(bench: Workbench) -> list[str]:
    return sorted(path.name for path in (bench.folder / "uploads").rglob("*") if path.is_file())


async def test_an_upload_goes_when_another_table_takes_its_place_or_nobody_waits_for_it(bench, tmp_path) -> None:
    content = table(tmp_path).read_text(encoding="utf-8")

    def upload(name: str) -> str:
        place = bench.place_for(name)
        place.write_text(content, encoding="utf-8")
        return str(place)

    first, second = upload("one.csv"), upload("two.csv")
    await asyncio.gather(bench.open(first, name="one.csv"), bench.open(second, name="two.csv"))
    assert (bench.path, uploads(bench)) == (second, ["two.csv"])
    task = asyncio.create_task(bench.open(upload("three.csv"), name="three.csv"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (bench.path, uploads(bench)) == (second, ["two.csv"])
    await bench.open(str(tmp_path / "people.csv"))
    assert uploads(bench) == []


async def test_a_search_stopped_at_once_still_gives_a_release(bench, tmp_path) -> None:
    await opened(bench, tmp_path)
    bench.project.algorithm, bench.project.seconds = "full-domain", 0.001
    bench.project.hierarchies = {"age": "intervals:2,4,8", "place": "flat"}
    run = bench.start()
    await until(lambda: not run.active)
    assert run.state == "done", run.problem
    assert run.result.after["k"] >= 5


async def test_an_attack_is_on_the_release_whatever_the_table_is_called(bench, tmp_path) -> None:
    import pyarrow.csv
    import pyarrow.parquet

    source = pyarrow.csv.read_csv(table(tmp_path))
    path = bench.place_for("b-safe.parquet")
    pyarrow.parquet.write_table(source, path)
    await bench.open(str(path), name=path.name)
    bench.project.roles["place"], bench.project.algorithm = "quasi", "mondrian"
    bench.project.models = {"k": {"k": 50}}
    run = bench.start()
    await until(lambda: not run.active)
    found = await bench.attack(run, ["age", "place"], 1.0)
    assert found["released"]["smallest"] >= 50
    assert found["original"]["smallest"] == 5


async def test_numbers_that_are_nearly_all_different_do_not_hold_the_page_up(bench, tmp_path) -> None:
    lines = [f"{row % 90},{row * 7919 % 100_003},{row}" for row in range(40_000)]
    (tmp_path / "pay.csv").write_text("\n".join(["age,zip,income", *lines]) + "\n", encoding="utf-8")
    await bench.open(str(tmp_path / "pay.csv"))
    bench.project.roles = {"age": "quasi", "zip": "quasi", "income": "sensitive"}
    bench.changed()
    await until(lambda: bench.risks is not None and bench.risks.classes > 1000, 20)
    bench.project.models = {"k": {"k": 5}, "t": {"t": 0.2}}
    bench.changed()
    await until(lambda: bench.risks_problem, 20)
    assert "too many different values" in bench.risks_problem
