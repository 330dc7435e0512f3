"""The models against plain counting."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal import DistinctDiversity, InputError, KAnonymity
from shoal.models import PrivacyModel
from strategies import tables


@given(table=tables(), data=st.data(), k=st.integers(1, 6), l=st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_k_and_distinct_l_by_counting(table, data, k, l):  # noqa: E741
    ids = np.unique([data.draw(st.integers(0, 4)) for _ in table.weights], return_inverse=True)[1].astype(np.int32)
    sizes = Counter(ids.tolist())
    values = defaultdict(set)
    for group, value in zip(ids.tolist(), table.sensitive_codes[:, 0].tolist(), strict=True):
        values[group].add(value)
    classes = table.classes(ids)
    assert KAnonymity(k).satisfied(classes).tolist() == [sizes[g] >= k for g in sorted(sizes)]
    assert DistinctDiversity(l).satisfied(classes).tolist() == [len(values[g]) >= l for g in sorted(sizes)]
    both = (KAnonymity(k) & DistinctDiversity(l)).satisfied(classes)
    assert both.tolist() == [sizes[g] >= k and len(values[g]) >= l for g in sorted(sizes)]


@given(table=tables(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_monotone_models_still_hold_when_classes_are_joined(table, data):
    ids = np.unique([data.draw(st.integers(0, 4)) for _ in table.weights], return_inverse=True)[1].astype(np.int32)
    for model in (KAnonymity(2), DistinctDiversity(2)):
        assert model.monotone
        if model.satisfied(table.classes(ids)).all():
            assert model.satisfied(table.classes(ids // 2)).all()


def test_a_model_of_a_sensitive_column_cannot_skip_what_checks_the_column():
    with pytest.raises(TypeError, match=r"^Own names a sensitive column, so it must extend SensitiveModel\.$"):

        class Own(PrivacyModel):
            sensitive: str | None = None


def test_models_combine_flatly():
    model = KAnonymity(3) & DistinctDiversity(2) & KAnonymity(7)
    assert [str(part) for part in model.parts] == ["k = 3", "distinct l = 2", "k = 7"]
    assert model.smallest == 7
    assert model.monotone
    assert model.monotone_with_suppression
    assert model.uses_sensitive
    assert str(model) == "k = 3 and distinct l = 2 and k = 7"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: KAnonymity(0), "k = 0 is too small: choose a whole number of at least 2."),
        (lambda: KAnonymity(2.5), "k must be a whole number of at least 2, not 2.5."),
        (lambda: KAnonymity(True), "k must be a whole number of at least 2, not True."),
        (lambda: KAnonymity("5"), "k must be a whole number of at least 2, not '5'."),
        (lambda: DistinctDiversity(0), "l = 0 is too small: choose a whole number of at least 2."),
    ],
)
def test_parameters_are_checked(make, sentence):
    with pytest.raises(InputError) as refusal:
        make()
    assert str(refusal.value) == sentence
