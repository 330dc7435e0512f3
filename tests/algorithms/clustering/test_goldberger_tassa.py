"""The table and the curve of Goldberger & Tassa: docs/sequential.md has the same figures."""

from __future__ import annotations

import csv

import pyarrow as pa
import pytest

from shoal import FrequencyDiversity, KAnonymity, datasets
from shoal.algorithms import AgglomerativeClustering, HilbertClustering, KMember, Mondrian, SequentialClustering
from shoal.data.encoding import encode
from shoal.data.hierarchy import Hierarchy
from shoal.data.recoding import Recoding
from shoal.data.style import Style
from shoal.metrics import METRICS

NUMBERS = ("a0", "a2", "a4", "a10", "a11", "a12")


@pytest.fixture(scope="module")
def arrays(reference_data):
    """Both Adult files without the rows that miss a value, as text; the last column is the income."""
    rows = []
    for name in ("adult.data", "adult.test"):
        with (reference_data / "uci" / name).open(newline="") as file:
            rows += [row for row in csv.reader(file, skipinitialspace=True) if len(row) == 15 and "?" not in row]
    assert len(rows) == 45222
    columns = [list(column) for column in zip(*rows, strict=True)]
    data = {f"a{number}": column for number, column in enumerate(columns[:-1])}
    data["income"] = [value.rstrip(".") for value in columns[-1]]
    return {name: pa.chunked_array([pa.array(values)]) for name, values in data.items()}


@pytest.fixture(scope="module")
def trees(arrays):
    """Each value is shown or not; numbers are in their order, for the Hilbert curve."""
    values = {name: set(column.to_pylist()) for name, column in arrays.items() if name != "income"}
    return {name: Hierarchy.flat(sorted(those, key=int if name in NUMBERS else str)) for name, those in values.items()}


@pytest.fixture(scope="module")
def whole_adult(arrays, trees):
    """The table in which each value is shown or not."""
    return encode(arrays, quasi=list(trees), sensitive=["income"], guides=trees, style=Style())


def loss_of(table, algorithm, k):
    recoding = algorithm.recode(table, KAnonymity(k))
    assert recoding.sizes.min() >= k
    return METRICS["loss"](table, recoding)


@pytest.mark.deep("45,222 rows")
@pytest.mark.parametrize(
    ("k", "paper", "ours"), [(10, 0.302, 0.311), (20, 0.340, 0.349), (50, 0.394, 0.397), (100, 0.439, 0.439)]
)
def test_sequential_clustering(whole_adult, k, paper, ours):
    losses = [loss_of(whole_adult, SequentialClustering(seed=seed), k) for seed in range(3)]
    assert sum(losses) / 3 == pytest.approx(ours, abs=0.001)
    assert sum(losses) / 3 == pytest.approx(paper, abs=0.015)


@pytest.mark.deep("45,222 rows")
@pytest.mark.parametrize(("k", "ours"), [(50, 0.391), (100, 0.429)])
def test_a_smaller_start_loses_less(whole_adult, k, ours):
    losses = [loss_of(whole_adult, SequentialClustering(seed=seed, alpha=0.25), k) for seed in range(3)]
    assert sum(losses) / 3 == pytest.approx(ours, abs=0.001)


@pytest.mark.deep("45,222 rows")
@pytest.mark.parametrize(
    ("k", "furthest", "random"), [(10, 0.368, 0.311), (20, 0.431, 0.351), (50, 0.514, 0.407), (100, 0.570, 0.451)]
)
def test_k_member_comes_to_the_figures_of_the_paper_from_random_records(whole_adult, k, furthest, random):
    for start, loss in (("furthest", furthest), ("random", random)):
        assert loss_of(whole_adult, KMember(start=start), k) == pytest.approx(loss, abs=0.004)


@pytest.mark.deep("45,222 rows")
@pytest.mark.parametrize(("k", "loss"), [(10, 0.292), (20, 0.333), (50, 0.392), (100, 0.443)])
def test_agglomerative_clustering(whole_adult, k, loss):
    assert loss_of(whole_adult, AgglomerativeClustering(), k) == pytest.approx(loss, abs=0.0006)


@pytest.mark.deep("45,222 rows")
@pytest.mark.parametrize(("k", "loss"), [(10, 0.520), (20, 0.619), (50, 0.750), (100, 0.839)])
def test_hilbert_clustering(whole_adult, k, loss):
    assert loss_of(whole_adult, HilbertClustering(), k) == pytest.approx(loss, abs=0.0006)


@pytest.mark.deep("45,222 rows")
@pytest.mark.parametrize(
    ("k", "strict", "relaxed", "flat", "own"),
    [
        (10, 0.612, 0.586, 0.862, 0.280),
        (20, 0.720, 0.689, 0.935, 0.314),
        (50, 0.830, 0.818, 0.997, 0.364),
        (100, 0.873, 0.854, 1.000, 0.417),
    ],
)
def test_mondrian(arrays, trees, whole_adult, k, strict, relaxed, flat, own):
    numbers = {name: pa.chunked_array([arrays[name].combine_chunks().cast(pa.int64())]) for name in NUMBERS}
    words = {name: tree for name, tree in trees.items() if name not in NUMBERS}
    ordered = encode(arrays | numbers, quasi=list(trees), sensitive=["income"], guides=words, style=Style())
    for parts, expected in ((False, strict), (True, relaxed)):
        recoding = Mondrian(dimension="widest", cut="median", relaxed=parts).recode(ordered, KAnonymity(k))
        loss = METRICS["loss"](whole_adult, Recoding.of_groups(whole_adult, recoding.ids))
        assert loss == pytest.approx(expected, abs=0.0006)
        assert METRICS["precision"](ordered, recoding) == pytest.approx(1 - loss)
    assert loss_of(whole_adult, Mondrian(dimension="widest", cut="median"), k) == pytest.approx(flat, abs=0.0006)
    assert loss_of(whole_adult, Mondrian(), k) == pytest.approx(own, abs=0.0006)


@pytest.mark.deep("45,222 rows")
@pytest.mark.parametrize(("diversity", "loss"), [(1.1, 0.555), (1.28, 0.596)])
def test_the_curve_of_the_paper_for_diverse_clusters_of_50(whole_adult, diversity, loss):
    model = KAnonymity(50) & FrequencyDiversity(diversity, sensitive="income")
    recoding = SequentialClustering(alpha=0.1).recode(whole_adult, model)
    assert METRICS["loss"](whole_adult, recoding) == pytest.approx(loss, abs=0.03)
    assert recoding.sizes.min() >= 50


@pytest.mark.deep("45,222 rows")
def test_exchanges_close_the_curve_of_the_paper_where_diversity_is_strongest(whole_adult):
    model = KAnonymity(50) & FrequencyDiversity(1.28, sensitive="income")
    recoding = SequentialClustering(alpha=0.1, exchange=True).recode(whole_adult, model)
    assert METRICS["loss"](whole_adult, recoding) == pytest.approx(0.596, abs=0.015)
    assert model.satisfied(whole_adult.classes(recoding.ids)).all()


def test_precision_scores_ranges_as_values_that_are_shown_or_not():
    # Numbers are cut and shown as ranges; beside it each class shows a value or nothing, which is what LM then counts.
    adult = datasets.adult(drop_missing=True).slice(0, 2000)
    columns = {name: adult[name] for name in ("age", "education", "hours-per-week", "sex")}
    words = {name: Hierarchy.flat(sorted(set(columns[name].to_pylist()))) for name in ("education", "sex")}
    numbers = {name: Hierarchy.flat(sorted(set(columns[name].to_pylist()))) for name in ("age", "hours-per-week")}
    options = {"quasi": list(columns), "sensitive": [], "style": Style()}
    cut = encode(columns, guides=words, **options)
    shown = encode(columns, guides=words | numbers, **options)
    made = Mondrian(dimension="widest", cut="median").recode(cut, KAnonymity(10))
    loss = METRICS["loss"](shown, Recoding.of_groups(shown, made.ids))
    assert 0.2 < loss < 0.9
    assert METRICS["precision"](cut, made) == pytest.approx(1 - loss)
