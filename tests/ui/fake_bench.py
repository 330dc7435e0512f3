"""A workbench for tests of pages: the attributes that pages use, over a table in memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import shoal
from shoal.ui.state.jobs import read_hierarchy


@dataclass
class FakeBench:
    table: dict[str, list[str]]
    folder: Path
    quasi: list[str]
    project: Any = field(default_factory=lambda: SimpleNamespace(hierarchies={}, roles={}, missing=[]))
    suggestions: dict[str, shoal.Suggestion] = field(default_factory=dict)
    changes: int = 0

    def counts(self, column: str) -> dict[str, int]:
        return dict(Counter(self.table[column]).most_common())

    def changed(self) -> None:
        self.changes += 1

    def place_for(self, name: str) -> Path:
        return self.folder / name

    async def read_hierarchy(self, place: Path) -> shoal.Hierarchy:
        try:
            return read_hierarchy(place, progress=lambda stage, share: None)
        finally:
            place.unlink()
