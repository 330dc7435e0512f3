"""The text of a shoal.toml for a table that nobody has described yet, with the reason for each line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal.analysis.suggestions import Suggestion

ROLES = {
    "quasi": "Could tell, together, who a row is about: made coarser until k rows look the same.",
    "sensitive": "Must not be learned about a person: released as they are, and kept diverse where l or t asks for it.",
    "identifying": "Tell who a person is: removed. To keep a keyed hash, use pseudonymize and key_file instead.",
}
OTHER = "Released as they are. Move up what others may know about a person, or what must not be learned:"
NO_QUASI = (
    "NOTHING LOOKS QUASI-IDENTIFYING. Move the columns here that others may know about a person, such as age or sex."
)
TREES = """\
# How values are made coarser: a spelling (shoal hierarchy build --help names them), a file, or a tree that stands here,
# such as { "Higher" = ["Bachelors", "Masters"], "School" = ["HS-grad", "11th"] }. Without a line, numbers become free
# ranges and texts sets. To begin with a file: shoal hierarchy build by-frequency:4 --data TABLE --column COLUMN
# -o COLUMN.txt; put its values into better groups, and write COLUMN = "COLUMN.txt"."""
REASONS = {
    "prefix": "codes of one length, masked from the right",
    "dates": "day, month, quarter, year, decade",
    "by-frequency:4": "too many values for sets: the rarest are grouped first; groups of your own tell more",
}


@dataclass(frozen=True)
class Draft:
    """What a new file says beside the roles."""

    title: str
    data: dict[str, Any]
    k: int
    output: dict[str, Any]


def toml(value: Any) -> str:
    """A text, number or list as TOML writes it."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def key(name: str) -> str:
    """The name of a column as a key."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else toml(name)


def config_text(draft: Draft, suggestions: Sequence[Suggestion]) -> str:
    """The whole file."""
    quasi = [one for one in suggestions if one.role == "quasi"]
    model = [f"k = {draft.k}  # rows that look the same, at least"]
    sensitive = [one for one in suggestions if one.role == "sensitive"]
    if sensitive:
        model.append("l = 2  # different sensitive values among them, at least")
        model.append("# t = 0.2  # how far their shares may be from those of the whole table, from 0 to 1")
    sections = {
        "data": [f"{name} = {_written(value)}" for name, value in draft.data.items()],
        "roles": _roles(suggestions),
        "hierarchies": [TREES, *(line for one in quasi for line in _tree(one))],
        "model": model,
        "algorithm": ['name = "auto"  # picks one and says why; shoal anonymize --help names the others'],
        "limits": ["max_suppression = 0  # rows that may be hidden whole: a share (0.02) or a number (100)"],
        "output": [f"{name} = {_written(value)}" for name, value in draft.output.items()],
    }
    written = ["\n".join([f"[{name}]", *lines]) for name, lines in sections.items()]
    return "\n\n".join([draft.title, *written]) + "\n"


def _written(value: Any) -> str:
    """A value, with a comment where one is given."""
    return f"{toml(value[0])}  # {value[1]}" if isinstance(value, tuple) else toml(value)


def _roles(suggestions: Sequence[Suggestion]) -> list[str]:
    lines = []
    for role, meaning in ROLES.items():
        chosen = [one for one in suggestions if one.role == role]
        if role == "quasi" and not chosen:
            lines.append(f"# {NO_QUASI}")
        lines += [f"# {meaning}", f"{role} = [", *(f"    {toml(one.column)},  # {_reason(one)}" for one in chosen), "]"]
    others = [one for one in suggestions if one.role == "other"]
    if others:
        lines += [f"# {OTHER}", *(f"#   {toml(one.column)},  # {_reason(one)}" for one in others)]
    return lines


def _reason(one: Suggestion) -> str:
    return toml(f"{one.why}; {one.facts}" if one.facts else one.why)[1:-1]


def _tree(one: Suggestion) -> list[str]:
    """The line of a column, and what could stand in its place."""
    shown = "free ranges" if one.kind in ("number", "date", "time") else "sets of values"
    if one.hierarchy is None:
        lines = [f"# {key(one.column)} becomes {shown}{'; instead, one of:' if one.other_hierarchies else ''}"]
    else:
        lines = [f"{_line(one.column, one.hierarchy)}  # {REASONS.get(one.hierarchy, 'it fits the values')}"]
    lines += [f"# {_line(one.column, spelling)}" for spelling in one.other_hierarchies]
    if one.common_values:
        half = len(one.common_values) // 2
        groups = {"group 1": one.common_values[:half], "group 2": one.common_values[half:]}
        inside = ", ".join(f"{toml(group)} = {toml(values)}" for group, values in groups.items())
        lines.append(f"# {key(one.column)} = {{ {inside} }}")
    return lines


def _line(column: str, spelling: str) -> str:
    return f"{key(column)} = {toml(spelling)}"
