"""JsonReport: the .json report of a release."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from textwrap import indent
from typing import Any

from shoal.errors import InputError
from shoal.system.atomic_files import check_name, write_text

FORM: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False}


@dataclass(frozen=True)
class JsonReport:
    """A report with indented entries for people, followed by `compact` ones for programs, each on one line."""

    entries: Mapping[str, Any]
    compact: Mapping[str, Any] = field(default_factory=dict)

    def text(self, **more: Any) -> str:
        """Return the report as JSON, with `more` compact entries."""
        indented = [(name, json.dumps(value, indent=2, **FORM)) for name, value in self.entries.items()]
        compact = [
            (name, json.dumps(value, separators=(",", ":"), **FORM))
            for name, value in (*self.compact.items(), *more.items())
        ]
        entries = [indent(f"{json.dumps(name)}: {value}", "  ") for name, value in indented + compact]
        return "{\n" + ",\n".join(entries) + "\n}\n"

    def writer(self, digest: Callable[[], str] | None) -> Callable[[Path], None]:
        """Return a function that writes the report to a file, with the SHA-256 of its release.

        The digest is only known once the release is written, so it is a function, called when the report is written.
        """

        def write(file: Path) -> None:
            write_text(self.text() if digest is None else self.text(release={"sha256": digest()}), file)

        return write


def read_report(path: str | PathLike[str]) -> Any:
    """Read the JSON content of a report."""
    check_name(path)
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is not a complete JSON file; name the .json report of a release.") from error
