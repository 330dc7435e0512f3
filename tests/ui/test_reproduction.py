"""The script and the configuration of a run give its release, byte for byte."""

import os
import runpy
import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from a_teller import Quiet
from typer.testing import CliRunner

import shoal
from depth import every
from shoal.cli.app import app
from shoal.io import files
from shoal.ui.state import release_files
from shoal.ui.state.project import Project
from shoal.ui.state.release_files import make_release
from shoal.ui.state.reproduction import config_text, save_trees
from shoal.ui.state.toml import toml

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

ROLES = {"id": "identifying", "Alter, heute": "quasi", "plz=code": "quasi", "größe": "quasi", "Befund": "sensitive"}


def table(rows: int = 240) -> str:
    lines = ['id;"Alter, heute";plz=code;größe;Befund']
    for row in range(rows):
        plz = 13000 + row * 37 % 90
        size = "" if row % 31 == 0 else ["klein", "mittel", "groß"][row % 3]
        lines.append(f"{row};{20 + row * 7 % 50};{plz};{size};{['Grippe', 'Husten', 'Krebs', '?'][row * 5 % 4]}")
    return "\n".join(lines) + "\n"


TREE = shoal.Hierarchy.from_nested({"nicht groß": ["klein", "mittel"], "groß!": ["groß"]})
GUIDES = {"Alter, heute": "intervals:5,10,20", "plz=code": "prefix", "größe": TREE}
PROJECTS = {
    "auto": {},
    "best in few": {"algorithm": "local", "effort": "fast", "weights": {"größe": 3.0}, "seed": 7},
    "levels": {"algorithm": "full-domain", "max_suppression": 0.05, "suppressed": "drop"},
    "chosen levels": {"algorithm": "full-domain", "levels": {"Alter, heute": 3, "plz=code": 4, "größe": 2}},
    "mondrian, t": {"algorithm": "mondrian", "models": {"k": {"k": 3}, "t": {"t": 0.5}, "entropy l": {"l": 1.2}}},
    "clusters": {
        "algorithm": "k-member",
        "models": {"k": {"k": 4}, "recursive": {"c": 4, "l": 2}, "risk": {"risk": 0.25}},
    },
    "suppressed as usual": {"algorithm": "samarati", "max_suppression": 0.05},
    "without any missing": {"missing": ["", "?"], "drop_missing": "all"},
    "without missing": {"missing": ["", "?"], "drop_missing": True, "models": {"l": {"l": 2}, "alpha": {"alpha": 0.6}}},
    "ordered": {
        "roles": ROLES | {"Alter, heute": "sensitive", "Befund": "other"},
        "models": {"k": {"k": 3}, "ordered t": {"t": 0.6}, "enhanced beta": {"beta": 40}},
    },
    "rows are people": {"algorithm": "mondrian", "rows_are_people": True},
    "without trees": {"hierarchies": {}, "algorithm": "mondrian"},
}


@pytest.mark.parametrize("name", every(3, PROJECTS))
def test_script_and_configuration_give_the_same_bytes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(
        **{
            "data": "Übung.csv",
            "missing": [""],
            "encoding": "latin-1",
            "separator": ";",
            "roles": dict(ROLES),
            "hierarchies": GUIDES,
        }
        | {"models": {"k": {"k": 3}}}
        | PROJECTS[name]
    )
    folders = [tmp_path / "run", tmp_path / "script", tmp_path / "command"]
    for folder in folders:
        folder.mkdir()
        (folder / "Übung.csv").write_text(table(), encoding="latin-1")
    monkeypatch.chdir(folders[0])
    result = make_release(project, folders[0], "übung", progress=Quiet())
    made = {kind: (folders[0] / result.files[kind]).read_bytes() for kind in ("csv", "parquet")}
    assert len(made["csv"].splitlines()) > 100
    for folder in folders[1:]:
        for file in ("shoal.toml", "release.py"):
            shutil.copy(folders[0] / file, folder)
        if (folders[0] / "hierarchies").exists():
            shutil.copytree(folders[0] / "hierarchies", folder / "hierarchies")

    os.chdir(folders[1])
    runpy.run_path("release.py")
    assert {kind: (folders[1] / result.files[kind]).read_bytes() for kind in made} == made

    os.chdir(folders[2])
    ran = CliRunner().invoke(app, result.command.split()[1:])
    assert ran.exit_code == 0, ran.output
    assert (folders[2] / result.files["csv"]).read_bytes() == made["csv"]


@pytest.mark.parametrize("names", [["id", "Alter, heute", "plz=code", "größe", "Befund"], False], ids=str)
def test_a_file_without_a_line_of_names_is_made_again(
    names: list[str] | bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roles = ROLES if isinstance(names, list) else {f"column{n}": role for n, role in enumerate(ROLES.values(), 1)}
    project = Project("a.data", separator=";", names=names, roles=dict(roles), algorithm="mondrian")
    rows = table().split("\n", 1)[1].replace(";", "; ").replace("\n", ".\n")
    for folder in ("run", "script", "command"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.data").write_text(f"| a comment\n{rows}", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "run")
    result = make_release(project, tmp_path / "run", "a", progress=Quiet())
    made = (tmp_path / "run" / result.files["csv"]).read_bytes()
    assert made.splitlines()[0].decode() == ";".join(name for name, role in roles.items() if role != "identifying")
    assert len(made.splitlines()) == 241
    for folder in ("script", "command"):
        for file in ("shoal.toml", "release.py"):
            shutil.copy(tmp_path / "run" / file, tmp_path / folder)
    os.chdir(tmp_path / "script")
    runpy.run_path("release.py")
    assert (tmp_path / "script" / result.files["csv"]).read_bytes() == made
    os.chdir(tmp_path / "command")
    ran = CliRunner().invoke(app, result.command.split()[1:])
    assert ran.exit_code == 0, ran.output
    assert (tmp_path / "command" / result.files["csv"]).read_bytes() == made


def test_stopped_search_becomes_its_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text(table(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    project = Project(
        "a.csv", separator=";", missing=[""], roles=dict(ROLES), hierarchies=GUIDES, algorithm="full-domain"
    )
    source = shoal.read("a.csv", separator=";")
    given = project.arguments(save_trees(project, tmp_path))
    release = shoal.anonymize(source, **given)
    stopped = {"stopped": "interrupted"}
    from dataclasses import replace

    release = replace(release, report=replace(release.report, search=release.report.search | stopped))
    again = release_files._repeatable(release, source, given)
    assert again.request.algorithm.levels == release.lattice.node
    assert again.frame.equals(release.frame)
    assert "levels" in config_text(project, {}, again.request.algorithm, "a-safe.csv")


def test_trees_of_columns_that_look_alike_have_files_of_their_own(tmp_path: Path) -> None:
    names = ["a b", "a/b", "..", "äß"]
    project = Project(roles=dict.fromkeys(names, "quasi"), hierarchies=dict.fromkeys(names, TREE))
    found = save_trees(project, tmp_path)
    assert len(set(found.values())) == 4
    for path in found.values():
        assert (tmp_path / path).resolve().parent == (tmp_path / "hierarchies").resolve()
        assert shoal.Hierarchy.from_file(tmp_path / path) == TREE


@pytest.mark.parametrize("value", ['a"b\\c\x7f\n', True, 0.05, ["ä", "b"], {"a b": 1, "c": "x"}])
def test_toml_reads_what_is_written(value: object) -> None:
    import tomllib

    assert tomllib.loads(f"x = {toml(value)}") == {"x": value}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda table: table.slice(1),
        lambda table: table.append_column("id", pa.array(map(str, range(len(table))))),
        lambda table: table.set_column(3, "Befund", table["Befund"].take(pa.array(range(len(table))[::-1]))),
        lambda table: table.take(pa.array([1, 0, *range(2, len(table))])),
    ],
    ids=["a row is lost", "a column is there", "cells are permuted", "rows are swapped"],
)
def test_a_wrong_file_is_not_handed_out(wrong, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text(table(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    project = Project("a.csv", separator=";", missing=[""], roles=dict(ROLES), hierarchies=GUIDES, algorithm="mondrian")
    honest = files.write
    monkeypatch.setattr(files, "write", lambda content, *rest: honest(wrong(content), *rest))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(shoal.VerificationError, match="Nothing was released"):
        make_release(project, tmp_path, "a", progress=Quiet())
    assert [path for path in sorted(tmp_path.iterdir()) if "-safe" in path.name] == []
    assert before == [tmp_path / "a.csv"]
