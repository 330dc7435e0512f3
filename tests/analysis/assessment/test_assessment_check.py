"""An assessment checks requirements on the classes that it has counted, with the results of plain counting."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from assessment_tables import QUASI, rows, table_of, usable
from oracles.assessment import classes_of
from shoal.analysis.assessment import kinds
from shoal.analysis.assessment.assess import _table
from shoal.data.grouping import Grouping
from shoal.data.roles import Roles
from shoal.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    KAnonymity,
    KMap,
    RecursiveDiversity,
)

MODELS = [
    KAnonymity(3),
    DistinctDiversity(2),
    EntropyDiversity(1.5, "s"),
    FrequencyDiversity(1.5),
    RecursiveDiversity(2, 2, "s"),
    Closeness(0.4),
    Closeness(0.3, "ordered", sensitive="n"),
    AlphaK(0.6, 2),
    BetaLikeness(1),
    DeltaDisclosure(1),
    AverageRisk(0.4),
]


@pytest.mark.parametrize("looked_at", [kinds.LOOKED_AT, 1])
@settings(deadline=None)
@given(rows=rows().filter(usable), model=st.sampled_from(MODELS))
def test_each_class_is_judged_as_all_of_them_are_at_once(rows, model, looked_at):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kinds, "LOOKED_AT", looked_at)
        data = table_of(rows)
        found = shoal.assess(data, quasi_identifiers=QUASI, sensitive=["s", "n"])
        (verdict,) = found.check(model)
    grouping = Grouping.of(_table(shoal.read(data), Roles(QUASI, ("s", "n")), ()))
    whole = grouping.table.classes(grouping.ids)
    good = model.satisfied(whole)
    assert verdict.failing_classes == np.count_nonzero(~good)
    assert verdict.failing_rows == whole.sizes[~good].sum() == found.at_risk(model)
    assert (verdict,) == shoal.check(data, model, quasi_identifiers=QUASI, sensitive=["s", "n"])


@settings(deadline=None)
@given(rows=rows().filter(usable))
def test_rows_at_risk_are_those_of_classes_that_fail_any_of_several(rows):
    found = shoal.assess(table_of(rows), quasi_identifiers=QUASI, sensitive=["s", "n"])
    groups = classes_of(rows, QUASI)
    small = [members for members in groups if len(members) < 3 or len({row["s"] for row in members}) < 2]
    assert found.at_risk(KAnonymity(3) & DistinctDiversity(2, "s")) == sum(map(len, small))
    everyone = len(rows) if len(groups) / len(rows) > 0.4 else sum(len(one) for one in groups if len(one) < 2)
    assert found.at_risk(AverageRisk(0.4) & KAnonymity(2)) == everyone


PEOPLE = pa.table({"age": [30, 30, 30, 41, 41], "days": [3, 4, 5, 3, 3]})


def test_an_assessment_is_sent_elsewhere_and_answers_there():
    found = shoal.assess(PEOPLE, quasi_identifiers="age", sensitive="days")
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert repr(again) == repr(found)
    assert "_classes" not in repr(found) + str(found.to_dict())
    for asked in ("k>=3, distinct l>=2, ordered t<=0.4", KAnonymity(3) & DistinctDiversity(2)):
        assert again.check(asked) == found.check(asked)
    assert again.at_risk(KAnonymity(3)) == 2
    assert found.check("ordered t<=0.1")[0].failing_rows == 5


def test_suppressed_rows_are_in_no_class():
    data = pa.table({"age": ["30", "30", "*"]})
    assert shoal.assess(data, quasi_identifiers="age").at_risk(KAnonymity(2)) == 1
    assert shoal.assess(data, quasi_identifiers="age", suppressed="*").at_risk(KAnonymity(2)) == 0


def test_a_population_is_the_one_that_was_given():
    everyone, others = pa.table({"age": [30] * 9 + [41] * 2}), pa.table({"age": [30, 41]})
    found = shoal.assess(PEOPLE, quasi_identifiers="age", population=everyone)
    assert found.at_risk(KMap(3, everyone)) == 2
    assert found.check(KMap(3, everyone))[0].failing_rows == 2
    for ask in (found.check, found.at_risk):
        with pytest.raises(shoal.InputError, match=r"^3-map refers to another population"):
            ask(KMap(3, others))


def test_what_is_no_model_is_refused():
    found = shoal.assess(PEOPLE, quasi_identifiers="age")
    with pytest.raises(shoal.InputError, match=r"^'k>=5' is not a privacy model; give one such as shoal.KAnonymity"):
        found.at_risk("k>=5")
    with pytest.raises(shoal.InputError, match="needs a sensitive attribute"):
        found.at_risk(DistinctDiversity(2))
