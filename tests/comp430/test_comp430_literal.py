"""On random tables and DGHs, every output file is the one that the assignment describes, byte for byte."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st

from oracles.comp430 import Assignment, classes, read_table
from shoal import InfeasibleError
from shoal.comp430 import bottomup_anonymizer, clustering_anonymizer, cost_LM, cost_MD, random_anonymizer

SIGNS = "ab ,;\"*?|é'-.1\\"
LABELS = st.text(SIGNS, min_size=1, max_size=3).filter(lambda label: label == label.rstrip())
SECRETS = st.text(SIGNS + "\r\n\t", max_size=3)
NAMES = st.text("ab ,;\"*?|é'-.1", min_size=1, max_size=4).filter(lambda name: name not in (".", ".."))


@st.composite
def dghs(draw):
    """Draw the lines of a ragged DGH, whose groups may have any names, and its leaves."""
    parents = [-1, *(draw(st.integers(0, node - 1)) for node in range(1, draw(st.integers(1, 9))))]
    inner = set(parents)
    leaves = iter(draw(st.lists(LABELS, min_size=len(parents), max_size=len(parents), unique=True)))
    labels = [draw(LABELS) if node in inner else next(leaves) for node in range(len(parents))]
    lines = []

    def walk(node, depth):
        lines.append("\t" * depth + labels[node])
        for child, parent in enumerate(parents):
            if parent == node:
                walk(child, depth + 1)

    walk(0, 0)
    end = draw(st.sampled_from(["\n", "\r\n", " \n", "\n\n"]))
    return end.join(lines) + end * draw(st.integers(0, 1)), [labels[n] for n in range(len(parents)) if n not in inner]


@st.composite
def inputs(draw):
    """Draw the bytes of a table, and its DGHs by column."""
    names = draw(st.lists(NAMES, min_size=2, max_size=4, unique_by=str.casefold))
    trees = {name: draw(dghs()) for name in names[1:]}
    rows = draw(st.integers(1, 9))
    columns = [draw(st.lists(SECRETS, min_size=rows, max_size=rows))]
    columns += [draw(st.lists(st.sampled_from(leaves), min_size=rows, max_size=rows)) for _, leaves in trees.values()]
    order = draw(st.permutations(range(len(names))))
    text = io.StringIO(newline="")
    end = draw(st.sampled_from(["\n", "\r\n"]))
    # With other line ends than its own, Python's writer leaves \r without quotes.
    plain = draw(st.booleans()) and (end == "\r\n" or not any("\r" in secret for secret in columns[0]))
    writer = csv.writer(text, lineterminator=end, quoting=csv.QUOTE_MINIMAL if plain else csv.QUOTE_ALL)
    writer.writerows([[names[at] for at in order], *([columns[at][row] for at in order] for row in range(rows))])
    return text.getvalue().encode(), {name: tree for name, (tree, _) in trees.items()}


@settings(max_examples=300, deadline=None)
@given(inputs(), st.integers(1, 9), st.integers(1, 4), st.integers(0, 2**32 - 1))
@example((b"s,q\n1,a\n", {"q": "a"}), 1, 1, 0)
def test_what_is_written_is_what_the_assignment_describes(given_files, k, diversity, seed):
    table, trees = given_files
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        raw, folder, out = place / "raw.csv", place / "DGHs", place / "out.csv"
        folder.mkdir()
        raw.write_bytes(table)
        for column, tree in trees.items():
            (folder / f"{column}.txt").write_bytes(tree.encode())
        literal = Assignment(raw, folder)
        k = min(k, len(literal.rows))

        def check(rows, least):
            assert out.read_bytes() == literal.written(rows)
            header, shown = read_table(out)
            secrets = classes(header, shown, literal.sensitive).values()
            assert all(len(secret) >= k and len(set(secret)) >= least for secret in secrets)
            md, lm = literal.costs(out)
            assert (cost_MD(raw, out, folder), cost_LM(raw, out, folder)) == (md, float(lm))

        random_anonymizer(raw, folder, k, seed, out)
        check(literal.random(k, seed), 1)
        clustering_anonymizer(raw, folder, k, out)
        check(literal.clustering(k), 1)
        if diversity <= len({row[literal.sensitive] for row in literal.rows}):
            bottomup_anonymizer(raw, folder, k, diversity, out)
            check(literal.bottomup(k, diversity), diversity)
        else:
            with pytest.raises(InfeasibleError):
                bottomup_anonymizer(raw, folder, k, diversity, out)
