"""The next delivery: the classes of a release applied to other rows, compared with plain loops."""

from __future__ import annotations

import json
from datetime import date, datetime, time, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles import applying as oracle, labels as meaning
from shoal import Hierarchy, InfeasibleError, InputError, KAnonymity, PrivacyWarning
from shoal.io.source import Source
from shoal.release.reuse import fitting
from shoal.release.reuse.record import generalization_of

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

TREE = Hierarchy.from_parents(["*", "p", "a", "b", "q", "c", "d", "e"], [-1, 0, 1, 1, 0, 4, 4, 0])  # ragged
PATHS = {value: TREE.path(value) for value in TREE.leaves} | {"?": ("?", "*")}
QUASI = ["age", "town", "job"]
ROW = st.fixed_dictionaries(
    {
        "age": st.one_of(st.integers(20, 32), st.none()),
        "town": st.one_of(st.sampled_from("abcde"), st.none()),
        "job": st.one_of(st.sampled_from("xyz"), st.none()),
        "ill": st.sampled_from(["flu", "cold", "mumps"]),
    }
)
TYPES = {"age": pa.int64(), "town": pa.string(), "job": pa.string(), "ill": pa.string()}
ALGORITHMS = [
    shoal.Mondrian(),
    shoal.Mondrian(relaxed=True),
    shoal.KMember(),
    shoal.LocalRecoding("fast"),
    shoal.RandomGrouping(seed=1),
    shoal.FullDomain(),
    shoal.Samarati(),
]
MODELS = [
    KAnonymity(2),
    KAnonymity(3),
    KAnonymity(2) & shoal.DistinctDiversity(2),
    shoal.AverageRisk(0.4),
    KAnonymity(2) & shoal.Closeness(0.5),
]


def table(rows):
    return pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in TYPES.items()})


def made(rows, model, algorithm, **options):
    return shoal.anonymize(
        table(rows),
        quasi_identifiers=QUASI,
        sensitive="ill",
        hierarchies={"town": TREE},
        model=model,
        algorithm=algorithm,
        **options,
    )


def meanings(rows):
    ages = meaning.Numbers([row["age"] for row in rows])
    return {"age": ages, "town": meaning.Tree(PATHS), "job": meaning.Sets([row["job"] for row in rows])}


def released(release):
    """Return the rows of a release as text."""
    rows = Source.of(release.frame).to_arrow().to_pylist()
    return [{name: cell if cell is None else shoal.data.style.text(cell) for name, cell in row.items()} for row in rows]


@settings(deadline=None, max_examples=150)
@given(st.lists(ROW, min_size=6, max_size=20), st.sampled_from(ALGORITHMS), st.sampled_from(MODELS))
def test_a_release_fits_its_own_table(rows, algorithm, model):
    try:
        first = made(rows, model, algorithm)
    except (InfeasibleError, InputError):
        return
    again = shoal.apply(first, table(rows), max_suppression=1.0)
    own = meanings(rows)
    shown = released(again)
    classes = set(oracle.classes_of(released(first), QUASI, None))
    for row, labels in zip(rows, shown, strict=True):
        assert tuple(labels[name] for name in QUASI) in classes or all(labels[name] == "*" for name in QUASI)
        assert all(own[name].covers(labels[name], row[name]) or labels[name] == "*" for name in QUASI)
        assert labels["ill"] == row["ill"]
    if isinstance(model, KAnonymity):
        assert again.report.suppressed_rows == 0
    if isinstance(algorithm, shoal.FullDomain | shoal.Samarati):
        assert shown == released(first)
        assert again.report.metrics == first.report.metrics


@settings(deadline=None, max_examples=150)
@given(
    st.lists(ROW, min_size=6, max_size=20),
    st.lists(ROW, min_size=1, max_size=12),
    st.sampled_from(ALGORITHMS[:5]),
    st.sampled_from(MODELS[:3]),
    st.integers(0, 6),
)
def test_another_table_gets_classes_that_cover_it_or_is_refused(rows, more, algorithm, model, budget):
    try:
        first = made(rows, model, algorithm)
    except (InfeasibleError, InputError):
        return
    tops = ("*", "*", "*")
    classes = oracle.classes_of(released(first), QUASI, None)
    own = meanings([*rows, *more])
    unfit = [not oracle.covering(row, classes, QUASI, own) for row in more]
    try:
        second = shoal.apply(json.loads(first.to_json()), table(more), max_suppression=budget)
    except InfeasibleError:
        return
    except InputError:
        assert any(all(row[name] is None for row in more) for name in QUASI)
        return
    assert sum(unfit) <= second.report.suppressed_rows <= budget
    shown = released(second)
    for row, labels, alone in zip(more, shown, unfit, strict=True):
        texts = tuple(labels[name] for name in QUASI)
        if alone or texts not in classes:
            assert texts == tops
        else:
            assert texts in oracle.covering(row, classes, QUASI, own)
    sizes = meaning.class_sizes([row for row in shown if tuple(row[name] for name in QUASI) != tops], QUASI)
    assert min(sizes.values()) >= model.smallest


@settings(deadline=None)
@given(st.lists(ROW, min_size=6, max_size=20), st.lists(ROW, min_size=1, max_size=8), st.sampled_from([1, 2, 1024]))
def test_the_first_box_is_the_cheapest_class_that_covers(rows, more, cells):
    try:
        first = made(rows, KAnonymity(2), "k-member")
    except InputError:
        return
    kept = generalization_of(first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "MAX_CELLS", cells)
        columns = table([*rows, *more])
        encoded = shoal.data.encoding.encode(
            {name: columns[name] for name in QUASI},
            quasi=QUASI,
            sensitive=(),
            guides={column.name: column for column in kept.columns},
            style=shoal.Style(),
        )
        boxes = fitting.boxes_of(encoded, kept)
        codes = fitting.known_codes(encoded, kept)
        found = boxes.first(codes, np.ones(len(boxes), bool), np.zeros(len(codes), np.int32))
    own = meanings([*rows, *more])
    shown = [
        dict(zip(QUASI, labels, strict=True))
        for labels in zip(
            *(d.write(what, shoal.Style()) for d, what in zip(encoded.domains, boxes.shown, strict=True)), strict=True
        )
    ]
    for row, box in zip([*rows, *more], found.tolist(), strict=True):
        covering = [at for at, labels in enumerate(shown) if all(own[n].covers(labels[n], row[n]) for n in QUASI)]
        assert box == min(covering, default=-1)
    assert (np.diff(boxes.cost) >= 0).all()


def test_adult_in_its_own_classes_loses_hardly_more_than_before():
    adult = shoal.datasets.adult()[:6000]
    trees = shoal.datasets.adult_hierarchies()
    del trees["age"]
    for algorithm in ("mondrian", "k-member"):
        first = shoal.anonymize(
            adult,
            quasi_identifiers=["age", "workclass", "education", "sex"],
            sensitive="occupation",
            identifying=["fnlwgt", "education-num"],
            hierarchies=trees,
            model=KAnonymity(10),
            algorithm=algorithm,
        )
        again = shoal.apply(first, adult)
        assert again.report.suppressed_rows == 0
        assert again.report.metrics["loss"] <= first.report.metrics["loss"] * 1.005


def test_levels_fit_every_table_whose_values_the_trees_know(tmp_path):
    adult = shoal.datasets.adult()
    first = shoal.anonymize(
        adult[:20_000],
        quasi_identifiers=["age", "sex", "education"],
        identifying=["fnlwgt", "education-num", "relationship", "marital-status"],
        hierarchies={"age": "intervals:5,10,20", "education": shoal.datasets.adult_hierarchies()["education"]},
        model=KAnonymity(10),
        algorithm="full-domain",
        max_suppression=0.02,
    )
    first.save(tmp_path / "safe.csv", report=tmp_path / "release.json")
    second = shoal.apply(tmp_path / "release.json", adult[20_000:])
    assert second.report.k >= 10
    assert second.report.suppressed_rows <= 0.02 * len(adult[20_000:])
    assert set(second.frame["age"]) <= set(first.frame["age"]) | {"*"}


COLUMNS = {  # values of the first table, and of the second: one that fits and one that does not
    "floats": ([0.5, 1.5, 2.25, 3.0], 0.75, 9.5),
    "texts of numbers": (["0.50", "1.5", "2", "3"], "0.7", "9"),
    "large numbers": ([2**60, 2**60 + 1, 2**61, 2**62], 2**60 + 1, 5),
    "dates": ([date(2024, 1, 1), date(2024, 1, 5), date(2024, 3, 1), date(2024, 4, 1)],
              date(2024, 1, 3), date(2025, 1, 1)),
    "moments": ([datetime(2024, 1, 1, 5), datetime(2024, 1, 2), datetime(2024, 3, 1), datetime(2024, 4, 1)],
                datetime(2024, 1, 1, 7), datetime(2025, 1, 1)),
    "times": ([time(1), time(2, 30), time(8), time(9)], time(2), time(23)),
    "durations": ([timedelta(1), timedelta(2), timedelta(8), timedelta(9, 30)], timedelta(1, 5), timedelta(20)),
    "negative": ([-5, -3, 0, 4], -4, 40),
    "sets": (["a", "b", "c", "d"], "b", "e"),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
def test_every_kind_of_value_is_kept_and_found_again(name, tmp_path):
    values, fits, new = COLUMNS[name]
    first = shoal.anonymize(
        pa.table({"q": values * 3, "s": list("xy") * 6}),
        quasi_identifiers="q",
        model=KAnonymity(6),
        algorithm="k-member",
    )
    first.save(tmp_path / "safe.parquet", report=tmp_path / "r.json")
    again = shoal.apply(tmp_path / "r.json", pa.table({"q": [*values * 3, fits], "s": list("xy") * 6 + ["x"]}))
    assert set(released(again)[-1]["q"].split()) & set(" ".join(row["q"] for row in released(first)).split())
    assert {row["q"] for row in released(again)} == {row["q"] for row in released(first)}
    with pytest.raises(InfeasibleError) as error:
        shoal.apply(tmp_path / "r.json", pa.table({"q": [*values * 3, new], "s": list("xy") * 6 + ["x"]}))
    shown = shoal.data.style.text(new)
    assert str(error.value) == (
        "Of 13 rows 1 is left without a class of the earlier release and 0 may be suppressed: 1 fits no class (column "
        f"'q' has {shown!r} in 1). Allow as many (max_suppression=1, --max-suppression 1), or anonymize the table anew."
    )


SPELLED = {
    "prefix": (["13053", "13068", "14850", "14853"], "13099", "9"),
    "intervals:10,20": ([11, 13, 25, 29], 17, 95),
    "intervals:0.5,1": ([0.25, 0.75, 1.5, 1.75], 0.3, 9.0),
    "cuts:20,40,80/40": ([11, 13, 25, 29], 17, 95),
    "cuts:0.5,1": ([0.25, 0.3, 0.75, 0.8], 0.4, 9.0),
    "dates:month,year": (["2024-01-01", "2024-01-05", "2024-03-01", "2024-03-09"], "2024-01-30", "soon"),
}


@pytest.mark.parametrize("algorithm", ["full-domain", "mondrian"])
@pytest.mark.parametrize("spelling", SPELLED)
def test_spelled_trees_take_new_values(spelling, algorithm):
    values, fits, new = SPELLED[spelling]
    first = shoal.anonymize(
        pa.table({"q": values * 2, "s": list("xy") * 4}),
        quasi_identifiers="q",
        hierarchies={"q": spelling},
        model=KAnonymity(4),
        algorithm=algorithm,
    )
    labels = {row["q"] for row in released(first)}
    assert len(labels) == 2
    more = pa.table({"q": [fits, *values * 2], "s": ["x"] * 9})
    assert {row["q"] for row in released(shoal.apply(first, more))} == labels
    if algorithm == "mondrian" or spelling.startswith("dates"):
        odd = pa.table({"q": [new, *values * 2] if isinstance(new, type(fits)) else values * 2, "s": ["x"] * 9})
        with pytest.raises(InfeasibleError, match=f"column 'q' has '{shoal.data.style.text(new)}' in 1"):
            shoal.apply(first, odd)


def test_cuts_that_show_open_ends_alone_take_any_number():
    first = shoal.anonymize(
        pa.table({"q": [1, 2, 20, 30]}), quasi_identifiers="q", hierarchies={"q": "cuts:10,15"}, model=KAnonymity(2)
    )
    again = shoal.apply(json.loads(first.to_json()), pa.table({"q": [3.25, 9.0, 15.0, 99.5]}))
    assert [row["q"] for row in released(again)] == ["< 10", "< 10", ">= 15", ">= 15"]


def test_equal_labels_at_two_places_of_a_tree_are_one_class():
    tree = Hierarchy.from_parents(["*", "single", "single", "widowed", "married", "m1", "m2"], [-1, 0, 1, 1, 0, 4, 4])
    frame = pd.DataFrame({"state": ["single"] * 3 + ["widowed"] * 3 + ["m1", "m2"] * 2})
    first = shoal.anonymize(
        frame, quasi_identifiers="state", hierarchies={"state": tree}, model=KAnonymity(3), algorithm="mondrian"
    )
    again = shoal.apply(json.loads(first.to_json()), pd.DataFrame({"state": ["single"] * 4 + ["m1"] * 3}))
    assert again.frame["state"].tolist() == ["single"] * 4 + ["married"] * 3


@pytest.mark.parametrize("algorithm", ["full-domain", "mondrian"])
@pytest.mark.parametrize("labels", [["Europe", "north", "Oslo", "Bergen", "south", "Rome"], ["Oslo"]])
def test_a_value_that_the_tree_does_not_know_is_not_shown_under_its_name(labels, algorithm):
    tree = Hierarchy.from_parents(labels, [-1, 0, 1, 1, 0, 4][: len(labels)])
    first = shoal.anonymize(
        pd.DataFrame({"town": [*tree.leaves] * 2}),
        quasi_identifiers="town",
        hierarchies={"town": tree},
        model=KAnonymity(2 * len(tree.leaves)),
        algorithm=algorithm,
    )
    assert set(first.frame["town"]) == {tree.root}
    frame = pd.DataFrame({"town": [*tree.leaves] * 2 + ["Tokyo"]})
    again = shoal.apply(first, frame, max_suppression=1)
    assert again.frame["town"].tolist() == [tree.root] * (len(frame) - 1) + ["*"]
    odd = shoal.apply(first, pd.DataFrame({"town": [*tree.leaves] * 2}))
    assert set(odd.frame["town"]) == {tree.root}


def test_an_order_of_the_type_is_kept_whole():
    kind = pd.CategoricalDtype(["XS", "S", "M", "L", "XL"], ordered=True)
    frame = pd.DataFrame({"size": pd.Categorical(["XS", "M", "L", "XL"] * 2, dtype=kind)})
    first = shoal.anonymize(frame, quasi_identifiers="size", model=KAnonymity(4), algorithm="mondrian")
    next_ = pd.DataFrame({"size": pd.Categorical(["S"] * 4 + ["XL"] * 4, dtype=kind)})
    assert set(shoal.apply(first, next_).frame["size"]) == {"XS - M", "L - XL"}


def test_options_go_with_the_release(tmp_path):
    rows = {
        "id": [f"p{i}" for i in range(8)],
        "name": list("abcdefgh"),
        "age": ["20", "21", "", "22", "40", "41", "42", "43"],
    }
    first = shoal.anonymize(
        pl.DataFrame(rows),
        quasi_identifiers="age",
        identifying="name",
        pseudonymize="id",
        key=b"0123456789abcdef",
        missing_values=[""],
        drop_missing=True,
        order="classes",
        class_column="class",
        style=shoal.Style(numbers="[{low}, {high}]"),
        model=KAnonymity(3),
        algorithm="mondrian",
    )
    first.save(tmp_path / "safe.csv", report=tmp_path / "r.json")
    assert "0123456789abcdef" not in (tmp_path / "r.json").read_text()
    with pytest.raises(InputError, match="Column 'id' can only be pseudonymized with a secret key"):
        shoal.apply(tmp_path / "r.json", pl.DataFrame(rows))
    again = shoal.apply(tmp_path / "r.json", pl.DataFrame(rows), key=b"0123456789abcdef")
    assert again.frame.equals(first.frame)
    assert again.report.dropped_rows == 1
    assert again.frame.columns == ["id", "age", "class"]
    third = shoal.apply(json.loads(again.to_json()), pl.DataFrame(rows), key=b"0123456789abcdef")
    assert third.frame.equals(first.frame)


def test_suppressed_rows_are_dropped_where_they_were(tmp_path):
    first = shoal.anonymize(
        pa.table({"age": [20, 21, 22, 40, 41, 42]}),
        quasi_identifiers="age",
        model=KAnonymity(3),
        algorithm="mondrian",
        suppressed="drop",
        max_suppression=1,
    )
    again = shoal.apply(first, pa.table({"age": [20, 30, 21, 22]}))
    assert again.frame["age"].to_pylist() == ["20-22"] * 3
    with pytest.raises(InfeasibleError, match="and none may be: 1 fits no class"):
        shoal.apply(first, pa.table({"age": [20, 30, 21, 22]}), misfits="refuse")


def test_the_report_says_how_to_repeat_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"age": [20, 21, 22, 40, 41, 42]}).to_csv("one.csv", index=False)
    pd.DataFrame({"age": [20, 21, 22, 23]}).to_csv("two.csv", index=False)
    first = shoal.anonymize("one.csv", quasi_identifiers="age", model=KAnonymity(3), algorithm="mondrian")
    first.save("safe.csv", report="release.json")
    again = shoal.apply("release.json", "two.csv", max_suppression=1)
    again.save("safe2.csv", report=["second.html", "second.json"])
    page = (tmp_path / "second.html").read_text()
    assert "release = shoal.apply(&quot;release.json&quot;, &quot;two.csv&quot;, max_suppression=1)" in page
    with pytest.raises(InputError, match="this is the input, which shoal never overwrites"):
        again.save("safe2.csv", report="release.json")


def test_what_a_release_and_an_earlier_one_reveal_together_is_warned_of():
    table = pa.table({"age": [20, 21, 22, 23], "ill": ["a", "b", "a", "b"]})
    earlier = pa.table({"age": ["20-21", "20-21", "22-23", "22-23"], "ill": ["a", "b", "a", "c"]})
    first = shoal.anonymize(table, quasi_identifiers="age", sensitive="ill", model=KAnonymity(4), algorithm="mondrian")
    with pytest.warns(PrivacyWarning, match="Together the releases make 'ill' certain for 2 more people"):
        second = shoal.apply(first, table, against=[earlier])
    assert any("certain for 2 more people" in sentence for sentence in second.report.warnings)
    same = shoal.apply(first, table, against=[first.frame])
    assert not any("Together" in sentence for sentence in same.report.warnings)


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64()], ids=str)
def test_large_whole_numbers_find_their_classes(kind):
    near = 2**60
    first = pa.table({"id": pa.array([near, near + 1, near + 4, near + 5], kind)})
    release = shoal.anonymize(first, quasi_identifiers="id", model=KAnonymity(2), algorithm="mondrian")
    second = pa.table({"id": pa.array([near + 5, near + 4, near + 1, near], kind)})
    found = shoal.apply(release, second).frame["id"].to_pylist()
    assert found == [f"{near + 4}-{near + 5}"] * 2 + [f"{near}-{near + 1}"] * 2
    strange = pa.table({"id": pa.array([near + 2, near + 2, near, near + 1], kind)})
    with pytest.raises(InfeasibleError):
        shoal.apply(release, strange)
