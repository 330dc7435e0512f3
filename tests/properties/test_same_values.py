"""Search, verification and assessment agree on which values are equal: those with the same text."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st
from typer.testing import CliRunner

import shoal
from shoal import (
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    Hierarchy,
    InfeasibleError,
    InputError,
    KAnonymity,
    KMap,
    RecursiveDiversity,
    VerificationError,
    verify,
)
from shoal.cli.app import app
from shoal.data.arrow_categories import named_once
from shoal.data.style import text

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ODD = ["?", "(missing)", "missing", "", None]


@pytest.mark.parametrize("literal", ["?", "(missing)", "missing", "", "*"])
def test_a_text_that_looks_like_missing_is_not_the_missing_value(literal):
    table = pa.table({"q": [1, 1, 2, 2], "s": [literal, None, "a", "b"]})
    tree = Hierarchy.flat([literal, "a", "b"])
    model = Closeness(0.3, "hierarchical", hierarchy=tree)
    assert shoal.anonymize(table, quasi_identifiers="q", sensitive="s", model=model).report.classes == 1
    found = shoal.assess(table, quasi_identifiers="q", sensitive="s", sensitive_hierarchies={"s": tree})
    assert found.sensitive["s"].t_hierarchical == found.sensitive["s"].t_equal == 0.5
    assert shoal.assess(table, quasi_identifiers="s").k == 1
    with pytest.raises(VerificationError):
        verify(table, quasi_identifiers="q", sensitive="s", model=model)


def test_a_population_does_not_make_a_table_safer():
    table = pa.table({"q": ["1.5", "1.50", "2", "2"]})
    for population in (None, pa.table({"q": ["1.5", "1.50", "2", "2", "2.0"]})):
        found = shoal.assess(table, quasi_identifiers="q", population=population, require="k>=2")
        assert found.k == 1
        assert not found.requirements[0].holds
    with pytest.raises(InputError, match=r"The population has 0 rows with q=1\.50"):
        shoal.assess(table, quasi_identifiers="q", population=pa.table({"q": ["1.5", "1.5", "2", "2"]}))


SPELLED = pa.table({"q": [1, 1, 2, 2], "s": ["1.5", "2", "1.50", "2"]})


@pytest.mark.parametrize("model", [Closeness(0.1), DeltaDisclosure(1), BetaLikeness(0.5)], ids=str)
def test_sensitive_numbers_are_told_apart_as_they_are_written(model):
    assert not all(v.holds for v in shoal.check(SPELLED, model, quasi_identifiers="q", sensitive="s"))
    with pytest.raises(VerificationError):
        verify(SPELLED, quasi_identifiers="q", sensitive="s", model=model)
    assert shoal.anonymize(SPELLED, quasi_identifiers="q", sensitive="s", model=model).report.classes == 1


@pytest.mark.parametrize(
    "model",
    [
        Closeness(0.1),
        BetaLikeness(1),
        DeltaDisclosure(1),
        Closeness(0.3, "ordered", order=["flu", "cold"]),
        Closeness(0.3, "hierarchical", hierarchy=Hierarchy.flat(["flu", "cold"])),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_named_missing_values_are_one_value_everywhere(model, kind, tmp_path):
    diseases = ["flu", "?", "NA", "flu", "cold", "?", "cold", None]
    table = pd.DataFrame({"q": [1, 1, 2, 2, 1, 2, 2, 1], "s": diseases})
    made = shoal.anonymize(table, quasi_identifiers="q", sensitive="s", model=model, missing_values=["?", "NA"])
    made.save(tmp_path / f"out.{kind}")
    assert made.frame["s"].tolist()[:7] == diseases[:7]


def test_an_order_with_an_empty_text_is_followed():
    table = pa.table({"q": [1, 1, 2, 2, 2, 2, 2, 2], "s": ["a", "a", "", "", "", "", "b", "b"]})
    model = Closeness(0.4, "ordered", order=["a", "", "b"])
    made = shoal.anonymize(table, quasi_identifiers="q", sensitive="s", model=model, algorithm="mondrian")
    assert made.report.classes == 1


def test_a_share_right_at_e_to_the_delta_is_decided_rightly():
    table = pa.table({"q": [1] * 30 + [2] * 30, "s": ["a"] * 11 + ["b"] * 49})
    for bound, holds in ((0.6931471805599453, False), (0.6931471805599454, True)):
        verdicts = shoal.check(table.slice(0, 60), DeltaDisclosure(bound), quasi_identifiers="q", sensitive="s")
        first = [verdict.holds for verdict in verdicts]
        assert first == [False], "the second class lacks a value"
        assert _class_of_thirty(bound) is holds


def _class_of_thirty(bound):
    import numpy as np

    from shoal.data.classes import Classes, Overall

    overall = {"s": Overall(("a", "b"), np.array([11, 49]))}
    classes = Classes(np.array([30]), overall, lambda name: np.array([[11, 19]]))
    return bool(DeltaDisclosure(bound).satisfied(classes)[0])


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        (
            lambda: shoal.check(SPELLED, "", quasi_identifiers="q"),
            "The requirement '' asks for nothing: write one such as 'k>=5'.",
        ),
        (
            lambda: shoal.assess(SPELLED, quasi_identifiers="q", require=5),
            "5 is no requirement: give text such as 'k>=5', or a model.",
        ),
        (
            lambda: shoal.assess(SPELLED, quasi_identifiers="q", population=SPELLED, require=KMap(2, SPELLED.slice(0))),
            "2-map refers to another population than the given one.",
        ),
        (
            lambda: shoal.assess(SPELLED, quasi_identifiers="q", sampling_fraction=1e-308),
            "sampling_fraction = 1e-308 is too small for an estimate: give one above 1e-7.",
        ),
        (
            lambda: shoal.anonymize(SPELLED, quasi_identifiers="q", sensitive="s", model=RecursiveDiversity(2, 1)),
            "recursive (2, 1)-diversity protects nobody: choose at least 2.",
        ),
        (
            lambda: Closeness(0.2, "ordered", order="ab"),
            "The order 'ab' must be a list of values, such as ['low', 'high'].",
        ),
        (lambda: Closeness(0.2, "ordered", order=["a", "a"]), "An order must name each value once."),
        (
            lambda: Closeness(0.2, "hierarchical", hierarchy="flat"),
            "The hierarchy of a distance is a shoal.Hierarchy, not 'flat'.",
        ),
        (lambda: BetaLikeness(1, enhanced="no"), "enhanced is True or False, not 'no'."),
        (
            lambda: shoal.anonymize(
                SPELLED, quasi_identifiers="q", sensitive="s", model=DistinctDiversity(2, sensitive=["s"])
            ),
            "A model names one sensitive attribute, not ['s']: combine models with & for several.",
        ),
    ],
    ids=range(10),
)
def test_refusals(work, sentence):
    with pytest.raises(InputError) as refusal:
        work()
    assert str(refusal.value) == sentence


def test_models_combine_with_models_only():
    with pytest.raises(TypeError):
        KAnonymity(2) & "x"


def test_a_population_of_numbers_verifies_a_table_of_numbers():
    classes = verify(
        pa.table({"q": [1, 1, 2, 2]}), quasi_identifiers="q", model=KMap(2, pa.table({"q": [1, 1, 2, 2, 2]}))
    )
    assert sorted(classes.people.tolist()) == [2, 3]


def test_ordered_and_hierarchical_distances_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("age,income\n" + "".join(f"{20 + i},{i % 4}000\n" for i in range(40)))
    (tmp_path / "tree.txt").write_text("*\n" + "".join(f"\t{i}000\n" for i in range(4)))
    base = ["anonymize", "t.csv", "--quasi", "age", "--sensitive", "income", "--k", "4"]
    for options in (
        ["--require", "ordered t<=0.3"],
        ["--require", "hierarchical t<=0.3", "--sensitive-hierarchy", "income=tree.txt"],
    ):
        result = CliRunner().invoke(app, [*base, *options, "-q"])
        assert result.exit_code == 0, result.output


def test_measures_read_sets_whose_values_contain_the_sign_of_others():
    table = pa.table({"q": ["a|b", "c", "d", "c"]})
    made = shoal.anonymize(table, quasi_identifiers="q", model=KAnonymity(4))
    assert shoal.measure(table, made.frame, quasi_identifiers="q")["loss"] == made.report.metrics["loss"]


def _dictionary(places, values, *, ordered=False):
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), values, ordered=ordered)


ONE_TEXT = {
    "zeros": pa.chunked_array([[0.0, -0.0, 0.0, -0.0]]),
    "single zeros": pa.chunked_array([pa.array([0.0, -0.0, 0.0, -0.0], pa.float32())]),
    "entries": pa.chunked_array([_dictionary([0, 1, 0, 1], ["0", "0"])]),
    "ordered entries": pa.chunked_array([_dictionary([0, 1, 0, 1], ["0", "0"], ordered=True)]),
    "numbers": pa.chunked_array([_dictionary([0, 1, 0, 1], [0, 0])]),
    "zero entries": pa.chunked_array([_dictionary([0, 1, 0, 1], [0.0, -0.0])]),
    "chunks": pa.chunked_array([_dictionary([1, 2], ["1", "0", "0"]), _dictionary([0, 1], ["0", "0"])]),
    "null entries": pa.chunked_array([_dictionary([1, 2], [None, "0", "0"]), _dictionary([0, 0], ["0", "1"])]),
}


def _for_parquet(column):
    """Remove null from the dictionaries of a column, as Parquet cannot store it there."""
    return named_once(column) if column is ONE_TEXT["null entries"] else column


@pytest.mark.parametrize("column", ONE_TEXT.values(), ids=ONE_TEXT)
class TestOneTextIsOneValue:
    def test_in_an_assessment(self, column):
        table = pa.table({"q": [1, 1, 1, 1], "s": column})
        found = shoal.assess(table, quasi_identifiers="q", sensitive="s").sensitive["s"]
        assert (found.values, found.distinct_l, found.entropy_l, found.alpha) == (1, 1, 1, 1)
        assert not shoal.check(table, "l>=2", quasi_identifiers="q", sensitive="s")[0].holds
        assert shoal.assess(table, quasi_identifiers="s").k == 4
        assert shoal.assess_columns(table, columns="s")[0].different_rows == 1

    def test_in_a_release(self, column):
        table = pa.table({"q": [1, 1, 1, 1], "s": column})
        with pytest.raises(InfeasibleError, match="column 's' has 1 different value"):
            shoal.anonymize(table, quasi_identifiers="q", sensitive="s", model=DistinctDiversity(2))
        made = shoal.anonymize(table, quasi_identifiers="s", model=KAnonymity(4))
        assert [text(value) for value in made.frame["s"].to_pylist()] == ["0"] * 4
        kept = shoal.anonymize(table, quasi_identifiers="q", sensitive="s", model=KAnonymity(4))
        assert shoal.measure(table, kept.frame, quasi_identifiers="q", sensitive="s")["loss"] == 0
        named = shoal.anonymize(table, quasi_identifiers="q", pseudonymize="s", key=b"0" * 16, model=KAnonymity(4))
        assert len(set(named.frame["s"].to_pylist())) == 1

    def test_in_a_file(self, column, tmp_path):
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"q": [1, 1, 1, 1], "s": _for_parquet(column)}), tmp_path / "in.parquet")
        source = tmp_path / "in.parquet"
        with pytest.raises(InfeasibleError, match="column 's' has 1 different value"):
            shoal.anonymize(source, quasi_identifiers="q", sensitive="s", model=DistinctDiversity(2))
        with pytest.raises(InfeasibleError, match="column 's' has 1 different value"):
            shoal.anonymize_files(
                source, tmp_path / "out.parquet", quasi_identifiers="q", sensitive="s", model=DistinctDiversity(2)
            )
        shoal.anonymize_files(source, tmp_path / "out.csv", quasi_identifiers="s", model=KAnonymity(4))
        assert (tmp_path / "out.csv").read_text().splitlines()[1:] == ["1,0"] * 4

    def test_in_an_attack(self, column):
        table = pa.table({"q": [1, 1, 1, 1], "s": column})
        found = shoal.attack(table, pa.table({"q": [1]}), sensitive="s").released
        assert found.learned["s"].certain == 1
        assert shoal.attack(table, table.select(["s"]), sensitive="q").released.smallest == 4

    def test_in_several_releases(self, column):
        table = pa.table({"q": [1, 1, 1, 1], "s": column})
        found = shoal.intersect([table, table], quasi_identifiers="q", sensitive="s", same_rows=True, k=1)
        assert found.learned["s"].certain == 4
        assert shoal.intersect([table, table], quasi_identifiers="s", same_rows=True, k=1).smallest == 4
        assert shoal.intersect([table, table], quasi_identifiers="q", on="s", k=1).people == 1

    def test_in_a_population(self, column):
        table, people = pa.table({"q": ["0"]}), pa.table({"q": column})
        made = shoal.anonymize(table, quasi_identifiers="q", model=KMap(4, people))
        assert made.frame["q"].to_pylist() == ["0"]

    def test_in_a_certificate(self, column, tmp_path):
        import pyarrow.parquet as pq

        table = pa.table({"q": [1, 1, 1, 1], "s": _for_parquet(column)})
        pq.write_table(table, tmp_path / "in.parquet")
        asked = {"quasi_identifiers": "q", "sensitive": "s", "model": KAnonymity(4)}
        shoal.anonymize(tmp_path / "in.parquet", **asked).save(tmp_path / "out.parquet")
        shoal.certify(tmp_path / "out.parquet", tmp_path / "in.parquet", **asked)
        with pytest.raises(VerificationError, match="distinct l = 2"):
            shoal.certify(
                tmp_path / "out.parquet", tmp_path / "in.parquet", **(asked | {"model": DistinctDiversity(2)})
            )


POOLS = [
    (pa.float64(), [0.0, -0.0, 1.5, None]),
    (pa.float32(), [0.0, -0.0, 1.5, None]),
    (pa.string(), ["0", "-0", "a", "a ", None]),
    (pa.int64(), [0, 1, None]),
    (pa.bool_(), [True, False, None]),
]


@st.composite
def columns(draw):
    """Draw a column in chunks; its dictionaries, if any, may hold values twice, null, and values of no row."""
    kind, pool = draw(st.sampled_from(POOLS))
    cells = st.lists(st.sampled_from(pool), min_size=1, max_size=4)
    if draw(st.booleans()):
        return pa.chunked_array([pa.array(part, kind) for part in draw(st.lists(cells, min_size=1, max_size=3))])
    chunks = []
    for entries in draw(st.lists(cells, min_size=1, max_size=3)):
        places = draw(st.lists(st.none() | st.integers(0, len(entries) - 1), min_size=1, max_size=4))
        chunks.append(_dictionary(places, pa.array(entries, kind)))
    return pa.chunked_array(chunks)


@given(columns(), st.data())
@settings(max_examples=200, deadline=None)
def test_a_column_of_any_form_has_the_values_of_its_texts(column, data):
    texts = [None if value is None else text(value) for value in column.to_pylist()]
    groups = data.draw(st.lists(st.integers(0, 1), min_size=len(texts), max_size=len(texts)))
    table, plain = ({"q": groups, "s": own} for own in (column, pa.array(texts, pa.string())))
    found, expected = (
        shoal.assess(pa.table(one), quasi_identifiers="q", sensitive="s").sensitive["s"] for one in (table, plain)
    )
    assert (found.values, found.distinct_l, found.alpha) == (expected.values, expected.distinct_l, expected.alpha)
    linked, literal = (
        shoal.attack(pa.table(one), pa.table({"q": groups}), sensitive="s").released for one in (table, plain)
    )
    assert linked.learned["s"].certain == literal.learned["s"].certain
    if any(name is not None for name in texts):
        one, other = (shoal.assess(pa.table(given_), quasi_identifiers="s").k for given_ in (table, plain))
        assert one == other
