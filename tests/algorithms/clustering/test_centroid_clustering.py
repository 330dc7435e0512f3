"""Centroid clustering against its vectors and against the assignment's pseudocode, step by step."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from contract.lists import MODELS
from oracles import clustering as oracle
from shoal import AverageRisk, DeltaPresence, InfeasibleError, InputError, KAnonymity, KMap
from shoal.algorithms.clustering.centroids import CentroidClustering, distances_of
from shoal.data.domain import NumericDomain
from shoal.data.encoding import encode
from shoal.io.source import Source
from shoal.kernels.clustering.centroids import WORD, distances_to
from shoal.metrics import METRICS
from strategies import tables

COLUMNS = {
    "Zip": ["13053", "13068", "13068", "13053", "14853", "14853", "14850", "14850"],
    "Age": ["28", "29", "21", "23", "50", "55", "47", "59"],
    "Nationality": ["Russian", "American", "Japanese", "American", "Indian", "Russian", "American", "American"],
}
TREES = {
    "Zip": {"Any": ["130**", "1485*"], "130**": ["13053", "13068"], "1485*": ["14853", "14850"]},
    "Age": {"Any": ["<30", ">40"], "<30": ["21", "23", "28", "29"], ">40": ["47", "50", "55", "59"]},
    "Nationality": {"*": ["Russian", "American", "Japanese", "Indian"]},
}
PEOPLE = pa.table(COLUMNS)
RULES = CentroidClustering()


def tree(children):
    """A tree from the children of its inner nodes, the root first."""
    labels = [next(iter(children)), *(label for below in children.values() for label in below)]
    parents = {label: labels.index(node) for node, below in children.items() for label in below}
    return shoal.Hierarchy.from_parents(labels, [parents.get(label, -1) for label in labels])


def table_of(columns, trees):
    data = {name: pa.chunked_array([pa.array(values)]) for name, values in columns.items()}
    guides = {name: tree(children) for name, children in trees.items()}
    return encode(data, quasi=list(columns), sensitive=[], guides=guides, style=shoal.Style())


def groups(ids):
    return [np.flatnonzero(ids == group).tolist() for group in range(ids.max() + 1)]


def distance(table, one, other):
    """The distance of two records as the kernel says it."""
    distances = distances_of(table.domains, 1)
    words = np.empty((distances.code.shape[0], 1), np.int64)
    others = np.array([other], np.int32)
    distances_to(distances, table.codes, one, others, 1, np.empty_like(distances.code), words)
    return sum(word << (WORD * place) for place, word in enumerate(reversed(words[:, 0].tolist())))


def test_the_example_of_a_distance():
    trees = {
        "Job": {
            "Any": ["Professional", "Artist"],
            "Professional": ["Engineer", "Lawyer"],
            "Artist": ["Dancer", "Poet"],
        },
        "Sex": {"Any": ["Male", "Female"]},
    }
    table = table_of({"Job": ["Engineer", "Lawyer", "Poet"], "Sex": ["Male", "Male", "Female"]}, trees)
    assert oracle.distance(table, 0, 1) == Fraction(1, 6) + Fraction(2, 6)
    assert oracle.distance(table, 0, 2) == 2
    assert Fraction(distance(table, 0, 1), distance(table, 0, 2)) == Fraction(1, 4)


def test_the_example_of_zip_age_and_nationality():
    table = table_of(COLUMNS, TREES)
    assert groups(RULES.clusters(table, 2)) == [[0, 3], [4, 5], [1, 2], [6, 7]]
    made = RULES.recode(table, KAnonymity(2))
    assert METRICS["distortion"](table, made) == 14
    assert METRICS["loss_rows"](table, made) == pytest.approx(22 / 7, abs=1e-12)


def test_the_figures_of_the_course_file(reference_data):
    folder = reference_data / "comp430"
    source = Source.of(folder / "adult-hw1.csv")
    trees = {name: shoal.Hierarchy.from_tab_tree(folder / "DGHs" / f"{name}.txt") for name in source.columns[:-1]}
    columns = {name: source.arrow(name) for name in source.columns}
    table = encode(columns, quasi=list(trees), sensitive=["income"], guides=trees, style=shoal.Style())
    made = RULES.recode(table, KAnonymity(16))
    assert METRICS["distortion"](table, made) == 105464
    assert METRICS["loss_rows"](table, made) == pytest.approx(4227.4533978073, abs=1e-9)


@given(table=tables(), k=st.integers(1, 6))
@settings(max_examples=400, deadline=None)
def test_clusters_are_those_of_the_pseudocode(table, k):
    assume(len(table.weights) >= k)
    expected = oracle.centroid_clustering(table, k)
    assert groups(RULES.clusters(table, k)) == list(map(sorted, expected))


@st.composite
def wide_tables(draw):
    """Numbers whose ranges have no small common multiple, with distances that nearly agree."""
    table = draw(tables(max_rows=16, max_attributes=2))
    domains, columns = list(table.domains), list(table.codes.T)
    for _ in range(draw(st.integers(1, 5))):
        far = draw(st.integers(2**44, 2**52))
        numbers = sorted({0, 1, 2, far // 2, far // 2 + 1, far - 1, far, *draw(st.sets(st.integers(0, 9)))})
        domains.append(NumericDomain(tuple(map(str, numbers)), -1, np.array(numbers, np.float64)))
        codes = st.integers(0, len(numbers) - 1)
        columns.append(np.array(draw(st.lists(codes, min_size=len(table.weights), max_size=len(table.weights)))))
    quasi = tuple(f"q{j}" for j in range(len(domains)))
    return replace(table, quasi=quasi, domains=tuple(domains), codes=np.array(columns, np.int32).T.copy())


@given(table=wide_tables(), k=st.integers(1, 6))
@settings(max_examples=200, deadline=None)
def test_large_denominators_are_compared_without_rounding(table, k):
    assume(len(table.weights) >= k)
    expected = oracle.centroid_clustering(table, k)
    assert groups(RULES.clusters(table, k)) == list(map(sorted, expected))


@given(table=wide_tables(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_a_distance_is_a_multiple_of_one_fraction(table, data):
    rows = st.integers(0, len(table.weights) - 1)
    one, other, third, fourth = (data.draw(rows) for _ in range(4))
    exact, found = (
        (measure(table, one, other), measure(table, third, fourth)) for measure in (oracle.distance, distance)
    )
    assert exact[0] * found[1] == exact[1] * found[0]
    assert (exact[0] < exact[1]) == (found[0] < found[1])


def test_equal_rows_go_by_their_index():
    table = table_of({"Age": ["21"] * 7 + ["59"]}, {"Age": TREES["Age"]})
    assert groups(RULES.clusters(table, 3)) == [[0, 1, 2, 5, 6], [3, 4, 7]]


@given(table=tables(), model=st.sampled_from(MODELS))
@settings(max_examples=200, deadline=None)
def test_each_row_is_in_one_class_that_satisfies_the_model(table, model):
    assume(model.satisfied(table.whole()).all())
    ids = RULES.clusters(table, model.smallest)
    assert ids.min() == 0
    assert min(map(len, groups(ids))) >= model.smallest
    made = RULES.recode(table, model)
    assert made.ids.shape == table.weights.shape
    assert made.ids.min() >= 0
    assert made.sizes.sum() == table.rows
    assert model.satisfied(table.classes(made.ids)).all()


def test_clusters_are_made_alike_in_chunks(monkeypatch):
    ages = [COLUMNS["Age"][i * i % 7] for i in range(40)]
    table = table_of({"Age": ages, "Zip": COLUMNS["Zip"] * 5}, {name: TREES[name] for name in ("Age", "Zip")})
    whole = RULES.clusters(table, 3)
    monkeypatch.setattr("shoal.algorithms.clustering.centroids.CHUNK", 1)
    shares = []
    assert (RULES.clusters(table, 3, progress=shares.append) == whole).all()
    assert len(shares) == 40 // 3 + 1
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_more_than_the_table_has_is_one_cluster_and_refused():
    table = table_of(COLUMNS, TREES)
    assert RULES.clusters(table, 9).tolist() == [0] * 8
    assert RULES.recode(table, KAnonymity(9)).sizes.tolist() == [8]
    with pytest.raises(InfeasibleError, match="the table has 8 rows, so k can be at most 8"):
        shoal.anonymize(PEOPLE, quasi_identifiers=list(COLUMNS), model=KAnonymity(9), algorithm=RULES)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (
            AverageRisk(0.5),
            f"CentroidClustering looks at one class at a time and cannot satisfy {AverageRisk(0.5)}: "
            "choose full-domain.",
        ),
        (
            DeltaPresence(0, 0.5, PEOPLE),
            "CentroidClustering's classes may overlap, which (0, 0.5)-presence does not allow: choose full-domain.",
        ),
        (
            KMap(2, PEOPLE),
            "CentroidClustering groups the rows of the table alone and cannot look at a population for 2-map: "
            "choose mondrian.",
        ),
    ],
    ids=["average risk", "presence", "k-map"],
)
def test_models_that_joining_cannot_reach_are_refused(model, sentence):
    with pytest.raises(InputError) as refusal:
        RULES.recode(table_of(COLUMNS, TREES), model)
    assert str(refusal.value) == sentence
