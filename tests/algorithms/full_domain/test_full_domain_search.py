"""How the full-domain search behaves: limits of time and memory, Ctrl-C, models of all rows, published figures."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from contract.lists import DEFINITIONS
from full_domain_tables import heights, judging, trees_only
from oracles import lattice as oracle
from shoal import AverageRisk, DeltaPresence, InfeasibleError, InputError, KAnonymity, KMap
from shoal.algorithms import BottomUp, FullDomain, Incognito, Samarati
from shoal.algorithms.full_domain import branch_and_bound, lattice as lattices, prefixes
from shoal.data.encoding import encode
from shoal.io.source import Source
from shoal.metrics import METRICS


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [(branch_and_bound, "MAX_WAITING", 1), (branch_and_bound, "LARGE_LATTICE", 0), (prefixes, "KEPT_BYTES", 1)],
)
@given(table=trees_only(), pair=st.sampled_from(DEFINITIONS), budget=st.integers(0, 8))
@settings(max_examples=100, deadline=None)
def test_little_memory_and_good_starts_change_nothing(module, name, value, table, pair, budget):
    model, definition = pair
    found = oracle.solutions([0] * len(table.quasi), heights(table), judging(table, definition, budget))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, value)
        if not found:
            with pytest.raises(InfeasibleError):
                FullDomain().recode(table, model, max_suppressed=budget)
            return
        made = FullDomain().recode(table, model, max_suppressed=budget)
    assert made.node == min(found, key=lambda verdict: (verdict.loss, verdict.node)).node
    assert made.closed == made.lattice.nodes


@given(table=trees_only(), k=st.integers(1, 4), risk=st.sampled_from([0.2, 0.34, 0.5]), budget=st.integers(0, 8))
@settings(max_examples=200, deadline=None)
def test_a_condition_on_all_classes(table, k, risk, budget):
    def together(groups):
        return len(groups) <= risk * sum(map(len, groups)) + 1e-9

    verdict = judging(table, lambda values, whole: len(values) >= k, budget, together)
    found = oracle.solutions([0] * len(table.quasi), heights(table), verdict)
    model = KAnonymity(k) & AverageRisk(risk)
    assert_found(table, model, budget, found)


@st.composite
def with_people(draw):
    """A table with the people of a population behind it."""
    table = draw(trees_only(max_rows=8))
    people = draw(st.integers(1, 12))
    extra = [draw(st.lists(st.integers(0, len(d) - 1), min_size=people, max_size=people)) for d in table.domains]
    codes = np.vstack([table.codes, table.codes, np.array(extra, np.int32).T])
    own = len(table.weights)
    return own, replace(
        table,
        codes=codes,
        sensitive_codes=np.zeros((len(codes), 1), np.int32),
        weights=np.repeat([1, 0], [own, len(codes) - own]).astype(np.int64),
        population=np.repeat([0, 1], [own, len(codes) - own]).astype(np.int64),
    )


@given(given_=with_people(), k=st.integers(1, 6), budget=st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_people_of_a_population(given_, k, budget):
    own, table = given_
    verdict = judging_people(own, table, budget, lambda rows, people: people >= k)
    assert_found(table, KMap(k, "people"), budget, oracle.solutions([0] * len(table.quasi), heights(table), verdict))


@given(with_people(), st.sampled_from([0, 0.1, 0.3]), st.sampled_from([0.4, 0.5, 0.9]), st.integers(1, 2))
@settings(max_examples=200, deadline=None)
def test_presence_in_a_population(given_, low, high, k):
    own, table = given_

    def allowed(rows, people):
        return rows >= k and Fraction(str(low)) * people <= rows <= Fraction(str(high)) * people

    verdict = judging_people(own, table, 0, allowed, nobody=low == 0, presence=True)
    model = KAnonymity(k) & DeltaPresence(low, high, "people")
    assert_found(table, model, 0, oracle.solutions([0] * len(table.quasi), heights(table), verdict))


def apart(nodes, domain):
    """Whether no shown node covers a value that another one covers."""
    tree = domain.hierarchy
    values = [value for node in nodes for value in range(tree.lows[node], tree.highs[node] + 1)]
    return len(values) == len(set(values))


def judging_people(own, table, budget, allowed, *, nobody=True, presence=False):
    """The oracle's verdict where rows and people of a class count, and `nobody` whether people may be in no class."""
    everyone = replace(table, weights=np.ones(len(table.weights), np.int64))
    all_groups = judging(everyone, lambda values, whole: True, 0)

    def verdict(node):
        groups = all_groups(node).groups
        rows = {key: [number for number in group if number < own] for key, group in groups.items()}
        if presence and not all(apart({key[j] for key in groups}, d) for j, d in enumerate(table.domains)):
            return None
        if not nobody and not all(rows.values()):
            return None
        good = {key: mine for key, mine in rows.items() if mine and allowed(len(mine), len(groups[key]) - len(mine))}
        gone = sorted(set(range(own)) - {number for group in good.values() for number in group})
        if len(gone) > budget or not good:
            return None
        return oracle.Verdict(node, good, gone, len(gone) * len(node) + sum(map(cells, good, map(len, good.values()))))

    def cells(key, size):
        losses = []
        for domain, number in zip(table.domains, key, strict=True):
            tree, others = domain.hierarchy, len(domain) - 1
            losses.append(Fraction(int(tree.highs[number] - tree.lows[number]), others) if others else Fraction(0))
        return size * sum(losses)

    return verdict


def assert_found(table, model, budget, found):
    """Every exact algorithm finds what brute force finds."""
    if not found:
        for algorithm in (BottomUp(), Samarati(), Incognito(), FullDomain()):
            with pytest.raises(InfeasibleError):
                algorithm.recode(table, model, max_suppressed=budget)
        return

    def least(verdicts):
        return min(verdicts, key=lambda verdict: (verdict.loss, verdict.node)).node

    assert FullDomain().recode(table, model, max_suppressed=budget).node == least(found)
    assert BottomUp().recode(table, model, max_suppressed=budget).node == least(oracle.lowest(found))
    assert Samarati().recode(table, model, max_suppressed=budget).node == least(oracle.lowest(found))
    minimal = Incognito().recode(table, model, max_suppressed=budget).minimal
    assert list(minimal) == sorted(verdict.node for verdict in oracle.minimal(found))


def wide(columns, rows=600):
    """A table of many columns, each with a tree of its own, that no exhaustive search gets through."""
    random = np.random.RandomState(1)
    names = [f"q{j:02}" for j in range(columns)]
    data = pa.table({name: [int(v) for v in random.geometric(0.2, rows) % 16] for name in names})
    trees = {name: shoal.Hierarchy.intervals(range(16), widths=[2, 4, 8], origin=0) for name in names}
    return encode({n: data[n] for n in names}, quasi=names, sensitive=[], guides=trees, style=shoal.Style())


@pytest.mark.parametrize("columns", [15, 25])
def test_a_large_lattice_ends_in_time(columns):
    table = wide(columns)
    made = FullDomain(time_limit=0.5).recode(table, KAnonymity(5), max_suppressed=60)
    assert made.stopped == "time limit"
    assert made.lattice.nodes == 5**columns
    assert 0 < made.bound <= made.value < 1
    assert 0 <= made.closed < made.lattice.nodes
    assert made.value == pytest.approx(METRICS["loss"](table, made), abs=1e-12)
    assert KAnonymity(5).satisfied(table.classes(made.ids)).all()


def test_ctrl_c_gives_the_best_so_far():
    table, told = wide(15), []

    def progress(share):
        told.append(share)
        if len(told) == 300:
            raise KeyboardInterrupt

    made = FullDomain().recode(table, KAnonymity(5), max_suppressed=60, progress=progress)
    assert made.stopped == "interrupted"
    assert made.bound <= made.value < 1
    assert KAnonymity(5).satisfied(table.classes(made.ids)).all()
    assert all(0 <= share <= 1 for share in told)


def test_ctrl_c_before_anything_is_found_is_passed_on(monkeypatch):
    def stop(self, node):
        raise KeyboardInterrupt

    monkeypatch.setattr(lattices.Lattice, "judge", stop)
    with pytest.raises(KeyboardInterrupt):
        FullDomain().recode(wide(3), KAnonymity(5))


def test_a_search_that_found_nothing_in_time_says_so(monkeypatch):
    monkeypatch.setattr(lattices.Lattice, "judge", lambda self, node: None)
    with pytest.raises(InfeasibleError, match=r"No node .* was found within 0\.01 seconds: give time_limit more"):
        FullDomain(time_limit=0.01).recode(wide(15), KAnonymity(5), max_suppressed=60)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objective": "beauty"}, "FullDomain's objective is one of loss, loss_geometric"),
        ({"objective": "height", "weights": {"q00": 2}}, "Weights are for the objectives loss, "),
        ({"weights": {"q00": -1}}, "The weight of 'q00' must be a number of at least 0, not -1"),
        ({"weights": {"q00": float("nan")}}, "must be a number of at least 0"),
        ({"weights": {"zip": 1}}, "'zip' is not a quasi-identifier: choose from q00, q01"),
        ({"weights": {"q00": 0, "q01": 0}}, "Every weight is 0"),
        ({"levels": {"zip": 1}}, "'zip' is not a quasi-identifier"),
        ({"levels": {"q00": 9}}, "Column 'q00' has levels 0 to 4, and 9 is above them"),
        ({"levels": {"q00": (0, 9)}}, "Column 'q00' has levels 0 to 4, and 9 is above them"),
        ({"levels": {"q00": (3, 1)}}, "The levels of 'q00' are a whole number or a lowest and a highest one"),
        ({"levels": {"q00": "x"}}, "The levels of 'q00' are"),
        ({"time_limit": 0}, "FullDomain's time_limit is a number of seconds above 0, or None, not 0"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(InputError, match=message):
        FullDomain(**options).recode(wide(2), KAnonymity(2))


ARX = {
    2: (0.5541, 0.1192, 0.1101),
    5: (0.6250, 0.1783, 0.1690),
    10: (0.6791, 0.2326, 0.2049),
    50: (0.6791, 0.3955, 0.3027),
    100: (0.6791, 0.4697, 0.3463),
}


@pytest.fixture(scope="module")
def arx_table(reference_data):
    folder = reference_data / "arx"
    source = Source.of(folder / "adult.csv")
    names = [name for name in source.columns if name != "occupation"]
    trees = {name: shoal.Hierarchy.from_levels(folder / f"adult_hierarchy_{name}.csv") for name in names}
    columns = {name: source.arrow(name) for name in names}
    return encode(columns, quasi=names, sensitive=[], guides=trees, style=shoal.Style())


@pytest.mark.parametrize("k", ARX)
def test_the_optima_that_arx_finds(arx_table, k):
    for limit, expected in zip((0, 0.05, 1), ARX[k], strict=True):
        budget = int(limit * arx_table.rows)
        made = FullDomain().recode(arx_table, KAnonymity(k), max_suppressed=budget)
        assert made.lattice.nodes == 4320
        assert round(made.value, 4) == expected
        assert made.value == pytest.approx(METRICS["loss"](arx_table, made), abs=1e-12)


@pytest.mark.deep("counts the classes of each of 4,320 nodes")
def test_the_optimum_over_4320_nodes_one_by_one(arx_table):
    made = FullDomain().recode(arx_table, KAnonymity(10), max_suppressed=arx_table.rows)
    small, _ = arx_table.distinct()
    lattice = made.lattice
    least = dict.fromkeys((0, 0.05, 1), 1.0)
    for node in oracle.nodes(lattice.bottom, lattice.top):
        shown = [s[level][codes] for s, level, codes in zip(lattice.shown, node, small.codes.T, strict=True)]
        ids = group(shown)
        sizes = np.bincount(ids, small.weights)[ids]
        cells = sum(t.loss[column] for t, column in zip(lattice.trees, shown, strict=True))
        failed = sizes < 10
        loss = (small.weights * np.where(failed, 8, cells)).sum() / small.rows / 8
        gone = small.weights[failed].sum()
        for limit in least:
            if gone <= int(limit * small.rows):
                least[limit] = min(least[limit], loss)
    for limit, loss in least.items():
        budget = int(limit * arx_table.rows)
        assert FullDomain().recode(arx_table, KAnonymity(10), max_suppressed=budget).value == pytest.approx(
            loss, abs=1e-9
        )


def group(shown):
    """Equal rows numbered alike."""
    keys = np.zeros(shown[0].size, np.int64)
    for column in shown:
        keys = keys * (int(column.max()) + 1) + column
    return np.unique(keys, return_inverse=True)[1]


RAGGED = shoal.Hierarchy.from_parents(["*", "g", "a", "b", "h", "d", "e", "c"], [-1, 0, 1, 1, 0, 4, 4, 0])


@pytest.mark.parametrize("algorithm", ["full-domain", "bottom-up", "samarati", "incognito", "datafly"])
def test_a_class_at_the_top_is_one_with_the_suppressed_rows(algorithm):
    table = pa.table({"x": list("ccccababdededede"), "s": list("pqpqpppppqpqpqpq")})
    made = shoal.anonymize(
        table,
        quasi_identifiers="x",
        sensitive="s",
        hierarchies={"x": RAGGED},
        model=KAnonymity(4) & shoal.FrequencyDiversity(1.5),
        algorithm=algorithm,
        max_suppression=0.25,
    )
    assert made.report.suppressed_rows <= 4
    labels = made.frame["x"].to_pylist()
    secrets = [secret for label, secret in zip(labels, table["s"].to_pylist(), strict=True) if label == "*"]
    assert len(secrets) <= 4 or max(map(secrets.count, "pq")) <= len(secrets) / 1.5


def test_presence_where_classes_of_a_ragged_tree_cover_one_another():
    tree = shoal.Hierarchy.from_parents(["*", "g", "a", "b", "c"], [-1, 0, 1, 1, 0])
    people = pa.table({"x": ["a"] * 17 + ["b"] + ["c"] * 2})
    made = shoal.anonymize(
        pa.table({"x": ["a"] * 8 + ["b", "c"]}),
        quasi_identifiers="x",
        hierarchies={"x": tree},
        model=DeltaPresence(0.3, 0.6, people),
        algorithm="full-domain",
    )
    assert made.lattice.node == {"x": 2}


def test_suppression_may_help_where_the_whole_table_fails():
    made = shoal.anonymize(
        pa.table({"x": list("aabbccd"), "s": list("ppppqpr")}),
        quasi_identifiers="x",
        sensitive="s",
        model=shoal.FrequencyDiversity(2),
        algorithm="full-domain",
        max_suppression=5,
    )
    assert made.frame["x"].to_pylist() == ["*", "*", "*", "*", "c", "c", "*"]
    with pytest.raises(InfeasibleError, match="with at most 4 suppressed rows"):
        shoal.anonymize(
            pa.table({"x": list("aabbccd"), "s": list("ppppqpr")}),
            quasi_identifiers="x",
            sensitive="s",
            model=shoal.FrequencyDiversity(2),
            algorithm="full-domain",
            max_suppression=4,
        )


def test_levels_that_rule_everything_out_are_named():
    with pytest.raises(InfeasibleError, match="k = 5 at the levels that are allowed"):
        FullDomain(levels={"q00": 0, "q01": 0}).recode(wide(2), KAnonymity(5))
