"""Calls and names that are almost right are answered with what to write."""

from __future__ import annotations

import inspect
import warnings

import pandas as pd
import pytest

import shoal
from shoal.analysis.assessment.requirements import parse_requirements
from shoal.cli.algorithms import algorithm_of
from shoal.errors import InputError
from shoal.models import ModelContext
from shoal.system.close_names import close_name

FRAME = pd.DataFrame(
    {
        "name": [f"Ann {chr(65 + at % 26)}{chr(97 + at // 26)}son" for at in range(60)],
        "age": [20 + at % 40 for at in range(60)],
        "sex": ["f", "m"] * 30,
        "disease": ["flu", "cold", "mumps"] * 20,
    }
)


def refused(**arguments: object) -> str:
    with pytest.raises(InputError) as caught:
        shoal.anonymize(FRAME, **arguments)
    return str(caught.value)


def test_k_is_answered_with_the_line_to_write() -> None:
    assert refused(k=5) == (
        "shoal.anonymize() has no argument 'k'. KAnonymity is a model; write: shoal.anonymize(data, "
        "identifying=['name'], quasi_identifiers=['age', 'sex'], model=shoal.KAnonymity(5)) "
        "The columns are guessed: correct them."
    )


@pytest.mark.parametrize(
    "asked",
    [
        {"k": 5},
        {"k": 5, "l": 2},
        {"k": 5, "quasi_identifiers": ["age"], "identifying": ["name", "sex"]},
        {"k": 5, "quasi_identifiers": ["age"], "identifying": "name", "sensitive": "disease"},
    ],
)
def test_the_line_can_be_run_as_it_stands(asked: dict[str, object]) -> None:
    line = refused(**asked).partition("write: ")[2].partition(" The columns")[0]
    release = eval(line, {"shoal": shoal, "data": FRAME})
    assert release.report.k >= 5
    assert "name" not in release.frame.columns


def test_l_and_given_columns_are_in_the_line() -> None:
    assert refused(k=5, l=2, quasi_identifiers=["age"], sensitive="disease") == (
        "shoal.anonymize() has no argument 'k'. KAnonymity is a model; write: shoal.anonymize(data, "
        "quasi_identifiers=['age'], sensitive='disease', model=shoal.KAnonymity(5) & shoal.DistinctDiversity(2))"
    )


GIVEN = {"identifying": "name", "sensitive": "sex", "model": shoal.DistinctDiversity(2)}
TABLES = {
    "visits": lambda: shoal.datasets.visits(200),
    "adult": lambda: shoal.datasets.adult().slice(0, 3_000),
    "people": lambda: FRAME,
}


@pytest.mark.filterwarnings("ignore:k = 5 and distinct l = 2 does not protect 'income'")
@pytest.mark.parametrize(
    ("table", "asked", "parts"),
    [
        ("visits", {"k": 5}, ["unit='person'"]),
        ("adult", {"k": 5, "l": 3}, ["The column 'income' has 2 different values: l cannot be larger.", "ersity(2)"]),
        ("people", {"quasi": ["age", "sex"], "k": 5, "identifiers": "name"}, [" or 'quasi' or 'identifiers'."]),
        (
            "people",
            {"k": 5, "max_supression": 0.1, "xyz": 1},
            [" or 'max_supression' or 'xyz'.", "max_suppression=0.1)"],
        ),
        ("people", {"k": 5, "order": "shuffled", "key": "never shown again"}, ["order='shuffled', key=key)"]),
        ("people", {"k": 5, "quasi": "age", **GIVEN}, ["sensitive='sex', model=model & shoal.KAnonymity(5))"]),
    ],
)
def test_the_line_keeps_what_is_given_and_suits_the_table(
    table: str, asked: dict[str, object], parts: list[str]
) -> None:
    data = TABLES[table]()
    with pytest.raises(InputError) as caught:
        shoal.anonymize(data, **asked)
    sentence = str(caught.value)
    assert [part for part in parts if part not in sentence] == []
    line = sentence.partition("write: ")[2].partition(" The column")[0]
    assert eval(line, {"shoal": shoal, "data": data} | asked).report.k >= 5


@pytest.mark.parametrize(
    ("asked", "ends"),
    [
        ({"k": 1}, "KAnonymity is a model, but k = 1 protects nobody: choose at least 2."),
        ({"k": "5"}, "KAnonymity is a model: k must be a whole number of at least 2, not '5'."),
        ({"k": 5, "t": 2}, "KAnonymity is a model: t = 2 is out of range: choose a number from 0 to 1."),
    ],
)
def test_what_no_model_takes_is_not_offered(asked: dict[str, object], ends: str) -> None:
    assert refused(**asked) == f"shoal.anonymize() has no argument 'k'. {ends}"


def test_what_cannot_be_read_is_not_guessed() -> None:
    wanted = r"write: quasi_identifiers= with the columns that others may know .*, model=shoal\.KAnonymity\(5\)\."
    with pytest.raises(InputError, match=wanted + r" nowhere\.csv: cannot be read \(.*\)\.$"):
        shoal.anonymize("nowhere.csv", k=5)
    with pytest.raises(InputError, match=wanted + "$"):
        shoal.anonymize(pd.DataFrame({"x": [1, 2] * 10}), k=5)
    with pytest.raises(InputError, match=r"has no argument 'K'"):
        shoal.anonymize(data=None, K=5)


def test_figures_to_check_are_answered_with_the_requirement() -> None:
    with pytest.raises(InputError) as caught:
        shoal.check(FRAME, k=5, L=2, quasi_identifiers="age")
    assert str(caught.value) == (
        "shoal.check() has no argument 'k'. Write it as a requirement: require='k>=5, distinct l>=2'"
    )
    with pytest.raises(InputError, match=r"^shoal\.assess\(\) has no argument 't'\. .* require='t<=0\.2'$"):
        shoal.assess(FRAME, t=0.2, quasi_identifiers="age")
    assert shoal.assess(FRAME, require="k>=2, distinct l>=1", quasi_identifiers="age", sensitive="disease")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("quasi", "Did you mean 'quasi_identifiers'?"),
        ("quasi_identifer", "Did you mean 'quasi_identifiers'?"),
        ("identifiers", "Did you mean 'identifying'?"),
        ("algoritm", "Did you mean 'algorithm'?"),
        ("xyz", "help(shoal.anonymize) lists them."),
    ],
)
def test_other_arguments(name: str, answer: str) -> None:
    assert refused(**{name: 1}) == f"shoal.anonymize() has no argument {name!r}. {answer}"


def test_the_signature_is_still_shown() -> None:
    assert list(inspect.signature(shoal.anonymize).parameters)[:2] == ["data", "quasi_identifiers"]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: shoal.anonymize(FRAME[["age", "sex"]]),
            "shoal.anonymize() lacks 'quasi_identifiers' and 'model'; write: shoal.anonymize(data, "
            "quasi_identifiers=['age', 'sex'], model=shoal.KAnonymity(5)) The columns are guessed: correct them.",
        ),
        (
            lambda: shoal.anonymize(FRAME, ["age"], 5),
            "shoal.anonymize() takes only 'data' without a name; write: shoal.anonymize(data, "
            "identifying=['name'], quasi_identifiers=['age', 'sex'], model=shoal.KAnonymity(5)) "
            "The columns are guessed: correct them.",
        ),
        (
            lambda: shoal.anonymize(FRAME, quasi_identifiers="age"),
            "shoal.anonymize() lacks 'model'; write: shoal.anonymize(data, quasi_identifiers='age', "
            "model=shoal.KAnonymity(5))",
        ),
        (lambda: shoal.assess(FRAME), "shoal.assess() lacks 'quasi_identifiers'"),
        (lambda: shoal.verify(FRAME, FRAME), "shoal.verify() takes only 'released' without a name"),
    ],
)
def test_a_call_that_lacks_something_is_answered_with_the_line_to_write(call, sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == sentence


def test_columns_in_one_text_are_answered_with_the_list() -> None:
    sentence = refused(**ROLES | {"quasi_identifiers": "age, sex"})
    assert sentence == "There is no column 'age, sex'. These are several: in Python, write ['age', 'sex']."
    assert refused(**ROLES | {"quasi_identifiers": "age,sx"}).endswith("Did you mean 'age'?")


@pytest.mark.parametrize(
    "combined",
    [
        lambda: shoal.KAnonymity(5) and shoal.DistinctDiversity(2),
        lambda: shoal.KAnonymity(5) or shoal.DistinctDiversity(2),
        lambda: (shoal.KAnonymity(5) & shoal.DistinctDiversity(2)) and shoal.Closeness(0.3),
    ],
)
def test_no_model_is_lost_by_and_or_or(combined) -> None:
    with pytest.raises(InputError, match="is neither true nor false"):
        combined()


def test_a_list_of_models_is_answered_with_how_to_combine_them() -> None:
    sentence = refused(**ROLES | {"model": [shoal.KAnonymity(3), shoal.DistinctDiversity(2)]})
    assert sentence.endswith(
        "is not a privacy model; combine them with &, as in shoal.KAnonymity(10) & shoal.DistinctDiversity(3)."
    )


WEAK = {"quasi_identifiers": "age", "keep": ["sex", "disease"], "model": shoal.KAnonymity(2)}


@pytest.mark.parametrize(
    "call",
    [
        lambda folder: shoal.anonymize(FRAME, identifying="name", **WEAK),
        lambda folder: shoal.anonymize_files(folder / "in.csv", folder / "out.csv", identifying="name", **WEAK),
        lambda folder: shoal.anonymize_files(
            folder / "in.csv", folder / "out.csv", unit="name", pseudonymize="name", key="sixteen bytes or more", **WEAK
        ),
    ],
    ids=["frame", "files", "files that are read whole"],
)
def test_warnings_still_name_the_line_of_the_caller(call, tmp_path) -> None:
    FRAME.to_csv(tmp_path / "in.csv", index=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(tmp_path)
    assert caught
    assert {warning.filename for warning in caught} == {__file__}


ROLES = {"quasi_identifiers": "age", "identifying": "name", "keep": ["sex", "disease"], "model": shoal.KAnonymity(3)}


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ({"algorithm": "mondrain"}, "mondrian"),
        ({"algorithm": "Full-Domain"}, "full-domain"),
        ({"order": "suffled"}, "shuffled"),
        ({"suppressed": "dropp"}, "drop"),
        ({"ranges": "steped"}, "stepped"),
        ({"drop_missing": "role"}, "roles"),
        ({"accept": "range-end"}, "range-ends"),
        ({"unit": "name", "identifying": (), "missing_units": "owns"}, "own"),
        ({"unit": "name", "identifying": (), "promise": "clases"}, "classes"),
        ({"keep": ["sx"]}, "sex"),
    ],
)
def test_values_that_are_close(wrong: dict[str, object], meant: str) -> None:
    assert refused(**ROLES | wrong).endswith(f"Did you mean {meant!r}?")


def test_nothing_is_asked_where_nothing_is_close() -> None:
    assert "Did you mean" not in refused(**ROLES | {"algorithm": "zzz"})
    assert close_name(None, ["mondrian"]) is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [("distnct l>=3", "distinct l"), ("recursve(4,3)", "recursive("), ("entropie l>=2", "entropy l")],
)
def test_requirements_that_are_close(written: str, meant: str) -> None:
    context = ModelContext(("disease",), {"disease": None}, {}, None)
    with pytest.raises(InputError, match=r"is not known: write .* Did you mean '") as caught:
        parse_requirements(written, context)
    assert f"Did you mean '{meant}" in str(caught.value)


@pytest.mark.parametrize(
    ("names", "line"),
    [
        ([0, 1, 2, 3], "df.columns = df.columns.map(str)"),
        ([0, "0", 1, 2], "df.columns = [f'{name}_{at}' for at, name in enumerate(df.columns)]"),
        (["a", None, "c", "d"], "df.columns = df.columns.map(str)"),
        ([("a", 1), ("a", 2), ("b", 1), ("b", 2)], "df.columns = ['_'.join(map(str, name)) for name in df.columns]"),
    ],
)
def test_names_of_columns_that_are_no_text(names: list[object], line: str) -> None:
    df = FRAME.copy()
    df.columns = pd.MultiIndex.from_tuples(names) if isinstance(names[0], tuple) else names
    with pytest.raises(InputError, match="is not text: rename the column") as caught:
        shoal.anonymize(df, **ROLES)
    assert str(caught.value).endswith(line)
    exec(line, {"df": df})  # and the line helps
    assert shoal.assess(df, quasi_identifiers=df.columns[1]).rows == 60


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: shoal.attack(FRAME, kind="linkng", original=FRAME), "linking"),
        (lambda: shoal.Closeness(0.2, distance="orderd"), "ordered"),
        (lambda: shoal.anonymize(FRAME, **ROLES, hierarchies={"age": "intervls:5"}), "intervals"),
        (lambda: shoal.Hierarchy.dates(["2024-01-02"], levels=["mnth"]), "month"),
        (lambda: shoal.Hierarchy.flat(["a"]).save("a.txt", format="tab-tre"), "tab-tree"),
        (lambda: shoal.anonimize, "anonymize"),
        (lambda: shoal.FullDomain(objective="los"), "loss"),
        (lambda: algorithm_of("local", {"efort": "best"}), "effort"),
        (lambda: shoal.Kanonymity, "KAnonymity"),
        (lambda: shoal.LDiversity, "DistinctDiversity"),
    ],
)
def test_other_names_that_are_close(call, meant) -> None:
    with pytest.raises((shoal.ShoalError, AttributeError)) as caught:
        call()
    assert str(caught.value).endswith(f"Did you mean {meant!r}?")


@pytest.mark.parametrize("written", ["patient.csv", "patients.csv.gz", "Patients.csv"])
def test_files_of_nearly_that_name(written, tmp_path) -> None:
    FRAME.to_csv(tmp_path / "patients.csv", index=False)
    asked = {"quasi_identifiers": "age", "model": shoal.KAnonymity(3)}
    for call in (
        lambda: shoal.assess(tmp_path / written, quasi_identifiers="age"),
        lambda: shoal.anonymize_files(tmp_path / written, tmp_path / "o.csv", **asked),
    ):
        if not (tmp_path / written).exists():  # some systems take capitals for equal
            with pytest.raises(InputError, match=r"cannot be read \(.*\)\. Did you mean 'patients\.csv'\?$"):
                call()


def test_nothing_is_meant_by_a_file_of_another_name(tmp_path) -> None:
    FRAME.to_csv(tmp_path / "b.csv", index=False)
    with pytest.raises(InputError, match=r"cannot be read \(No such file or directory\)\.$"):
        shoal.assess(tmp_path / "a.csv", quasi_identifiers="age")
