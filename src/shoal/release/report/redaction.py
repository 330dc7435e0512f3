"""Redaction: files and servers as a report may name them, without folders of this machine, users and hosts."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from pathlib import PurePosixPath, PureWindowsPath

from shoal.io.database_kinds import FILE_KINDS
from shoal.release.report.script import written

ADDRESS = re.compile(r"(?P<kind>[A-Za-z][A-Za-z0-9+.-]*)://(?P<server>[^/#?]*)(?P<path>[^#?]*)[^#]*(?P<table>#.*)?")
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'")
# Such as -o/home/me/safe.csv and --hierarchy=zip=/home/me/zip.txt.
WORD = re.compile(r"((?:-o)?(?:[^=/\\]*=){0,2})(.*)", re.DOTALL)
TEXT_OPTIONS = ("--missing", "--missing-label", "--ranges", "--separator", "--query", "--class-column")
COLUMN_OPTIONS = (
    "--quasi",
    "--sensitive",
    "--identifying",
    "--pseudonymize",
    "--weight",
    "--levels",
    "--unit",
    "--names",
    "--group",
)


def public_place(place: str) -> str:
    """Shorten an absolute path, or one that leaves the folder, to its last part; remove the server from an address.

    >>> public_place("/home/me/patients.csv"), public_place("data/patients.csv")
    ('patients.csv', 'data/patients.csv')
    >>> public_place("postgresql://me@host:5432/clinic#visits"), public_place("sqlite:////home/me/clinic.db#visits")
    ('postgresql://…/clinic#visits', 'sqlite:///clinic.db#visits')
    """
    address = ADDRESS.fullmatch(place)
    if address is None:
        return _public_path(place)
    kind, table = address["kind"], address["table"] or ""
    if kind.lower() in FILE_KINDS:
        return f"{kind}:///{_public_path(address['path'][1:])}{table}"
    return f"{kind}://…{address['path']}{table}"


def _public_path(place: str) -> str:
    for path in (PurePosixPath(place), PureWindowsPath(place)):
        if path.name and (path.is_absolute() or ".." in path.parts[:-1] or path.parts[0].startswith("~")):
            return path.name
    return place


def public_words(words: list[str]) -> list[str]:
    """Redact files and servers in the words of a command line."""
    options = TEXT_OPTIONS + COLUMN_OPTIONS
    public = []
    for before, word in zip(["", *words], words, strict=False):
        head, place = WORD.fullmatch(word).groups()  # type: ignore[union-attr]
        is_text = before in options or word.partition("=")[0] in options
        public.append(word if is_text else head + public_place(place))
    return public


def public_python(lines: str, keep: Collection[str]) -> str:
    """Redact files and servers in the string literals of Python code, except for texts to `keep`."""

    def shown(literal: re.Match[str]) -> str:
        text = ast.literal_eval(literal[0])
        public = text if text in keep else public_place(text)
        return literal[0] if public == text else written(public)

    return LITERAL.sub(shown, lines)
