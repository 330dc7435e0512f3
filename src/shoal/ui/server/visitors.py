"""The visitors: each has a link for one browser, a workbench and a folder."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.ui.state.places import allowed_path

if TYPE_CHECKING:
    from shoal.ui.state.workbench import Workbench

MAX_VISITORS = 20
CLOSE_TIMEOUT = 5.0  # seconds for a workbench to close


@dataclass(eq=False)
class Visitor:
    """One browser: its workbench, its cookie, and its settings."""

    bench: Workbench
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    first_table: str | None = None  # opened when the page is first shown
    dark: bool | None = None  # None: the setting of the machine


@dataclass(eq=False)
class Visitors:
    """All visitors; a token admits one more, and is then replaced by a new one."""

    folder: Path
    new_bench: Callable[[Path], Workbench]
    max_upload: int
    home: Path
    anywhere: bool
    on_new_token: Callable[[str], None]
    first_table: str | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    admitted: list[Visitor] = field(default_factory=list, repr=False)

    def of_cookie(self, cookie: str) -> Visitor | None:
        """Return the visitor with this cookie, if any."""
        return next((visitor for visitor in self.admitted if _same(visitor.cookie, cookie)), None)

    @property
    def full(self) -> bool:
        """Whether no more visitors are admitted."""
        return len(self.admitted) >= MAX_VISITORS

    def admit(self, token: str) -> Visitor | None:
        """Admit a new visitor if the token is the latest and the server is not full."""
        if self.full or not _same(self.token, token):
            return None
        folder = self.folder / f"visitor-{len(self.admitted) + 1}"
        folder.mkdir(mode=0o700, exist_ok=True)
        bench = self.new_bench(folder)
        bench.max_upload, bench.home = self.max_upload, self.home
        bench.may_open = partial(allowed_path, folder=self.home, anywhere=self.anywhere)
        visitor = Visitor(bench, first_table=self.first_table)
        self.first_table = None
        self.admitted.append(visitor)
        self.token = secrets.token_urlsafe(32)
        self.on_new_token(self.token)
        return visitor

    async def close(self) -> None:
        """Close all workbenches."""
        closing = (asyncio.wait_for(visitor.bench.close(), CLOSE_TIMEOUT) for visitor in self.admitted)
        for problem in await asyncio.gather(*closing, return_exceptions=True):
            if problem is not None:
                logging.getLogger("shoal").warning("a workbench did not close: %r", problem)


def _same(secret: str, claimed: str) -> bool:
    return secrets.compare_digest(secret.encode(), claimed.encode("utf-8", "replace"))
