"""The lines of Python in a report run and give the same release."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli.app import app
from shoal.io.source import Source
from shoal.models import PrivacyModel

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

ROWS = 60
COLUMNS = {
    "age": [20 + 7 * i % 41 for i in range(ROWS)],
    'odd "name"\n': ["a,b", "c 'd'", "ü–ℓ"] * (ROWS // 3),
    "zip": [str(13000 + 13 * i % 97) for i in range(ROWS)],
    "disease": ["flu", "cold", "mumps", "asthma"] * (ROWS // 4),
    "name": [f"person {i}" for i in range(ROWS)],
}
WITHOUT_NAMES = pa.table(COLUMNS).drop_columns("name")
QUASI = ["age", 'odd "name"\n', "zip"]
TREE = shoal.Hierarchy.from_parents(["*", "ill", "flu", "cold", "mumps", "asthma"], [-1, 0, 1, 1, 0, 0])


def codes(html: str) -> list[str]:
    return [unescape(found) for found in re.findall(r"<pre><code>(.*?)</code></pre>", html, re.DOTALL)]


def again(lines: str, **names: object) -> shoal.Release:
    space = dict(names)
    exec(compile(lines, "report", "exec"), space)
    return space["release"]


def same(one: shoal.Release, other: shoal.Release) -> bool:
    """Say whether two releases are the same, whoever chose the algorithm."""
    tables = (Source.of(release.frame).to_arrow() for release in (one, other))
    reports = (replace(release.report, choice=None) for release in (one, other))
    return next(tables).equals(next(tables)) and next(reports) == next(reports)


CALLS = {
    "plain": {},
    "trees": {"hierarchies": {"zip": "prefix", "age": shoal.Ordered(range(20, 61)), "disease": "flat"}},
    "models": {"model": shoal.KAnonymity(3) & shoal.RecursiveDiversity(4, 2) & shoal.AlphaK(0.9, 2, "disease")},
    "hierarchical": {"model": shoal.Closeness(0.5, "hierarchical", hierarchy=TREE, sensitive="disease")},
    "ordered": {"model": shoal.Closeness(0.6, "ordered", order=["flu", "cold", "mumps", "asthma"])},
    "algorithm": {"algorithm": shoal.Mondrian(relaxed=True, dimension="widest")},
    "by name": {"algorithm": "k-member", "order": "classes", "class_column": "class"},
    "numpy": {"algorithm": "samarati", "max_suppression": np.float64(0.2), "suppressed": "drop"},
    "full domain": {"algorithm": shoal.FullDomain(levels={"age": (1, 1)}, weights={"zip": 2.0})},
    "style": {"style": shoal.Style(numbers="mean", missing="none")},
    "missing": {"missing_values": ["20", "27"], "drop_missing": True},
    "review": {"keep": "name", "accept": ["range-ends", "rare-value"], "identifying": ()},
    "key": {"pseudonymize": "name", "key": "0123456789abcdef0123456789abcdef", "identifying": ()},
}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_of_any_kind(kind):
    data = kind(COLUMNS)
    release = shoal.anonymize(data, quasi_identifiers=QUASI, identifying="name", model=shoal.KAnonymity(3))
    assert same(again(codes(release.to_html())[0], data=data), release)


@pytest.mark.parametrize("options", CALLS.values(), ids=CALLS)
def test_every_argument_is_repeated(options):
    asked = {"sensitive": "disease", "identifying": "name", "model": shoal.KAnonymity(3)} | options
    data = pa.table(COLUMNS)
    release = shoal.anonymize(data, quasi_identifiers=QUASI, **asked)
    given = {"key": options.get("key"), "hierarchies": options.get("hierarchies")}
    lines = codes(release.to_html())[0]
    made = again(lines, data=data, sensitive_hierarchies={"disease": TREE}, **given)
    assert same(made, release)
    assert "0123456789abcdef" not in lines


def test_how_a_file_was_read_is_written_down(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(COLUMNS).to_csv("l.csv", index=False, sep=";", encoding="cp1253", errors="replace")
    data = shoal.read("l.csv", separator=";", encoding="cp1253")
    release = shoal.anonymize(data, quasi_identifiers=QUASI, identifying="name", model=shoal.KAnonymity(3))
    lines = codes(release.to_html())[0]
    assert lines.startswith('import shoal\n\ndata = shoal.read("l.csv", separator=";", encoding="cp1253")\nrelease = ')
    assert same(again(lines), release)


def test_a_file_with_spelled_trees_and_trees_in_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(COLUMNS).to_csv("t.csv", index=False, sep=";", lineterminator="\r\n")
    shoal.Hierarchy.prefix(sorted(set(COLUMNS["zip"]))).save("zip.txt")
    release = shoal.anonymize(
        "t.csv",
        quasi_identifiers=QUASI,
        sensitive="disease",
        identifying="name",
        hierarchies={"age": "cuts:30,40,50/40", "zip": Path("zip.txt"), 'odd "name"\n': "flat"},
        model=shoal.KAnonymity(3) & shoal.DistinctDiversity(2),
        algorithm=shoal.Mondrian(relaxed=True),
        max_suppression=2,
        order="classes",
    )
    lines = release.to_python()
    assert lines.startswith('from pathlib import Path\n\nimport shoal\n\nrelease = shoal.anonymize(\n    "t.csv",\n')
    assert lines.rstrip() == codes(release.to_html())[0]
    release.save("safe.csv")
    again(lines).save("again.csv")
    assert Path("again.csv").read_bytes() == Path("safe.csv").read_bytes()


def test_what_is_not_needed_is_not_written():
    release = shoal.anonymize(
        WITHOUT_NAMES, quasi_identifiers="age", model=shoal.KAnonymity(3), algorithm=shoal.Mondrian()
    )
    assert codes(release.to_html())[0] == (
        "import shoal\n\n# data: the original table\nrelease = shoal.anonymize(\n    data,\n"
        '    quasi_identifiers=["age"],\n    model=shoal.KAnonymity(3),\n    algorithm="mondrian",\n)'
    )


def test_what_auto_has_picked_is_named():
    """A later version may pick another algorithm."""
    release = shoal.anonymize(WITHOUT_NAMES, quasi_identifiers="age", model=shoal.KAnonymity(3))
    lines = codes(release.to_html())[0]
    assert '    algorithm="local",\n' in lines
    assert again(lines, data=WITHOUT_NAMES).report.choice is None


def test_populations_that_two_models_share():
    data, people = pd.DataFrame({"age": [20, 20, 30, 40]}), pd.DataFrame({"age": [20, 30, 40] * 5})
    model = shoal.KMap(3, people) & shoal.DeltaPresence(0, 0.9, people)
    release = shoal.anonymize(data, quasi_identifiers="age", model=model, algorithm="samarati")
    assert same(again(codes(release.to_html())[0], data=data, population=people), release)


def test_a_node_that_was_applied():
    data, trees = shoal.datasets.adult(), shoal.datasets.adult_hierarchies()
    first = shoal.anonymize(
        data,
        quasi_identifiers=["sex", "race"],
        identifying="fnlwgt",
        hierarchies=trees,
        model=shoal.KAnonymity(5),
        algorithm="full-domain",
    )
    release = first.lattice.apply({"sex": 1, "race": 1})
    assert not same(release, first)
    assert same(again(codes(release.to_html())[0], data=data, hierarchies=trees), release)


class Odd(PrivacyModel):
    """A model that shoal does not have."""

    uses_sensitive = False
    monotone = monotone_with_suppression = True

    def satisfied(self, classes):
        return classes.sizes >= 4

    def reach(self, whole):
        return ""

    def __str__(self):
        return "at least four"


def test_a_model_of_ones_own_goes_by_name():
    data, model = WITHOUT_NAMES, Odd()
    release = shoal.anonymize(data, quasi_identifiers="age", model=model)
    page = release.to_html()
    assert "at least four" in page
    assert same(again(codes(page)[0], data=data, model=model), release)


LOCAL = "--algorithm local"
# What is typed, and the words that name the algorithm where auto has picked it.
COMMANDS = [
    ("--quasi age,zip --sensitive disease --identifying name --k 3 --l 2 --hierarchy zip=prefix t.csv", LOCAL),
    (
        "t.csv --quasi age,zip --identifying name --k 5 --hierarchies trees --algorithm full-domain "
        "--max-suppression 10 --levels zip=0-1",
        "",
    ),
    (
        "t.csv --quasi age --sensitive disease --identifying name --require 'hierarchical t<=0.5' "
        "--sensitive-hierarchy disease=ill.txt",
        LOCAL,
    ),
    ("t.csv --quasi age --k 5 --pseudonymize name --key-file key.txt --ranges '[{low}, {high}]' --missing 22", LOCAL),
    ("t.csv --quasi age --keep name --k-map 3 --population everyone.csv --algorithm samarati", ""),
    (
        "t.csv --quasi age --keep name --accept rare-value --k-map 3 --population everyone.csv --algorithm auto",
        "--algorithm mondrian",
    ),
    (
        "t.csv --quasi age --keep name --require 'average risk<=0.2' --hierarchy age=intervals:5,10 --seed 7",
        "--algorithm full-domain --set time_limit=none",
    ),
    ("l.csv --quasi age,zip --keep name --k 4 --encoding latin-1 --separator ; --seed 4", LOCAL),
    (
        "l.csv --quasi age,zip --keep name --k 4 --encoding latin-1 --separator ; --algorithm mondrian "
        "--set relaxed=true",
        "",
    ),
]


@pytest.mark.parametrize(("command", "picked"), COMMANDS, ids=range(len(COMMANDS)))
def test_a_command_line_is_shown_as_it_was_typed_and_repeated(command, picked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = pd.DataFrame({name: column for name, column in COLUMNS.items() if "odd" not in name})
    table.to_csv("t.csv", index=False)
    table.replace("flu", "Fiéber").to_csv("l.csv", index=False, sep=";", encoding="latin-1")
    pd.concat([table] * 3)[["age"]].to_csv("everyone.csv", index=False)
    Path("trees").mkdir()
    shoal.Hierarchy.prefix(sorted(set(COLUMNS["zip"]))).save("trees/zip.csv", format="pairs")
    TREE.save("ill.txt")
    Path("key.txt").write_text("0123456789abcdef0123456789abcdef\n")
    Path("key.txt").chmod(0o600)
    line = f"anonymize {command} -o safe.csv --report safe.html"
    result = CliRunner().invoke(app, shlex.split(line))
    assert result.exit_code == 0, result.output
    page = Path("safe.html").read_text(encoding="utf-8")
    typed, lines = codes(page)
    assert shlex.split(typed) == ["shoal", *shlex.split(line), *shlex.split(picked)]
    released = Path("safe.csv").read_bytes()
    made = again(lines)
    made.save("again.csv")
    assert Path("again.csv").read_bytes() == released
    assert CliRunner().invoke(app, shlex.split(typed)[1:]).exit_code == 0
    assert Path("safe.csv").read_bytes() == released


def test_the_algorithm_that_auto_has_picked_stands_before_what_is_no_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(COLUMNS)[["age", "zip"]].to_csv("t.csv", index=False)
    line = "anonymize --quasi age --k 3 -o safe.csv --report safe.html -- t.csv"
    assert CliRunner().invoke(app, shlex.split(line)).exit_code == 0
    typed = codes(Path("safe.html").read_text(encoding="utf-8"))[0]
    assert typed == f"shoal {line.replace(' -- ', f' {LOCAL} -- ')}"


def test_what_a_configuration_file_says_is_read_from_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(COLUMNS).drop(columns=['odd "name"\n']).to_csv("t.csv", index=False)
    Path("codes.txt").write_text("*\n\till\n\t\tflu\n\t\tcold\n\tmumps\n\tasthma\n")
    zips = sorted(set(COLUMNS["zip"]))
    Path("shoal.toml").write_text(
        f"""
        [data]
        file = "t.csv"
        [roles]
        quasi = ["age", "zip"]
        sensitive = ["disease"]
        identifying = ["name"]
        [hierarchies]
        zip = {{ low = {zips[:20]}, high = {zips[20:]} }}
        [model]
        k = 3
        require = ["hierarchical t<=0.9"]
        sensitive_hierarchies.disease = {{ ill = ["flu", "cold"], rare = ["mumps", "asthma"] }}
        [output]
        file = "safe.csv"
        report = "r.html"
        """
    )
    for line in (
        "anonymize --config shoal.toml",
        "anonymize --config shoal.toml --sensitive-hierarchy disease=codes.txt",
        "anonymize --config shoal.toml --hierarchy zip=prefix",
    ):
        result = CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)
        assert result.exit_code == 0, result.output
        command, lines = codes(Path("r.html").read_text(encoding="utf-8"))
        assert command == f"shoal {line} {LOCAL}"
        assert "mumps" not in lines
        again(lines).save("again.csv")
        assert Path("again.csv").read_bytes() == Path("safe.csv").read_bytes()
