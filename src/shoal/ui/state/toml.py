"""TOML as shoal writes it, in the workbench and on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any


def toml(value: Any) -> str:
    """Write a text, number, list or table."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(name)} = {toml(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON does not escape it, TOML requires it


def toml_key(name: str) -> str:
    """Write the name of a key, in quotes if it needs them."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else toml(name)


def toml_comment(text: str) -> str:
    """Replace characters that a comment must not contain."""
    return "".join(character if character.isprintable() else "�" for character in text)


def toml_line(name: str, value: Any, comment: str = "") -> str:
    """Write a key with its value, and a comment if any."""
    return f"{toml_key(name)} = {toml(value)}" + (f"  # {toml_comment(comment)}" if comment else "")


def toml_file(title: str, sections: Mapping[str, list[str]]) -> str:
    """Write a file from the lines of its sections."""
    return "\n\n".join([title, *("\n".join([f"[{name}]", *lines]) for name, lines in sections.items())]) + "\n"
