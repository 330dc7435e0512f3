"""The lab and Anonymeter agree, guess by guess, on tables of plain values where every nearest row is one row."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from shoal.analysis.attack.attack import attack

evaluators = pytest.importorskip("anonymeter.evaluators", reason="anonymeter is not installed")

ROWS = 250
SEEDS = range(5)
KNOWN = ["height", "weight", "city"]


def people(random: np.random.RandomState) -> pd.DataFrame:
    height = random.normal(170, 12, ROWS).round(6)
    illness = np.where(random.random_sample(ROWS) < 0.7, np.where(height > 172, "flu", "cold"), "ulcer")
    weight = (height / 2 + random.normal(0, 9, ROWS)).round(6)
    city = random.choice(["Rome", "Oslo", "Bonn", "Kyiv"], ROWS)
    return pd.DataFrame({"height": height, "weight": weight, "city": city, "illness": illness})


@pytest.fixture(params=SEEDS)
def tables(request):
    """Draw an original, a release that keeps two thirds of it nearly unchanged, and a control group."""
    random = np.random.RandomState(request.param)
    original, fresh, control = people(random), people(random), people(random)
    release = original.copy()
    release[["height", "weight"]] += random.normal(0, 0.4, (ROWS, 2)).round(6)
    changed = random.random_sample(ROWS) < 1 / 3
    release[changed] = fresh[changed]
    exact = random.random_sample(ROWS) < 0.3
    release.loc[exact, "height"] = original.loc[exact, "height"]
    return original, release.round(6), control


def same(ours, theirs):
    """The successes, the risk and its interval are the same."""
    assert ours.attack.successes == pytest.approx(theirs.n_success)
    assert ours.control.successes == pytest.approx(theirs.n_control)
    risk = theirs.risk()
    assert ours.risk == pytest.approx(risk.value)
    assert ours.interval == pytest.approx(risk.ci)


def run(evaluator, **how):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where their baseline, which is drawn, happens to do better
        return evaluator.evaluate(**how).results()


def test_inference(tables):
    original, release, control = tables
    from anonymeter.evaluators import InferenceEvaluator

    theirs = InferenceEvaluator(original, release, aux_cols=KNOWN, secret="illness", n_attacks=ROWS, control=control)
    found = attack(
        release, kind="inference", original=original, control=control, known=KNOWN, sensitive="illness", attacks=ROWS
    )
    same(found.comparisons[0], run(theirs, n_jobs=1))


def test_linkability(tables):
    original, release, control = tables
    from anonymeter.evaluators import LinkabilityEvaluator

    sides = (["height", "city"], ["weight"])
    theirs = LinkabilityEvaluator(original, release, aux_cols=sides, n_attacks=ROWS, control=control)
    found = attack(
        release, kind="linkability", original=original, control=control, known=KNOWN, sides=sides, attacks=ROWS
    )
    same(found.comparisons[0], run(theirs, n_jobs=1))


def test_singling_out_by_one_column(tables):
    original, release, control = tables
    from anonymeter.evaluators import SinglingOutEvaluator

    found = attack(release, kind="singling-out", original=original, control=control, known=KNOWN, attacks=10**6)
    ours = next(one for one in found.comparisons if one.about == "one column")
    parts = (table[KNOWN] for table in (original, release))
    theirs = SinglingOutEvaluator(*parts, n_attacks=ours.attack.attacks, n_cols=1, control=control[KNOWN])
    results = run(theirs, mode="univariate")
    assert ours.attack.successes == results.n_success
    assert ours.control.successes == results.n_control
