"""Bottom-up and Samarati against their vectors and against brute force over the lattice."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import shoal
from oracles import lattice as oracle
from shoal import DistinctDiversity, InfeasibleError, InputError, KAnonymity
from shoal.algorithms import BottomUp, Samarati
from shoal.domain import SetDomain, TreeDomain
from shoal.encoding import encode
from shoal.lattice import Lattice
from shoal.metrics import METRICS
from shoal.source import Source
from shoal.table import Table
from strategies import hierarchies


@st.composite
def trees_only(draw):
    """A small table whose quasi-identifiers all have hierarchies."""
    domains = tuple(TreeDomain.of(draw(hierarchies(max_nodes=8))) for _ in range(draw(st.integers(1, 3))))
    rows = draw(st.integers(2, 16))
    codes = [draw(st.lists(st.integers(0, len(d) - 1), min_size=rows, max_size=rows)) for d in domains]
    secret = draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))
    return Table(
        quasi=tuple(f"q{j}" for j in range(len(domains))),
        domains=domains,
        codes=np.array(codes, np.int32).T.copy(),
        sensitive=("s",),
        sensitive_domains=(SetDomain(("a", "b", "c")),),
        sensitive_codes=np.array(secret, np.int32)[:, None],
        weights=np.ones(rows, np.int64),
    )


def brute(table, k, l, budget):  # noqa: E741
    """The oracle's verdict on a node of this table."""
    secret = table.sensitive_codes[:, 0].tolist()
    paths, sizes = [], []
    for domain in table.domains:
        tree = domain.hierarchy
        own = []
        for node in tree.leaf_nodes.tolist():
            up = [node]
            while tree.parents[up[-1]] >= 0:
                up.append(int(tree.parents[up[-1]]))
            own.append(up)
        paths.append(own)
        sizes.append(Counter(number for up in own for number in up))
    rows = table.codes.tolist()

    def allowed(group):
        return len(group) >= k and len({secret[r] for r in group}) >= l

    return lambda node: oracle.judge(node, rows, paths, sizes, allowed, budget)


@given(table=trees_only(), k=st.integers(1, 5), l=st.integers(1, 2), budget=st.integers(0, 4), lowest=st.booleans())
@settings(max_examples=250, deadline=None)
def test_the_lowest_level_with_a_solution(table, k, l, budget, lowest):  # noqa: E741
    model = KAnonymity(k) & DistinctDiversity(l) if l > 1 else KAnonymity(k)
    heights = Lattice.of(table, model).top
    found = oracle.lowest_level(heights, brute(table, k, l, budget))
    assume(found)
    least = min(loss for _, (_, loss) in found)
    made = BottomUp().recode(table, model, max_suppressed=budget)
    cells = METRICS["loss"](table, made) * table.rows * len(table.quasi)
    assert cells == pytest.approx(float(least))
    assert int(made.suppressed.sum()) in {suppressed for _, (suppressed, loss) in found if loss == least}
    assert model.satisfied(table.classes(made.ids)).all()

    chosen = Samarati("lowest-loss" if lowest else "first").recode(table, model, max_suppressed=budget)
    cells = METRICS["loss"](table, chosen) * table.rows * len(table.quasi)
    wanted = float(least) if lowest else float(min(found)[1][1])
    assert cells == pytest.approx(wanted)


def test_the_course_file(reference_data):
    folder = reference_data / "comp430"
    source = Source.of(folder / "adult-hw1.csv")
    quasi = source.columns[:-1]
    trees = {name: shoal.Hierarchy.from_tab_tree(folder / "DGHs" / f"{name}.txt") for name in quasi}
    columns = {name: source.arrow(name) for name in source.columns}
    table = encode(columns, quasi=quasi, sensitive=["income"], guides=trees, style=shoal.Style())
    made = BottomUp().recode(table, KAnonymity(16))
    lattice = Lattice.of(table, KAnonymity(16))
    node = (4, 2, 2, 1, 1, 1, 0, 3)
    assert made.sizes.tolist() == lattice.recoding(lattice.judge(node, KAnonymity(16), 0)).sizes.tolist()
    assert METRICS["distortion"](table, made) == 139986
    assert METRICS["loss_rows"](table, made) == pytest.approx(6131.3983785822, abs=1e-9)


def huang(reference_data):
    """The quasi-identifiers and hierarchies of Huang's report: sex, race, marital status, age in steps from 16."""
    adult = shoal.datasets.adult(drop_missing=True)
    files = {"sex": "gender", "race": "race", "marital-status": "marital_status"}
    folder = reference_data / "ustc"
    trees = {name: shoal.Hierarchy.from_pairs(folder / f"adult_{file}.txt") for name, file in files.items()}
    trees["age"] = shoal.Hierarchy.intervals(adult["age"].to_pylist(), widths=[5, 10, 20], origin=16)
    columns = {name: adult[name] for name in trees}
    return encode(columns, quasi=list(trees), sensitive=[], guides=trees, style=shoal.Style())


@pytest.mark.parametrize(("k", "node"), [(10, (0, 1, 2, 1)), (20, None)])
def test_the_table_of_huangs_report(reference_data, k, node):
    table = huang(reference_data)
    model = KAnonymity(k)
    made = Samarati().recode(table, model, max_suppressed=20)
    lattice = Lattice.of(table, model)
    reached = [n for n in lattice.level(4) if lattice.judge(n, model, 20) is not None]
    if node is not None:
        assert node in reached
        assert made.sizes.size == 30
        assert not made.suppressed.any()
    else:
        assert not reached, "the report's height 6 and any below 5 are wrong: the lowest is 5"
        assert any(lattice.judge(n, model, 20) is not None for n in lattice.level(5))


def test_columns_without_a_hierarchy_show_a_value_or_nothing():
    adult = shoal.datasets.adult(drop_missing=True).select(["age", "sex", "race", "occupation"]).slice(0, 2000)
    for algorithm in ("bottom-up", "samarati"):
        made = shoal.anonymize(
            adult,
            quasi_identifiers=["age", "sex", "race"],
            sensitive="occupation",
            model=KAnonymity(5) & DistinctDiversity(2),
            algorithm=algorithm,
            max_suppression=0.1,
        )
        assert made.report.k >= 5
        assert set(made.frame["age"].to_pylist()) == {"*"} or "*" not in made.frame["sex"].to_pylist()


def test_refusals():
    with pytest.raises(InputError) as refusal:
        Samarati(choice="best")
    assert str(refusal.value) == "Samarati's choice is lowest-loss or first, not 'best'."
    domain = SetDomain(("a", "b"))
    codes = np.zeros((3, 1), np.int32)
    table = Table(("x",), (domain,), codes, (), (), codes[:, :0], np.ones(3, np.int64))
    with pytest.raises(InputError, match="Column 'x' needs a hierarchy"):
        BottomUp().recode(table, KAnonymity(2))


@given(table=trees_only())
@settings(max_examples=20, deadline=None)
def test_what_cannot_be_reached_is_said(table):
    for algorithm in (BottomUp(), Samarati()):
        with pytest.raises(InfeasibleError, match="No full-domain generalization satisfies k = 99"):
            algorithm.recode(table, KAnonymity(99))


def test_the_average_risk_is_for_algorithms_that_see_all_classes():
    adult = shoal.datasets.adult(drop_missing=True).select(["age", "sex", "race"]).slice(0, 500)
    options = {"quasi_identifiers": ["age", "sex", "race"], "model": shoal.AverageRisk(0.05)}
    trees = shoal.datasets.adult_hierarchies()
    made = shoal.anonymize(adult, hierarchies=trees, algorithm="bottom-up", **options)
    assert made.report.classes / 500 <= 0.05
    with pytest.raises(InputError) as refusal:
        shoal.anonymize(adult, hierarchies=trees, **options)
    assert str(refusal.value) == "Mondrian looks at one class at a time and cannot work towards average risk = 0.05."


def test_samarati_refuses_models_that_are_not_monotone():
    adult = shoal.datasets.adult(drop_missing=True).select(["sex", "race", "occupation"]).slice(0, 300)
    options = {"quasi_identifiers": ["sex", "race"], "sensitive": "occupation", "algorithm": "samarati"}
    model = KAnonymity(5) & shoal.Closeness(0.5)
    assert shoal.anonymize(adult, model=model, **options).report.k >= 5
    with pytest.raises(InputError, match="Samarati's binary search needs a model that coarser values keep satisfied"):
        shoal.anonymize(adult, model=model, max_suppression=5, **options)
