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
    """Entries to be read by people, and `compact` ones for programs, each on one line at the end."""

    entries: Mapping[str, Any]
    compact: Mapping[str, Any] = field(default_factory=dict)

    def text(self, **more: Any) -> str:
        """Write the report as JSON, with more compact entries."""
        spread = [(name, json.dumps(value, indent=2, **FORM)) for name, value in self.entries.items()]
        lines = [
            (name, json.dumps(value, separators=(",", ":"), **FORM))
            for name, value in (*self.compact.items(), *more.items())
        ]
        entries = [indent(f"{json.dumps(name)}: {value}", "  ") for name, value in spread + lines]
        return "{\n" + ",\n".join(entries) + "\n}\n"

    def writer(self, digest: Callable[[], str] | None) -> Callable[[Path], None]:
        """Return what writes the report into a file, with the SHA-256 of its release.

        The release is written first, so the digest is asked for when the report is written.
        """

        def write(file: Path) -> None:
            write_text(self.text() if digest is None else self.text(release={"sha256": digest()}), file)

        return write
