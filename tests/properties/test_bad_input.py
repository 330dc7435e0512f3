"""Bad input: one message, the right exit code or exception, and nothing written; an old output stays unchanged."""

from __future__ import annotations

import os
import shlex
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import shoal
import shoal.algorithms
from shoal import DistinctDiversity, Hierarchy, HierarchyError, InfeasibleError, InputError, KAnonymity, Mondrian
from shoal.cli.app import app

TABLE = "age,sex,disease,empty\n30,f,flu,\n31,m,flu,\n32,f,cold,\n33,m,cold,\n"
DIVERSE = KAnonymity(2) & DistinctDiversity(2)


class Case(NamedTuple):
    """A mistake: on the command line, in Python, and the message about it."""

    sentence: str
    options: str = "--quasi age,sex --k 2"
    parameters: dict[str, Any] | None = {}  # noqa: RUF012  None: not possible in Python
    content: str | bytes = TABLE
    data: str = "table.csv"
    error: type[Exception] = InputError


CASES = {
    # The file
    "empty file": Case(
        "table.csv: the file is empty: it has neither names of columns nor rows.",
        content="",
    ),
    "header only": Case("table.csv: the table has column names but no rows.", content="age,sex\n"),
    "ragged row": Case(
        "table.csv, line 3: the row has 3 fields, the header 2. Fix the row, or name the separator if it is not ','.",
        content="age,sex\n30,f\n31,m,x\n",
    ),
    "unclosed quote": Case(
        "table.csv, line 3: a quote opens in this row and is never closed. "
        'Close it, or write "" if the quote is part of the value.',
        content='age,sex\n30,f\n31,"m\n32,f\n',
    ),
    "duplicate column": Case(
        "table.csv: the column name 'age' appears twice. Rename one of the two.",
        content="age,sex,age\n30,f,30\n",
    ),
    "latin-1": Case(
        "table.csv, line 3: the file is not UTF-8 text. "
        "Save it as UTF-8 or name its encoding, such as latin-1 or utf-16.",
        content="age,sex\n30,f\n31,é\n".encode("latin-1"),
    ),
    "utf-16": Case(
        "table.csv, line 1: the file is not UTF-8 text. "
        "Save it as UTF-8 or name its encoding, such as latin-1 or utf-16.",
        content=TABLE.encode("utf-16"),
    ),
    "missing file": Case("none.csv: cannot be read (No such file or directory).", data="none.csv"),
    "folder": Case("folder.csv: this is a folder. Name a file in it.", data="folder.csv"),
    "unknown ending": Case(
        "table.doc: the suffix '.doc' is not supported: use .csv, .tsv, .txt, .csv.gz, .csv.zst, .parquet, "
        ".pq, .data, .test, .xlsx, .xlsm, .xlsb, .xls, .ods, .sav, .dta, .sas7bdat, .xpt.",
        data="table.doc",
    ),
    # The columns
    "no such column": Case(
        "There is no column 'agee'. Did you mean 'age'?",
        "--quasi agee,sex --k 2",
        {"quasi_identifiers": ["agee", "sex"]},
    ),
    "no such column at all": Case(
        "There is no column 'income'. The columns are 'age', 'sex', 'disease', 'empty'.",
        "--quasi age --sensitive income --k 2",
        {"sensitive": "income"},
    ),
    "two roles": Case(
        "Column 'sex' is named both as quasi-identifier and as sensitive: choose one role.",
        "--quasi age,sex --sensitive sex --k 2",
        {"sensitive": "sex"},
    ),
    "named twice": Case(
        "Column 'age' is named twice as quasi-identifier: name it once.",
        "--quasi age --quasi sex,age --k 2",
        {"quasi_identifiers": ["age", "sex", "age"]},
    ),
    "no quasi-identifier": Case(
        "No quasi-identifier is named: name the columns that could reveal who a row is about, such as age or sex.",
        "--quasi ',' --k 2",
        {"quasi_identifiers": []},
    ),
    "only missing values": Case(
        "Column 'empty' has only missing values: leave it out of the quasi-identifiers.",
        "--quasi age,empty --k 2 --missing ''",
        {"quasi_identifiers": ["age", "empty"], "missing_values": [""]},
    ),
    "nothing left": Case(
        "Every row misses a quasi-identifying or sensitive value: nothing is left when such rows are dropped.",
        "--quasi age,empty --k 2 --missing '' --drop-missing",
        {"quasi_identifiers": ["age", "empty"], "missing_values": "", "drop_missing": True},
    ),
    # The model
    "no model": Case("No privacy model is given: add --k, --l, --t or --require, such as --k 10.", "--quasi age", None),
    "no privacy model": Case("10 is not a privacy model; give one such as shoal.KAnonymity(10).", "", {"model": 10}),
    "k of one": Case(
        "k = 1 protects nobody: choose at least 2.",
        "--quasi age,sex --k 1",
        {"model": lambda: KAnonymity(1)},
    ),
    "k too large": Case(
        "No release of this table can satisfy k = 5: the table has 4 rows, so k can be at most 4.",
        "--quasi age,sex --k 5",
        {"model": KAnonymity(5)},
        error=InfeasibleError,
    ),
    "l too large": Case(
        "No release of this table can satisfy k = 2 and distinct l = 3: "
        "column 'disease' has 2 different values, so l can be at most 2.",
        "--quasi age,sex --sensitive disease --k 2 --l 3",
        {"sensitive": "disease", "model": KAnonymity(2) & DistinctDiversity(3)},
        error=InfeasibleError,
    ),
    "l without a sensitive column": Case(
        "The model k = 2 and distinct l = 2 needs a sensitive column and none is named.",
        "--quasi age,sex --k 2 --l 2",
        {"model": DIVERSE},
    ),
    # The algorithm
    "unknown algorithm": Case(
        f"There is no algorithm 'magic': choose from {', '.join(shoal.algorithms.ALGORITHMS)}.",
        "--quasi age,sex --k 2 --algorithm magic",
        {"algorithm": "magic"},
    ),
    "--set of an unknown parameter": Case(
        "mondrian has no parameter 'depth': it has dimension, cut, relaxed, ties, categorical, seed, blind.",
        "--quasi age --k 2 --algorithm mondrian --set depth=3",
        None,
    ),
    "--set of an unknown choice": Case(
        "Mondrian's cut is one of any, median, not 'middle'.",
        "--quasi age --k 2 --algorithm mondrian --set cut=middle",
        {"algorithm": lambda: Mondrian(cut="middle")},
    ),
    "--set of no truth": Case(
        "relaxed='maybe' must be true or false.", "--quasi age --k 2 --algorithm mondrian --set relaxed=maybe", None
    ),
    "--set of no number": Case("seed='x' must be a number.", "--quasi age --k 2 --set seed=x", None),
    "--set without a value": Case(
        "--set 'relaxed' must have the form name=value.", "--quasi age --k 2 --set relaxed", None
    ),
    "suppression of no number": Case(
        "--max-suppression 'some' must be a share such as 0.02 or a number of rows.",
        "--quasi age --k 2 --max-suppression some",
        None,
    ),
    "negative suppression": Case(
        "max_suppression = -1 must be a share from 0 to 1 or a number of rows.",
        "--quasi age,sex --k 2 --max-suppression -1",
        {"max_suppression": -1},
    ),
    "suppression above all": Case(
        "max_suppression = 1.5 is not a share: give 0 to 1, or a whole number of rows.",
        "--quasi age,sex --k 2 --max-suppression 1.5",
        {"max_suppression": 1.5},
    ),
    "suppression of nan": Case(
        "max_suppression = nan must be a share from 0 to 1 or a number of rows.",
        "--quasi age,sex --k 2 --max-suppression nan",
        {"max_suppression": float("nan")},
    ),
    "suppressed rows": Case(
        "suppressed = 'hide' is not known: choose keep or drop.",
        "--quasi age,sex --k 2 --suppressed hide",
        {"suppressed": "hide"},
    ),
    # The hierarchies
    "a hierarchy that lacks values": Case(
        "Column 'age': the hierarchy lacks '31', '32', '33' (3 values, 3 rows). "
        "Add the missing values, or name them as missing.",
        "--quasi age,sex --k 2 --hierarchy age=age.txt",
        {"hierarchies": {"age": Hierarchy.flat(["30"])}},
        error=HierarchyError,
    ),
    "a hierarchy of a column that is no quasi-identifier": Case(
        "--hierarchy disease=…: 'disease' is not among the quasi-identifiers (age, sex).",
        "--quasi age,sex --k 2 --hierarchy disease=flat",
        None,
    ),
    "a hierarchy of a misspelled column": Case(
        "--hierarchy agee=…: 'agee' is not among the quasi-identifiers (age, sex).",
        "--quasi age,sex --k 2 --hierarchy agee=flat",
        None,
    ),
    "a hierarchy of a misspelled column in Python": Case(
        "There is no column 'agee'. Did you mean 'age'?", "", {"hierarchies": {"agee": "flat"}}
    ),
    "a folder without hierarchies": Case(
        "folder.csv: no file is named for one of the quasi-identifiers (age, sex).",
        "--quasi age,sex --k 2 --hierarchies folder.csv",
        {"hierarchies": "folder.csv"},
    ),
    "a folder that is not there": Case(
        "trees: there is no folder of hierarchies here.",
        "--quasi age,sex --k 2 --hierarchies trees",
        {"hierarchies": "trees"},
    ),
    # The options of the command line
    "a pseudonym without a key": Case(
        "--pseudonymize needs a secret key: name its file with --key-file.",
        "--quasi age --k 2 --pseudonymize sex",
        None,
    ),
    "a pseudonym without a key in Python": Case(
        "Column 'disease' can only be pseudonymized with a secret key: give key=… or --key-file.",
        "",
        {"pseudonymize": "disease"},
    ),
    "a short key": Case(
        "The key has 5 bytes: use a random one of at least 16.",
        "--quasi age,sex --k 2 --pseudonymize disease --key-file short.key",
        {"pseudonymize": "disease", "key": "short"},
    ),
    "no key file": Case(
        "none.key: the key cannot be read (No such file or directory).",
        "--quasi age --k 2 --pseudonymize sex --key-file none.key",
        None,
    ),
    "names that cannot be told apart": Case(
        "The names '\"age' cannot be parsed: write a,b or '\"a, x\",b'.", "--quasi '\"age' --k 2", None
    ),
    "a style without bounds": Case(
        "The label style numbers='range' must contain {low} and {high}, as in '{low}-{high}'.",
        "--quasi age --k 2 --ranges range",
        {"style": lambda: shoal.Style(numbers="range")},
    ),
    "an unknown encoding": Case(
        "There is no encoding 'klingon': use utf-8, latin-1, cp1252, utf-16, ….",
        "--quasi age --k 2 --encoding klingon",
        None,
    ),
    "a separator of two signs": Case(
        "The separator '::' cannot be used: give one character such as , ; | or \\t.",
        "--quasi age --k 2 --separator ::",
        None,
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out.csv").write_text("old")
    (tmp_path / "age.txt").write_text("*\n\t30\n")
    (tmp_path / "short.key").write_text("short\n")
    (tmp_path / "short.key").chmod(0o600)
    (tmp_path / "folder.csv").mkdir()
    return tmp_path


def everything(folder):
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def run(line):
    return CliRunner().invoke(app, shlex.split(line))


def refused(result, sentence, code=2):
    return (result.exit_code, result.stdout, result.stderr) == (code, "", f"shoal: {sentence}\n")


def write(folder, case):
    content = case.content if isinstance(case.content, bytes) else case.content.encode()
    (folder / "table.csv").write_bytes(content)


@pytest.mark.parametrize(
    "case", [c for c in CASES.values() if c.options], ids=[n for n, c in CASES.items() if c.options]
)
def test_the_command_line_refuses(folder, case):
    write(folder, case)
    before = everything(folder)
    result = run(f"anonymize {case.data} {case.options} -o out.csv --report report.json")
    # The command line reads folders; shoal.anonymize() needs a file.
    sentence = "folder.csv: the folder has no files." if case is CASES["folder"] else case.sentence
    assert result.stderr == f"shoal: {sentence}\n"
    assert (result.exit_code, result.stdout) == (3 if case.error is InfeasibleError else 2, "")
    assert everything(folder) == before


PYTHON = {name: case for name, case in CASES.items() if case.parameters is not None}


@pytest.mark.parametrize("case", PYTHON.values(), ids=PYTHON)
def test_python_refuses(folder, case):
    write(folder, case)
    before = everything(folder)
    parameters = {"quasi_identifiers": ["age", "sex"], "model": KAnonymity(2), **case.parameters}
    with pytest.raises(case.error) as error:
        shoal.anonymize(case.data, **{name: v() if callable(v) else v for name, v in parameters.items()})
    assert (type(error.value), str(error.value)) == (case.error, case.sentence)
    assert everything(folder) == before


@pytest.mark.parametrize("k", [0, -1])
def test_a_k_that_is_no_size_is_refused(folder, k):
    (folder / "table.csv").write_text(TABLE)
    before = everything(folder)
    result = run(f"anonymize table.csv --quasi age --k {k} -o out.csv")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"shoal: k = {k} is too small: choose a whole number of at least 2.")
    with pytest.raises(InputError, match=f"^k = {k} is too small: choose a whole number of at least 2."):
        KAnonymity(k)
    assert everything(folder) == before


@pytest.mark.parametrize("k", [2.5, "2", None, True])
def test_a_k_that_is_no_whole_number_is_refused(k):
    with pytest.raises(InputError, match="whole number"):
        KAnonymity(k)


@pytest.mark.parametrize("option", ["--k two", "--k 2.5", "", "--seed x --k 2", "--nonsense 3"])
def test_what_the_command_line_cannot_read_ends_with_2(folder, option):
    (folder / "table.csv").write_text(TABLE)
    before = everything(folder)
    assert run(f"anonymize table.csv {'--quasi age' if option else ''} {option} -o out.csv").exit_code == 2
    assert everything(folder) == before


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("table.csv", "table.csv: this is the input, which shoal never overwrites. Choose another file."),
        ("./table.csv", "table.csv: this is the input, which shoal never overwrites. Choose another file."),
        (
            "folder.csv/../table.csv",
            "folder.csv/../table.csv: this is the input, which shoal never overwrites. Choose another file.",
        ),
        ("link.csv", "link.csv: this is the input, which shoal never overwrites. Choose another file."),
        ("hard.csv", "hard.csv: this is the input, which shoal never overwrites. Choose another file."),
        (
            "{folder}/table.csv",
            "{folder}/table.csv: this is the input, which shoal never overwrites. Choose another file.",
        ),
        (
            "age.txt --hierarchy age=age.txt",
            "age.txt: this is the input, which shoal never overwrites. Choose another file.",
        ),
        ("none/out.csv", "none/out.csv: there is no folder 'none'. Make it first."),
        ("folder.csv", "folder.csv: this is a folder. Name a file in it."),
        (
            "out.doc",
            "out.doc: the suffix '.doc' is not supported: use .csv, .tsv, .txt, .csv.gz, .csv.zst, .parquet, .pq.",
        ),
        ("out.csv --report out.csv", "out.csv: the release and its report need two files."),
        ("out.csv --report folder.csv/../out.csv", "out.csv: the release and its report need two files."),
        (
            "out.csv --report table.csv",
            "table.csv: this is the input, which shoal never overwrites. Choose another file.",
        ),
        ("out.csv --report none/r.json", "none/r.json: there is no folder 'none'. Make it first."),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_any_work(folder, output, sentence):
    (folder / "table.csv").write_text(TABLE)
    os.symlink("table.csv", "link.csv")
    os.link("table.csv", "hard.csv")
    before = everything(folder)
    result = run(f"anonymize table.csv --quasi age --k 2 -o {output.format(folder=folder)}")
    assert refused(result, sentence.format(folder=folder))
    assert everything(folder) == before


def test_a_report_needs_a_release(folder):
    (folder / "table.csv").write_text(TABLE)
    result = run("anonymize table.csv --quasi age --k 2 --report report.json")
    assert refused(result, "--report needs -o: name the file of the release.")
    assert not (folder / "report.json").exists()


@pytest.mark.parametrize(
    "command", ["assess table.csv --quasi agee", "hierarchy check age.txt --data table.csv --column agee"]
)
def test_other_commands_refuse_alike(folder, command):
    (folder / "table.csv").write_text(TABLE)
    assert refused(run(command), "There is no column 'agee'. Did you mean 'age'?")


# Frames

FRAMES = {
    "no rows": (pd.DataFrame({"age": []}), "The table has no rows."),
    "names that are no text": (
        pd.DataFrame({1: [1, 2]}),
        "The column name 1 is not text: rename the column. For all columns of a pandas frame: "
        "df.columns = df.columns.map(str)",
    ),
    "lists": (
        pa.table({"age": [[1], [2]]}),
        "Column 'age' holds values of type list<item: int64>, which shoal cannot group: convert it to text.",
    ),
    "infinite numbers": (
        pl.DataFrame({"age": [1.0, float("inf")]}),
        "Column 'age' holds the value inf: replace it by a number or a missing value.",
    ),
    "a list": ([1, 2], "A list is not a table that shoal can read; give a pandas, polars or pyarrow table."),
    "mixed types": (
        pd.DataFrame({"age": np.array([1, "a"], dtype=object)}),
        "Column 'age' mixes values of different types (int, str): convert it to text.",
    ),
    "nothing but missing values": (
        pd.DataFrame({"age": [np.nan, np.nan]}),
        "Column 'age' has only missing values: leave it out of the quasi-identifiers.",
    ),
    "a name twice": (
        pd.DataFrame([[1, 2]], columns=["age", "age"]),
        "The column name 'age' appears twice in the table: rename one of the two.",
    ),
}


@pytest.mark.parametrize(("frame", "sentence"), FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("do", [lambda **given: shoal.anonymize(**given, model=KAnonymity(2)), shoal.assess])
def test_frames_that_are_refused(frame, sentence, do):
    with pytest.raises(InputError) as error:
        do(data=frame, quasi_identifiers="age")
    assert str(error.value) == sentence
