"""python -m shoal.comp430: output and exit codes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from comp430_tables import Files
from shoal.cli.commands.comp430 import app
from shoal.comp430 import bottomup_anonymizer, random_anonymizer


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path)


def command(*arguments):
    line = [sys.executable, "-m", "shoal.comp430", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)


def called(monkeypatch, capsys, *arguments):
    """Run the command line in this process; return exit code, output and errors."""
    monkeypatch.setattr(sys, "argv", ["comp430", *map(str, arguments)])
    code = 0
    try:
        app()
    except SystemExit as end:
        code = end.code
    return code, *capsys.readouterr()


def test_python_m_shoal_comp430(files, monkeypatch, capsys):
    done = command("clustering", files.folder, files.raw, files.out, 2)
    assert (done.returncode, done.stdout, done.stderr) == (0, "cost_MD: 14\ncost_LM: 3.142857142857143\n", "")
    code, _, err = called(monkeypatch, capsys, "bottomup", files.folder, files.raw, files.out, 9, 1)
    assert code == 3
    assert err == "shoal: No release of this table can satisfy k = 9: the table has 8 rows, so k can be at most 8.\n"


@pytest.mark.parametrize(
    ("words", "anonymize"),
    [
        (["random", 2, 5], lambda *files: random_anonymizer(*files[:2], 2, 5, files[2])),
        (["random", 2], lambda *files: random_anonymizer(*files[:2], 2, 0, files[2])),
        (["bottomup", 2, 2], lambda *files: bottomup_anonymizer(*files[:2], 2, 2, files[2])),
        (["bottom-up", 2, 2], lambda *files: bottomup_anonymizer(*files[:2], 2, 2, files[2])),
        (["bottom_up", 2, 2], lambda *files: bottomup_anonymizer(*files[:2], 2, 2, files[2])),
        (["bottomup", 3], lambda *files: bottomup_anonymizer(*files[:2], 3, 1, files[2])),
    ],
)
def test_the_command_line_does_what_the_functions_do(files, monkeypatch, capsys, words, anonymize):
    anonymize(files.raw, files.folder, files.out)
    expected, costs = files.out.read_bytes(), files.costs()
    files.out.unlink()
    code, out, err = called(monkeypatch, capsys, words[0], files.folder, files.raw, files.out, *words[1:])
    assert (code, out, err) == (0, f"cost_MD: {costs[0]}\ncost_LM: {costs[1]}\n", "")
    assert files.out.read_bytes() == expected


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "the following arguments are required"),
        ("random DGHs raw.csv out.csv", "the following arguments are required: k"),
        ("magic DGHs raw.csv out.csv 2", "invalid choice: 'magic'"),
        ("random DGHs raw.csv out.csv two", "argument k: invalid int value: 'two'"),
        ("random DGHs raw.csv out.csv 2 1 1", "unrecognized arguments: 1"),
        ("random DGHs raw.csv out.csv 0 1", "shoal: k = 0 is not valid; give a whole number of at least 1."),
        ("random DGHs raw.csv out.csv -2 1", "shoal: k = -2 is not valid"),
        ("random DGHs raw.csv out.csv 2 -1", "shoal: s = -1 is not valid; give a whole number of at least 0."),
        ("bottomup DGHs raw.csv out.csv 2 0", "shoal: l = 0 is not valid"),
        (
            "clustering DGHs raw.csv out.csv 2 1",
            "shoal: clustering takes neither a seed nor l: leave out the 1 after k.",
        ),
        ("clustering gone raw.csv out.csv 2", "shoal: gone: this folder of DGHs cannot be read"),
        ("clustering DGHs raw.csv raw.csv 2", "shoal: raw.csv: this is the input"),
    ],
)
def test_wrong_arguments_end_with_2_and_a_sentence(files, monkeypatch, capsys, line, said):
    monkeypatch.chdir(files.place)
    code, out, err = called(monkeypatch, capsys, *line.split())
    assert (code, out) == (2, "")
    assert said in err
    if not err.startswith("shoal: "):
        assert err.startswith(
            "usage: python -m shoal.comp430 {random|clustering|bottomup|bottom-up} DGH-folder raw.csv out.csv k "
            "[seed|l]\n"
        )
    assert not files.out.exists()


def test_the_help_has_examples(monkeypatch, capsys):
    code, out, err = called(monkeypatch, capsys, "--help")
    assert (code, err) == (0, "")
    assert "python -m shoal.comp430 bottomup DGHs adult.csv anonymized.csv 10 2" in out
