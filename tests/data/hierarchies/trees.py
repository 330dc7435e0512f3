"""Random ragged trees, and helpers for the tests of file formats."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from pace import stopwatch
from shoal import Hierarchy
from shoal.errors import HierarchyError

ODD = [
    "*",
    "?",
    "a b",
    "[10,14)",
    "14",
    ">=50K",
    "5;6",
    'in "quotes"',
    '"',
    '""',
    ",",
    ";",
    "a\tb",
    "a\rb",
    "é",
    "日本",
    "𝄞",
]
TWISTED = [
    "",
    " a",
    "a ",
    "\ta",
    "a\n",
    "a\nb",
    "\r",
    "\ufeffa",
    "a\ufeff",
    "\ud800",
    "\u2028",
    "a\u2028b",
    "\x00",
    "\x1f",
]
PLAIN = st.text("abc-_.", min_size=1, max_size=3)
LABELS = st.one_of(
    PLAIN, st.sampled_from(ODD), st.text('a;,"\t\r', min_size=1, max_size=4).filter(lambda s: s == s.strip())
)
ANY_LABELS = st.one_of(LABELS, st.sampled_from(TWISTED), st.text(max_size=3))


@st.composite
def trees(draw, labels=LABELS, *, min_nodes=1, max_nodes=40):
    """Draw a ragged tree of distinct values, whose groups may have any name."""
    size = draw(st.integers(min_nodes, max_nodes))
    parents = [-1, *(draw(st.integers(0, node - 1)) for node in range(1, size))]
    inner = set(parents)
    values = iter(draw(st.lists(labels, unique=True, min_size=size - len(inner) + 1, max_size=size - len(inner) + 1)))
    return Hierarchy.from_parents([draw(labels) if node in inner else next(values) for node in range(size)], parents)


def with_own_labels(tree):
    """Make each label of a tree unique by its node's number."""
    return Hierarchy.from_parents([f"{label} {node}" for node, label in enumerate(tree.labels)], tree.parents.tolist())


def refusal(call, *arguments, **options):
    """Return the message with which a call is refused."""
    with pytest.raises(HierarchyError) as caught:
        call(*arguments, **options)
    return str(caught.value)


def is_read_back(tree, path, form):
    """Return whether a tree is the same after writing and reading, by its format's reader and by the general one."""
    readers = {"tab-tree": Hierarchy.from_tab_tree, "pairs": Hierarchy.from_pairs, "levels": Hierarchy.from_levels}
    tree.save(path, format=form)
    alone = len(tree.labels) == 1  # one label with a comma looks like a pair
    return readers[form](path) == tree and (alone or Hierarchy.from_file(path) == tree)


def is_read_back_or_refused(tree, path, form):
    """Return the same, or whether a refusal leaves no file."""
    path.unlink(missing_ok=True)
    try:
        return is_read_back(tree, path, form)
    except HierarchyError:
        return not path.exists()


def seconds_to_read_fifty_thousand(folder, form):
    """Measure the processor time to read a file of 50,000 values in 500 groups, the better of two."""
    groups = [f"g{group}" for group in range(500)]
    values = [f"v{value}" for value in range(50_000)]
    parents = [-1, *[0] * 500, *(1 + value // 100 for value in range(50_000))]
    path = Hierarchy.from_parents(["*", *groups, *values], parents).save(folder / "large.txt", format=form)
    taken = []
    for _ in range(2):  # the other run may wait for the memory of earlier tests to be cleared
        with stopwatch() as watch:
            tree = Hierarchy.from_file(path)
        assert len(tree.leaves) == 50_000
        taken.append(watch.seconds)
    return min(taken)
