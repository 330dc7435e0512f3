"""Tables without a line of names on the command line, some of their rows, and rows that miss a value."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

import shoal
from shoal.cli.app import app

RAW = """\
|cross validation
30, f, 13053, flu.
31, m, 13068, flu.
32, m, ?, cold.
47, m, 14850, cold.
48, f, 14853, ?.
49, f, 14850, mumps.

"""
NAMES = "--names age,sex,zip,disease"
ROLES = "--quasi age,sex --sensitive disease --keep zip --accept range-ends,rare-value"
NOTE = (
    "note: raw.data: the table has no line of names; 1 line of comment at the top, the space after each separator and "
    "the full stop at the end of each row are not part of its values.\n"
)


@pytest.fixture
def raw(folder):
    """A folder with the same table in the form of the repository and as an ordinary CSV."""
    (folder / "raw.data").write_text(RAW)
    rows = RAW.replace(", ", ",").replace(".\n", "\n").split("\n")[1:7]
    (folder / "plain.csv").write_text("\n".join(["age,sex,zip,disease", *rows, ""]))
    return folder


def outcome(run, line):
    result = run(line)
    assert result.exit_code == 0, result.stderr
    return result


@pytest.mark.parametrize("memory", ["", "--memory 2GB"])
def test_a_release_is_that_of_the_same_table_with_names(raw, run, memory):
    line = f"{ROLES} --missing ? --k 2 --algorithm mondrian {memory}"
    made = outcome(run, f"anonymize raw.data {NAMES} {line} -o raw_safe.csv --report raw.json --report raw.html")
    outcome(run, f"anonymize plain.csv {line} -o plain_safe.csv")
    assert (raw / "raw_safe.csv").read_bytes() == (raw / "plain_safe.csv").read_bytes()
    said = " ".join(made.stdout.split())
    assert "read The table has no line of names; 1 line of comment at the top, the space" in said
    stated = "the full stop at the end of each row are not part of its values."
    assert json.loads((raw / "raw.json").read_text())["input"]["read"][0].endswith(stated)
    assert stated in (raw / "raw.html").read_text()


def test_the_script_in_the_report_makes_the_release_again(raw, run):
    line = f"anonymize raw.data {NAMES} --sample 5 --seed 2 {ROLES} --k 2 --algorithm mondrian --json"
    release = json.loads(outcome(run, line).stdout)
    source = shoal.read("raw.data", names=["age", "sex", "zip", "disease"], sample=5, seed=2)
    made = shoal.anonymize(
        source,
        quasi_identifiers=["age", "sex"],
        sensitive="disease",
        keep="zip",
        accept=["range-ends", "rare-value"],
        model=shoal.KAnonymity(2),
        algorithm=shoal.Mondrian(seed=2),
    )
    assert release["rows"] == 5
    assert made.report.to_dict() == release
    script = made.to_python()
    assert 'shoal.read("raw.data", names=["age", "sex", "zip", "disease"], sample=5, seed=2)' in script
    names: dict = {}
    exec(script, names)
    assert names["release"].frame.equals(made.frame)


@pytest.mark.parametrize(
    ("command", "noted"),
    [
        ("assess {raw} --quasi age,sex --sensitive disease --json", True),
        ("compare {raw} --quasi age,sex --algorithms mondrian --k 2 --repeat 1 --measures loss --json -o out", True),
        ("hierarchy build intervals:5,10 --data {raw} --column age -o age.txt", True),
        ("hierarchy check made.txt --data {raw} --column age", True),
        ("metrics {raw} made.csv --quasi age,sex --json", False),
        ("review made.csv --original {raw} --quasi age,sex --sensitive disease --keep zip --json", False),
        ("attack made.csv --original {raw} --sample 1 --columns age,sex --sensitive disease --json", False),
        ("attack made.csv --known {raw} --columns age,sex --json", False),
        ("intersect made.csv made.csv --quasi age,sex --sensitive disease --people {raw} --json", True),
        ("apply made.json {raw} --keep zip --max-suppression 1 -o next.csv", True),
        ("init {raw} --force --json", True),
    ],
)
def test_every_command_that_reads_a_table(raw, run, command, noted):
    made = f"anonymize plain.csv {ROLES} --k 2 --algorithm mondrian -o made.csv --report made.json"
    outcome(run, made)
    outcome(run, "hierarchy build intervals:5,10 --data plain.csv --column age -o made.txt")
    expected = run(command.format(raw="plain.csv"))
    found = run(command.format(raw=f"raw.data {NAMES}"))
    assert found.exit_code == expected.exit_code
    assert (NOTE in found.stderr) == noted
    if "--json" in command and not command.startswith("compare"):
        assert json.loads(found.stdout) == json.loads(expected.stdout)
    if command.startswith("compare"):
        tables = [json.loads(one.stdout)["cells"] for one in (found, expected)]
        assert tables[0] == tables[1]
    refused = run(command.format(raw="raw.data"))
    assert refused.exit_code == 2
    assert "--no-header" in refused.stderr
    unnamed = run(command.replace("age,sex", "column1").format(raw="raw.data --no-header"))
    assert "no column" in unnamed.stderr or unnamed.exit_code in (0, 1, 3)


def test_names_and_a_header_contradict_each_other(raw, run):
    result = run(f"assess raw.data {NAMES} --header --quasi age")
    assert result.exit_code == 2
    assert "--names and --header contradict each other" in result.stderr


def test_without_names_columns_are_numbered(raw, run):
    result = outcome(run, "assess raw.data --no-header --quasi column2 --json")
    assert json.loads(result.stdout)["k"] == 3


@pytest.mark.parametrize("command", ["init", "anonymize --quasi age --k 2", "assess --quasi age"])
def test_a_header_that_looks_like_data_is_refused(raw, run, command):
    (raw / "t.csv").write_text("30,f\n31,f\n30,m\n")
    result = run(f"{command} t.csv")
    assert result.exit_code == 2
    assert "this line seems to be a row" in result.stderr
    assert "--names age,sex" in result.stderr
    assert not (raw / "shoal.toml").exists()


def test_init_warns_of_single_names_that_look_like_values(raw, run):
    (raw / "t.csv").write_text("age,sex,2.5\n30,f,1\n31,m,2\n")
    result = outcome(run, "init t.csv")
    assert "warning: Some names of columns look like values: '2.5'. Is the first line a row?" in result.stderr
    assert "look like values" not in outcome(run, "init t.csv --force --header").stderr


@pytest.mark.parametrize("how", [NAMES, "--no-header", ""])
def test_init_writes_what_the_next_commands_need(raw, run, how):
    table = "raw.data" if how else "plain.csv"
    outcome(run, f"init {table} {how} --k 2 --missing ?")
    written = (raw / "shoal.toml").read_text()
    assert ('names = ["age", "sex", "zip", "disease"]' in written) == (how == NAMES)
    assert ("header = false" in written) == (how == "--no-header")
    assert 'file = "raw-safe.csv"' in written or not how
    written = written.replace("quasi = [", 'quasi = ["column1", ' if how == "--no-header" else "quasi = [")
    (raw / "shoal.toml").write_text(written)
    result = run("anonymize --config shoal.toml --max-suppression 1")
    assert "no column" not in result.stderr
    assert result.exit_code in (0, 1, 3)


def test_a_release_of_some_rows_is_certified_with_the_same_file(raw, run):
    (raw / "shoal.toml").write_text(
        "[data]\nfile = 'raw.data'\nnames = ['age', 'sex', 'zip', 'disease']\nsample = 5\n"
        "[roles]\nquasi = ['age', 'sex']\nsensitive = 'disease'\nkeep = 'zip'\n"
        "[model]\nk = 2\n[algorithm]\nname = 'mondrian'\n[output]\nfile = 'safe.csv'\nreport = 'safe.json'\n"
    )
    outcome(run, "anonymize --config shoal.toml")
    result = outcome(run, "certify --config shoal.toml")
    assert "The second verifier reads whole CSV files that name their" in " ".join(result.stdout.split())
    changed = (raw / "shoal.toml").read_text().replace("sample = 5", "rows = 5")
    (raw / "shoal.toml").write_text(changed)
    assert run("certify --config shoal.toml -o other.json").exit_code == 4


def test_the_first_rows_and_samples(raw, run):
    line = f"anonymize raw.data {NAMES} --no-header {ROLES} --k 2 --algorithm random"
    first = json.loads(outcome(run, f"{line} --rows 4 --json -o first.csv").stdout)
    assert (first["rows"], first["input"]["rows"]) == (4, 4)
    zips = [row.split(",")[2] for row in (raw / "first.csv").read_text().splitlines()[1:]]
    assert zips == ["13053", "13068", "?", "14850"]
    drawn = {}
    for seed in ("", "--seed 0", "--seed 1"):
        outcome(run, f"{line} --sample 4 {seed} -o drawn.csv")
        drawn[seed] = [row.split(",")[2:] for row in (raw / "drawn.csv").read_text().splitlines()[1:]]
    assert drawn[""] == drawn["--seed 0"] != drawn["--seed 1"]
    result = outcome(run, f"assess raw.data {NAMES} --quasi sex --sample 4 --seed 1 --json")
    assert json.loads(result.stdout)["rows"] == 4
    assert "note: raw.data: only 4 rows of the table were taken, drawn at random." in result.stderr
    compared = outcome(
        run, f"compare raw.data {NAMES} --quasi age --k 2 --repeat 1 --algorithms mondrian --rows 5 --json"
    )
    assert json.loads(compared.stdout)["rows"] == 5
    assert "Only the first 5 rows of the table were taken." in json.loads(compared.stdout)["notes"]
    for wrong, said in (
        ("--rows 7", "rows = 7 is more than the table has, which is 6 rows: lower it."),
        ("--rows 3 --sample 3", "rows = 3 and sample = 3 both choose rows: give one of the two."),
        ("--rows 3 --memory 2GB", "--rows needs the whole table in memory: leave it out, or --memory and --engine."),
        ("--sample 3 --engine spark", "--sample needs the whole table in memory"),
    ):
        refused = run(f"{line} {wrong} -o x.csv")
        assert refused.exit_code == 2
        assert said in refused.stderr


def test_spark_refuses_files_without_names_by_name(raw, run):
    result = run(f"anonymize raw.data {NAMES} --engine spark --quasi age --k 2 -o safe")
    assert result.exit_code == 2
    assert "Spark reads CSV files that name their columns in the first line" in result.stderr


@pytest.mark.parametrize(
    ("option", "rows"),
    [
        ("", 6),
        ("--drop-missing", 5),  # a disease is missing
        ("--drop-missing roles", 5),
        ("--drop-missing=roles", 5),
        ("--drop-missing all", 4),  # and a zip
        ("--drop-missing=all", 4),
    ],
)
def test_rows_that_miss_a_value_are_dropped(raw, run, option, rows):
    line = f"anonymize plain.csv {ROLES} --missing ? --k 2 --algorithm mondrian"
    made = json.loads(outcome(run, f"{line} {option} --json").stdout)
    assert (made["rows"], made["dropped_rows"]) == (rows, 6 - rows)
    before = outcome(run, f"anonymize {option} plain.csv {line.removeprefix('anonymize plain.csv')} --json")
    assert json.loads(before.stdout) == made
    compared = outcome(
        run,
        f"compare {option} plain.csv --missing ? --quasi age --sensitive disease --k 2 --repeat 1 "
        "--algorithms mondrian --measures loss --json --fresh",
    )
    assert json.loads(compared.stdout)["rows"] == rows


def test_a_word_that_is_not_known_is_refused(raw, run):
    result = run(f"anonymize plain.csv {ROLES} --k 2 --drop-missing=some")
    assert result.exit_code == 2
    assert "drop_missing = 'some' is not known: choose roles (the same as True), all, or False." in result.stderr
    result = run(f"anonymize plain.csv {ROLES} --k 2 --drop-missing all --memory 2GB -o s.csv")
    assert result.exit_code == 2
    assert 'drop_missing = "all" looks at every column, which needs the whole table in memory' in result.stderr


@pytest.mark.parametrize("command", [f"anonymize plain.csv {ROLES}", "compare plain.csv --quasi age --fresh"])
def test_another_word_after_drop_missing_is_refused(raw, run, command):
    result = run(f"{command} --k 2 --drop-missing some")
    assert result.exit_code == 2
    assert "'some' is neither 'roles' nor 'all'" in " ".join(result.stderr.split())


@pytest.mark.parametrize("command", [f"anonymize plain.csv {ROLES}", "compare plain.csv --quasi age --fresh"])
def test_that_nothing_was_missing_is_noted_unless_it_is_said_what_means_missing(raw, run, command):
    line = f"{command} --k 2 --drop-missing all"
    note = "note: --drop-missing left out no row: no value is missing. If '?' or another text means missing"
    assert note in outcome(run, line).stderr
    assert note not in outcome(run, f"{line} --missing ?").stderr
    assert "note: --drop-missing left out no row: no value is missing, and none is 'NOPE'." in (
        outcome(run, f"{line} --missing NOPE").stderr
    )
    assert note not in outcome(run, line.replace(" --drop-missing all", "")).stderr
    assert note not in outcome(run, f"{line} --quiet").stderr


def test_the_help_says_which_rows_are_dropped():
    for command in ("anonymize", "compare"):
        option = next(p for p in get_command(app).commands[command].params if p.name == "drop_missing")
        assert "roles (also without a word): in a column with a role; all: in any column" in option.help


def test_a_release_without_rows_that_miss_any_value_is_kept_certified_and_applied(raw, run):
    (raw / "shoal.toml").write_text(
        "[data]\nfile = 'plain.csv'\nmissing = '?'\ndrop_missing = 'all'\n"
        "[roles]\nquasi = ['age', 'sex']\nsensitive = 'disease'\nkeep = 'zip'\n"
        "[model]\nk = 2\n[algorithm]\nname = 'mondrian'\n[output]\nfile = 'safe.csv'\nreport = 'safe.json'\n"
    )
    outcome(run, "anonymize --config shoal.toml")
    assert "?" not in (raw / "safe.csv").read_text()
    result = outcome(run, "certify --config shoal.toml")
    assert "does not know of rows that were dropped" in " ".join(result.stdout.split())
    again = outcome(run, "apply safe.json plain.csv --max-suppression 1 -o again.csv --json")
    assert json.loads(again.stdout)["dropped_rows"] == 2
    kept = (raw / "safe.csv").read_text()
    (raw / "safe.csv").write_text(kept + "30,m,?,flu\n")
    assert run("certify --config shoal.toml -o other.json").exit_code == 4


@pytest.mark.skipif("SHOAL_REFERENCE_DATA" not in os.environ, reason="needs the reference tables")
def test_the_cleaning_of_the_lab_leaves_30_162_rows(folder, run):
    names = ",".join(shoal.datasets.adult().column_names)
    place = shlex.quote(str(Path(os.environ["SHOAL_REFERENCE_DATA"]) / "uci" / "adult.data"))
    line = (
        f"compare {place} --names {names} --missing ? --quasi sex,race --k 10 --repeat 1 --algorithms mondrian --json"
    )
    for option, rows in (("all", 30_162), ("roles", 32_561)):
        assert json.loads(outcome(run, f"{line} --drop-missing {option} --fresh").stdout)["rows"] == rows
