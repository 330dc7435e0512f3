"""The values compared with those of pycanon, and where pycanon is wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import shoal

anonymity = pytest.importorskip("pycanon.anonymity")
pytestmark = pytest.mark.filterwarnings("ignore")  # pycanon uses what pandas will drop

QUASI = ["q", "r"]


def drawn(seed, *, rows=300, values=4):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "q": random.choice(list("abcd"), rows),
            "r": random.integers(0, 3, rows),
            "s": random.choice(list("uvwxyz")[:values], rows),
            "n": random.integers(0, 9, rows),
        }
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_values_agree(seed):
    data = drawn(seed)
    found = shoal.assess(data, quasi_identifiers=QUASI, sensitive=["s", "n"])
    assert found.k == anonymity.k_anonymity(data, QUASI)
    for name in ("s", "n"):
        own = found.sensitive[name]
        assert own.distinct_l == anonymity.l_diversity(data, QUASI, [name])
        assert int(own.entropy_l) == anonymity.entropy_l_diversity(data, QUASI, [name])
        assert own.alpha == pytest.approx(anonymity.alpha_k_anonymity(data, QUASI, [name])[0])
        assert own.beta == pytest.approx(anonymity.basic_beta_likeness(data, QUASI, [name]))
    assert found.sensitive["s"].delta == pytest.approx(anonymity.delta_disclosure(data, QUASI, ["s"]))
    assert found.sensitive["s"].t_equal == pytest.approx(anonymity.t_closeness(data, QUASI, ["s"]))
    assert found.sensitive["n"].t_ordered == pytest.approx(anonymity.t_closeness(data, QUASI, ["n"]))


def test_pycanon_overlooks_a_unique_row_with_a_missing_value():
    data = pd.DataFrame({"x": ["a", "a", None]})
    assert anonymity.k_anonymity(data, ["x"]) == 2
    assert shoal.assess(data, quasi_identifiers="x").k == 1


def test_pycanon_takes_the_index_for_row_numbers():
    data = pd.DataFrame({"x": list("aabb"), "s": list("uuvw")})
    assert anonymity.l_diversity(data, ["x"], ["s"]) == 1
    shuffled = data.set_axis([0, 2, 1, 3])
    assert anonymity.l_diversity(shuffled, ["x"], ["s"]) == 2
    assert shoal.assess(shuffled, quasi_identifiers="x", sensitive="s").distinct_sensitive == {"s": 1}
    with pytest.raises(IndexError):
        anonymity.l_diversity(data.set_axis([10, 11, 12, 13]), ["x"], ["s"])


def test_pycanon_leaves_values_that_a_class_lacks_out_of_delta():
    data = pd.DataFrame({"x": list("aabb"), "s": list("uuuv")})
    assert anonymity.delta_disclosure(data, ["x"], ["s"]) < 1
    assert shoal.assess(data, quasi_identifiers="x", sensitive="s").sensitive["s"].delta == np.inf


def test_pycanon_sorts_the_counts_of_recursive_diversity_upwards():
    data = pd.DataFrame({"x": ["a"] * 10, "s": list("uuuuuuuuuv")})
    assert anonymity.recursive_c_l_diversity(data, ["x"], ["s"]) == (1, 2)  # nine of ten rows have the same value
    assert shoal.assess(data, quasi_identifiers="x", sensitive="s").sensitive["s"].recursive_c_2 == 9
