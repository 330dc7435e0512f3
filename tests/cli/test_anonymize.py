"""shoal anonymize."""

from __future__ import annotations

import csv
import json
import os
import re
import sys

import pyarrow.parquet as pq
import pytest

import shoal.api
from shoal import VerificationError
from shoal.algorithms.full_domain.objectives import OBJECTIVES
from shoal.io.files import checksum

ROLES = "--quasi age,sex --sensitive disease --identifying name --k 3 --accept range-ends,rare-value"
ACCEPTED = "--keep name --accept range-ends,rare-value"
TINY = "warning: The table has 6 rows, too few for two classes under k = 4: all rows are one class.\n"


def test_a_release_is_written_and_described(folder, run):
    result = run(f"anonymize patients.csv {ROLES} -o safe.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    said = " ".join(result.stdout.split())
    assert "promise k = 3 verified that it holds for the classes of the released labels of age, sex rows 6" in said
    assert "safe.csv" in result.stdout
    assert (folder / "safe.csv").read_text() == (
        "age,sex,zip,disease\n30-49,f,13053,flu\n31-47,m,13068,flu\n31-47,m,13053,cold\n"
        "31-47,m,14850,cold\n30-49,f,14853,flu\n30-49,f,14850,mumps\n"
    )


def test_a_name_without_an_ending_is_said_to_be_a_folder(folder, run):
    said = " ".join(run("anonymize patients.csv --quasi age,sex --keep name --k 3 -o release").stdout.split())
    assert "written release, a folder" in said
    assert [path.name for path in (folder / "release").iterdir()] == ["part-00000.csv"]
    whole = " ".join(run("anonymize --help").stdout.replace("│", " ").split())
    assert "A name without an ending, such as safe/, is a folder of files." in whole
    assert "without an ending" not in run("apply --help").stdout


def test_the_loss_that_was_minimized_is_shown(folder, run):
    def search(choice):
        line = f"anonymize patients.csv {ROLES} --algorithm samarati --set choice={choice} --json"
        made = json.loads(run(line).stdout)
        shown = " ".join(run(line.replace("--json", "")).stdout.split())
        return made["metrics"]["loss_huang"], shown

    loss, shown = search("lowest-loss-huang")
    assert f"nodes looked at; loss (LM by Huang) {loss:.6g} " in shown
    assert "by Huang" not in search("lowest-loss")[1]


def test_column_names_are_no_markup(folder, run):
    (folder / "t.csv").write_text("[/bold],[red]x\n30,a\n30,b\n")
    result = run("anonymize t.csv --quasi [/bold] --sensitive [red]x --k 2 --l 2")
    assert result.exit_code == 0
    assert "different [red]x" in result.stdout
    assert "[/bold]" in result.stdout


def test_without_an_output_nothing_is_written(folder, run):
    result = run(f"anonymize patients.csv {ROLES}")
    assert result.exit_code == 0
    assert "nothing: name a file with -o" in result.stdout
    assert [path.name for path in folder.iterdir()] == ["patients.csv"]


def test_json_alone_is_on_standard_output(folder, run):
    result = run(f"anonymize patients.csv {ACCEPTED} --quasi age --k 4 -o safe.csv --report safe.json --json")
    kept = json.loads((folder / "safe.json").read_text())
    assert kept.pop("generalization")["version"] == 1
    assert kept.pop("release") == {"sha256": checksum(folder / "safe.csv")}
    assert json.loads(result.stdout) == kept
    assert result.stderr == TINY


def test_quiet_prints_nothing(folder, run):
    result = run("anonymize patients.csv --keep name --quasi age --k 4 -o safe.csv -q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert (folder / "safe.csv").exists()


def test_quiet_still_prints_errors(run):
    result = run("anonymize patients.csv --keep name --quasi agee --k 2 -q")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "shoal: There is no column 'agee'. Did you mean 'age'?\n"


def test_warnings_are_sentences_on_standard_error(run):
    assert run(f"anonymize patients.csv {ACCEPTED} --quasi age --k 4").stderr == TINY


def test_hierarchies_by_spelling_and_by_folder(folder, run):
    (folder / "trees").mkdir()
    (folder / "trees" / "age.txt").write_text("*\n\tyoung\n\t\t30\n\t\t31\n\t\t32\n\told\n\t\t47\n\t\t48\n\t\t49\n")
    line = "anonymize patients.csv --keep name --quasi age,zip --k 3 -q -o safe.csv --hierarchies trees"
    line += " --hierarchy zip=prefix:2,5"
    assert run(line).exit_code == 0
    rows = [line.split(",") for line in (folder / "safe.csv").read_text().splitlines()[1:]]
    assert [(row[1], row[3]) for row in rows] == [("young", "130**")] * 3 + [("old", "148**")] * 3
    assert run(f"{line} --hierarchy age=intervals:20").exit_code == 0
    assert (folder / "safe.csv").read_text().splitlines()[1] == "Ann,20-39,f,130**,flu"


def test_parameters_of_the_algorithm(run):
    options = "--algorithm mondrian --set dimension=widest --set relaxed=true --seed 3"
    found = json.loads(run(f"anonymize patients.csv --keep name --quasi age --k 2 --json {options}").stdout)
    assert found["parameters"]["algorithm"] == (
        "Mondrian(dimension='widest', cut='any', relaxed=True, ties='cuts', categorical='hierarchy', seed=3, "
        "blind=False)"
    )


def test_the_spelling_of_compare_is_answered_with_that_of_anonymize(run):
    refused = run(f"anonymize patients.csv {ROLES} --algorithm mondrian:dimension=widest:cut=median")
    assert refused.exit_code == 2
    assert "here, write --algorithm mondrian --set dimension=widest --set cut=median." in refused.stderr


def test_max_suppression_is_a_share_or_a_number(run):
    for limit, rows in (("0.5", 3), ("1.0", 6), ("2", 2), ("1", 1)):
        found = json.loads(
            run(f"anonymize patients.csv --keep name --quasi age --k 2 --json --max-suppression {limit}").stdout
        )
        assert found["parameters"]["max_suppressed_rows"] == rows


def test_missing_values_are_recognised_labelled_and_dropped(folder, run):
    (folder / "t.csv").write_text("age,sex\n?,f\n,f\n30,f\n31,f\n")
    line = "anonymize t.csv --quasi age --k 2 --json -o safe.csv --missing '?' --missing ''"
    assert run(f"{line} --missing-label unknown").exit_code == 0
    assert (folder / "safe.csv").read_text() == "age,sex\nunknown,f\nunknown,f\n30-31,f\n30-31,f\n"
    found = run(f"{line} --drop-missing")
    assert json.loads(found.stdout)["dropped_rows"] == 2
    assert (folder / "safe.csv").read_text() == "age,sex\n30-31,f\n30-31,f\n"


def test_the_style_of_ranges(folder, run):
    assert (
        run("anonymize patients.csv --keep name --quasi age --k 3 -q -o safe.csv --ranges '[{low},{high}]'").exit_code
        == 0
    )
    assert 'Ann,"[30,32]",f' in (folder / "safe.csv").read_text()


def test_a_column_is_pseudonymized_with_the_key_of_a_file(folder, run):
    (folder / "secret.key").write_text("sixteen bytes !!\n")
    (folder / "secret.key").chmod(0o600)
    line = "anonymize patients.csv --quasi age --k 3 -q -o safe.csv --pseudonymize name --key-file secret.key"
    assert run(line).exit_code == 0
    names = [line.split(",")[0] for line in (folder / "safe.csv").read_text().splitlines()[1:]]
    assert len(set(names)) == 6
    assert {len(name) for name in names} == {32}


def test_names_with_commas_and_spaces_stand_in_quotes(folder, run):
    (folder / "t.csv").write_text('"age, years", sex\n30,f\n30,f\n')
    assert run("""anonymize t.csv --quasi '"age, years"," sex"' --k 2 -q""").exit_code == 0
    result = run("""anonymize t.csv --quasi '"age, years",sex' --k 2 -q""")
    assert result.stderr == "shoal: There is no column 'sex'. Did you mean ' sex'?\n"


def test_spaces_around_names_count_for_nothing(run):
    assert run("anonymize patients.csv --keep name --quasi 'age , sex' --quasi ' zip' --k 3 -q").exit_code == 0


def test_another_encoding_and_separator(folder, run):
    (folder / "t.csv").write_bytes("age:näme\n30:é\n31:é\n".encode("latin-1"))
    assert run("anonymize t.csv --quasi age --k 2 -q --encoding latin-1 --separator : -o safe.csv").exit_code == 0
    assert (folder / "safe.csv").read_bytes() == "age:näme\n30-31:é\n30-31:é\n".encode("latin-1")


def test_parquet_to_parquet(folder, run):
    assert run("anonymize patients.csv --keep name --quasi age --k 3 -q -o t.parquet").exit_code == 0
    assert run("anonymize t.parquet --keep name --quasi sex --k 6 -q -o safe.pq").exit_code == 0
    assert pq.read_table("safe.pq")["sex"].to_pylist() == ["f | m"] * 6


@pytest.mark.parametrize("old", ["old", None])
def test_a_release_that_fails_its_check_ends_with_4(folder, run, monkeypatch, old):
    if old:
        (folder / "safe.csv").write_text(old)

    def refuse(released, promise, **options):
        raise VerificationError("The release does not satisfy k = 3.")

    monkeypatch.setattr("shoal.release.release.check_release", refuse)
    result = run(f"anonymize patients.csv {ROLES} -o safe.csv")
    sentence = "shoal: The release does not satisfy k = 3. Nothing was released.\n"
    assert (result.exit_code, result.stderr) == (4, sentence)
    assert (folder / "safe.csv").exists() == bool(old)


def test_ctrl_c_ends_with_130(folder, run, monkeypatch):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(shoal.api, "anonymize", interrupted)
    result = run(f"anonymize patients.csv {ROLES} -o safe.csv")
    assert (result.exit_code, result.stderr) == (130, "shoal: interrupted; no half-written file is left.\n")
    assert [path.name for path in folder.iterdir()] == ["patients.csv"]


FULL = (
    "anonymize patients.csv --keep name --quasi age,sex --k 2 --algorithm full-domain --hierarchy age=intervals:5,10,20"
)


def test_the_search_of_a_full_domain_algorithm_is_told(folder, run):
    result = run(f"{FULL} -o safe.csv --nodes nodes.csv --front front.png --trade-off --max-suppression 1")
    assert result.exit_code == 0
    shown = " ".join(result.stdout.split())
    assert "levels age 4, sex 0" in shown
    assert "of 10 nodes looked at; none is better (loss 0.5)" in shown
    assert "What suppressing more rows would gain" in shown
    lines = (folder / "nodes.csv").read_text().splitlines()
    assert lines[0] == '"level age","level sex","height","loss","classes","suppressed","satisfied","checked","chosen"'
    assert len(lines) == 11
    assert (folder / "front.png").read_bytes().startswith(b"\x89PNG")


def test_the_trade_off_is_in_the_json(folder, run):
    result = run(f"{FULL} --trade-off --json --nodes lattice.svg")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["trade_off"][0] == {
        "limit": 0,
        "suppressed": 0,
        "value": found["search"]["value"],
        "node": list(found["search"]["node"].values()),
        "proven": True,
    }
    assert "<svg" in (folder / "lattice.svg").read_text()


def test_weights_and_levels_of_columns(run):
    result = run(f"{FULL} --weight age=3 --levels sex=1 --levels age=0-4 --json --set time_limit=none")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["search"]["node"]["sex"] == 1
    assert "weights={'age': 3.0}, levels={'sex': (1, 1), 'age': (0, 4)}, time_limit=None" in result.stdout


def test_objectives_their_target_and_factor(run):
    chosen = "--sensitive disease --set objective=classification --set target=disease"
    result = run(f"{FULL} {chosen} --json --set time_limit=none")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["search"]["objective"] == "classification"
    result = run(f"{FULL} --set suppression_factor=0.25 --json --set time_limit=none")
    assert result.exit_code == 0
    assert "suppression_factor=0.25" in result.stdout


def test_help_names_all_objectives(run):
    said = " ".join(run("anonymize --help").stdout.replace("│", " ").split())
    assert ", ".join(OBJECTIVES) in said
    assert "suppression_factor" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--weight age", "--weight 'age' must have the form name=value."),
        ("--weight age=much", "--weight age=much must be a number, such as age=2."),
        ("--weight zip=2", "'zip' is not a quasi-identifier: choose from age, sex."),
        ("--levels age=high", "--levels age=high must be such as age=2 or age=1-3."),
        ("--levels age=3-1", "The levels of 'age' are a whole number or a lowest and a highest one, not (3, 1)."),
        (
            "--algorithm samarati --levels age=1",
            "--levels is for full-domain: samarati knows none, so add --algorithm full-domain.",
        ),
        (
            "--algorithm samarati --weight age=1",
            "--weight is for full-domain and local: samarati knows none, so add --algorithm local.",
        ),
        ("--set objective=beauty", "FullDomain's objective is one of loss, "),
        (
            "--set weights=2",
            "full-domain has no parameter 'weights': it has objective, time_limit, suppression_factor, target.",
        ),
        ("--set suppression_factor=2", "FullDomain's suppression_factor is a number from 0 to 1, not 2.0."),
        (
            "--sensitive disease --set objective=classification --set target=sex",
            "The target 'sex' is not a sensitive attribute: choose from disease.",
        ),
        (
            "--algorithm mondrian --trade-off",
            "--nodes, --front and --trade-off are for full-domain algorithms, not for mondrian: name one, such as "
            "--algorithm full-domain.",
        ),
        ("--nodes patients.csv", "patients.csv: this file is already named for something else."),
        ("--nodes a.png --front a.png", "a.png: this file is already named for something else."),
        ("--nodes nodes.txt", "nodes.txt: the nodes are a .csv file, or a picture: .png, .svg, .pdf."),
        ("--nodes none/nodes.csv", "none/nodes.csv: there is no folder 'none'."),
        ("--front front.csv", "front.csv: a plot is a .png, .svg or .pdf file."),
    ],
)
def test_what_full_domain_options_refuse(folder, run, options, message):
    result = run(f"{FULL} {options}")
    assert result.exit_code == 2
    assert message in result.stderr
    assert [path.name for path in folder.iterdir()] == ["patients.csv"]


def test_classes_with_their_records(folder, run):
    line = f"anonymize patients.csv {ROLES} --algorithm clustering --order classes --class-column cluster"
    result = run(f"{line} --ranges mean --statistics classes.txt --groups groups.html --show-groups 1 -o safe.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = (folder / "safe.csv").read_text().splitlines()
    assert lines[0] == "age,sex,zip,disease,cluster"
    assert [line.rsplit(",", 1)[1] for line in lines[1:]] == ["1"] * 3 + ["2"] * 3
    assert lines[1].split(",")[0] == "42.333333"
    assert (folder / "classes.txt").read_text().startswith("2 classes of 6 rows\n\nclass 1: 3 rows\n")
    assert "not part of the release" in (folder / "groups.html").read_text()
    assert run(f"{line} --statistics counts.txt --count-values -o other.csv").exit_code == 0
    counts = (folder / "counts.txt").read_text().splitlines()
    assert counts[0] == "Counts of original values: for those who may see them, and not part of the release."
    assert sum(line.startswith("    ") for line in counts) == 2 * 2  # of two classes, two quasi-identifiers each
    assert "Class 1: 3 rows" in result.stdout
    assert "Class 2" not in result.stdout


@pytest.mark.parametrize("width", [60, 80, 120, 300])
def test_no_word_of_a_class_is_broken(folder, run, monkeypatch, width):
    table = shoal.datasets.adult().slice(0, 40)
    quasi = ["age", "workclass", "education", "marital-status", "relationship", "race", "sex", "native-country"]
    with (folder / "adult.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows(
            [[*quasi, "occupation"], *table.select([*quasi, "occupation"]).to_pandas().to_numpy().tolist()]
        )
    monkeypatch.setenv("COLUMNS", str(width))
    line = f"anonymize adult.csv --quasi {','.join(quasi)} --sensitive occupation --k 20 --algorithm clustering"
    result = run(f"{line} --accept homogeneous-class --show-groups 1 --groups groups.html -o safe.csv")
    assert result.exit_code == 0, result.stderr
    shown = result.stdout[result.stdout.index("Class 1: 20 rows") :].splitlines()
    assert max(map(len, shown)) <= width
    cells = {cell.strip() for row in shown if row.startswith("│") for cell in row.strip("│").split("│")}
    page = (folder / "groups.html").read_text()
    numbers = sorted(int(cell) for cell in cells if cell.isdigit() and int(cell) <= 40)
    assert len(set(numbers)) >= 20
    for row in re.findall(r"<tr><td>(\d+)</td>(.*?)</tr>", page)[:20]:
        assert {row[0], *re.findall(r"<td[^>]*>(.*?)</td>", row[1])} <= cells
    assert "white-space: nowrap" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--order random", "order = 'random' is not known: choose rows, classes or shuffled."),
        ("--class-column age", "The table already has a column 'age': choose another name for the class numbers."),
        ("--groups groups.pdf", "groups.pdf: the page of the classes is an .html file."),
        ("--count-values", "--count-values needs --statistics: name the file that is to hold the counts."),
        ("--statistics patients.csv", "patients.csv: this file is already named for something else."),
        ("--statistics none/classes.txt", "none/classes.txt: there is no folder 'none'."),
        ("--set seed=-1 --algorithm random", "RandomGrouping's seed is a whole number from 0 to 4294967295, not -1."),
    ],
)
def test_what_views_of_classes_refuse(folder, run, options, message):
    result = run(f"anonymize patients.csv {ROLES} {options}")
    assert result.exit_code == 2
    assert message in result.stderr
    assert [path.name for path in folder.iterdir()] == ["patients.csv"]


def test_shuffled_rows(folder, run):
    line = "anonymize patients.csv --keep name --quasi age --sensitive disease --k 3"
    run(f"{line} -q -o plain.csv")
    shuffled = {"".join(_lines(folder, run, f"{line} -q --shuffle -o safe.csv")) for _ in range(8)}
    assert len(shuffled) > 1
    assert {tuple(sorted(text.splitlines())) for text in shuffled} == {
        tuple(sorted((folder / "plain.csv").read_text().splitlines()))
    }
    told = run(f"{line} --shuffle").stdout
    assert "shuffled at random" in " ".join(told.split())


def _lines(folder, run, line):
    assert run(line).exit_code == 0
    return (folder / "safe.csv").read_text().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--order classes --shuffle", "--shuffle and --order classes contradict each other: leave out one of the two."),
        (
            "--shuffle --memory 4GB -o safe.csv",
            "--shuffle needs the whole table in memory: leave it out, or --memory and --engine.",
        ),
        (
            "--order shuffled --engine spark -o safe",
            "--shuffle needs the whole table in memory: leave it out, or --memory and --engine.",
        ),
    ],
)
def test_orders_that_cannot_be(folder, run, options, sentence):
    result = run(f"anonymize patients.csv --keep name --quasi age --k 3 {options}")
    assert (result.exit_code, result.stderr) == (2, f"shoal: {sentence}\n")
    assert not (folder / "safe.csv").exists()


def test_shuffle_goes_before_the_order_of_a_file(folder, run):
    (folder / "shoal.toml").write_text('[output]\norder = "classes"\n')
    line = "anonymize patients.csv --config shoal.toml --keep name --quasi age --k 3 --json"
    assert json.loads(run(f"{line} --shuffle").stdout)["parameters"]["order"] == "shuffled"
    assert json.loads(run(line).stdout)["parameters"]["order"] == "classes"


def test_formulas_are_escaped(folder, run):
    (folder / "t.csv").write_text('age,note\n30,=1+1\n31,"-x,y"\n32,"""@"\n33,z\n')
    line = "t.csv --quasi age --k 2 -q -o safe.csv"
    assert run(f"anonymize {line} --report safe.json --escape-formulas").exit_code == 0
    expected = 'age,note\n30-31,\'=1+1\n30-31,"\'-x,y"\n32-33,"""@"\n32-33,z\n'
    assert (folder / "safe.csv").read_text() == expected
    run(f"anonymize {line}")
    assert (folder / "safe.csv").read_text() == expected.replace("'", "")
    assert run("apply safe.json t.csv -q -o next.csv --escape-formulas").exit_code == 0
    assert (folder / "next.csv").read_text() == expected


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("-o safe.parquet", "safe.parquet: formulas are escaped in CSV files only. Name a .csv, or leave that out."),
        ("", "Formulas are escaped in a CSV file: name one with -o."),
        (
            "-o safe.csv --memory 4GB",
            "--escape-formulas needs the whole table in memory: leave it out, or --memory and --engine.",
        ),
    ],
)
def test_formulas_that_cannot_be_escaped(folder, run, output, sentence):
    result = run(f"anonymize patients.csv --keep name --quasi age --k 3 --escape-formulas {output}")
    assert (result.exit_code, result.stderr) == (2, f"shoal: {sentence}\n")


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o601])
@pytest.mark.parametrize(
    "command", ["anonymize patients.csv --quasi age --k 3 --pseudonymize name", "apply r.json patients.csv"]
)
def test_a_key_that_others_can_read_is_refused(folder, run, mode, command):
    (folder / "secret.key").write_text("sixteen bytes !!\n")
    (folder / "secret.key").chmod(mode)
    assert run("anonymize patients.csv --keep name --quasi age --k 3 -o safe.csv --report r.json").exit_code == 0
    result = run(f"{command} --key-file secret.key")
    sentence = "secret.key: others can read this secret key. Run 'chmod 600 secret.key' first."
    assert (result.exit_code, result.stderr) == (2, f"shoal: {sentence}\n")
    (folder / "secret.key").chmod(0o400)
    assert run(f"{command} --key-file secret.key").exit_code == 0


def test_spark_that_is_not_installed_is_said_in_one_sentence(folder, run, monkeypatch):
    for name in ("pyspark", "pyspark.errors", "py4j", "py4j.protocol"):
        monkeypatch.setitem(sys.modules, name, None)
    (folder / "t.csv").write_text("a,b\n1,x\n1,y\n")
    result = run("anonymize t.csv --quasi a --k 2 --engine spark -o safe")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "shoal: Spark needs pyspark: pip install 'shoal[spark]'.\n"
    assert not (folder / "safe").exists()
