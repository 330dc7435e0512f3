"""What a report says of the command that made a release: its words, and the lines of Python for what they name."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from shoal.cli.algorithms import options_of
from shoal.cli.console import pairs

if TYPE_CHECKING:
    from shoal.algorithms import Algorithm
    from shoal.cli.config.config import Config
    from shoal.release.release import Release


def with_command(release: Release, context: typer.Context, definitions: Mapping[str, str]) -> Release:
    """The release with the command line that makes it again."""
    picked, found = release.report.choice is not None, release.report.certificate
    changed = picked or (found is not None and found["interrupted"] and found["repeatable"])
    command = command_of(context, release.request.algorithm if changed else None, picked=picked)
    return replace(release, request=replace(release.request, command=command, definitions=definitions))


def command_of(context: typer.Context, made: Algorithm | str | None, *, picked: bool) -> str:
    """The command line as it was typed, with what is new of the algorithm that has made the release.

    What is new is all of it where auto has picked it, and the rounds of a search that was interrupted. Passwords,
    servers and the folders of this machine are left out, as the command stands in reports that others read.
    """
    from shoal.io.databases.address import without_passwords
    from shoal.release.report.redaction import public_words

    words = list(context.meta["typed"])
    if made is not None and "algorithm" in context.params:
        words = _without_rounds(words)
        end = words.index("--") if "--" in words else len(words)
        words[end:end] = options_of(made) if picked else ["--set", f"rounds={made.rounds}"]  # type: ignore[arg-type,union-attr]
    return shlex.join(["shoal", *public_words([without_passwords(word) for word in words])])


def _without_rounds(words: list[str]) -> list[str]:
    """The words without the rounds that may have been asked for."""
    kept: list[str] = []
    for word in words:
        if kept and kept[-1] == "--set" and word.startswith("rounds="):
            kept.pop()
        elif not word.startswith("--set=rounds="):
            kept.append(word)
    return kept


def definitions_of(key_file: Path | None, trees: list[str] | None, config: Path | None, file: Config) -> dict[str, str]:
    """The lines of Python for the options that anonymize() does not take as they are.

    Trees that stand in a configuration file are read from there, as they may name values that only few rows have.
    """
    from shoal.release.report.script import written

    found = key_definition(key_file)

    def tree(name: str, given: object, *sections: str) -> str:
        if isinstance(given, str | Path):
            return f"{written(name)}: shoal.Hierarchy.from_file({written(given)})"
        place = "".join(f"[{written(part)}]" for part in (*sections, name))
        return f"{written(name)}: shoal.Hierarchy.from_nested(config{place})"

    inline = [tree(name, given, "hierarchies") for name, given in file.trees.items()]
    if inline:
        found["hierarchies"] = f"hierarchies = {{{', '.join(inline)}}}"
    secret = file.sensitive_hierarchies | pairs("--sensitive-hierarchy", trees)
    if secret:
        lines = [tree(name, given, "model", "sensitive_hierarchies") for name, given in secret.items()]
        found["sensitive_hierarchies"] = f"sensitive_hierarchies = {{{', '.join(lines)}}}"
    if config is not None:
        found["config"] = f'config = tomllib.loads({written(config)}.read_text(encoding="utf-8-sig"))'
    return found


def key_definition(key_file: Path | None) -> dict[str, str]:
    """The line of Python for the key."""
    from shoal.release.report.script import written

    return {} if key_file is None else {"key": f"key = {written(key_file)}.read_bytes().strip()"}
