"""JsonReport: the .json report of a release."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Any

from shoal.system.atomic_files import write_text

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
