"""Attacks: who is linked to which rows and what is learned, against plain loops."""

from __future__ import annotations

import warnings
from collections import Counter

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings, strategies as st

import shoal
from shoal import Hierarchy, HierarchyError, InputError, Style, VerificationError
from shoal.analysis.attack import linking
from shoal.analysis.attack.attack import attack

ADULT = ["age", "education", "marital-status", "race", "sex"]
TREE = Hierarchy.from_parents(["*", "p", "a", "b", "q", "c"], [-1, 0, 1, 1, 0, 4])
LABELS = {  # each label with the values it covers; a missing one covers all
    "number": {"1": "1", "1-2": "12", "[2, 3]": "23", "[1,3)": "12", "3": "3", "*": "123", None: "123"},
    "set": {"x": "x", "x | y": "xy", "y": "y", "*": "xyz", None: "xyz"},
    "tree": {"a": "a", "p": "ab", "q": "c", "c": "c", "*": "abc", None: "abc"},
}


def by_loops(rows, people, columns, secrets):
    """The attack, person by person and row by row."""
    sizes, learned = [], []
    for person in people:
        candidates = [
            secret
            for row, secret in zip(rows, secrets, strict=True)
            if all(v is None or v in LABELS[c][label] for c, label, v in zip(columns, row, person, strict=True))
        ]
        sizes.append(len(candidates))
        if candidates:
            counts = Counter(candidate for candidate in candidates if candidate is not None)
            shares = {value: count / len(candidates) for value, count in counts.items()}
            best = max(shares.values(), default=0)
            gains = [share - secrets.count(value) / len(secrets) for value, share in shares.items()]
            learned.append((best == 1, best, max([0, *gains])))
    return sizes, learned


@st.composite
def attacks(draw):
    columns = draw(st.lists(st.sampled_from(list(LABELS)), min_size=1, max_size=3, unique=True))
    row = st.tuples(*(st.sampled_from(list(LABELS[column])) for column in columns))
    person = st.tuples(*(st.sampled_from([*LABELS[column]["*"], None]) for column in columns))
    rows = draw(st.lists(row, min_size=1, max_size=12))
    secrets = draw(st.lists(st.sampled_from(["s", "t", "u", None]), min_size=len(rows), max_size=len(rows)))
    return columns, rows, draw(st.lists(person, min_size=1, max_size=8)), secrets


@settings(deadline=None)
@given(attacks(), st.sampled_from([2**30, 1]))
@example((["set"], [("x",)], [("z",)], ["s"]), 2**30)
def test_an_attack_is_what_plain_loops_find(drawn, bits):
    columns, rows, people, secrets = drawn
    frame = pa.table({c: pa.array([row[at] for row in rows], pa.string()) for at, c in enumerate(columns)})
    frame = frame.append_column("secret", pa.array(secrets, pa.string()))
    known = pa.table({c: pa.array([person[at] for person in people], pa.string()) for at, c in enumerate(columns)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linking, "MAX_BITS", bits)
        found = attack(frame, known, sensitive="secret", hierarchies={"tree": TREE}).released
    sizes, learned = by_loops(rows, people, columns, secrets)
    there = [size for size in sizes if size]
    assert (found.rows, found.people) == (len(rows), len(people))
    assert found.sizes == Counter(there)
    assert (found.linked, found.unmatched) == (sizes.count(1), sizes.count(0))
    assert found.smallest == min(there, default=0)
    assert found.average == pytest.approx(sum(there) / len(there) if there else 0)
    secret = found.learned["secret"]
    assert secret.certain == sum(certain for certain, _, _ in learned)
    for name, place in (("confidence", 1), ("gain", 2)):
        values = [one[place] for one in learned]
        assert getattr(secret, f"average_{name}") == pytest.approx(sum(values) / len(values) if values else 0)
        assert getattr(secret, f"highest_{name}") == pytest.approx(max(values, default=0))


RAW = pa.table(
    {
        "age": [23, 27, 41, 47],
        "zip": ["13053", "13068", "14850", "14853"],
        "disease": ["flu", "cold", "cancer", "cancer"],
    }
)
SAFE = pa.table(
    {
        "age": ["23-27", "23-27", "41-47", "41-47"],
        "zip": ["130**", "130**", "1485*", "1485*"],
        "disease": RAW["disease"],
    }
)
KNOWN = RAW.select(["age", "zip"])


def test_linking():
    found = attack(SAFE, KNOWN, original=RAW)
    assert (found.known, found.people) == (("age", "zip"), 4)
    assert (found.original.linked, found.original.smallest, found.original.sizes) == (4, 1, {1: 4})
    assert (found.released.linked, found.released.smallest, found.released.sizes) == (0, 2, {2: 4})
    assert (found.released.average, found.released.unmatched, found.unread) == (2.0, 0, {})


def test_homogeneity():
    """Both candidates of two people have cancer."""
    disease = attack(SAFE, KNOWN, sensitive="disease").released.learned["disease"]
    assert disease.certain == 2
    assert (disease.average_confidence, disease.highest_confidence) == (0.75, 1.0)
    # flu and cold rise from 1/4 to 1/2, cancer from 1/2 to 1.
    assert (disease.average_gain, disease.highest_gain) == (0.375, 0.5)


def test_skewness():
    """One class is half positive, which only 1 % of the table are: nothing is certain, and much is learned."""
    frame = pa.table(
        {"zip": ["130**"] * 20 + ["148**"] * 980, "virus": ["yes"] * 10 + ["no"] * 990},
    )
    virus = attack(frame, pa.table({"zip": ["13053"]}), sensitive="virus").released.learned["virus"]
    assert (virus.certain, virus.highest_confidence) == (0, 0.5)
    assert virus.highest_gain == pytest.approx(0.49)


def test_a_missing_secret_is_not_learned():
    frame = pa.table({"sex": ["f", "f", "m"], "virus": pa.array([None, None, "no"])})
    virus = attack(frame, pa.table({"sex": ["f", "m"]}), sensitive="virus").released.learned["virus"]
    assert (virus.certain, virus.average_confidence) == (1, 0.5)


def test_what_is_missing_rules_nothing_out():
    frame = pa.table({"sex": ["f", "m", None, "NA"]})
    people = pa.table({"sex": ["f", None, "", "NA"]})
    assert attack(frame, people).released.sizes == {2: 2, 4: 2}
    assert attack(frame, people, missing_values="NA").released.sizes == {3: 1, 4: 3}


def test_strangers_are_not_found():
    found = attack(SAFE, pa.table({"age": [99], "zip": ["13053"]}), sensitive="disease").released
    assert (found.unmatched, found.linked, found.smallest, found.average, found.sizes) == (1, 0, 0, 0.0, {})
    assert found.learned["disease"] == shoal.analysis.attack.findings.Learned(0, 0.0, 0.0, 0.0, 0.0)


def test_labels_of_an_unknown_hierarchy_are_pointed_out():
    frame = pa.table({"job": ["office", "nurse", "office"]})
    people = pa.table({"job": ["clerk", "nurse"]})
    found = attack(frame, people)
    assert (found.unread, found.released.unmatched) == ({"job": ("office",)}, 1)
    tree = Hierarchy.from_parents(["*", "office", "clerk", "nurse"], [-1, 0, 1, 0])
    found = attack(frame, people, hierarchies={"job": tree})
    assert (found.unread, found.released.sizes) == ({}, {2: 1, 1: 1})


def test_hierarchies_by_their_spelling_and_orders(tmp_path):
    frame = pa.table({"day": ["2024-03", "2024-04"], "size": ["S - M", "L"]})
    people = pa.table({"day": ["2024-03-15"], "size": ["M"]})
    orders = {"day": "dates:month,year", "size": shoal.Ordered(["S", "M", "L"])}
    assert attack(frame, people, hierarchies=orders).released.linked == 1
    (tmp_path / "size.txt").write_text("*\n\tS - M\n\t\tS\n\t\tM\n\tL\n")
    assert attack(frame, people, known="size", hierarchies=tmp_path).released.linked == 1


def test_the_style_of_the_release_is_read():
    frame = pa.table({"age": ["20 until 29", "30 until 39"]})
    style = Style(numbers="{low} until {high}")
    assert attack(frame, pa.table({"age": [25]}), style=style).released.linked == 1


@pytest.mark.parametrize("kind", [pa.Table.to_pandas, pl.from_arrow, lambda table: table])
def test_every_kind_of_frame(kind):
    found = attack(kind(SAFE), kind(KNOWN), original=kind(RAW), sensitive="disease")
    assert found == attack(SAFE, KNOWN, original=RAW, sensitive="disease")


def test_files(tmp_path):
    for name, table in {"safe": SAFE, "people": KNOWN, "raw": RAW}.items():
        table.to_pandas().to_csv(tmp_path / f"{name}.csv", index=False)
    found = attack(tmp_path / "safe.csv", tmp_path / "people.csv", original=tmp_path / "raw.csv")
    assert found == attack(SAFE, KNOWN, original=RAW)


def test_a_sample_depends_on_the_seed_alone():
    adult = shoal.datasets.adult().slice(0, 2000)
    found = [attack(adult, original=adult, sample=0.05, known=ADULT, seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    assert found[0].people == 100
    assert found[0].released == found[0].original
    assert attack(RAW, original=RAW, sample=0.01, known="age").people == 1


def test_to_dict():
    found = attack(SAFE, KNOWN, original=RAW, sensitive="disease").to_dict()
    assert found["known"] == ("age", "zip")
    assert found["released"]["sizes"] == {2: 4}
    assert found["original"]["learned"]["disease"]["certain"] == 4
    assert attack(SAFE, KNOWN).to_dict()["original"] is None


def test_the_input_is_untouched():
    frame = pd.DataFrame({"age": ["20-29", "30-39"]})
    people = pd.DataFrame({"age": [25.0, None]})
    copies = frame.copy(), people.copy()
    assert attack(frame, people).released.sizes == {1: 1, 2: 1}
    pd.testing.assert_frame_equal(frame, copies[0])
    pd.testing.assert_frame_equal(people, copies[1])


@pytest.mark.parametrize("trees", [False, True], ids=["ranges and sets", "hierarchies"])
def test_adult_before_and_after(trees):
    adult = shoal.datasets.adult()
    hierarchies = shoal.datasets.adult_hierarchies() if trees else None
    release = shoal.anonymize(
        adult,
        quasi_identifiers=ADULT,
        sensitive="occupation",
        identifying=["fnlwgt", "education-num"],
        hierarchies=hierarchies,
        model=shoal.KAnonymity(10) & shoal.DistinctDiversity(3),
        algorithm="mondrian",
    )
    found = attack(release.frame, adult.select(ADULT), original=adult, sensitive="occupation", hierarchies=hierarchies)
    assessed = shoal.assess(adult, quasi_identifiers=ADULT)
    assert found.original.linked == assessed.unique_rows > 2000
    assert found.original.sizes == {size: size * count for size, count in assessed.class_sizes.items()}
    assert (found.released.linked, found.released.unmatched, found.unread) == (0, 0, {})
    assert found.released.smallest >= 10
    assert found.released.learned["occupation"].certain == 0
    assert found.original.learned["occupation"].certain > found.original.linked
    gains = [table.learned["occupation"].average_gain for table in (found.original, found.released)]
    assert gains[0] > gains[1] > 0


CELLS = {
    "number": st.integers(-20, 20) | st.none(),
    "share": st.floats(-1e20, 1e20) | st.none(),
    "day": st.dates() | st.none(),
    "moment": st.datetimes() | st.none(),
    "hour": st.times() | st.none(),
    "text": st.sampled_from(["a", "b", "a | b", "1-2", "1", "x*", "2020-01-01", "?", "* | c", " "]) | st.none(),
    "size": st.sampled_from(["S", "M", "X - L"]),
    "zip": st.sampled_from(["13053", "13068", "14850", "1"]) | st.none(),
}


@settings(deadline=None)
@given(st.lists(st.tuples(*CELLS.values()), min_size=2, max_size=12), st.data())
def test_nobody_of_the_table_has_fewer_candidates_than_k(rows, data):
    frame = pa.table(dict(zip(CELLS, map(pa.array, zip(*rows, strict=True)), strict=True)))
    quasi = data.draw(st.lists(st.sampled_from(list(CELLS)), min_size=1, unique=True))
    quasi = [name for name in quasi if frame[name].null_count < len(frame)]
    guides = {"size": "ordered:S,M,X - L", "zip": "prefix"}
    k = data.draw(st.integers(2, len(rows)))
    if quasi:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", shoal.PrivacyWarning)
            release = shoal.anonymize(
                frame.select(quasi), quasi_identifiers=quasi, hierarchies=guides, model=shoal.KAnonymity(k)
            )
        found = attack(release.frame, frame, original=frame, known=quasi, hierarchies=guides).released
        assert found.unmatched == 0
        assert found.smallest >= k


BAD = {
    "unknown known column": (
        {"known": ["agee"]},
        "In the attacker's table, there is no column 'agee'. Did you mean 'age'?",
    ),
    "not released": (
        {"attacker": pa.table({"age": [1], "name": ["Ann"]}), "known": ["age", "name"]},
        "In the released table, there is no column 'name'. The columns are 'age', 'zip', 'disease'.",
    ),
    "not in the original": (
        {"original": RAW.select(["age", "disease"])},
        "In the original table, there is no column 'zip'. The columns are 'age', 'disease'.",
    ),
    "unknown sensitive column": (
        {"sensitive": "diseases"},
        "In the released table, there is no column 'diseases'. Did you mean 'disease'?",
    ),
    "nothing shared": (
        {"attacker": pa.table({"name": ["Ann"]})},
        "The attacker's table shares no column with the released one: it has 'name', "
        "the released one 'age', 'zip', 'disease'.",
    ),
    "known and sensitive": (
        {"attacker": RAW, "sensitive": "disease"},
        "Column 'disease' is both known and sensitive: whoever knows it has nothing to learn. "
        "Leave it out of one of the two.",
    ),
    "known twice": ({"known": ["age", "age"]}, "Column 'age' is named twice as known: name it once."),
    "sensitive twice": (
        {"sensitive": ["disease", "disease"]},
        "Column 'disease' is named twice as sensitive: name it once.",
    ),
    "known is a number": ({"known": 7}, "7 does not name columns: give a name or a list of names."),
    "nothing known": (
        {"known": []},
        "No known column is named: name what the attacker knows about people, such as age or sex.",
    ),
    "a sample of nothing known": (
        {"attacker": None, "original": RAW, "sample": 0.5},
        "No known column is named: name what the attacker knows about people, such as age or sex.",
    ),
    "nobody": (
        {"attacker": None},
        "Nobody is attacked: give a table of people the attacker knows, or a sample of the original.",
    ),
    "people and a sample": (
        {"original": RAW, "sample": 0.5},
        "Both an attacker's table and a sample are given: choose one of them.",
    ),
    "a sample of nothing": (
        {"attacker": None, "sample": 0.5, "known": "age"},
        "A sample is drawn from the original table, and no original is given.",
    ),
    "a sample without the column": (
        {"attacker": None, "original": RAW.select(["age"]), "sample": 0.5, "known": ["age", "zip"]},
        "In the original table, there is no column 'zip'. The columns are 'age'.",
    ),
    "an empty sample": (
        {"attacker": None, "original": RAW, "sample": 0, "known": "age"},
        "sample = 0 is not a share of the people: give a number above 0, up to 1.",
    ),
    "a sample of too many": (
        {"attacker": None, "original": RAW, "sample": 10, "known": "age"},
        "sample = 10 is not a share of the people: give a number above 0, up to 1.",
    ),
    "a seed below 0": (
        {"attacker": None, "original": RAW, "sample": 0.5, "known": "age", "seed": -1},
        "seed = -1 must be a whole number from 0 to 4294967295.",
    ),
    "no people": ({"attacker": KNOWN.slice(0, 0)}, "The table has no rows."),
    "no table": ({"attacker": 7}, "An int is not a table that shoal can read; give a pandas, polars or pyarrow table."),
    "no style": (
        {"style": "dash"},
        "'dash' is not a label style; give one such as shoal.Style(numbers='{low} to {high}').",
    ),
    "values that cannot be grouped": (
        {"attacker": pa.table({"age": [[1]]})},
        "Column 'age' holds values of type list<item: int64>, which shoal cannot group: convert it to text.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence(case):
    parameters, sentence = BAD[case]
    with pytest.raises(InputError) as refused:
        attack(SAFE, **{"attacker": KNOWN, **parameters})
    assert str(refused.value) == sentence


def test_a_hierarchy_that_cannot_be_built():
    with pytest.raises(HierarchyError, match="Column 'zip': "):
        attack(SAFE, pa.table({"zip": ["x"]}), hierarchies={"zip": "intervals:5"})


def test_large_numbers_are_linked_exactly():
    labels = [f"{2**53 + 2 * at}-{2**53 + 2 * at + 1}" for at in range(4) for _ in range(3)]
    people = pa.table({"id": [2**53 + 3]})
    assert shoal.attack(pa.table({"id": labels}), people).released.smallest == 3


def test_durations_are_linked():
    from datetime import timedelta

    labels = ["1:00:00-2:00:00"] * 3 + ["3:00:00-1 day, 2:00:00"] * 2
    found = shoal.attack(pa.table({"t": labels}), pa.table({"t": [timedelta(hours=25)]}))
    assert found.released.smallest == 2
    assert found.unread == {}  # the first label can be read, although nobody known has such a value


def test_people_of_a_population_with_large_numbers_are_counted_exactly():
    people = pa.table({"id": [2**53 + at for at in (2, 3, 4, 5)]})
    released = pa.table({"id": [f"{2**53 + 2}-{2**53 + 3}"] * 2})
    shoal.verify(released, quasi_identifiers="id", model=shoal.KMap(2, people))
    with pytest.raises(VerificationError, match="1 of 1 classes fail"):
        shoal.verify(released, quasi_identifiers="id", model=shoal.KMap(3, people))
