"""Algorithm: from a table and a model to a recoding."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol

from shoal.models import PrivacyModel
from shoal.recoding import Recoding
from shoal.table import Table

Progress = Callable[[float], None]  # told the share of the work that is done


class Algorithm(Protocol):
    """A frozen dataclass of parameters with one method."""

    name: ClassVar[str]
    needs_hierarchies: ClassVar[bool]
    suppresses: ClassVar[bool]  # whether it may leave rows out, within the limit

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Recoding:
        """Group the rows so that every class satisfies the model, at most `max_suppressed` rows left out."""
        ...
