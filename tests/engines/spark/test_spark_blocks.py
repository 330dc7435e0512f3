"""Blocks: too many different rows for one pass are anonymized in blocks, and the model holds for the whole table."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest

import shoal
import shoal.spark
from depth import every

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
NAMES = ["age", "sex", "education", "occupation", "hours-per-week"]
ASKED = {
    "quasi_identifiers": NAMES[:3],
    "sensitive": "occupation",
    "hierarchies": {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name != "age"},
}


@pytest.fixture(scope="module")
def adult() -> pa.Table:
    return shoal.datasets.adult().select(NAMES).slice(0, 3000)


@pytest.mark.parametrize(
    "model",
    every(2, [shoal.KAnonymity(5) & shoal.Closeness(0.5), shoal.KAnonymity(5) & shoal.DistinctDiversity(2)]),
    ids=["closeness", "diversity"],
)
def test_the_model_holds_for_the_whole(spark, adult, model):
    data = spark.createDataFrame(adult)
    release = shoal.spark.release(data, model=model, algorithm="mondrian", block_rows=700, **ASKED)
    shown = release.frame.toArrow()
    # t-closeness compares with all rows here, not with those of a block.
    asked = {"quasi_identifiers": NAMES[:3], "sensitive": "occupation", "model": model}
    classes = shoal.verify(shown, rows=3000, **asked)
    assert release.report.blocks["blocks"] > 1
    assert release.report.k == classes.sizes.min() >= 5
    assert release.report.classes == len(classes)
    assert Counter(shown["hours-per-week"].to_pylist()) == Counter(adult["hours-per-week"].to_pylist())
    whole = shoal.anonymize(adult, model=model, algorithm="mondrian", **ASKED)
    assert whole.report.metrics["loss"] * 0.8 < release.report.metrics["loss"] < whole.report.metrics["loss"] * 2
    release.unpersist()


def test_blocks_with_all_else(spark, adult):
    table = adult.append_column("name", pa.array([f"p{at}" for at in range(3000)]))
    release = shoal.spark.release(
        spark.createDataFrame(table),
        model=shoal.KAnonymity(4),
        block_rows=900,
        missing_values="?",
        drop_missing=True,
        pseudonymize="name",
        key=b"0123456789abcdef",
        identifying="hours-per-week",
        **ASKED,
    )
    shown = release.frame.toArrow()
    plain = shoal.anonymize(
        table,
        model=shoal.KAnonymity(4),
        algorithm="mondrian",
        missing_values="?",
        drop_missing=True,
        pseudonymize="name",
        key=b"0123456789abcdef",
        identifying="hours-per-week",
        **ASKED,
    )
    assert release.report.dropped_rows == plain.report.dropped_rows > 0
    assert shown.column_names == plain.frame.column_names
    for name in ("name", "occupation"):
        assert Counter(shown[name].to_pylist()) == Counter(plain.frame[name].to_pylist())
    assert release.report.choice.startswith("auto picked mondrian")
    release.unpersist()


def test_what_cannot_go_by_blocks_is_refused(spark, adult):
    data = spark.createDataFrame(adult)
    for asked, sentence in [
        (
            {"model": shoal.KAnonymity(5), "algorithm": "full-domain"},
            "cannot be found block by block: raise block_rows",
        ),
        ({"model": shoal.KAnonymity(1500)}, "The table cannot be cut into blocks .*: raise block_rows"),
        ({"model": shoal.KAnonymity(5), "algorithm": shoal.LocalRecoding(effort=1.5)}, "A number of seconds"),
    ]:
        with pytest.raises(shoal.InputError, match=sentence):
            shoal.spark.release(data, block_rows=700, **asked, **ASKED)


def test_what_no_block_can_satisfy_is_said_by_the_driver(spark, adult, monkeypatch):
    def refused(*given):
        from shoal.errors import InfeasibleError

        raise InfeasibleError("No release of this table can satisfy it: k = 3 at most.", achievable="k = 3 at most")

    monkeypatch.setattr("shoal.engines.spark.solve.answer_block", refused)
    data = spark.createDataFrame(adult)
    with pytest.raises(shoal.InfeasibleError, match=r"^No release of this table can satisfy it") as told:
        shoal.spark.release(data, model=shoal.KAnonymity(5), algorithm="mondrian", block_rows=700, **ASKED)
    assert told.value.achievable == "k = 3 at most"
