"""A table given as distinct rows with weights gets the same release as its rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.data.coding import Values
from shoal.release.answer import WholeAnswer, coding_of
from shoal.release.request import Request
from shoal.release.review.review import Review
from shoal.release.verification.release import check_release

MODELS = [
    shoal.KAnonymity(5),
    shoal.KAnonymity(3) & shoal.DistinctDiversity(2),
    shoal.KAnonymity(3) & shoal.Closeness(0.4),
]
NAMES = ["age", "sex", "education", "occupation"]


def table(rows: int) -> pa.Table:
    return shoal.datasets.adult().select(NAMES).slice(0, rows)


def answer(data: pa.Table, **asked):
    request = Request.of(data.column_names, quasi_identifiers=NAMES[:-1], sensitive=NAMES[-1], **asked)
    values = [
        Values(name, (counts := data[name].value_counts()).field(0), counts.field(1).to_numpy())
        for name in request.names
    ]
    columns = {name: data[name] for name in request.names}

    def encode(guides):
        coding = coding_of(request, values, guides)
        return coding.table(coding.of_places(coding.places(columns)), np.ones(data.num_rows, np.int64)), coding

    return WholeAnswer.of(encode, request, lambda stage, share: None), columns


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("algorithm", ["mondrian", "full-domain", "datafly"])
@pytest.mark.parametrize("suppressed", ["keep", "drop"])
def test_the_answer_is_the_release_of_the_rows(model, algorithm, suppressed):
    data = table(400)
    asked = {
        "hierarchies": shoal.datasets.adult_hierarchies(),
        "model": model,
        "algorithm": algorithm,
        "max_suppression": 0.05,
        "suppressed": suppressed,
    }
    release = shoal.anonymize(data, quasi_identifiers=NAMES[:-1], sensitive=NAMES[-1], **asked)
    found, _ = answer(data, **asked)
    shown = Counter()
    labelling = found.labelling
    quasi = [labelling.labels[name] for name in NAMES[:-1]]
    table_ = labelling.table
    secret = table_.sensitive_domains[0]
    for row, weight in enumerate(table_.weights.tolist()):
        number = int(labelling.ids[row])
        if number < 0 and suppressed == "drop":
            continue
        labels = [label[number] for label in quasi] if number >= 0 else list(labelling.tops.values())
        code = int(table_.sensitive_codes[row, 0])
        shown[(*labels, None if code == secret.missing else secret.labels[code])] += weight
    frame = release.frame
    assert shown == Counter(zip(*(frame[name].to_pylist() for name in NAMES), strict=True))
    review = Review(tuple(found.weak_points(release.classes)))
    warned = [finding.sentence for finding in review.open]
    report = found.report(release.classes, data={}, dropped=0, warned=warned, review=review)
    assert [one["code"] for one in report.review["open"]] == [finding.code for finding in review.open]
    assert report.metrics == pytest.approx(release.report.metrics)
    assert (report.k, report.classes, report.suppressed_rows) == (
        release.report.k,
        release.report.classes,
        release.report.suppressed_rows,
    )
    distinct = pa.table(dict(zip(NAMES, map(list, zip(*shown, strict=True)), strict=True)))
    classes = check_release(distinct, found.promise(), weights=np.array(list(shown.values())))
    assert sorted(classes.sizes.tolist()) == sorted(release.classes.sizes.tolist())


def elsewhere(**asked):
    Request.of(NAMES, quasi_identifiers="age", **asked).check_rows_may_be_elsewhere()


def test_what_needs_single_rows_is_refused():
    for algorithm in ("k-member", "sequential", shoal.Mondrian(relaxed=True)):
        with pytest.raises(shoal.InputError, match="every row individually"):
            elsewhere(model=shoal.KAnonymity(2), algorithm=algorithm)
    with pytest.raises(shoal.InputError, match="population"):
        elsewhere(model=shoal.KMap(2, table(10)))
    with pytest.raises(shoal.InputError, match="order = 'shuffled' needs the whole table"):
        elsewhere(model=shoal.KAnonymity(2), order="shuffled")
    with pytest.raises(shoal.InputError, match="class_column = 'class' needs the whole table"):
        elsewhere(model=shoal.KAnonymity(2), class_column="class")


def test_a_wrong_weight_is_noticed():
    found, columns = answer(table(60), model=shoal.KAnonymity(5), algorithm="mondrian")
    rows = pa.table({name: [labels[0]] for name, labels in found.labelling.labels.items()} | {"occupation": ["Sales"]})
    with pytest.raises(shoal.VerificationError, match="59 rows and should have 60"):
        check_release(rows, found.promise(), weights=np.array([59]))
    assert len(columns) == 4
