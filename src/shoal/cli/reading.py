"""Tables that the commands read, as their options say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shoal.cli.console import show_note
from shoal.cli.values import names
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.io.csv_layout import Names
    from shoal.io.source import Source


def names_of_columns(named: list[str] | None, header: bool | None) -> Names:
    """Return what --names, --header and --no-header say of the first line, as shoal.read() takes it."""
    if named and header:
        raise InputError("--names and --header contradict each other: the names are given, or in the first line.")
    return names(named) if named else header


def read_table(
    place: str,
    *,
    separator: str | None,
    encoding: str,
    query: str | None = None,
    named: list[str] | None = None,
    header: bool | None = None,
    rows: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    quiet: bool = False,
    several: bool = False,
) -> Source:
    """Read a table that may be without a line of names, or some of its rows; say so unless that is unwanted.

    several  whether a pattern such as visits-*.csv may stand for the files of one table
    """
    from shoal.io.source import Source

    how: dict[str, Any] = {"separator": separator, "encoding": encoding, "names": names_of_columns(named, header)}
    source = _files_of(place, **how) if several and query is None else None
    source = source or Source.of(place, query=query, **how)
    source = source.some(rows=rows, sample=sample, seed=seed or 0)
    for note in () if quiet else source.notes:
        show_note(f"{source.name}: {note[0].lower()}{note[1:]}")
    return source


def note_nothing_missing(dropping: str | None, dropped: int, missing: list[str] | None) -> None:
    """Say that no row was left out, which may be so because nobody said rightly what means missing."""
    if dropping and not dropped and missing:
        texts = " or ".join(map(repr, missing))
        show_note(f"--drop-missing left out no row: no value is missing, and none is {texts}.")
    elif dropping and not dropped:
        show_note(
            "--drop-missing left out no row: no value is missing. If '?' or another text means missing, name it, as in "
            "--missing '?'."
        )


def read_release(
    place: str, *, separator: str | None, encoding: str, header: bool | None, several: bool = False
) -> Source:
    """Read a release, which names its columns in its first line; --header says that it does, however that looks."""
    from shoal.io.source import Source

    how: dict[str, Any] = {"separator": separator, "encoding": encoding, "names": header or None}
    return (_files_of(place, **how) if several else None) or Source.of(place, **how)


def _files_of(place: str, **how: Any) -> Source | None:
    """Read the files that a pattern stands for as one table; return None for the name of a single one."""
    from shoal.engines.several_files import read_several, stands_for_several

    return read_several(place, **how) if stands_for_several(place) else None
