"""Generalizations kept in .json reports: round trips, and the refusal of damaged or forged ones."""

from __future__ import annotations

import copy
import hashlib
import json

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import Hierarchy, InfeasibleError, InputError, KAnonymity, ShoalError

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

TREE = Hierarchy.from_parents(["*", "p", "a", "b", "q", "c", "d"], [-1, 0, 1, 1, 0, 4, 4])
FRAME = pd.DataFrame(
    {
        "age": [20, 21, 22, 23, 40, 41, 42, 43] * 2,
        "town": list("aabbccdd") * 2,
        "zip": ["13053", "13068", "14850", "14853"] * 4,
        "job": list("xyxyzzxz") * 2,
        "ill": ["flu", "cold"] * 8,
    }
)
QUASI = ["age", "town", "zip", "job"]


def made(frame=FRAME, **options):
    call = {
        "quasi_identifiers": QUASI,
        "sensitive": "ill",
        "hierarchies": {"town": TREE, "zip": "prefix"},
        "model": KAnonymity(4),
        "algorithm": "mondrian",
    } | options
    return shoal.anonymize(frame, **call)


def report(**options):
    return json.loads(made(**options).to_json())


def signed(report):
    """Return the report with a matching checksum, as a careful forger would write it."""
    kept = report["generalization"]
    kept.pop("sha256", None)
    content = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    kept["sha256"] = hashlib.sha256(content.encode()).hexdigest()
    return report


def texts(value):
    if isinstance(value, dict):
        return {text for inner in value.values() for text in texts(inner)}
    if isinstance(value, list):
        return {text for inner in value for text in texts(inner)}
    return {value} if isinstance(value, str) else set()


def test_nothing_is_kept_of_rows_but_what_the_release_shows():
    frame = FRAME.copy()
    frame.loc[0, ["age", "town", "zip", "job"]] = [99, "d", "99999", "spy"]
    for algorithm in ("full-domain", "mondrian"):
        first = made(frame, algorithm=algorithm, max_suppression=4)
        kept = json.loads(first.to_json())["generalization"]
        shown = {
            part for name in QUASI for label in first.frame[name] for text in [label.split(" | ")] for part in text
        }
        shown |= {end for label in first.frame["age"] for end in str(label).split("-")} | set(first.frame["age"])
        columns = {column["name"]: column for column in kept["columns"]}
        assert texts(columns["age"].get("shown", [])) <= shown
        assert texts(columns["job"].get("shown", [])) <= shown
        assert texts(columns["zip"].get("shown", [])) <= shown
        assert texts(columns["town"]["labels"]) == set(TREE.labels)
        hidden = {"99", "99999", "spy"} - shown
        assert not hidden & texts(kept)
    assert "flu" not in texts(kept)


def test_the_report_is_as_before_with_one_line_more():
    first = made()
    lines = first.to_json().splitlines()
    assert lines[-2].startswith('  "generalization": {"version":1,')
    whole = json.loads(first.to_json())
    kept = whole.pop("generalization")
    assert whole == first.report.to_dict()
    assert len(kept["classes"]) == 4
    assert {len(places) for places in kept["classes"]} == {first.report.classes}


MODELS = [
    shoal.KAnonymity(2) & shoal.DistinctDiversity(2, sensitive="ill"),
    shoal.Closeness(0.5, "hierarchical", hierarchy=Hierarchy.flat(["flu", "cold"])),
    shoal.Closeness(0.5, "ordered", order=["flu", "cold"]),
    shoal.AlphaK(0.9, 2) & shoal.BetaLikeness(2) & shoal.HighestRisk(0.5),
    shoal.RecursiveDiversity(4, 2) & shoal.EntropyDiversity(1.5) & shoal.FrequencyDiversity(1.2),
    shoal.AverageRisk(0.5) & shoal.PSensitivity(2, 2) & shoal.DeltaDisclosure(2),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_every_model_is_kept(model):
    first = made(model=model, algorithm="full-domain")
    again = shoal.apply(json.loads(first.to_json()), FRAME)
    assert again.promise.model == model or str(again.promise.model) == str(model)
    assert again.frame.equals(first.frame)


class Odd(shoal.KAnonymity):
    """A model that is not one of shoal's."""


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"style": shoal.Style(numbers="mean")},
            "It shows the means of numbers, which do not say which numbers a class holds.",
        ),
        (
            {"hierarchies": {"town": TREE, "zip": "by-frequency:2"}},
            "The tree of column 'zip' (by-frequency:2) depends on the values of the table: save it in a file with "
            "shoal hierarchy build, and use that file.",
        ),
        (
            {"model": shoal.KMap(2, FRAME), "algorithm": "samarati"},
            "The model 2-map needs a population, which a report does not contain: anonymize the next table itself.",
        ),
        ({"model": Odd(2)}, "The model k = 2 is not one of shoal's, so a report cannot hold it."),
    ],
)
def test_a_release_that_cannot_be_applied_says_why(options, sentence):
    first = made(**options)
    with pytest.raises(InputError) as error:
        shoal.apply(first, FRAME)
    assert str(error.value) == sentence
    with pytest.raises(InputError) as error:
        shoal.apply(json.loads(first.to_json()), FRAME)
    assert str(error.value) == f"The report: this release cannot be applied to another table. {sentence}"


def test_files_that_are_no_report_are_refused(tmp_path):
    first = made()
    whole = first.to_json()
    place = tmp_path / "r.json"
    cases = {
        whole[: len(whole) // 2]: "this is not a complete JSON file; name the .json report of a release.",
        "[]": "this is not a report on a release; name a .json file that --report wrote.",
        first.report.to_json(): "this report holds no generalization: write it with release.save(…, "
        "report='release.json').",
        whole.replace('"version":1', '"version":3'): "its generalization has version 3, and this shoal reads 1 and 2: "
        "make the first release again.",
        whole.replace('"version":1', '"version":2'): "the generalization was changed or damaged since it was written.",
        whole.replace('"k":4', '"k":2'): "the generalization was changed or damaged since it was written.",
        whole.replace('["20","2', '["10","2'): "the generalization was changed or damaged since it was written.",
    }
    for content, sentence in cases.items():
        place.write_text(content)
        with pytest.raises(InputError) as error:
            shoal.apply(place, FRAME)
        assert str(error.value) == f"{place}: {sentence}"
    place.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="this is not a complete JSON file"):
        shoal.apply(place, FRAME)
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        shoal.apply(tmp_path / "none.json", FRAME)
    with pytest.raises(InputError, match="3 is not an earlier release"):
        shoal.apply(3, FRAME)
    with pytest.raises(InputError, match="misfits = 'drop' is not known: choose suppress or refuse"):
        shoal.apply(first, FRAME, misfits="drop")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda frame: frame.drop(columns="zip"),
            "The earlier release had a quasi-identifying column 'zip'. There is no column 'zip'. The columns are "
            "'age', 'town', 'job', 'ill'.",
        ),
        (
            lambda frame: frame.rename(columns={"ill": "illness"}),
            "The earlier release had a sensitive column 'ill'. There is no column 'ill'. Did you mean 'illness'?",
        ),
        (
            lambda frame: frame.assign(age=["old", *map(str, frame["age"][1:])]),
            "Column 'age' held numbers and now holds 'old': declare these values as missing, or anonymize the table "
            "anew.",
        ),
        (
            lambda frame: frame.assign(age=pd.to_datetime("2024-01-01")),
            "Column 'age' held numbers and now holds moments: declare these values as missing, or anonymize the table "
            "anew.",
        ),
        (
            lambda frame: frame.assign(job=1),
            "Column 'job' held text and now holds numbers, such as '1': declare these values as missing, or anonymize "
            "the table anew.",
        ),
        (
            lambda frame: frame.assign(age=None),
            "Column 'age' has only missing values: leave it out of the quasi-identifiers.",
        ),
    ],
)
def test_tables_of_another_form_are_refused(change, sentence):
    with pytest.raises(InputError) as error:
        shoal.apply(made(), change(FRAME))
    assert str(error.value) == sentence


def test_small_and_empty_tables_are_refused_in_words():
    first = made()
    with pytest.raises(InfeasibleError, match="the table has 1 row, so k can be at most 1"):
        shoal.apply(first, FRAME[:1])
    with pytest.raises(ShoalError):
        shoal.apply(first, FRAME[:0])
    with pytest.raises(InfeasibleError, match=r"Of 16 rows 16 are left without a class"):
        shoal.apply(first, FRAME.assign(zip="99999"), max_suppression=1.0)
    with pytest.raises(InfeasibleError, match=r"Of 16 rows 16 are left without a class"):
        shoal.apply(first, FRAME.assign(town="new"), max_suppression=1.0)


def places(value, path=()):
    """Yield the path of every entry in nested plain values."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


REPORTS = [
    report(),
    report(algorithm="full-domain", hierarchies={"town": TREE, "zip": "prefix", "age": "intervals:10"}),
]
ODD = st.sampled_from(
    [None, -1, 0, 1, 7, 10**9, 0.5, "", "x", "20", "*", "prefix", "flat", [], ["a"], {}, True, "tree"]
)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(REPORTS), st.data(), ODD)
def test_a_tampered_report_is_refused_or_its_release_keeps_the_promise(original, data, odd):
    """Whatever is changed, no release has labels that do not cover the raw values, or classes that are too small."""
    report = copy.deepcopy(original)
    kept = report["generalization"]
    path = data.draw(st.sampled_from([path for path in places(kept) if path and path[0] not in ("version", "sha256")]))
    inner = kept
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = odd
    try:
        release = shoal.apply(signed(report), FRAME)
    except ShoalError:
        return
    model = release.promise.model
    sizes = release.frame.groupby(list(release.promise.quasi), dropna=False).size()
    assert release.report.suppressed_rows or sizes.min() >= model.smallest
    if path[0] in ("columns", "classes") and set(QUASI) <= set(release.frame.columns):
        numbers = shoal.data.label_cover.covers(list(map(str, release.frame["age"])), list(map(str, FRAME["age"])))
        assert numbers.diagonal().all()


def test_a_class_that_claims_more_than_it_covers_covers_what_it_claims():
    """What a class shows is stated once, so that a change affects both uses."""
    first = shoal.anonymize(
        pa.table({"age": [20, 21, 22, 30, 31, 32]}), quasi_identifiers="age", model=KAnonymity(3), algorithm="mondrian"
    )
    report = json.loads(first.to_json())
    report["generalization"]["columns"][0]["shown"][0] = ["20", "25"]
    again = shoal.apply(signed(report), pa.table({"age": [20, 21, 24, 30, 31, 32]}))
    assert again.frame["age"].to_pylist() == ["20-25"] * 3 + ["30-32"] * 3
    report["generalization"]["columns"][0]["shown"][0] = ["25", "20"]
    with pytest.raises(InputError, match="was changed or damaged"):
        shoal.apply(signed(report), pa.table({"age": [20, 21, 24, 30, 31, 32]}))


def test_a_report_that_is_nested_too_deep_is_refused(tmp_path):
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(shoal.InputError, match="not a complete JSON file"):
        shoal.apply(tmp_path / "deep.json", shoal.datasets.adult())
