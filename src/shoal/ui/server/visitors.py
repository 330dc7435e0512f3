"""Who may see what: a link for one browser each, and behind it a workbench and a folder of its own."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.ui.state.places import allowed_path

if TYPE_CHECKING:
    from shoal.ui.state.workbench import Workbench

MOST = 20
PATIENCE = 5.0  # seconds in which a workbench has to close


@dataclass(eq=False)
class Visitor:
    """One browser: its cookie, its workbench, and what it may do."""

    bench: Workbench
    max_upload: int
    home: Path
    anywhere: bool
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    first_table: str | None = None  # to be opened when the page is first shown
    dark: bool | None = None  # None: as the machine is set

    def __post_init__(self) -> None:
        self.bench.may_open, self.bench.max_upload, self.bench.home = self.allowed, self.max_upload, self.home

    def allowed(self, text: str) -> str:
        """The table that is named by a path or an address, refused where the visitor may not open it."""
        return allowed_path(text, folder=self.home, anywhere=self.anywhere)


@dataclass(eq=False)
class Visitors:
    """All visitors; the token lets one more in, then another one takes its place and is told."""

    folder: Path
    new_bench: Callable[[Path], Workbench]
    max_upload: int
    home: Path
    anywhere: bool
    tell: Callable[[str], None]
    first_table: str | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    inside: list[Visitor] = field(default_factory=list, repr=False)

    def of_cookie(self, cookie: str) -> Visitor | None:
        """The visitor with this cookie."""
        return next((visitor for visitor in self.inside if _same(visitor.cookie, cookie)), None)

    @property
    def full(self) -> bool:
        """Whether there are as many visitors as one server takes."""
        return len(self.inside) >= MOST

    def admit(self, token: str) -> Visitor | None:
        """A new visitor, where the token is the one that was told last and there is room."""
        if self.full or not _same(self.token, token):
            return None
        folder = self.folder / f"visitor-{len(self.inside) + 1}"
        folder.mkdir(mode=0o700, exist_ok=True)
        visitor = Visitor(self.new_bench(folder), self.max_upload, self.home, self.anywhere)
        visitor.first_table, self.first_table = self.first_table, None
        self.inside.append(visitor)
        self.token = secrets.token_urlsafe(32)
        self.tell(self.token)
        return visitor

    async def close(self) -> None:
        """Close all workbenches."""
        closing = (asyncio.wait_for(visitor.bench.close(), PATIENCE) for visitor in self.inside)
        for problem in await asyncio.gather(*closing, return_exceptions=True):
            if problem is not None:
                logging.getLogger("shoal").warning("a workbench did not close: %r", problem)


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode("utf-8", "replace"))
