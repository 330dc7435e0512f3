"""The functions of the COMP 430/530 assignment: its figures, its interface, and tables of any shape."""

from __future__ import annotations

import csv
import inspect
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import shoal
from comp430_tables import ANONYMIZERS, DGHS, ZIP, Files, as_csv
from oracles.comp430 import Assignment
from shoal import comp430
from shoal.comp430 import (
    bottom_up_anonymizer,
    bottomup_anonymizer,
    clustering_anonymizer,
    cost_LM,
    cost_MD,
    random_anonymizer,
)


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path)


# --- the figures ---


@pytest.fixture(scope="module")
def course(reference_data):
    return reference_data / "comp430" / "adult-hw1.csv", reference_data / "comp430" / "DGHs"


@pytest.mark.parametrize(
    ("anonymize", "distortion", "loss"),
    [
        (lambda raw, folder, out: random_anonymizer(raw, folder, 10, 1, out), 172304, 9057.3739559052),
        (lambda raw, folder, out: clustering_anonymizer(raw, folder, 16, out), 105464, 4227.4533978073),
        (lambda raw, folder, out: bottomup_anonymizer(raw, folder, 16, 1, out), 139986, 6131.3983785822),
        (lambda raw, folder, out: bottom_up_anonymizer(raw, folder, 16, 1, out), 139986, 6131.3983785822),
    ],
    ids=["random", "clustering", "bottomup", "bottom_up"],
)
def test_the_course_file(course, tmp_path, anonymize, distortion, loss):
    raw, folder = map(str, course)
    out = str(tmp_path / "out.csv")
    assert anonymize(raw, folder, out) is None
    assert cost_MD(raw, out, folder) == distortion
    assert cost_LM(raw, out, folder) == pytest.approx(loss, abs=1e-9)
    assert (distortion, float(Assignment(*course).costs(out)[1])) == (
        cost_MD(raw, out, folder),
        cost_LM(raw, out, folder),
    )
    with open(out, newline="") as file:
        assert Path(out).read_bytes() == as_csv(csv.reader(file))


def test_the_levels_of_the_course_file(course, tmp_path):
    raw, folder = course
    bottomup_anonymizer(raw, folder, 16, 1, tmp_path / "out.csv")
    literal = Assignment(raw, folder)
    shown = [literal.generalized(row, (4, 2, 2, 1, 1, 1, 0, 3)) for row in literal.rows]
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    for row, nodes in zip(rows, shown, strict=True):
        assert row[:8] == [tree.labels[node] for tree, node in zip(literal.trees.values(), nodes, strict=True)]


def test_random_groups_of_the_course_file_are_the_literal_ones(course, tmp_path):
    literal = Assignment(*course)
    for k, seed in ((10, 1), (7, 42), (9999, 0), (5000, 3)):
        random_anonymizer(*course, k, seed, tmp_path / "out.csv")
        assert (tmp_path / "out.csv").read_bytes() == literal.written(literal.random(k, seed))


def test_the_table_of_the_assignment(files):
    hidden = ["130**,<30,*", "1485*,>40,*"]
    lines = ZIP.splitlines()
    secret = [line.split(",")[3] for line in lines[1:]]
    files.out.write_text("\n".join([lines[0], *(f"{hidden[row // 4]},{s}" for row, s in enumerate(secret))]))
    assert cost_MD(files.raw, files.out, files.folder) == 24
    assert type(cost_MD(files.raw, files.out, files.folder)) is int
    assert cost_LM(files.raw, files.out, files.folder) == float(Fraction(296, 63))


def test_clustering_of_the_table_of_the_assignment(files):
    clustering_anonymizer(files.raw, files.folder, 2, files.out)
    rows = files.rows()[1:]
    assert files.costs() == (14, float(Fraction(22, 7)))
    for one, other in ((1, 4), (5, 6), (2, 3), (7, 8)):
        assert rows[one - 1][:3] == rows[other - 1][:3]
    assert len({tuple(row[:3]) for row in rows}) == 4


def test_the_two_records_of_the_assignment(files):
    files.only(
        {
            "Job": "Any\n\tProfessional\n\t\tEngineer\n\t\tLawyer\n\tArtist\n\t\tDancer\n\t\tWriter\n",
            "Sex": "Any\n\tMale\n\tFemale\n",
        }
    )
    files.write("Job,Sex,Disease\nEngineer,Male,Hepatitis\nLawyer,Male,HIV\n")
    clustering_anonymizer(files.raw, files.folder, 2, files.out)
    assert files.out.read_bytes() == (b"Job,Sex,Disease\r\nProfessional,Male,Hepatitis\r\nProfessional,Male,HIV\r\n")
    assert files.costs() == (2, float(2 * Fraction(1, 6)))


# --- the interface ---


def test_the_names_and_positions_of_the_parameters():
    costs = ["raw_dataset_file", "anonymized_dataset_file", "DGH_folder"]
    expected = {
        "cost_MD": costs,
        "cost_LM": costs,
        "random_anonymizer": ["raw_dataset_file", "DGH_folder", "k", "s", "output_file"],
        "clustering_anonymizer": ["raw_dataset_file", "DGH_folder", "k", "output_file"],
        "bottomup_anonymizer": ["raw_dataset_file", "DGH_folder", "k", "l", "output_file"],
        "bottom_up_anonymizer": ["raw_dataset_file", "DGH_folder", "k", "l", "output_file"],
    }
    assert comp430.__all__ == sorted(expected)
    for name, parameters in expected.items():
        assert list(inspect.signature(getattr(shoal.comp430, name)).parameters) == parameters
        assert inspect.getdoc(getattr(comp430, name))


def test_the_bytes_of_each_anonymizer(files):
    written = {}
    for name, anonymize in ANONYMIZERS.items():
        assert anonymize(str(files.raw), str(files.folder), str(files.out)) is None
        written[name] = files.out.read_bytes().decode()
    assert written["bottomup"] == (
        "Zip,Age,Nationality,Disease\r\n"
        "13053,<30,*,Heart\r\n13068,<30,*,Heart\r\n13068,<30,*,Flu\r\n13053,<30,*,Flu\r\n"
        "14853,>40,*,Cancer\r\n14853,>40,*,Heart\r\n14850,>40,*,Flu\r\n14850,>40,*,Flu\r\n"
    )
    assert written["clustering"] == (
        "Zip,Age,Nationality,Disease\r\n"
        "13053,<30,*,Heart\r\n13068,<30,*,Heart\r\n13068,<30,*,Flu\r\n13053,<30,*,Flu\r\n"
        "14853,>40,*,Cancer\r\n14853,>40,*,Heart\r\n14850,>40,American,Flu\r\n14850,>40,American,Flu\r\n"
    )
    assert written["random"].encode() == (lambda a: a.written(a.random(2, 1)))(Assignment(files.raw, files.folder))


def test_k_of_1_changes_nothing_but_the_line_ends(files):
    random_anonymizer(files.raw, files.folder, 1, 5, files.out)
    assert files.out.read_bytes() == ZIP.replace("\n", "\r\n").encode()
    clustering_anonymizer(files.raw, files.folder, 1, files.out)
    assert files.out.read_bytes() == ZIP.replace("\n", "\r\n").encode()
    bottomup_anonymizer(files.raw, files.folder, 1, 1, files.out)
    assert files.out.read_bytes() == ZIP.replace("\n", "\r\n").encode()
    assert files.costs() == (0, 0.0)


@pytest.mark.parametrize(("diversity", "distortion"), [(2, 24), (3, 40)])
def test_k_of_1_may_come_with_an_l(files, diversity, distortion):
    bottomup_anonymizer(files.raw, files.folder, 1, diversity, files.out)
    literal = Assignment(files.raw, files.folder)
    assert files.out.read_bytes() == literal.written(literal.bottomup(1, diversity))
    assert files.costs()[0] == distortion


def test_numbers_of_numpy_are_taken(files):
    for kind in (np.int32, np.int64, np.uint8):
        random_anonymizer(files.raw, files.folder, kind(2), kind(1), files.out)
        first = files.out.read_bytes()
        random_anonymizer(files.raw, files.folder, 2, 1, files.out)
        assert files.out.read_bytes() == first
        clustering_anonymizer(files.raw, files.folder, kind(2), files.out)
        bottomup_anonymizer(files.raw, files.folder, kind(2), kind(2), files.out)


def test_the_state_of_numpys_generator_is_left_alone(files):
    np.random.seed(7)
    before = np.random.get_state()[1].tolist()
    random_anonymizer(files.raw, files.folder, 2, 1, files.out)
    assert np.random.get_state()[1].tolist() == before


# --- any table ---


def test_odd_names_and_values(tmp_path):
    place = tmp_path / "a folder, with öde blanks"
    place.mkdir()
    files = Files(place)
    trees = {
        "Größe, in cm": 'alle\r\n\t klein\r\n\t\t1,5\r\n\t\t"2"\r\n\tgroß  \r\n\t\t[3,4)\r\n\r\n\r\n',
        "v1.2.3": "only",
        "plain": "*\n\tx\n\t\ty\n\t\t\tz\n\t\n\tw",
    }
    files.only(trees)
    rows = [
        ["v1.2.3", 'SA "quoted"\nname', "Größe, in cm", "plain"],
        ["only", "", "1,5", "z"],
        ["only", " a\r\nb ", '"2"', "w"],
        ["only", "x,y", "[3,4)", "z"],
        ["only", '"', "[3,4)", "w"],
    ]
    files.write(as_csv(rows))
    for anonymize in ANONYMIZERS.values():
        anonymize(files.raw, files.folder, files.out)
        written = files.rows()
        assert files.out.read_bytes() == as_csv(written)
        assert [row[1] for row in written] == [row[1] for row in rows]
        assert written[0] == rows[0]
        assert {row[0] for row in written[1:]} == {"only"}
        md, lm = Assignment(files.raw, files.folder).costs(files.out)
        assert files.costs() == (md, float(lm))


@pytest.mark.parametrize("place", [0, 1])
def test_one_quasi_identifier(files, place):
    files.only({"q": DGHS["Age"]})
    columns = [["q", "21", "23", "47", "50"], ["s", "a", "b", "a", "b"]]
    files.write(as_csv(zip(*(columns if place == 0 else columns[::-1]), strict=True)))
    bottomup_anonymizer(files.raw, files.folder, 2, 2, files.out)
    assert [row[place] for row in files.rows()] == ["q", "<30", "<30", ">40", ">40"]
    assert files.costs() == (4, 4 * float(Fraction(3, 7)))


def test_a_byte_order_mark_stays(files):
    files.write(b"\xef\xbb\xbf" + ZIP.encode())
    random_anonymizer(files.raw, files.folder, 1, 0, files.out)
    assert files.out.read_bytes() == b"\xef\xbb\xbf" + ZIP.replace("\n", "\r\n").encode()
    assert files.costs() == (0, 0.0)


def test_files_need_no_ending_and_blank_lines_are_no_rows(files):
    files.raw, files.out = files.place / "raw", files.place / "out.data"
    files.write(ZIP.replace("\n", "\r\n") + "\r\n")
    clustering_anonymizer(files.raw, files.folder, 2, files.out)
    assert files.costs()[0] == 14


def test_semicolons_are_part_of_a_value(files):
    files.only({"a;b": "*\n\t1;2\n\t3;4\n"})
    files.write("a;b,c;d\n1;2,x;y\n3;4,x;y\n")
    bottomup_anonymizer(files.raw, files.folder, 2, 1, files.out)
    assert files.out.read_bytes() == b"a;b,c;d\r\n*,x;y\r\n*,x;y\r\n"


def test_other_files_of_the_folder_are_left_alone(files):
    files.write(None, {"Height": "not\n\t\t\ta tree"})
    (files.folder / ".DS_Store").write_bytes(b"\0\xff")
    (files.folder / "Disease.md").write_text("about the disease")
    clustering_anonymizer(files.raw, files.folder, 2, files.out)
    assert files.costs()[0] == 14


def test_labels_that_stand_twice_are_read_from_below(files):
    files.only({"q": "*\n\ta\n\t\ta\n\t\tb\n\tx\n\t\tx\n\t\t\tc\n\tb\n\t\td\n"})
    files.write("q,s\na,1\nb,1\nc,1\nd,1\n")
    files.out.write_text("q,s\na,1\na,1\nx,1\nb,1\n")
    assert files.costs() == (0 + 1 + 1 + 1, float(Fraction(0 + 1 + 0 + 0, 3)))
    literal = Assignment(files.raw, files.folder)
    for k in (1, 2, 4):
        for name, made in (("random", literal.random(k, 3)), ("bottomup", literal.bottomup(k, 1))):
            last = 3 if name == "random" else 1
            getattr(comp430, f"{name}_anonymizer")(files.raw, files.folder, k, last, files.out)
            assert files.out.read_bytes() == literal.written(made)


def test_names_that_look_like_values_are_names(tmp_path):
    """The first row contains the names of attributes, whatever they look like."""
    (tmp_path / "DGHs").mkdir()
    (tmp_path / "DGHs" / "1.txt").write_text("*\n\t1\n\t2\n")
    (tmp_path / "DGHs" / "a.txt").write_text("*\n\ta\n\tb\n")
    raw, out = tmp_path / "raw.csv", tmp_path / "out.csv"
    raw.write_text("1,a,7\n1,a,7\n1,b,8\n2,a,7\n2,a,8\n")
    folder = tmp_path / "DGHs"
    random_anonymizer(raw, folder, 2, 0, out)
    clustering_anonymizer(raw, folder, 2, out)
    bottomup_anonymizer(raw, folder, 2, 2, out)
    assert out.read_text().splitlines()[0] == "1,a,7"
    assert len(out.read_text().splitlines()) == 5
    assert cost_MD(raw, out, folder) == 4
    assert cost_LM(raw, out, folder) == 2
