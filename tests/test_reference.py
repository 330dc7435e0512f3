"""The generated reference names everything that users can name."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import typer

import shoal
from shoal.cli.app import app
from shoal.cli.config.keys import SECTIONS
from shoal.metrics import METRICS
from shoal.release.review.finding_codes import CODES

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))
import docstrings
import reference


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return reference.pages()


def headings(text: str) -> set[str]:
    return set(re.findall(r"^#+ `(.*)`$", text, re.MULTILINE))


def test_every_public_name_has_a_heading(pages):
    found = set().union(*map(headings, pages.values()))
    missing = {f"shoal.{name}" for name in shoal.__all__} - found
    assert {name.removeprefix("shoal.") for name in missing} <= headings(pages["reference/errors.md"])


def test_every_error_and_warning_has_a_heading_with_its_exit_code(pages):
    text = pages["reference/errors.md"]
    own = {name for name in vars(shoal.errors) if name.endswith(("Error", "Warning", "Search"))}
    assert headings(text) == own
    assert (
        "A kind of `ShoalError`. The exit code is 3." in text.partition("## `InfeasibleError`")[2].partition("## ")[0]
    )
    assert all(f"| `{code}` |" in text for code in CODES)


def test_every_command_and_option_is_there(pages):
    def tree(group, name):
        for inner, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from tree(command, f"{name} {inner}")
            else:
                yield f"{name} {inner}", command

    text = pages["reference/commands.md"]
    commands = dict(tree(typer.main.get_command(app), "shoal"))
    assert headings(text) == set(commands)
    assert "shoal hierarchy build" in commands
    for name, command in commands.items():
        section = text.partition(f"## `{name}`\n")[2].partition("\n## `")[0]
        for parameter in command.params:
            shown = [option for option in parameter.opts if option.startswith("--")] or [parameter.name.upper()]
            if parameter.name != "help" and not parameter.hidden:
                assert all(option in section for option in shown), (name, parameter.name)


def test_every_key_measure_and_parameter_is_there(pages):
    keys = pages["reference/configuration.md"]
    assert all(f"| `{key}` |" in keys for section in SECTIONS.values() for key in section)
    assert all(f"| `{name}` |" in pages["reference/measures.md"] for name in METRICS)
    assert "| `rows_are_people` |" in pages["reference/python.md"]


def test_nothing_of_the_markup_of_the_terminal_and_of_this_machine_is_left(pages):
    for text in pages.values():
        assert "[bold]" not in text
        assert not re.search(r" at 0x[0-9a-f]+|\{algorithms\}|\{objectives\}", text)
        assert str(Path.home()) not in text or str(Path.home()) == "/"


def test_docstrings_become_sentences_tables_and_examples():
    def described() -> None:
        """Do *this* `x*y`, t < 1 `<`.

        one    first, which
               goes on | here
        other  second
        >>> 1 + 1
        2
        """

    assert docstrings.as_markdown(described) == (
        "Do \\*this\\* `x*y`, t &lt; 1 `<`.\n\n"
        "| parameter | |\n| --- | --- |\n| `one` | first, which goes on \\| here |\n| `other` | second |\n\n"
        "```pycon\n>>> 1 + 1\n2\n```"
    )
