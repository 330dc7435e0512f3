"""The estimators of population uniqueness, compared with populations that are drawn and sampled here."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from depth import every
from shoal import InputError
from shoal.analysis.assessment.pitman import pitman
from shoal.analysis.assessment.slide_negative_binomial import _Equations, shlosser
from shoal.analysis.assessment.solving import digamma, root
from shoal.analysis.assessment.uniqueness import population_uniqueness, zayatz

PEOPLE = 100_000


def class_sizes(labels):
    sizes, counts = np.unique(np.unique(labels, return_counts=True)[1], return_counts=True)
    return dict(zip(sizes.tolist(), counts.tolist(), strict=True))


def arrays(sizes):
    return np.array(sorted(sizes.items()), np.int64).T


def attributes(random):
    """People with six independent attributes of uneven values."""
    labels = np.zeros(PEOPLE, np.int64)
    for values in (90, 2, 16, 5, 40, 8):
        labels = labels * values + random.choice(values, PEOPLE, p=random.dirichlet(np.full(values, 0.5)))
    return labels


def zipf(random):
    return random.zipf(1.3, PEOPLE)


def uniform(random):
    return random.integers(0, PEOPLE // 3, PEOPLE)


def gamma(random):
    weights = random.gamma(0.2, 1, PEOPLE // 2)
    return random.choice(PEOPLE // 2, PEOPLE, p=weights / weights.sum())


@pytest.mark.parametrize(
    ("population", "fraction", "within"),
    every(
        4,
        [
            (attributes, 0.1, 1.25),
            (attributes, 0.4, 1.1),
            (zipf, 0.02, 1.25),
            (zipf, 0.5, 1.1),
            (uniform, 0.7, 1.2),
            (uniform, 0.1, 1.2),
            (gamma, 0.6, 1.1),
            (gamma, 0.05, 1.3),
            (attributes, 0.8, 1.03),
        ],
    ),
)
def test_the_rule_comes_near_the_truth(population, fraction, within):
    ratios = []
    for seed in range(5):
        random = np.random.default_rng(seed)
        people = population(random)
        sample = random.choice(people, int(PEOPLE * fraction), replace=False)
        found = population_uniqueness(class_sizes(sample), fraction)
        assert found.population_rows == PEOPLE
        assert found.share == found.uniques / PEOPLE
        assert found.rule == "pitman" if fraction <= 0.1 else found.rule in ("zayatz", "snb")
        ratios.append(getattr(found, found.rule) / class_sizes(people)[1])
    assert 1 / within < np.median(ratios) < within


def seated(random, theta, alpha, rows):
    """A sample of Pitman's model, person by person: a new class with (θ + uα) / (θ + i), else one by its size − α."""
    labels, heads = np.zeros(rows, np.int64), [0]
    for person in range(1, rows):
        if random.random() * (theta + person) < theta + len(heads) * alpha:
            heads.append(person)
            labels[person] = len(heads) - 1
        else:
            while True:  # a class by its size − α: one by its size, kept with the chance (size − α) / size for its head
                other = int(random.integers(person))
                if heads[labels[other]] != other or random.random() > alpha:
                    break
            labels[person] = labels[other]
    return labels


@pytest.mark.parametrize(("theta", "alpha"), [(50.0, 0.5), (300.0, 0.2), (5.0, 0.8)])
def test_pitman_finds_the_uniques_of_its_own_model(theta, alpha):
    random = np.random.default_rng(3)
    people = seated(random, theta, alpha, 30_000)
    sample = people[random.permutation(30_000)[:3000]]
    found = pitman(*arrays(class_sizes(sample)), 30_000)
    assert found == pytest.approx(class_sizes(people)[1], rel=0.15)


def test_pitman_is_at_the_top_of_the_likelihood():
    sizes, counts = np.array([1, 2, 3, 7]), np.array([30, 9, 4, 2])
    rows, classes = int((sizes * counts).sum()), int(counts.sum())

    def likelihood(theta, alpha):
        new = sum(log(theta + i * alpha) for i in range(1, classes))
        old = sum(
            count * sum(log(i - alpha) for i in range(1, size)) for size, count in zip(sizes, counts, strict=True)
        )
        return new + old - sum(log(theta + i) for i in range(1, rows))

    grid = [(likelihood(t, a), t, a) for t in np.linspace(0.1, 80, 400) for a in np.linspace(0.01, 0.95, 95)]
    _, theta, alpha = max(grid)
    alone = 1.0
    for i in range(1, 1000):
        alone *= (theta + alpha + i - 1) / (theta + i)
    assert pitman(sizes, counts, 1000) == pytest.approx(1000 * alone, rel=0.02)


def test_the_equations_of_snb_are_the_chances_to_see_a_class_once_and_twice():
    random = np.random.default_rng(5)
    alpha, beta, sampled, classes = 0.7, 0.3, 0.25, 400_000
    sizes = 1 + random.negative_binomial(alpha, beta, classes)
    seen = random.binomial(sizes, sampled)
    equations = _Equations(sampled, (seen == 1).mean() / sampled, (seen == 2).mean() / sampled**2)
    found = min(equations.solutions(), key=lambda solution: abs(solution[0] - alpha))
    assert found == pytest.approx((alpha, beta), rel=0.1)
    assert exp(found[0] * log(found[1])) == pytest.approx((sizes == 1).mean(), rel=0.03)


def test_shlosser_counts_the_classes_of_the_population():
    random = np.random.default_rng(2)
    people = attributes(random)
    sample = random.choice(people, PEOPLE // 2, replace=False)
    found = shlosser(*arrays(class_sizes(sample)), 0.5)
    assert found == pytest.approx(np.unique(people).size, rel=0.05)


def test_zayatz_by_hand():
    # Four of eight people: s₁ = 2, s₂ = 1; P(f=1|F=1) = 1/2, P(f=1|F=2) = 2 C(6,3) / C(8,4) = 4/7.
    assert zayatz(np.array([1, 2]), np.array([2, 1]), 8) == pytest.approx(2 * (2 * 0.5) / (2 * 0.5 + 4 / 7) * 2)


def test_a_sample_that_is_the_population_needs_no_estimate():
    found = population_uniqueness({1: 3, 2: 1}, 1)
    assert (found.pitman, found.zayatz, found.snb, found.uniques, found.population_rows) == (3, 3, 3, 3, 5)


def test_without_uniques_in_the_sample_there_are_none():
    assert population_uniqueness({2: 3}, 0.1).uniques == 0


def test_what_has_no_solution_is_none_and_zayatz_is_taken():
    small, large = population_uniqueness({1: 10}, 0.1), population_uniqueness({1: 10}, 0.5)
    assert (small.pitman, small.chosen, small.share) == (None, "zayatz", pytest.approx(1))
    assert (large.snb, large.chosen) == (None, "zayatz")


@settings(deadline=None, max_examples=60)
@given(
    sizes=st.dictionaries(st.integers(1, 60), st.integers(1, 300), min_size=1, max_size=6),
    fraction=st.sampled_from([0.001, 0.01, 0.1, 0.3, 0.9, 0.999]),
)
def test_every_estimate_is_a_number_of_people(sizes, fraction):
    found = population_uniqueness(sizes, fraction)
    for estimate in (found.pitman, found.zayatz, found.snb):
        assert estimate is None or 0 <= estimate <= found.population_rows * (1 + 1e-9)


@pytest.mark.parametrize("fraction", [0, -1, 1.5, "x"])
def test_a_sampling_fraction_is_a_share(fraction):
    with pytest.raises(InputError, match="sampling_fraction"):
        population_uniqueness({1: 1}, fraction)


def test_digamma_grows_by_the_inverse():
    x = np.array([0.01, 0.5, 1.0, 7.9, 8.1, 1e6])
    assert digamma(x + 1) - digamma(x) == pytest.approx(1 / x, rel=1e-8)
    assert digamma(0.5) == pytest.approx(-0.5772156649015329 - 2 * log(2))


def test_root_halves():
    assert root(lambda x: x * x - 2, 0, 2) == pytest.approx(2**0.5)
    assert root(lambda x: 2 - x * x, 0, 2) == pytest.approx(2**0.5)


def mixture(random):
    """Classes of geometric sizes: a twentieth of the people in small ones, the others in ones of a hundred."""
    small, large = random.geometric(0.6, PEOPLE), random.geometric(0.01, PEOPLE)
    parts = [(small, PEOPLE // 20), (large, PEOPLE - PEOPLE // 20)]
    sizes = np.concatenate([sizes[np.cumsum(sizes) <= people] for sizes, people in parts])
    return np.repeat(np.arange(sizes.size), sizes)


@pytest.mark.parametrize("seed", range(5))
def test_where_estimators_disagree_the_highest_is_taken(seed):
    random = np.random.default_rng(seed)
    people = mixture(random)
    true = class_sizes(people)[1]
    found = population_uniqueness(class_sizes(random.choice(people, people.size // 50, replace=False)), 0.02)
    assert found.rule == "pitman"
    assert found.pitman < true / 10  # what Dankar's rule takes
    assert found.disagree
    assert found.chosen != "pitman"
    assert found.uniques == found.highest == max(found.pitman, found.zayatz, found.snb or 0)
    assert found.lowest == min(found.pitman, found.zayatz, found.snb or found.zayatz)
    assert found.uniques > 0.7 * true
    assert found.share == found.uniques / found.population_rows
    assert found.note == (
        f"The estimators of people unique in the population disagree, from {found.lowest:,.0f} to {found.highest:,.0f} "
        "people, so none of them is certain to fit this table: the highest is used."
    )


@pytest.mark.parametrize("population", [attributes, zipf, uniform, gamma, mixture])
@pytest.mark.parametrize("fraction", every(3, [0.1, 0.02, 0.5]))
def test_no_more_are_unique_than_unique_rows_of_the_sample_tell(population, fraction):
    random = np.random.default_rng(3)
    people = population(random)
    found = population_uniqueness(
        class_sizes(random.choice(people, int(people.size * fraction), replace=False)), fraction
    )
    assert found.at_most > 0.9 * class_sizes(people)[1]
    assert found.at_most >= 0.999 * found.zayatz


def test_where_estimators_agree_the_rule_is_taken():
    random = np.random.default_rng(1)
    people = zipf(random)
    found = population_uniqueness(class_sizes(random.choice(people, PEOPLE // 10, replace=False)), 0.1)
    assert (found.disagree, found.note) == (False, None)
    assert (found.chosen, found.uniques) == (found.rule, found.pitman)
    assert population_uniqueness({2: 3}, 0.1).disagree is False
    assert population_uniqueness({1: 3, 2: 1}, 1).disagree is False
