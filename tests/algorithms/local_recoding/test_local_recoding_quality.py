"""Local recoding: near the best of all partitions, valid for every model, and best by its own objective and weights."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from depth import every
from oracles.best_partition import least
from oracles.recreate import Costs
from shoal.algorithms.local_recoding.local_recoding import LocalRecoding
from shoal.data.domain import NumericDomain, RangeDomain, SetDomain, TreeDomain
from shoal.data.encoding import encode
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.io.source import Source
from shoal.metrics import METRICS
from shoal.metrics.loss import loss_by_attribute
from shoal.models import FrequencyDiversity, KAnonymity
from strategies import tables

TREE = shoal.Hierarchy.from_parents(["*", "a", "b", "a1", "a2", "a3", "b1", "b2", "c"], [-1, 0, 0, 1, 1, 1, 2, 2, 0])


def small_table(seed):
    """Of 6 to 9 rows with values of all kinds, some of them missing."""
    random = np.random.RandomState(seed)
    rows = random.randint(6, 10)
    missing = random.randint(0, 2)
    numbers = [float("nan")] * missing + [0.0, 1.0, 4.0, 6.0, 9.0]
    kinds = [
        NumericDomain(tuple(map(str, numbers)), missing - 1, np.array(numbers)),
        TreeDomain.of(TREE, missing="?" if missing else None),
        SetDomain(tuple("uvwx")),
        RangeDomain(("?", "low", "mid", "high"), 0),
    ]
    domains = [kinds[kind] for kind in random.choice(4, 3, replace=False)]
    return Table(
        quasi=("q0", "q1", "q2"),
        domains=tuple(domains),
        codes=np.stack([random.randint(0, len(domain), rows) for domain in domains], axis=1).astype(np.int32),
        sensitive=("s",),
        sensitive_domains=(SetDomain(("a", "b", "c")),),
        sensitive_codes=random.randint(0, 3, (rows, 1)).astype(np.int32),
        weights=np.ones(rows, np.int64),
    )


@pytest.mark.parametrize(
    ("effort", "objective", "count"),
    [
        ("balanced", "loss", 15),
        pytest.param("balanced", "loss", 60, marks=pytest.mark.deep("many tables")),
        pytest.param("best", "loss", 60, marks=pytest.mark.deep("many tables")),
        pytest.param("balanced", "certainty_penalty", 20, marks=pytest.mark.deep("many tables")),
    ],
)
def test_it_is_near_the_best_of_all_partitions(effort, objective, count):
    near = []
    for seed in range(count):
        table, k = small_table(seed), 2 + seed % 2
        costs = Costs(table, objective)
        best = float(least(range(table.rows), k, costs.all_rows)) / table.rows / 3
        found = METRICS[objective](table, LocalRecoding(effort, objective=objective).recode(table, KAnonymity(k)))
        assert found >= best - 1e-9
        near.append(found <= best * 1.01 + 1e-9)
    assert np.mean(near) >= 0.95


@pytest.mark.deep("many tables")
def test_it_is_near_the_best_of_all_diverse_partitions():
    above = []
    for seed in range(25):
        table = small_table(seed)
        model = KAnonymity(2) & FrequencyDiversity(1.5)
        if not model.satisfied(table.whole()).all():
            continue
        secret = table.sensitive_codes[:, 0].tolist()

        def diverse(cluster, secret=secret):
            return max(Counter(secret[row] for row in cluster).values()) * 1.5 <= len(cluster)

        best = float(least(range(table.rows), 2, Costs(table, "loss").all_rows, diverse)) / table.rows / 3
        recoding = LocalRecoding("best").recode(table, model)
        assert model.satisfied(table.classes(recoding.ids)).all()
        found = METRICS["loss"](table, recoding)
        assert found >= best - 1e-9
        above.append(found / best - 1 if best else found)
    assert len(above) >= 20
    assert np.mean(above) < 0.02
    assert np.mean(np.array(above) < 0.01) >= 0.8


@settings(max_examples=60, deadline=None)
@given(
    table=tables(),
    k=st.integers(1, 5),
    l=st.sampled_from([1, 1.5, 2]),
    effort=st.sampled_from(["fast", "balanced", 0.01]),
    objective=st.sampled_from(["loss", "certainty_penalty", "entropy"]),
    weights=st.sampled_from([None, {"q0": 0.5}, {"q0": 1e300}, {}]),
    seed=st.integers(0, 2**32 - 1),
)
def test_every_class_satisfies_the_model(table, k, l, effort, objective, weights, seed):  # noqa: E741
    model = KAnonymity(k) & FrequencyDiversity(l) if l > 1 else KAnonymity(k)
    assume(model.satisfied(table.whole()).all())
    local = LocalRecoding(effort, objective=objective, weights=weights, seed=seed)
    shares = []
    recoding = local.recode(table, model, progress=lambda share, note="": shares.append(share))
    assert (recoding.ids >= 0).all()
    assert (np.bincount(recoding.ids) == recoding.sizes).all()
    assert model.satisfied(table.classes(recoding.ids)).all()
    assert shares == sorted(shares)
    if isinstance(effort, str):
        assert (local.recode(table, model).ids == recoding.ids).all()


QUASI = ("age", "education", "sex", "race", "native-country")


@pytest.fixture(scope="module")
def adult():
    source = Source.of(shoal.datasets.adult().slice(0, 1500))
    trees = shoal.datasets.adult_hierarchies()
    del trees["age"]
    columns = {name: source.arrow(name) for name in (*QUASI, "occupation")}
    return encode(columns, quasi=QUASI, sensitive=("occupation",), guides=trees, style=Style())


@pytest.mark.parametrize(
    ("rows", "k", "efforts"),
    [(300, 10, ["fast", "best"]), (1500, 10, ["fast", "balanced"]), (1500, 50, ["fast", "balanced"])],
)
def test_more_effort_loses_less(adult, rows, k, efforts):
    few = replace(
        adult, codes=adult.codes[:rows], sensitive_codes=adult.sensitive_codes[:rows], weights=adult.weights[:rows]
    )
    losses = [METRICS["loss"](few, LocalRecoding(effort).recode(few, KAnonymity(k))) for effort in efforts]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


@pytest.mark.deep("compares how much is lost")
def test_each_objective_is_best_by_its_own_metric(adult):
    metrics = {"loss": "loss", "certainty_penalty": "certainty_penalty", "entropy": "entropy_loss"}
    recodings = {name: LocalRecoding(objective=name).recode(adult, KAnonymity(10)) for name in metrics}
    for name, metric in metrics.items():
        found = {other: METRICS[metric](adult, recoding) for other, recoding in recodings.items()}
        assert all(found[name] < lost for other, lost in found.items() if other != name), found


@pytest.mark.deep("compares how much is lost")
def test_a_heavy_column_loses_less_and_one_without_weight_more(adult):
    model = KAnonymity(5)
    alike, heavy, none = (
        loss_by_attribute(adult, LocalRecoding(weights=weights).recode(adult, model))
        for weights in (None, {"age": 20}, {"age": 0})
    )
    assert heavy["age"] < alike["age"] / 2
    assert none["age"] > alike["age"] * 1.5
    others = [name for name in QUASI if name != "age"]
    assert sum(none[name] for name in others) < sum(alike[name] for name in others)


def test_equal_weights_are_none(adult):
    model = KAnonymity(5)
    alone, equal = (LocalRecoding("fast", weights=weights).recode(adult, model) for weights in (None, {"age": 1.0}))
    assert METRICS["loss"](adult, equal) == pytest.approx(METRICS["loss"](adult, alone), rel=0.02)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_cells_are_nodes_where_that_is_asked():
    quasi = ["age", "education", "sex", "native-country"]
    data = shoal.datasets.adult().select(quasi).slice(0, 1500)
    trees = shoal.datasets.adult_hierarchies()
    trees = {name: trees[name] for name in ("education", "native-country")}
    releases = {
        cells: shoal.anonymize(
            data,
            quasi_identifiers=quasi,
            hierarchies=trees,
            model=KAnonymity(5),
            algorithm=LocalRecoding("fast", cells=cells),
        ).frame
        for cells in ("nodes", "free")
    }

    def labels(cells, name):
        return set(map(str, releases[cells][name].to_pylist()))

    for name in ("education", "native-country"):
        assert labels("nodes", name) <= set(trees[name].labels) | {"?"}
    for name in ("age", "sex"):
        values = set(map(str, data[name].to_pylist()))
        assert labels("nodes", name) <= values | {"*"}
        assert labels("nodes", name) & values
    assert not labels("free", "age") <= set(map(str, data["age"].to_pylist())) | {"*"}


@pytest.mark.parametrize("start", every(3, [0, 3000, 7000]))
@pytest.mark.parametrize("model", [shoal.BetaLikeness(1), shoal.Closeness(0.25)], ids=["beta", "t"])
def test_more_effort_never_loses_more_with_a_model_that_is_asked_itself(start, model):
    quasi = ["age", "race", "marital-status", "sex"]
    trees = shoal.datasets.adult_hierarchies()
    people = shoal.datasets.adult(drop_missing=True).select([*quasi, "occupation"]).slice(start, 600)
    fast, balanced = (
        shoal.anonymize(
            people,
            quasi_identifiers=quasi,
            sensitive="occupation",
            hierarchies={name: trees[name] for name in quasi},
            model=KAnonymity(3) & model,
            algorithm=LocalRecoding(effort),
        ).report.certificate["loss"]
        for effort in ("fast", "balanced")
    )
    assert balanced <= fast
