"""auto: which algorithm it picks, and what it says about that."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.algorithms import Auto, Datafly, FullDomain, LocalRecoding, Mondrian
from shoal.data.domain import NumericDomain, TreeDomain
from shoal.data.table import Table
from shoal.models import AverageRisk, DeltaPresence, DistinctDiversity, EntropyDiversity, KAnonymity, KMap

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

BALANCED, FAST = LocalRecoding("balanced"), LocalRecoding("fast")
MORE = "effort balanced takes five to ten times as long and mostly loses 1 to 4 % less."
LOCAL = "every class is made as coarse as its own rows need"


def numbers(rows: int, columns: int, values: int = 1000, *, tree: bool = False) -> Table:
    """A table of random numbers."""
    labels = tuple(str(value) for value in range(values))
    domain = TreeDomain(labels, -1, shoal.Hierarchy.flat(labels))
    if not tree:
        domain = NumericDomain(labels, -1, np.arange(float(values)))
    codes = np.random.RandomState(0).randint(0, values, (rows, columns)).astype(np.int32)
    names = tuple(f"q{column}" for column in range(columns))
    return Table(names, (domain,) * columns, codes, (), (), codes[:, :0], np.ones(rows, np.int64))


# rows, columns, values; k; what is picked
SIZES = {
    "few rows": ((1000, 5), 5, BALANCED),
    "30,000 rows, as Adult has": ((30_000, 8), 5, FAST),
    "more rows": ((200_000, 8), 5, FAST),
    "many rows, few of them different": ((2_000_000, 3, 10), 5, BALANCED),
    "many different rows": ((2_000_000, 4), 5, Mondrian()),
    "many columns": ((500, 100), 5, FAST),
    "many columns and rows": ((60_000, 100), 5, Mondrian()),
}


@pytest.mark.parametrize(("size", "k", "picked"), SIZES.values(), ids=SIZES)
def test_the_size_decides(size, k, picked):
    table = numbers(*size)
    choice = Auto().pick(table, KAnonymity(k))
    assert choice.algorithm == picked
    told = f"{table.rows:,} rows with {len(table.quasi)} quasi-identifiers"
    assert (
        choice.reason
        == {
            BALANCED: f"auto picked local recoding (balanced): {LOCAL}; {told} are few enough for the better search.",
            FAST: f"auto picked local recoding (fast): {LOCAL}; {told} are too many for the better search. {MORE}",
            Mondrian(): f"auto picked Mondrian: {told} are too many for local recoding.",
        }[picked]
    )


PEOPLE = pa.table({"age": [30, 31, 32, 33, 34, 35, 36, 37] * 2, "sex": list("fm") * 8})
SAMPLE = pa.table(
    {
        "age": [30, 31, 32, 33, 34, 35, 36, 37],
        "sex": list("fmfmfmfm"),
        "ill": ["flu", "flu", "flu", "flu", "flu", "flu", "cold", "mumps"],
    }
)
FULL = str(FullDomain(time_limit=None))
MODELS = {
    "k": (KAnonymity(2), 0, str(BALANCED), "2 quasi-identifiers are few enough for the better search."),
    "suppression that is not needed": (KAnonymity(2), 3, str(BALANCED), "few enough for the better search."),
    "k-map": (
        KMap(3, PEOPLE),
        0,
        str(Mondrian()),
        "auto picked Mondrian: 3-map asks about a population, which it cuts, too.",
    ),
    "presence": (
        DeltaPresence(0, 0.5, PEOPLE),
        0,
        FULL,
        "auto picked full-domain generalization: (0, 0.5)-presence needs classes that do not overlap.",
    ),
    "all classes at once": (
        AverageRisk(0.3),
        0,
        FULL,
        f"auto picked full-domain generalization: {AverageRisk(0.3)} is about all classes together.",
    ),
    "suppression that is needed": (
        EntropyDiversity(2.5, sensitive="ill"),
        5,
        FULL,
        f"auto picked full-domain generalization: {EntropyDiversity(2.5, sensitive='ill')} holds for no release of all "
        "rows, and some may be suppressed.",
    ),
}


def release(model, limit=0, **options):
    asked = {"quasi_identifiers": ["age", "sex"], "sensitive": "ill", "hierarchies": {"age": "intervals:2,4,8@30"}}
    return shoal.anonymize(SAMPLE, model=model, max_suppression=limit, **asked | options)


@pytest.mark.parametrize(("model", "limit", "algorithm", "reason"), MODELS.values(), ids=MODELS)
def test_the_model_decides(model, limit, algorithm, reason):
    made = release(model, limit)
    assert made.report.parameters["algorithm"] == algorithm
    assert made.report.choice.startswith("auto picked ")
    assert made.report.choice.endswith(reason)
    assert (made.lattice is not None) == (algorithm == FULL)
    assert (made.report.suppressed_rows > 0) == ("suppressed" in reason)


def test_a_lattice_that_is_too_large_to_be_searched():
    table = numbers(100, 40, 100, tree=True)
    choice = Auto().pick(table, AverageRisk(0.5))
    assert choice.algorithm == Datafly()
    assert choice.reason == (
        f"auto picked Datafly: {AverageRisk(0.5)} is about all classes together; there are too many levels to look for "
        "the best."
    )
    assert Auto().recode(table, AverageRisk(0.5)).sizes.tolist() == [100]


def test_columns_without_a_hierarchy_show_a_value_or_nothing_where_one_is_needed():
    made = release(AverageRisk(0.5), hierarchies=None)
    assert made.report.parameters["hierarchies"] == ["age", "sex"]
    assert set(made.frame["age"].to_pylist()) == {"*"}
    assert set(made.frame["sex"].to_pylist()) == {"f", "m"}


def test_what_is_picked_gives_the_same_as_when_it_is_named():
    for model, limit, _, _ in MODELS.values():
        made = release(model, limit)
        assert made.frame.equals(release(model, limit, algorithm=made.request.algorithm).frame)


def test_a_release_of_a_named_algorithm_has_no_choice():
    assert release(KAnonymity(2), algorithm="mondrian").report.choice is None


def test_the_seed_goes_on():
    assert Auto(seed=7).pick(numbers(100, 2), KAnonymity(2)).algorithm == LocalRecoding("balanced", seed=7)
    with pytest.raises(shoal.InputError, match=r"Auto's seed is a whole number from 0 to 4294967295, not -1\."):
        Auto(seed=-1)


@pytest.mark.parametrize(("effort", "named"), [("fast", "fast"), ("best", "best"), (2.0, "2 s"), (0.5, "0.5 s")])
def test_an_effort_goes_on_to_local_recoding(effort, named):
    for table in (numbers(100, 2), numbers(2_000_000, 4)):
        choice = Auto(effort=effort).pick(table, KAnonymity(2))
        assert choice.algorithm == LocalRecoding(effort)
        assert choice.reason == f"auto picked local recoding ({named}, as asked for): {LOCAL}."


@pytest.mark.parametrize(
    ("effort", "limit", "said"),
    [
        (None, None, "average risk = 0.5 is about all classes together."),
        ("fast", None, "Only local recoding has an effort: fast is not used."),
        (0.5, 0.5, "It takes 0.5 s at most, as asked for."),
    ],
)
def test_an_effort_of_another_algorithm_is_a_limit_of_seconds_or_not_used(effort, limit, said):
    choice = Auto(effort=effort).pick(numbers(100, 2), AverageRisk(0.5))
    assert choice.algorithm == FullDomain(time_limit=limit)
    assert choice.reason.endswith(said)


@pytest.mark.parametrize("effort", ["slow", 0, -1.0, True])
def test_an_effort_that_is_none_is_refused(effort):
    with pytest.raises(shoal.InputError, match=r"The effort is fast, balanced, best or a number of seconds above 0"):
        Auto(effort=effort)


@pytest.mark.parametrize(
    ("model", "limit", "sentence"),
    [
        (KAnonymity(9), 0, "No release of this table can satisfy k = 9: the table has 8 rows, so k can be at most 8."),
        (KAnonymity(9), 4, "No release of this table can satisfy k = 9: the table has 8 rows, so k can be at most 8."),
        (
            DistinctDiversity(4),
            0,
            "No release of this table can satisfy distinct l = 4: column 'ill' has 3 different values, so l can be at "
            "most 3.",
        ),
        (EntropyDiversity(2.5), 0, f"No release of this table can satisfy {EntropyDiversity(2.5)}: "),
        (
            EntropyDiversity(2.9),
            1,
            f"No full-domain generalization satisfies {EntropyDiversity(2.9)} with at most 1 suppressed rows.",
        ),
    ],
)
def test_what_cannot_be_is_said_as_by_other_algorithms(model, limit, sentence):
    with pytest.raises(shoal.InfeasibleError) as refusal:
        release(model, limit)
    assert str(refusal.value).startswith(sentence)


def test_one_class_and_one_value():
    assert release(KAnonymity(8)).report.classes == 1
    table = pa.table({"age": [30, 30, 30]})
    assert shoal.anonymize(table, quasi_identifiers="age", model=KAnonymity(3)).frame["age"].to_pylist() == [30] * 3


def test_full_domain_has_no_limit_of_time_so_that_every_machine_gives_the_same():
    assert release(AverageRisk(0.3)).request.algorithm == FullDomain(time_limit=None)


def test_auto_can_be_compared():
    found = shoal.compare(
        SAMPLE, quasi_identifiers=["age", "sex"], algorithms=["auto", "mondrian"], k=2, measures="loss", repeat=2
    )
    auto, mondrian = (cell.mean("loss") for cell in found.cells)
    assert auto <= mondrian
