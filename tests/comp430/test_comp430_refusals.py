"""Refusals of the functions of the COMP 430/530 assignment, and their messages."""

from __future__ import annotations

import os

import numpy as np
import pytest

from comp430_tables import ANONYMIZERS, DGHS, ZIP, Files, refusal
from shoal import HierarchyError, InfeasibleError, InputError, VerificationError
from shoal.comp430 import bottomup_anonymizer, clustering_anonymizer, cost_LM, cost_MD, random_anonymizer


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path)


@pytest.mark.parametrize("k", [0, -3, True, False, 2.0, "2", None, np.float64(2), np.bool_(True)])
def test_k_and_l_are_whole_numbers_from_1(files, k):
    said = f"k = {k!r} is not valid; give a whole number of at least 1."
    assert refusal(InputError, random_anonymizer, files.raw, files.folder, k, 1, files.out) == said
    assert refusal(InputError, clustering_anonymizer, files.raw, files.folder, k, files.out) == said
    assert refusal(InputError, bottomup_anonymizer, files.raw, files.folder, k, 1, files.out) == said
    assert refusal(InputError, bottomup_anonymizer, files.raw, files.folder, 2, k, files.out) == "l" + said[1:]
    assert not files.out.exists()


@pytest.mark.parametrize("seed", [-1, True, 1.0, "1", None])
def test_a_seed_is_a_whole_number_from_0(files, seed):
    said = refusal(InputError, random_anonymizer, files.raw, files.folder, 2, seed, files.out)
    assert said == f"s = {seed!r} is not valid; give a whole number of at least 0."


def test_a_seed_has_32_bits(files):
    random_anonymizer(files.raw, files.folder, 2, 2**32 - 1, files.out)
    said = refusal(InputError, random_anonymizer, files.raw, files.folder, 2, 2**32, files.out)
    assert said == "RandomGrouping's seed is a whole number from 0 to 4294967295, not 4294967296."


def test_what_the_table_cannot_reach(files):
    files.out.write_text("as before")
    for call in (
        lambda: random_anonymizer(files.raw, files.folder, 9, 1, files.out),
        lambda: clustering_anonymizer(files.raw, files.folder, 9, files.out),
        lambda: bottomup_anonymizer(files.raw, files.folder, 9, 1, files.out),
    ):
        assert refusal(InfeasibleError, call) == (
            "No release of this table can satisfy k = 9: the table has 8 rows, so k can be at most 8."
        )
    said = refusal(InfeasibleError, bottomup_anonymizer, files.raw, files.folder, 2, 4, files.out)
    assert said.endswith("column 'Disease' has 3 different values, so l can be at most 3.")
    assert files.out.read_text() == "as before"


def bad_folders():
    everything = DGHS | {"Disease": "*\n\tFlu\n\tHeart\n\tCancer\n"}
    bare = {"Zip": DGHS["Zip"]}
    yield (
        "empty",
        {},
        "4 of the 4 columns have no DGH here, 'Zip', 'Age', 'Nationality', 'Disease' (there is no .txt file)",
    )
    yield "all", everything, "every column has a DGH here. Remove that of the sensitive attribute."
    yield "two", bare, "3 of the 4 columns have no DGH here, 'Age', 'Nationality', 'Disease' (Zip.txt)"
    jump = "Any\n\t130**\n\t\t\t13053\n"
    yield "jump", DGHS | {"Zip": jump}, "Zip.txt, line 3: '13053' is indented by 3 tabs below a line with 1."
    twice = DGHS["Age"] + "\t\t21\n"
    yield "twice", DGHS | {"Age": twice}, "Age.txt, line 12: the value '21' is already in line 3."
    yield "roots", DGHS | {"Age": "Any\nAll\n"}, "Age.txt, line 2: 'All' is a second root besides 'Any'."
    yield "indented", DGHS | {"Age": "\tAny\n"}, "Age.txt, line 1: the root 'Any' must not be indented."
    yield "blank", DGHS | {"Age": " \n\n"}, "Age.txt: the file is empty. A hierarchy needs at least a root."
    yield "bytes", DGHS | {"Age": b"Any\n\t\xff\n"}, "Age.txt, line 2: not UTF-8 text."
    less = DGHS["Age"].replace("\t\t47\n", "")
    yield "unknown", DGHS | {"Age": less}, "raw.csv, row 7: column 'Age' holds '47', which is not a leaf of its DGH."
    inner = DGHS["Age"].replace("\t\t21\n", "\t\t21\n\t\t\t21 years\n")
    yield "inner", DGHS | {"Age": inner}, "raw.csv, row 3: column 'Age' holds '21', which is not a leaf of its DGH."


def bad_tables():
    yield "empty", "", "raw.csv: the file is empty: it has neither names of columns nor rows."
    yield "header", "Zip,Age,Nationality,Disease\n", "raw.csv: the table has column names but no rows."
    yield "ragged", ZIP + "1,2\n", "raw.csv, line 10: the row has 2 fields, the header 4."
    yield "quote", ZIP + '14850,59,American,"Flu\n', "raw.csv, line 10: a quote opens in this row and is never closed."
    yield "names", "Zip,Age,Zip,Disease\n1,2,3,4\n", "raw.csv: the column name 'Zip' appears twice."
    yield "first", ZIP.replace("28", "3"), "raw.csv, row 1: column 'Age' holds '3', which is not a leaf of its DGH."
    yield "cell", ZIP + ",59,American,Flu\n", "raw.csv, row 9: column 'Zip' holds '', which is not a leaf of its DGH."
    yield "blank", ZIP + "14850, 59,American,Flu\n", "raw.csv, row 9: column 'Age' holds ' 59', which is not a leaf"
    yield "one", "Disease\nFlu\n", "1 of the 1 columns have no DGH here, 'Disease' (Age.txt, Nationality.txt, Zip.txt)."
    yield "bytes", ZIP.encode() + b"14850,59,\xff,Flu\n", "raw.csv, line 10: the file is not UTF-8 text."


@pytest.mark.parametrize(("trees", "said"), [case[1:] for case in bad_folders()], ids=[c[0] for c in bad_folders()])
def test_bad_folders_of_dghs(files, trees, said):
    files.only(trees)
    refused(files, said)


@pytest.mark.parametrize(("table", "said"), [case[1:] for case in bad_tables()], ids=[c[0] for c in bad_tables()])
def test_bad_tables(files, table, said):
    files.write(table)
    refused(files, said)


def refused(files, said):
    """Check that all five functions refuse with this message, and leave an existing output alone."""
    files.out.write_text("as before")
    calls = [*ANONYMIZERS.values(), lambda raw, folder, out: cost_MD(raw, out, folder)]
    calls.append(lambda raw, folder, out: cost_LM(raw, out, folder))
    for call in calls:
        assert said in refusal(InputError, call, files.raw, files.folder, files.out)
        assert files.out.read_text() == "as before"
    assert sorted(path.name for path in files.place.iterdir()) == ["DGHs", "out.csv", "raw.csv"]


def test_files_that_are_not_there(files):
    gone = files.place / "gone"
    assert refusal(InputError, clustering_anonymizer, files.raw, gone, 2, files.out) == (
        f"{gone}: this folder of DGHs cannot be read (No such file or directory)."
    )
    assert refusal(InputError, clustering_anonymizer, gone, files.folder, 2, files.out) == (
        f"{gone}: cannot be read (No such file or directory)."
    )
    assert "there is no folder" in refusal(
        InputError, clustering_anonymizer, files.raw, files.folder, 2, gone / "out.csv"
    )
    assert "this is a folder" in refusal(InputError, clustering_anonymizer, files.raw, files.folder, 2, files.place)
    assert "cannot be read" in refusal(InputError, cost_MD, files.raw, files.out, files.folder)


@pytest.mark.parametrize("name", ["raw.csv", "DGHs/Age.txt", "link.csv", "DGHs/../raw.csv"])
def test_no_input_is_overwritten(files, name):
    os.link(files.raw, files.place / "link.csv")
    before = {path: path.read_bytes() for path in (files.raw, files.folder / "Age.txt")}
    for anonymize in ANONYMIZERS.values():
        said = refusal(InputError, anonymize, files.raw, files.folder, files.place / name)
        assert "this is the input, which shoal never overwrites" in said
    assert {path: path.read_bytes() for path in before} == before


def test_nothing_is_written_that_does_not_verify(files, monkeypatch):
    files.out.write_text("as before")
    monkeypatch.setattr("shoal.release.release.files.write", lambda table, file, kind, dialect: file.write_text(ZIP))
    for anonymize in ANONYMIZERS.values():
        assert "does not satisfy k = 2" in refusal(VerificationError, anonymize, files.raw, files.folder, files.out)
    assert files.out.read_text() == "as before"
    assert sorted(path.name for path in files.place.iterdir()) == ["DGHs", "out.csv", "raw.csv"]


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("14853,<30,*,Cancer\r\n", "row 5: column 'Age' shows '<30', which is neither the raw value '50'"),
        ("*,>40,*,Cancer\r\n", "row 5: column 'Zip' shows '*', which is neither the raw value '14853'"),
        ("14853,,*,Cancer\r\n", "row 5: column 'Age' shows '', which is neither the raw value '50'"),
        ("14853, >40,*,Cancer\r\n", "row 5: column 'Age' shows ' >40', which is neither"),
        ("14853,>40,*,Flu\r\n", "row 5: the sensitive attribute 'Disease' is 'Flu', and 'Cancer' in the raw file."),
        ("", "the table has 7 rows, the raw file 8."),
    ],
)
def test_a_cost_needs_the_same_rows(files, new, said):
    bottomup_anonymizer(files.raw, files.folder, 2, 1, files.out)
    shown = files.out.read_bytes().decode()
    assert "14853,>40,*,Cancer\r\n" in shown
    files.out.write_bytes(shown.replace("14853,>40,*,Cancer\r\n", new).encode())
    for cost in (cost_MD, cost_LM):
        assert said in refusal(InputError, cost, files.raw, files.out, files.folder)


def test_a_cost_needs_the_same_columns(files):
    files.out.write_text(ZIP.replace("Zip,Age", "Age,Zip"))
    said = (
        f"{files.out}: the columns are ['Age', 'Zip', 'Nationality', 'Disease'], and ['Zip', 'Age', 'Nationality', "
        "'Disease'] in the raw file. Give the same rows and columns in the same order."
    )
    for cost in (cost_MD, cost_LM):
        assert refusal(InputError, cost, files.raw, files.out, files.folder) == said


def test_unknown_values_are_errors_of_the_hierarchy(files):
    files.write(ZIP.replace("Japanese", "French"))
    assert refusal(HierarchyError, cost_MD, files.raw, files.out, files.folder) == (
        f"{files.raw}, row 3: column 'Nationality' holds 'French', which is not a leaf of its DGH. "
        f"Add it to {files.folder / 'Nationality.txt'}, or fix the row."
    )


@pytest.mark.parametrize("name", ["s.txt", "out.csv"])
def test_the_folder_of_the_dghs_is_no_place_for_the_output(files, name):
    said = refusal(InputError, random_anonymizer, files.raw, files.folder, 2, 1, files.folder / name)
    assert said == f"{files.folder / name}: this is the folder of the DGHs. Choose another one for the output."


@pytest.mark.parametrize("ending", [".gz", ".parquet", ".ZIP"])
def test_the_output_is_plain_text(files, ending):
    target = files.out.with_name(f"o.csv{ending}")
    said = refusal(InputError, random_anonymizer, files.raw, files.folder, 2, 1, target)
    assert said == f"{target}: the output is plain CSV. Choose an ending such as .csv."
    assert not target.exists()


@pytest.mark.parametrize("path", [None, b"x.csv", 3, True])
def test_paths_are_texts(files, path):
    said = f"{path!r} is not a path; give the name of a file or folder as text."
    assert refusal(InputError, random_anonymizer, path, files.folder, 2, 1, files.out) == said
    assert refusal(InputError, random_anonymizer, files.raw, path, 2, 1, files.out) == said
    assert refusal(InputError, random_anonymizer, files.raw, files.folder, 2, 1, path) == said
    assert refusal(InputError, cost_MD, files.raw, path, files.folder) == said
