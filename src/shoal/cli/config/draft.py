"""The text of a new shoal.toml: guesses about a table, with the reason for each line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shoal.ui.state.toml import toml, toml_comment, toml_file, toml_key, toml_line

if TYPE_CHECKING:
    from shoal.analysis.suggestions import Suggestion

UNIT = "Whose row it is: people are counted, not rows, and the column is removed."
ROLES = {
    "quasi": "Could together identify a person: generalized until k rows look the same.",
    "sensitive": "Must not be learned about a person: released unchanged, and diverse in each class if l or t is set.",
    "identifying": "Identify a person: removed. To keep a keyed hash, use pseudonymize and key_file instead.",
}
OTHER = (
    "Released as they are, the worst first. Move up what others may know about a person, or what must not be learned:"
)
NO_QUASI = (
    "NOTHING LOOKS QUASI-IDENTIFYING. Move the columns here that others may know about a person, such as age or sex."
)
HIERARCHIES = """\
# How values are generalized: a spelling (see shoal hierarchy build --help), a file, or a tree written here, such as
# { "Higher" = ["Bachelors", "Masters"], "School" = ["HS-grad", "11th"] }. Without a line, numbers become free
# ranges and texts become sets. To start from a file: shoal hierarchy build by-frequency:4 --data TABLE --column COLUMN
# -o COLUMN.txt; put its values into better groups, and write COLUMN = "COLUMN.txt"."""
REASONS = {
    "prefix": "codes of one length, masked from the right",
    "dates": "day, month, quarter, year, decade",
    "by-frequency:4": "too many values for sets: the rarest are grouped first; groups of your own say more",
}


def config_text(
    suggestions: Sequence[Suggestion],
    *,
    title: str,
    data: Mapping[str, Any],
    k: int,
    output: Mapping[str, Any],
    comments: Mapping[str, str],
) -> str:
    """Write the whole file; a comment belongs to a key of `data` or `output`."""

    def lines(entries: Mapping[str, Any]) -> list[str]:
        return [toml_line(name, value, comments.get(name, "")) for name, value in entries.items()]

    quasi = [suggestion for suggestion in suggestions if suggestion.role == "quasi"]
    unit = next((suggestion for suggestion in suggestions if suggestion.role == "unit"), None)
    alike = "rows that look the same" if unit is None else "people in a class of rows that look the same"
    model = [toml_line("k", k, f"the fewest {alike}")]
    if any(suggestion.role == "sensitive" for suggestion in suggestions):
        model.append(toml_line("l", 2, "the fewest different sensitive values among them"))
        model.append("# t = 0.2  # the largest distance of their shares to those of the whole table, from 0 to 1")
    sections = {
        "data": lines(data),
        "roles": _people(suggestions) + _roles(suggestions),
        "hierarchies": [HIERARCHIES, *(line for suggestion in quasi for line in _hierarchy(suggestion))],
        "model": model,
        "algorithm": [toml_line("name", "auto", "picks one and says why; see shoal anonymize --help for the others")],
        "limits": [toml_line("max_suppression", 0, "rows that may be suppressed: a share (0.02) or a number (100)")],
        "output": lines(output),
    }
    return toml_file(title, sections)


def _people(suggestions: Sequence[Suggestion]) -> list[str]:
    """Write the column that says whose row it is, and a household as a comment: another promise, which costs more."""
    lines = []
    for suggestion in suggestions:
        if suggestion.role == "unit":
            lines += [f"# {UNIT}", toml_line("unit", suggestion.column, suggestion.why)]
            if suggestion.missing:
                rows = f"{suggestion.missing:,} row{'s' * (suggestion.missing != 1)}"
                lines.append(f'# missing_units = "own"  # takes each of the {rows} without one as another person')
        if suggestion.household:
            instead = " instead of the unit, if each row is a member" if suggestion.role == "unit" else ""
            comment = f"at least k households share the rows of their members{instead}"
            lines.append(f"# {toml_line('group', suggestion.column, comment)}")
    return lines


def _roles(suggestions: Sequence[Suggestion]) -> list[str]:
    from shoal.analysis.suggestions import worst_first

    lines = []
    for role, meaning in ROLES.items():
        columns = [suggestion for suggestion in suggestions if suggestion.role == role]
        if role == "quasi" and not columns:
            lines.append(f"# {NO_QUASI}")
        lines += [f"# {meaning}", f"{role} = [", *(f"    {_column(suggestion)}" for suggestion in columns), "]"]
    if others := worst_first(suggestions):
        lines += [f"# {OTHER}", *(f"#   {_column(suggestion)}" for suggestion in others)]
    return lines


def _column(suggestion: Suggestion) -> str:
    reason = f"{suggestion.why}; {suggestion.facts}" if suggestion.facts else suggestion.why
    return f"{toml(suggestion.column)},  # {toml_comment(reason)}"


def _hierarchy(suggestion: Suggestion) -> list[str]:
    """Write the hierarchy of a column, and its alternatives as comments."""
    column = suggestion.column
    if suggestion.hierarchy is None:
        shown = "free ranges" if suggestion.kind in ("number", "date", "time") else "sets of values"
        alternatives = "; instead, one of:" if suggestion.other_hierarchies else ""
        lines = [f"# {toml_key(column)} becomes {shown}{alternatives}"]
    else:
        lines = [toml_line(column, suggestion.hierarchy, REASONS.get(suggestion.hierarchy, "it fits the values"))]
    lines += [f"# {toml_line(column, spelling)}" for spelling in suggestion.other_hierarchies]
    if suggestion.common_values:
        half = len(suggestion.common_values) // 2
        groups = {"group 1": suggestion.common_values[:half], "group 2": suggestion.common_values[half:]}
        lines.append(f"# {toml_line(column, groups)}")
    return lines
