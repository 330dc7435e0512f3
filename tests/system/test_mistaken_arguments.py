"""An argument that a function does not have is answered with the one that was meant."""

from __future__ import annotations

import pandas as pd
import pytest

import shoal
from shoal.errors import InputError
from shoal.system.mistaken_arguments import answering_mistakes

FRAME = pd.DataFrame({"age": [20, 21, 22, 23], "sex": ["f", "m", "f", "m"]})


@pytest.mark.parametrize(
    ("name", "written", "meant"),
    [
        ("anonymize", "algoritm", "algorithm"),
        ("anonymize_files", "qasi_identifiers", "quasi_identifiers"),
        ("apply", "max_supression", "max_suppression"),
        ("assess", "quasi", "quasi_identifiers"),
        ("assess_columns", "sizes", "size"),
        ("attack", "orginal", "original"),
        ("certify", "hierarchy", "hierarchies"),
        ("check", "sensitiv", "sensitive"),
        ("compare", "algorithm", "algorithms"),
        ("intersect", "supressed", "suppressed"),
        ("measure", "metrics", None),
        ("review", "hierachies", "hierarchies"),
        ("suggest_roles", "missing", "missing_values"),
        ("verify", "modle", "model"),
    ],
)
def test_every_function_answers(name, written, meant):
    with pytest.raises(InputError) as caught:
        getattr(shoal, name)(FRAME, **{written: "age"})
    ends = f"Did you mean {meant!r}?" if meant else f"help(shoal.{name}) lists them."
    assert str(caught.value) == f"shoal.{name}() has no argument {written!r}. {ends}"


def test_the_engines_answer_in_their_own_name():
    with pytest.raises(
        InputError, match=r"^shoal\.spark\.release\(\) has no argument 'modl'\. Did you mean 'model'\?$"
    ):
        shoal.spark.release(FRAME, modl=1)
    with pytest.raises(InputError, match=r"^shoal\.spark\.anonymize_files\(\) has no argument 'masters'\."):
        shoal.spark.anonymize_files("in.csv", "out", masters=1)


def test_k_of_a_file_is_answered_with_the_line_to_write(tmp_path):
    source = tmp_path / "people.csv"
    FRAME.to_csv(source, index=False)
    with pytest.raises(InputError) as caught:
        shoal.anonymize_files(source, tmp_path / "safe.csv", k=2)
    assert str(caught.value) == (
        "shoal.anonymize_files() has no argument 'k'. KAnonymity is a model; write: "
        "shoal.anonymize_files(data, output, quasi_identifiers=['age', 'sex'], model=shoal.KAnonymity(2)) "
        "The columns are guessed: correct them."
    )


@pytest.mark.parametrize("call", [shoal.anonymize_files, shoal.certify, shoal.spark.anonymize_files])
def test_what_is_lacking_is_named(call):
    with pytest.raises(TypeError, match=r"^shoal\.[a-z_.]+\(\) lacks 'quasi_identifiers' and 'model'(; write: .*)?$"):
        call("one.csv", "two.csv")
    with pytest.raises(TypeError, match=r"lacks 'model'(; write: .*)?$"):
        call("one.csv", "two.csv", quasi_identifiers="age")


def test_what_is_right_goes_through():
    @answering_mistakes("shoal.tool", also=("colour",))
    def tool(size: int, **more: str) -> tuple[int, dict[str, str]]:
        """Do."""
        return size, more

    assert tool(1, colour="red") == (1, {"colour": "red"})
    assert tool.__doc__ == "Do."
    with pytest.raises(InputError, match=r"^shoal\.tool\(\) has no argument 'more'\."):
        tool(1, more="red")
