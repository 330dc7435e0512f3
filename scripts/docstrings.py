"""Turn the docstrings of shoal into Markdown: sentences, tables of parameters, examples."""

from __future__ import annotations

import inspect
import re
from typing import Any

PARAMETER = re.compile(r"^(\w+) {2,}(\S.*)$")


def as_markdown(described: Any) -> str:
    """Return a docstring as Markdown."""
    blocks: list[tuple[str, list[str]]] = []
    for line in (inspect.getdoc(described) or "").splitlines():
        kind = _kind(line, blocks[-1][0] if blocks else "")
        if not blocks or blocks[-1][0] != kind or not line.strip():
            blocks.append((kind, []))
        if line.strip():
            blocks[-1][1].append(line)
    return "\n\n".join(_block(kind, lines) for kind, lines in blocks if lines)


def _kind(line: str, before: str) -> str:
    """Name what a line belongs to: an example, the parameters, or sentences."""
    if not line.strip():
        return ""
    if line.startswith(">>>") or before == "example":
        return "example"
    if PARAMETER.match(line) or (before == "parameters" and line.startswith(" ")):
        return "parameters"
    return "text"


def _block(kind: str, lines: list[str]) -> str:
    if kind == "example":
        return "```pycon\n" + "\n".join(lines) + "\n```"
    if kind == "text":
        return text("\n".join(line.strip() for line in lines))
    rows: list[list[str]] = []
    for line in lines:
        if match := PARAMETER.match(line):
            rows.append([match[1], match[2]])
        else:
            rows[-1][1] += " " + line.strip()
    return "| parameter | |\n| --- | --- |\n" + "\n".join(f"| `{name}` | {in_cell(said)} |" for name, said in rows)


def text(said: str) -> str:
    """Escape what Markdown would take for markup, outside of `code`; code of other spellings stays."""
    parts = re.split(r"(`[^`]*`)", said)
    escaped = (part if part.startswith("`") else re.sub(r"([*\[\]_])", r"\\\1", part) for part in parts)
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in escaped)


def in_cell(said: str, *, escaped: bool = False) -> str:
    """Write a text on one line of a table."""
    return (said if escaped else text(said)).replace("\n", " ").replace("|", r"\|")
