"""shoal attack --kind."""

from __future__ import annotations

import json

import pytest

RAW = "age,zip,disease\n20,a,flu\n21,a,cold\n29,b,flu\n40,b,flu\n44,a,hiv\n49,b,hiv\n"
SAFE = "age,zip,disease\n20-29,*,flu\n20-29,*,cold\n20-29,*,flu\n40-49,*,flu\n40-49,*,hiv\n40-49,*,hiv\n"
OTHERS = "age,zip,disease\n22,a,cold\n25,b,flu\n41,a,flu\n60,b,hiv\n"
LINE = "attack safe.csv --original raw.csv --control others.csv --secret disease"


@pytest.fixture(autouse=True)
def files(folder):
    """Write a release, its original and people who are not in it."""
    for name, content in {"safe.csv": SAFE, "raw.csv": RAW, "others.csv": OTHERS}.items():
        (folder / name).write_text(content)


def words(result):
    return " ".join(result.stdout.split())


def test_one_kind_in_a_table_and_a_sentence(run):
    result = run(f"{LINE} --kind inference")
    assert (result.exit_code, result.stderr) == (0, "")
    shown = words(result)
    assert "An attacker who knows age, zip tries right control risk interval Inference disease 6 66.7% 50.0%" in shown
    assert (
        "Inference: In 4 of 6 tries, disease of a person was guessed right from the release; with people who" in shown
    )
    assert "Nobody was held out" not in shown


def test_the_people_of_the_release_are_no_control_group(run):
    result = run("attack safe.csv --original raw.csv --control raw.csv --secret disease --kind inference")
    assert result.exit_code == 2
    assert result.stderr == (
        "shoal: The control group is the original itself: give people who are not in the release.\n"
    )


def test_without_a_control_it_is_said(run):
    shown = words(run("attack safe.csv --original raw.csv --secret disease --kind inference"))
    assert "with guesses made without the release, in 3 of 6" in shown
    assert shown.endswith("Nobody was held out: the control are guesses made without the release.")


def test_all_kinds_with_a_page_and_a_plot(folder, run):
    result = run(f"{LINE} --kind all --report page.html --plot all.png --side age --side zip --attacks 5 --seed 3")
    assert (result.exit_code, result.stderr) == (0, "")
    for title in ("Singling out", "Linkability", "Inference", "Membership", "Downcoding"):
        assert f"{title}: " in words(result)
    assert (folder / "all.png").stat().st_size > 1000
    page = (folder / "page.html").read_text("utf-8")
    assert "Three criteria of anonymity (WP216)" in page
    assert "people who were held out of the release" in page


def test_json(run):
    found = json.loads(run(f"{LINE} --kind membership --json").stdout)
    assert (found["kind"], found["known"], found["seed"]) == ("membership", ["age", "zip"], 0)
    comparison = found["comparisons"][0]
    assert (comparison["attack"], comparison["rate"]) == ({"attacks": 6, "successes": 6}, 1.0)
    assert (comparison["control_rate"], comparison["held_out"]) == (0.75, True)
    every = json.loads(run(f"{LINE} --kind all --json").stdout)
    assert list(every["experiments"]) == ["singling-out", "linkability", "inference", "membership", "downcoding"]


def test_quiet_prints_nothing(run):
    result = run(f"{LINE} --kind downcoding -q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            "--kind guess",
            "kind = 'guess' is not an attack: choose one of linking, singling-out, linkability, inference, ",
        ),
        ("--plot a.png", "--plot compares an attack with its control: name one with --kind, such as --kind inference."),
        ("--kind inference --report a.pdf", "--report is a page on the three criteria of WP216: give --kind all."),
        ("--kind all --report a.txt", "a.txt: the page of an attack is an .html or a .pdf file."),
        ("--kind inference --plot a.txt", "a.txt: a plot is a .png, .svg or .pdf file."),
        (
            "--kind inference --unit age",
            "unit is for attacks of the kind 'linking', not for 'inference': leave it out.",
        ),
    ],
)
def test_refusals(run, more, sentence):
    result = run(f"{LINE} {more}")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"shoal: {sentence}")
