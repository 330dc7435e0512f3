"""ambiguous-label: labels that a reader can take for something else."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.data.domain import SetDomain, TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.data.value_order import NUMBER
from shoal.release.review.finding import Finding

CODE = "ambiguous-label"


def weak_labels(table: Table, style: Style) -> list[Finding]:
    """List the labels that can be misread, and numbers that are released as sets."""
    return [*_ambiguous(table, style), *_almost_numbers(table)]


def _ambiguous(table: Table, style: Style) -> Iterator[Finding]:
    """Warn of labels with a second meaning: a value outside the group, or a set of other values."""
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, TreeDomain) and (group := _misnamed(domain.hierarchy)) is not None:
            twice = "as a value and as a group without that value, which a reader cannot tell apart. Rename the group."
            tree = f"The hierarchy of {name!r} has"
            yield Finding(CODE, f"{tree} {group!r} {twice}", (name,), f"{tree} one name {twice}")
        union = next((label for label in domain.labels if style.separator in label), None)
        if isinstance(domain, SetDomain) and union is not None and len(domain) > 1:
            advice = "like a set. Choose another separator for sets."
            yield Finding(
                CODE,
                f"Column {name!r} holds {union!r}, which reads {advice}",
                (name,),
                f"Column {name!r} holds a value that reads {advice}",
            )


def _misnamed(tree: Hierarchy) -> str | None:
    """Return a group that has the name of a value outside it, if any."""
    for node in sorted(set(tree.parents.tolist()) - {-1}):
        code = tree.codes.get(tree.labels[node])
        if code is not None and not tree.lows[node] <= code <= tree.highs[node]:
            return str(tree.labels[node])
    return None


def _almost_numbers(table: Table) -> Iterator[Finding]:
    """Warn of columns of numbers that are released as sets because of a few other texts."""
    for name, domain in zip(table.quasi, table.domains, strict=True):
        if isinstance(domain, SetDomain):
            others = [label for label in domain.labels if not NUMBER.fullmatch(label)]
            if others and len(others) <= 2 and len(domain) > 3 * len(others):
                advice = "so it is released as sets. If that text means missing, declare it as missing to get ranges."
                numbers = f"Column {name!r} holds numbers and"
                yield Finding(
                    CODE,
                    f"{numbers} {', '.join(map(repr, others))}, {advice}",
                    (name,),
                    f"{numbers} some other text, {advice}",
                )
