"""How a release was made, for its report: the command line, and Python definitions of what the options name."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from shoal.cli.algorithms import options_of

if TYPE_CHECKING:
    from shoal.algorithms import Algorithm
    from shoal.cli.config.file import Config
    from shoal.release.release import Release


def with_command(release: Release, context: typer.Context, definitions: Mapping[str, str]) -> Release:
    """Add the command line that makes the release again."""
    picked, certificate = release.report.choice is not None, release.report.certificate
    changed = picked or (certificate is not None and certificate["interrupted"] and certificate["repeatable"])
    command = command_of(context, release.request.algorithm if changed else None, picked=picked)
    return replace(release, request=replace(release.request, command=command, definitions=definitions))


def command_of(context: typer.Context, algorithm: Algorithm | str | None, *, picked: bool) -> str:
    """Return the command line as it was typed, with what it did not say about the algorithm that made the release.

    That is the whole algorithm if auto picked it, and the rounds of a search that was interrupted. Passwords, servers
    and the folders of this machine are left out, because others read the reports that show the command.
    """
    from shoal.io.databases.address import without_passwords
    from shoal.release.report.redaction import public_words

    words = list(context.meta["typed"])
    if algorithm is not None and "algorithm" in context.params:
        words = _without_rounds(words)
        if picked and not hasattr(algorithm, "effort"):
            words = _without_effort(words)
        end = words.index("--") if "--" in words else len(words)
        words[end:end] = options_of(algorithm) if picked else ["--set", f"rounds={algorithm.rounds}"]  # type: ignore[arg-type,union-attr]
    return shlex.join(["shoal", *public_words([without_passwords(word) for word in words])])


def _without_rounds(words: list[str]) -> list[str]:
    """Remove the option that sets the rounds, if any."""
    remaining: list[str] = []
    for word in words:
        if remaining and remaining[-1] == "--set" and word.startswith("rounds="):
            remaining.pop()
        elif not word.startswith("--set=rounds="):
            remaining.append(word)
    return remaining


def _without_effort(words: list[str]) -> list[str]:
    """Remove the effort that was asked for, where auto picked an algorithm that knows none."""
    remaining: list[str] = []
    for word in words:
        if remaining and (remaining[-1] == "--effort" or (remaining[-1] == "--set" and word.startswith("effort="))):
            remaining.pop()
        elif not word.startswith(("--effort=", "--set=effort=")):
            remaining.append(word)
    return remaining


def definitions_of(
    key_file: Path | None, sensitive_hierarchies: Mapping[str, Any], config_file: Path | None, config: Config
) -> dict[str, str]:
    """Write the lines of Python for options that anonymize() takes in another form.

    Hierarchies that are written in a configuration file are read from there, as they may name values that only few
    rows have.
    """
    from shoal.data.hierarchy import Hierarchy
    from shoal.release.report.script import written

    definitions = key_definition(key_file)
    inline = {name: guide for name, guide in config.hierarchies.items() if isinstance(guide, Hierarchy)}

    def entry(name: str, guide: object, *sections: str) -> str:
        if isinstance(guide, str | Path):
            return f"{written(name)}: shoal.Hierarchy.from_file({written(guide)})"
        place = "".join(f"[{written(part)}]" for part in (*sections, name))
        return f"{written(name)}: shoal.Hierarchy.from_nested(config{place})"

    for keyword, guides, place in (
        ("hierarchies", inline, ("hierarchies",)),
        ("sensitive_hierarchies", sensitive_hierarchies, ("model", "sensitive_hierarchies")),
    ):
        if guides:
            entries = ", ".join(entry(name, guide, *place) for name, guide in guides.items())
            definitions[keyword] = f"{keyword} = {{{entries}}}"
    if config_file is not None:
        definitions["config"] = f'config = tomllib.loads({written(config_file)}.read_text(encoding="utf-8-sig"))'
    return definitions


def key_definition(key_file: Path | None) -> dict[str, str]:
    """Write the line of Python that reads the secret key."""
    from shoal.release.report.script import written

    return {} if key_file is None else {"key": f"key = {written(key_file)}.read_bytes().strip()"}
