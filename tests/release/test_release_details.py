"""Release: the report, the frame made of labels, and the comparison after writing."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.release.release as releases
from shoal import InputError, KAnonymity, Style, VerificationError
from shoal.data.recoding import Recoding
from shoal.io import files
from shoal.release.labelling import one_per_label
from shoal.release.verification import cells
from shoal.release.verification.release import check_release

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

TABLE = "name,age,town,ill\nAnn,30,a,flu\nBob,31,a,cold\nCid,47,b,flu\nDan,48,b,cold\nEve,99,c,flu\n"


class Groups:
    """An algorithm that returns the groups it was constructed with."""

    name = "groups"

    def __init__(self, ids):
        self.ids = np.array(ids, np.int32)

    def __str__(self):
        return "groups"

    def recode(self, table, model, *, max_suppressed=0, progress=None):
        return Recoding.of_groups(table, self.ids)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text(TABLE)
    return tmp_path


def release(ids=(0, 0, 1, 1, -1), data="table.csv", **options):
    given = {
        "quasi_identifiers": ["age", "town"],
        "sensitive": "ill",
        "identifying": "name",
        "model": KAnonymity(2),
        "algorithm": Groups(ids),
        "max_suppression": 1,
    }
    return shoal.anonymize(data, **given | options)


# The report


def test_the_report_says_what_was_asked_and_what_came_out(folder):
    report = release(missing_values=["?"]).report
    assert report.parameters == {
        "model": "k = 2",
        "algorithm": "groups",
        "quasi_identifiers": ["age", "town"],
        "sensitive": ["ill"],
        "identifying": ["name"],
        "pseudonymized": [],
        "kept": [],
        "hierarchies": [],
        "max_suppressed_rows": 1,
        "suppressed": "keep",
        "order": "rows",
        "missing_values": ["?"],
        "rows_are_people": False,
        "accept": [],
    }
    assert report.input == {
        "file": "table.csv",
        "sha256": sha256(TABLE.encode()).hexdigest(),
        "sha256_of": "file",
        "rows": 5,
    }
    assert (report.rows, report.suppressed_rows, report.dropped_rows, report.classes, report.k) == (5, 1, 0, 2, 2)
    assert report.distinct_sensitive == {"ill": 2}
    assert list(report.loss_by_attribute) == ["age", "town"]
    assert report.metrics["loss"] == pytest.approx(sum(report.loss_by_attribute.values()) / 2)
    assert (report.search, report.choice, report.certificate, report.blocks) == (None, None, None, None)
    assert set(report.versions) == {"python", "shoal", "numpy", "numba", "pyarrow", "narwhals"}
    assert report.versions["pyarrow"] == version("pyarrow")


def test_the_report_repeats_the_warnings():
    frame = pd.DataFrame({"age": [30, 31] * 30, "dose": [row / 7 for row in range(60)]})
    with pytest.warns(shoal.PrivacyWarning) as caught:
        made = shoal.anonymize(frame, quasi_identifiers="age", model=KAnonymity(2))
    assert made.report.warnings == [str(warning.message) for warning in caught]
    assert made.report.warnings


def test_the_report_on_files_repeats_the_warnings(folder):
    with pytest.warns(shoal.PrivacyWarning) as caught:
        made = shoal.anonymize_files(
            "table.csv", "out.csv", quasi_identifiers="age", identifying="name", model=KAnonymity(5)
        )
    assert made.report.warnings == [str(warning.message) for warning in caught]
    assert made.report.warnings


def test_the_report_on_a_frame_has_a_checksum_of_its_own():
    frame = pd.DataFrame({"age": [30, 30, 31, 31]})
    made = shoal.anonymize(frame, quasi_identifiers="age", model=KAnonymity(2), algorithm=Groups([0, 0, 1, 1]))
    assert made.report.input["sha256_of"] == "encoded columns"
    assert made.report.input["sha256"] == made.table.checksum()


def test_the_report_has_what_the_algorithm_tells(folder):
    made = shoal.anonymize("table.csv", quasi_identifiers="age", identifying="name", model=KAnonymity(2))
    assert made.report.choice
    local = shoal.anonymize(
        "table.csv", quasi_identifiers="age", identifying="name", model=KAnonymity(2), algorithm="local"
    )
    assert local.report.certificate == local.recoding.certificate.to_dict()
    assert local.report.choice is None
    tree = {"age": "intervals:10,50"}
    levels = shoal.anonymize(
        "table.csv",
        quasi_identifiers="age",
        identifying="name",
        model=KAnonymity(2),
        algorithm="full-domain",
        hierarchies=tree,
    )
    assert levels.report.search
    assert levels.report.parameters["hierarchies"] == ["age"]


def test_the_report_is_lasting_json():
    frame = pd.DataFrame({"größe": [1, 1]})
    report = shoal.anonymize(frame, quasi_identifiers="größe", model=KAnonymity(2)).report
    text = report.to_json()
    assert json.loads(text) == report.to_dict()
    assert text.startswith('{\n  "versions": {\n    "python"')
    assert text.endswith("}\n")
    assert "größe" in text
    with pytest.raises(ValueError, match="not JSON compliant"):
        replace(report, metrics={"loss": float("nan")}).to_json()


def test_a_report_can_be_written_alone(folder):
    made = release()
    path = made.save_report("report.json")
    assert path == folder / "report.json" or str(path) == "report.json"
    assert json.loads(path.read_text())["k"] == 2
    assert sorted(file.name for file in folder.iterdir()) == ["report.json", "table.csv"]
    assert made.save_report("page.html").read_text() == made.to_html()
    (folder / "page.html").unlink()
    with pytest.raises(InputError, match="never overwrites"):
        made.save_report("table.csv")
    assert (folder / "table.csv").read_text() == TABLE


def test_reports_of_several_kinds_are_written_at_once(folder):
    made = release()
    assert made.save("out.csv", report=["a.json", "b.html"]).name == "out.csv"
    assert (folder / "b.html").read_text() == made.to_html()
    told = json.loads((folder / "a.json").read_text())
    assert told.pop("release") == {"sha256": files.checksum(folder / "out.csv")}
    assert told == json.loads(made.to_json())
    made.save("other.csv", report=["c.json", "d.JSON"])
    assert (folder / "c.json").read_text() == (folder / "d.JSON").read_text() == (folder / "a.json").read_text()


def test_the_lines_that_make_it_again(folder):
    made = shoal.anonymize("table.csv", quasi_identifiers="age", identifying="name", model=KAnonymity(2))
    space = {}
    lines = made.to_python()
    exec(lines.split("release.save")[0], space)
    assert space["release"].frame.equals(made.frame)


# The frame


def test_suppressed_rows_come_last_in_the_order_of_classes(folder):
    made = release([1, -1, 0, 1, 0], order="classes")
    ages = made.frame.column("age").to_pylist()
    assert ages in (["30-48", "30-48", "47-99", "47-99", "*"], ["47-99", "47-99", "30-48", "30-48", "*"])
    # Within a class the rows keep their order.
    by_class = {age: [row["ill"] for row in made.frame.to_pylist() if row["age"] == age] for age in ages}
    assert by_class == {"30-48": ["flu", "cold"], "47-99": ["flu", "flu"], "*": ["cold"]}


def test_shuffled_rows_are_the_same_rows(folder):
    made = release(order="shuffled")
    assert sorted(map(str, made.frame.to_pylist())) == sorted(map(str, release().frame.to_pylist()))
    orders = {tuple(map(str, release(order="shuffled").frame.to_pylist())) for _ in range(8)}
    assert len(orders) > 1


def test_rows_that_are_left_out_leave_the_order_of_the_others(folder):
    made = release([1, -1, 0, 1, 0], order="classes", suppressed="drop")
    assert "*" not in made.frame.column("age").to_pylist()
    assert made.frame.num_rows == 4
    by_class = {row["age"]: row["town"] for row in made.frame.to_pylist()}
    assert len(by_class) == 2


def test_labels_are_plain_text(folder):
    table = pa.table({"age": list(range(100)), "town": ["a"] * 100, "ill": ["flu"] * 100, "name": ["x"] * 100})
    assert release([0] * 50 + [1] * 50, data=table).frame.schema.field("age").type == pa.string()


def test_identifying_columns_are_not_there(folder):
    assert release().frame.column_names == ["age", "town", "ill"]


def test_classes_that_show_the_same_are_one():
    labels = {"a": ["x", "y", "x"], "b": ["1", "1", "1"]}
    ids = np.array([0, 1, 2, -1, 2], np.int32)
    shown, found = one_per_label(labels, ids, {"a": "*", "b": "*"})
    assert shown == {"a": ["x", "y"], "b": ["1", "1"]}
    assert found.tolist() == [0, 1, 0, -1, 0]
    assert found.dtype == np.int32


def test_suppressed_rows_join_a_class_that_shows_the_top():
    labels = {"a": ["x", "*"], "b": ["1", "*"]}
    ids = np.array([0, 1, -1], np.int32)
    assert one_per_label(labels, ids, {"a": "*", "b": "*"})[1].tolist() == [0, 1, 1]
    assert one_per_label(labels, ids, {"a": "*", "b": "any"})[1].tolist() == [0, 1, -1]
    assert one_per_label(labels, ids, {})[1].tolist() == [0, 1, -1]
    shown, found = one_per_label({"a": [], "b": []}, np.array([-1, -1], np.int32), {"a": "*", "b": "*"})
    assert (shown, found.tolist()) == ({"a": [], "b": []}, [-1, -1])


STARS = pd.DataFrame({"q": ["b", "b", "*", "z", "*"], "ill": list("12200")})


def starred(frame=STARS, **options):
    """Return a table with the top label among its values, one row of which has to be suppressed."""
    call = {
        "max_suppression": 2,
        "algorithm": "samarati",
        "suppressed": "keep",
        "model": shoal.AlphaK(0.6, 2),
    } | options
    return shoal.anonymize(frame, quasi_identifiers="q", sensitive="ill", **call)


def test_a_value_like_the_top_label_that_suppressed_rows_would_break_is_refused():
    with pytest.raises(InputError) as caught:
        starred()
    assert str(caught.value) == (
        "2 rows and the 1 suppressed show q=*, and together they fail (0.6, 2)-anonymity: choose another "
        "top label (shoal.Style(top=…), another root of a hierarchy), leave suppressed rows out (suppressed='drop', "
        "--suppressed drop), or let 3 be suppressed."
    )


def test_what_the_refusal_proposes_gives_a_release():
    other = starred(style=shoal.Style(top="(any)"))
    assert other.frame["q"].tolist() == ["b", "b", "*", "(any)", "*"]
    assert starred(suppressed="drop").frame["q"].tolist() == ["b", "b", "*", "*"]
    more = starred(max_suppression=3)
    assert more.frame["q"].tolist() == ["b", "b", "*", "*", "*"]
    assert (more.report.suppressed_rows, more.report.classes, more.report.k) == (3, 1, 2)
    assert more.groups.labels == {"q": ["b"]}


def test_a_class_that_fails_with_suppressed_rows_has_no_number():
    made = starred(max_suppression=3, class_column="class")
    assert made.frame["class"].tolist() == ["1", "1", "*", "*", "*"]


def test_a_value_like_the_top_label_is_released_where_the_model_holds():
    made = starred(model=KAnonymity(2))
    assert made.frame["q"].tolist() == ["b", "b", "*", "*", "*"]
    assert (made.report.suppressed_rows, made.report.classes, made.report.k) == (1, 2, 2)


@pytest.mark.parametrize("options", [{"style": shoal.Style(missing="*")}, {}])
def test_a_value_like_the_label_of_missing_ones_is_one_with_them(options):
    frame = STARS.assign(q=["b", "b", None, "z", None if options else "?"])
    label = "*" if options else "?"
    with pytest.raises(InputError) if options else nullcontext():
        made = starred(frame, **options)
        assert made.frame["q"].tolist() == ["b", "b", label, "*", label]


def test_the_same_is_refused_part_by_part(tmp_path):
    STARS.to_csv(tmp_path / "stars.csv", index=False)
    call = {
        "quasi_identifiers": "q",
        "sensitive": "ill",
        "model": shoal.AlphaK(0.6, 2),
        "algorithm": "samarati",
        "suppressed": "keep",
    }
    with pytest.raises(InputError, match=r"2 rows and the 1 suppressed show q=\*"):
        shoal.anonymize_files(tmp_path / "stars.csv", tmp_path / "safe.csv", memory="1GB", max_suppression=2, **call)
    made = shoal.anonymize_files(tmp_path / "stars.csv", tmp_path / "safe.csv", memory="1GB", max_suppression=3, **call)
    assert made.report.suppressed_rows == 3


def test_means_are_shown_with_eight_digits_and_missing_ones_as_such():
    frame = pd.DataFrame({"age": [1, 1, 2, None, None, None], "town": list("aaabbb")})
    made = shoal.anonymize(
        frame,
        quasi_identifiers=["age", "town"],
        model=KAnonymity(3),
        algorithm=Groups([0, 0, 0, 1, 1, 1]),
        style=Style(numbers="mean"),
    )
    assert made.frame["age"].tolist() == ["1.3333333"] * 3 + ["?"] * 3
    assert made.frame["town"].tolist() == list("aaabbb")


# What is written


def test_missing_values_and_empty_texts_cannot_both_go_into_a_csv(folder):
    table = pa.table({"age": [1, 1, 1], "ill": ["", None, "flu"], "note": ["", None, "x"]})
    made = shoal.anonymize(table, quasi_identifiers="age", sensitive="ill", model=KAnonymity(2))
    with pytest.raises(InputError) as refusal:
        made.save("out.csv")
    assert str(refusal.value) == (
        "Column 'ill' holds missing values and empty texts, which CSV cannot tell apart: write Parquet."
    )
    assert not (folder / "out.csv").exists()
    assert pq.read_table(made.save("out.parquet"))["ill"].to_pylist() == ["", None, "flu"]
    for values in (["", "a", "flu"], [None, "a", "flu"]):
        other = shoal.anonymize(
            table.set_column(1, "ill", pa.array(values)), quasi_identifiers="age", sensitive="ill", model=KAnonymity(2)
        )
        assert other.save("out.csv").exists()


def test_categories_that_no_row_has_are_not_written(folder):
    kinds = pa.DictionaryArray.from_arrays(pa.array([2, 0, 2, 0]), ["x", "secret", "y"])
    table = pa.table({"age": [1, 1, 1, 1], "kind": kinds, "note": ["a", "b", "c", "d"]})
    made = shoal.anonymize(table, quasi_identifiers="age", model=KAnonymity(2))
    written = pq.read_table(made.save("out.parquet"), read_dictionary=["kind"])
    assert written["kind"].combine_chunks().dictionary.to_pylist() == ["x", "y"]
    assert written.column_names == ["age", "kind", "note"]
    assert written["kind"].to_pylist() == ["y", "x", "y", "x"]
    drawn = shoal.anonymize(table, quasi_identifiers="age", model=KAnonymity(2), order="shuffled")
    written = pq.read_table(drawn.save("drawn.parquet"), read_dictionary=["kind"])
    values = written["kind"].combine_chunks()
    assert values.dictionary.to_pylist() == list(dict.fromkeys(values.to_pylist())), "by appearance"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda table: table.set_column(2, "ill", pa.array(["flu"] * 5)),
            "Column 'ill' is not as it was in row 2. Nothing was released.",
        ),
        (
            lambda table: table.set_column(2, "ill", pa.array(["flu", "cold", "flu", "cold", "FLU"])),
            "Column 'ill' is not as it was in row 5. Nothing was released.",
        ),
        (
            lambda table: table.set_column(2, "ill", pa.array(["FLU", "cold", "flu", "cold", "flu"])),
            "Column 'ill' is not as it was in row 1. Nothing was released.",
        ),
        (
            lambda table: table.append_column("name", pa.array(list("ABCDE"))),
            "The release has the columns ['age', 'town', 'ill', 'name'] and should have ['age', 'town', 'ill']. "
            "Nothing was released.",
        ),
    ],
    ids=["all", "the last", "the first", "names"],
)
@pytest.mark.parametrize("step", [2, 3, 1 << 18])
def test_a_file_that_says_something_else_is_refused(folder, monkeypatch, change, sentence, step):
    made = release()
    honest = files.write
    monkeypatch.setattr(cells, "CHUNK_ROWS", step)
    monkeypatch.setattr(files, "write", lambda table, *rest: honest(change(table), *rest))
    with pytest.raises(VerificationError) as refusal:
        made.save("out.csv")
    assert str(refusal.value) == sentence
    assert [file.name for file in folder.iterdir()] == ["table.csv"]


def test_a_missing_value_that_is_written_as_another_is_refused(folder, monkeypatch):
    table = pa.table({"age": [1, 1, 1], "note": ["a", None, "b"]})
    made = shoal.anonymize(table, quasi_identifiers="age", model=KAnonymity(2))
    assert made.save("out.csv").read_text() == "age,note\n1,a\n1,\n1,b\n"
    honest = files.write
    other = pa.array(["a", "secret", "b"])
    monkeypatch.setattr(files, "write", lambda table, *rest: honest(table.set_column(1, "note", other), *rest))
    with pytest.raises(VerificationError, match="Column 'note' is not as it was in row 2"):
        made.save("other.csv")


def test_a_file_is_read_back_as_it_was_written(folder):
    (folder / "table.csv").write_text("a,b;age\nx,y;30\nx,y;30\n")
    made = shoal.anonymize(shoal.read("table.csv", separator=";"), quasi_identifiers="age", model=KAnonymity(2))
    assert made.save("out.csv").read_text() == "a,b;age\nx,y;30\nx,y;30\n"


def test_formulas_are_left_alone_unless_that_is_asked_for(folder):
    (folder / "table.csv").write_text("age,note\n30,=A1\n30,plain\n")
    made = shoal.anonymize("table.csv", quasi_identifiers="age", model=KAnonymity(2))
    releases.write_verified(
        made.frame, folder / "out.csv", promise=made.promise, kind="csv", dialect=made.source.dialect
    )
    assert (folder / "out.csv").read_text() == "age,note\n30,=A1\n30,plain\n"


def test_a_column_may_be_named_by_any_letter(folder):
    (folder / "table.csv").write_text("age,X\n30,=A1\n30,plain\n")
    made = shoal.anonymize("table.csv", quasi_identifiers="age", model=KAnonymity(2))
    assert made.save("out.csv", escape_formulas=True).read_text() == "age,X\n30,'=A1\n30,plain\n"


def test_formulas_are_marked_and_still_verified(folder):
    (folder / "table.csv").write_text("age,note\n30,=A1\n30,'=A1\n30,plain\n")
    made = shoal.anonymize("table.csv", quasi_identifiers="age", model=KAnonymity(2))
    assert made.save("plain.csv").read_text() == "age,note\n30,=A1\n30,'=A1\n30,plain\n"
    assert made.save("out.csv", escape_formulas=True).read_text() == "age,note\n30,'=A1\n30,''=A1\n30,plain\n"
    with pytest.raises(InputError, match="CSV"):
        made.save("out.parquet", escape_formulas=True)


def test_a_release_of_a_database_is_verified_there(folder):
    made = release()
    address = made.save("sqlite:///out.db#safe", report="report.json")
    assert str(address) == "sqlite:///out.db#safe"
    assert shoal.read_database("sqlite:///out.db#safe").to_pylist() == made.frame.to_pylist()
    assert json.loads((folder / "report.json").read_text())["k"] == 2
    with pytest.raises(InputError, match="already"):
        made.save("sqlite:///out.db#safe")
    made.save("sqlite:///out.db#safe", replace=True)
    with pytest.raises(InputError, match="never overwrites"):
        made.save("sqlite:///out.db#more", report="table.csv")
    (folder / "link.json").symlink_to("out.db")
    with pytest.raises(InputError, match="this is the input"):
        made.save("sqlite:///out.db#more", report="link.json")


def test_what_is_promised_is_verified_again(folder):
    made = release()
    assert check_release(made.frame, made.promise).sizes.tolist() == [2, 2, 1]
    with pytest.raises(VerificationError):
        check_release(made.frame.slice(1), made.promise)
    dropped = release(suppressed="drop")
    assert dropped.frame.num_rows == 4
    seen = check_release(dropped.frame, dropped.promise).sensitive["ill"]
    assert dict(zip(seen.labels, seen.counts.tolist(), strict=True)) == {"flu": 3, "cold": 2}, "of the whole input"
    once = replace(dropped.promise, original=None, whole={"ill": pa.chunked_array([["flu", "cold"]])})
    weighed = replace(once, whole_weights={"ill": np.array([7, 8])})
    assert check_release(dropped.frame, once).sensitive["ill"].counts.tolist() == [1, 1]
    assert check_release(dropped.frame, weighed).sensitive["ill"].counts.tolist() == [7, 8]
    people = pa.table({"age": ["30", "47", "48"], "town": ["a", "b", "b"]})
    styled = replace(
        dropped.promise,
        original=None,
        model=shoal.KMap(1, people),
        style=Style(numbers="{low} up to {high}"),
        rows=2,
        max_suppressed=0,
    )
    shown = pa.table({"age": ["30 up to 31", "47 up to 48"], "town": ["a", "b"], "ill": ["flu", "cold"]})
    assert check_release(shown, styled).people.tolist() == [1, 2]
    plain, weights = replace(made.promise, original=None), np.array([1, 1, 1, 1, 1])
    assert check_release(made.frame, plain, weights=weights).sizes.tolist() == [2, 2, 1]
    with pytest.raises(VerificationError, match="should have 5"):
        check_release(made.frame, plain, weights=weights * 2)
