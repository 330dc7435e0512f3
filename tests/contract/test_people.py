"""The contract of every algorithm with every model where several rows are about one person: people are counted."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import fields

import pytest

import shoal
from contract.lists import ALGORITHMS, FRAMES, MODELS, rows_of
from oracles import labels as oracle
from oracles.second_verifier.models import Group, failing
from oracles.second_verifier.people import fewest, unshared
from shoal import InputError, KAnonymity
from shoal.algorithms.algorithm import describe
from shoal.models import AlphaK, Closeness, DeltaDisclosure, FrequencyDiversity, RecursiveDiversity

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

PEOPLE, ROWS = 14, 42
TREE = shoal.Hierarchy.from_parents(["*", "13", "14", "131", "132", "141"], [-1, 0, 0, 1, 1, 2])
WHO = [row % PEOPLE for row in range(ROWS)]  # three rows each
ILLNESSES = ("flu", "cold", "gout")
COLUMNS = {
    "who": [f"P{person:02}" for person in WHO],
    "home": [f"H{person // 2}" for person in WHO],
    "age": [23 + person * 5 % 41 for person in WHO],
    "zip": [("131", "132", "141")[person * 2 % 3] for person in WHO],
    "month": [1 + (person + row // PEOPLE * 5) % 12 for row, person in enumerate(WHO)],
    "ward": [("east", "west", "north")[(row // PEOPLE + person // 3) % 3] for row, person in enumerate(WHO)],
    "illness": [ILLNESSES[(person + (row > 38)) % 3] for row, person in enumerate(WHO)],
    "row": list(range(ROWS)),
}
STATIC, VARYING = ("age", "zip"), ("age", "zip", "month", "ward")
MEANINGS = {
    "age": oracle.Numbers(COLUMNS["age"]),
    "zip": oracle.Tree({leaf: TREE.path(leaf) for leaf in TREE.leaves}),
    "month": oracle.Numbers(COLUMNS["month"]),
    "ward": oracle.Sets(COLUMNS["ward"]),
}
FLAT = {
    name: oracle.Tree({str(value): (str(value), "*") for value in COLUMNS[name]}) for name in ("age", "month", "ward")
}
COUNT_PEOPLE = [algorithm for algorithm in ALGORITHMS if algorithm.counts_people]
STEP = 7  # of the matrix, each such case runs without --depth=all


def described(model, *, strict=False):
    """The parts of a model as the second count takes them, with as many people as they need."""
    parts = [{"model": part.name} | {one.name: getattr(part, one.name) for one in fields(part)} for part in model.parts]
    added = ["k-anonymity", "limited-contribution"] if strict else ["k-anonymity"]
    return parts + [{"model": name, "k": fewest(parts)} for name in added]


def people(rows):
    """Rows of the original, by their numbers, as people."""
    values = [{"illness": COLUMNS["illness"][row]} for row in rows]
    return Group(values, ["illness"], owners=[WHO[row] for row in rows])


def matrix(algorithms, models=MODELS):
    """Yield every algorithm with every model, a kind of frame in turn; most cases are deep."""
    deep = pytest.mark.deep("other cases of this matrix have the algorithm, and others the model")
    for a, algorithm in enumerate(algorithms):
        for m, model in enumerate(models):
            kind = list(FRAMES)[(a + m) % len(FRAMES)]
            marks = deep if (a + m) % STEP else ()
            yield pytest.param(algorithm, model, kind, id=f"{algorithm}-{model}-{kind}", marks=marks)


def release(kind, quasi, algorithm, model, **options):
    return shoal.anonymize(
        FRAMES[kind](COLUMNS),
        quasi_identifiers=list(quasi),
        sensitive="illness",
        keep="row",
        identifying="home" if "group" not in options else (),
        hierarchies={"zip": TREE},
        model=model,
        algorithm=algorithm,
        **({"unit": "who"} | options),
    )


def check(made, quasi, model, *, strict=False):
    """Count the people of a release again; return the rows of the release, each with the number of its original."""
    meanings = MEANINGS | (FLAT if getattr(made.request.algorithm, "needs_hierarchies", False) else {})
    rows, members = rows_of(made.frame), defaultdict(list)
    assert "who" not in rows[0]
    assert "home" not in rows[0]
    for shown in rows:
        at = shown["row"]
        assert shown["illness"] == COLUMNS["illness"][at]
        for name in quasi:
            assert meanings[name].covers(str(shown[name]), COLUMNS[name][at]), (name, shown[name], at)
        members[tuple(shown[name] for name in quasi)].append(at)
    groups = [people(own) for own in members.values()]
    assert not failing(described(model, strict=strict), groups, people(range(ROWS)), ["illness"])
    assert made.report.people["people"] == PEOPLE
    assert made.report.classes == len(groups)
    assert len({row["row"] for row in rows}) == len(rows) == ROWS - made.report.suppressed_rows
    return rows, groups


@pytest.mark.parametrize(("algorithm", "model", "kind"), list(matrix(ALGORITHMS)))
def test_people_with_the_same_quasi_identifiers_in_all_rows(algorithm, model, kind):
    made = release(kind, STATIC, algorithm, model)
    rows, groups = check(made, STATIC, model)
    assert made.report.k == min(group.size for group in groups)
    shown = defaultdict(set)
    for row in rows:
        shown[WHO[row["row"]]].add(tuple(row[name] for name in STATIC))
    assert all(len(own) == 1 for own in shown.values()), "each person is in one class"


@pytest.mark.parametrize(("algorithm", "model", "kind"), list(matrix(COUNT_PEOPLE)))
def test_people_whose_quasi_identifiers_change(algorithm, model, kind):
    made = release(kind, VARYING, algorithm, model)
    _, groups = check(made, VARYING, model)
    assert made.report.k == min(group.size for group in groups)
    assert set(made.report.people["varying"]) == {"month", "ward"}


@pytest.mark.parametrize("algorithm", COUNT_PEOPLE, ids=str)
def test_nobody_has_more_than_their_share_of_a_class(algorithm):
    made = release("pyarrow", VARYING, algorithm, KAnonymity(4), strict=True)
    _, groups = check(made, VARYING, KAnonymity(4), strict=True)
    assert made.report.people["largest_share_of_a_class"] == pytest.approx(
        max(group.most_rows / group.rows for group in groups), abs=1e-6
    )


@pytest.mark.parametrize("algorithm", [one for one in ALGORITHMS if not one.counts_people], ids=str)
@pytest.mark.parametrize("quasi", [STATIC, VARYING], ids=["strict", "varying"])
def test_other_algorithms_refuse(algorithm, quasi):
    why = "quasi-identifiers of a person change from row to row (month, ward)"
    why = why if quasi == VARYING else "strict is asked for"
    sentence = f"{describe(algorithm)} cannot count people if {why}: choose from "
    with pytest.raises(InputError, match=re.escape(sentence) + "[a-z, -]*mondrian"):
        release("pyarrow", quasi, algorithm, KAnonymity(2), strict=quasi == STATIC)


def test_both_kinds_of_algorithms_are_tried():
    names = {algorithm.name for algorithm in COUNT_PEOPLE}
    assert names == {"auto", "bottom-up", "datafly", "full-domain", "incognito", "local", "mondrian", "samarati"}
    assert {algorithm.name for algorithm in ALGORITHMS} > names | {"k-member", "graph", "oka"}


# Each matched row has seven people of seven households, too few for some models of shares.
OF_SHARES = (AlphaK, Closeness, DeltaDisclosure, FrequencyDiversity, RecursiveDiversity)
LINKED = [(model, "profiles") for model in MODELS] + [
    (model, "households") for model in MODELS if not any(isinstance(part, OF_SHARES) for part in model.parts)
]


@pytest.mark.parametrize(("model", "promise"), LINKED, ids=str)
def test_sets_of_rows_that_can_be_linked(model, promise):
    named = {"group": "home"} if promise == "households" else {"promise": "profiles"}
    made = release("polars", VARYING, "auto", model, **named)
    rows, _ = check(made, VARYING, model)
    of = COLUMNS["home" if promise == "households" else "who"]
    linked = [
        (of[row["row"]], tuple(row[name] for name in VARYING), WHO[row["row"]], {"illness": row["illness"]})
        for row in rows
    ]
    few, _, alike = unshared(described(model), linked, people(range(ROWS)), ["illness"])
    assert few == 0
    assert made.report.k == alike >= model.smallest


def test_one_person_with_many_rows_is_seen_by_the_second_count():
    same = [row for row in range(ROWS) if WHO[row] == 3]
    alone, two = people(same), people([*same, 4])
    whole = people(range(ROWS))
    assert (alone.size, alone.rows, alone.most_rows) == (1, 3, 3)
    assert failing(described(KAnonymity(2)), [alone, two], whole, ["illness"]) == {0}
    assert failing(described(KAnonymity(2), strict=True), [two], whole, ["illness"]) == {0}
