"""Labels that could not be read, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def unread_labels(unread: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a sentence for each column that has such labels.

    >>> list(unread_labels({"job": ["manual"]}))
    ["Column 'job': 'manual' cannot be read, and someone who can learns more. Name the hierarchy if there is one."]
    """
    for name, labels in unread.items():
        several = f"{len(labels):,} labels, such as {labels[0]!r}," if len(labels) > 1 else f"{labels[0]!r}"
        yield (
            f"Column {name!r}: {several} cannot be read, and someone who can learns more. Name the hierarchy if there "
            f"is one."
        )
