"""Tables of events for the tests of profiles and households."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

import shoal
from oracles.bags import labels_of, profiles
from shoal.data.encoding import encode
from shoal.metrics import METRICS
from strategies import tables

ANY = 10**9


def events(rows, *names):
    """A table of events, and the person of each: the first entry of each row."""
    people = sorted({row[0] for row in rows})
    columns = {name: pa.chunked_array([pa.array([row[1 + at] for row in rows])]) for at, name in enumerate(names)}
    table = encode(columns, quasi=list(names), sensitive=[], guides={}, style=shoal.Style())
    return table, np.array([people.index(row[0]) for row in rows])


def loss(table, made):
    return METRICS["loss"](table, made.recoding(table))


def groups(made):
    return {frozenset(np.flatnonzero(made.groups == group).tolist()) for group in set(made.groups.tolist()) - {-1}}


def shared(table, owners, made):
    return profiles(labels_of(table, made.recoding(table)), owners.tolist())


@st.composite
def people(draw, max_rows=24, people=8):
    """A table of any kind and the person of each row; some attributes are the same in all rows of each person."""
    table = draw(tables(max_rows=max_rows))
    rows = len(table.weights)
    owners = np.array(draw(st.lists(st.integers(0, people - 1), min_size=rows, max_size=rows)))
    for attribute in range(len(table.domains)):
        if draw(st.booleans()):
            first = {owner: row for row, owner in reversed(list(enumerate(owners.tolist())))}
            table.codes[:, attribute] = table.codes[[first[owner] for owner in owners.tolist()], attribute]
    return table, owners
