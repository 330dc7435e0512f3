"""Reports are complete, self-contained, and the same for the same input."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from contract.lists import ALGORITHMS, MODELS
from depth import every
from shoal import InputError
from shoal.documents.page_layout import HEIGHT, MARGIN, WIDTH, Paper, width_of
from shoal.io import files
from shoal.release.report.facts import facts_of
from shoal.release.report.phrases import four_digits, percent

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
RANDOM = np.random.default_rng(1)


def table(rows: int = 120) -> dict[str, list[object]]:
    return {
        "age": RANDOM.integers(18, 80, rows).tolist(),
        "town": RANDOM.choice(["Rome", "Oslo", "Bonn", "Lyon"], rows).tolist(),
        "disease": RANDOM.choice(["flu", "cold", "mumps"], rows).tolist(),
    }


def release(data=None, **options):
    options = {"quasi_identifiers": ["age", "town"], "sensitive": "disease", "model": shoal.KAnonymity(4)} | options
    return shoal.anonymize(pa.table(table()) if data is None else data, **options)


class Tags(HTMLParser):
    """Return the tags of a page and their attributes; every tag must be closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_stands_alone():
    tags = Tags(release().to_html())
    assert tags.open == []
    assert not tags.seen & {"script", "link", "img", "iframe", "object", "a", "form"}
    assert tags.attributes <= {"class", "style", "lang", "charset", "name", "content"}


def test_names_and_values_are_no_markup():
    evil = "<script>alert('x')</script>"
    data = pd.DataFrame({evil: [evil, "</td>&amp;"] * 30, "disease": [evil, "b", "c"] * 20, "$x$ \x00": ["a"] * 60})
    made = release(data, quasi_identifiers=[evil, "$x$ \x00"])
    page = made.to_html()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") > 3
    assert Tags(page).open == []


def test_the_page_says_what_was_done():
    made = release(model=shoal.KAnonymity(4) & shoal.DistinctDiversity(2))
    page = made.to_html()
    for part in (
        "a table in memory, 120 rows",
        "k = 4 and distinct l = 2",
        "Every class has at least 4 rows: each row looks like at least 3 others.",
        "Every class has at least 2 different values of each sensitive column.",
        f"It has {made.report.classes:,} classes, the smallest with {made.report.k} rows",
        f"{made.report.metrics['loss']:.4f} per cell",
        "prosecutor: highest risk of a row",
    ):
        assert part in page


def test_the_risks_are_those_of_an_assessment():
    data = pa.table(table())
    made = release(data)
    page = re.sub(r"<[^>]+>", "|", made.to_html())
    before = shoal.assess(data, quasi_identifiers=["age", "town"])
    after = shoal.assess(made.frame, quasi_identifiers=["age", "town"])
    for name, one in (("highest", "highest_risk"), ("average", "average_risk")):
        shown = re.search(rf"{name} risk of a row\|+([\d.]+) %\|+([\d.]+) %", page)
        assert [float(part) for part in shown.groups()] == [
            pytest.approx(100 * getattr(found, one), abs=0.051) for found in (before, after)
        ]
    assert f"unique rows||{before.unique_rows} rows ({before.unique_rows / 1.2:.1f} %)||none" in page


@pytest.mark.parametrize(
    "model", [*MODELS, shoal.KMap(3, None), shoal.DeltaPresence(0, 0.5, None), shoal.AverageRisk(0.1)], ids=str
)
def test_every_model_has_words(model):
    for part in model.parts:
        assert part.words().endswith(".")
        assert part.words() != str(part)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (29_990 / 30_000, "> 99.9 %"),
        (10_000 / 10_003, "> 99.9 %"),
        (0.999, "99.9 %"),
        (0.28, "28.0 %"),
        (0.00012, "0.012 %"),
        (1e-17, "< 0.001 %"),
    ],
)
def test_a_share_is_told_as_0_or_100_only_where_it_is(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("measure", "text"), [(0, "0.0000"), (1, "1.0000"), (0.00004, "< 0.0001"), (0.99999, "> 0.9999")]
)
def test_a_loss_is_told_as_0_or_1_only_where_it_is(measure, text):
    assert four_digits(measure) == text


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
def test_every_algorithm_is_reported(algorithm):
    page = release(algorithm=algorithm).to_html()
    assert Tags(page).open == []
    assert ("nodes looked at" in page) == algorithm.needs_hierarchies


ODD = {
    "one column": ({"age": [1, 2] * 10}, {"quasi_identifiers": "age"}),
    "one value": ({"age": [1] * 10}, {"quasi_identifiers": "age"}),
    "one class": ({"age": list(range(10))}, {"quasi_identifiers": "age", "model": shoal.KAnonymity(10)}),
    "missing": ({"age": [None, None, None, None, *range(30)]}, {"quasi_identifiers": "age"}),
    "mostly missing": ({"age": [None] * 30 + [1, 2]}, {"quasi_identifiers": "age"}),
    "long labels": ({"age": [f"{i} {'x' * 300}" for i in range(20)]}, {"quasi_identifiers": "age"}),
    "unicode": ({"ägé ℓ 日本": ["日本語", "مرحبا", "😀", "a\nb\x00"] * 5}, {"quasi_identifiers": "ägé ℓ 日本"}),
    "huge": ({"age": [1e308 * (-1) ** i / (i + 1) for i in range(40)]}, {"quasi_identifiers": "age"}),
    "tiny": ({"age": [1e-320 * i for i in range(40)]}, {"quasi_identifiers": "age"}),
    "wide": ({f"c{j}": [i % (2 + j % 3) for i in range(12)] for j in range(200)}, {"algorithm": "mondrian"}),
    "means": ({"age": list(range(40))}, {"quasi_identifiers": "age", "style": shoal.Style(numbers="mean")}),
    "classes": ({"age": list(range(40))}, {"quasi_identifiers": "age", "order": "classes", "class_column": "c"}),
    "suppressed": (
        {"age": [1] * 20 + [2, 3]},
        {"quasi_identifiers": "age", "algorithm": "samarati", "max_suppression": 2, "suppressed": "keep"},
    ),
    "left out": (
        {"age": [1] * 20 + [2, 3]},
        {"quasi_identifiers": "age", "algorithm": "samarati", "max_suppression": 2, "suppressed": "drop"},
    ),
    "no dates": (
        {"day": ["0000-00-00"] * 3 + [f"1990-01-{i:02d}" for i in range(1, 28)]},
        {"quasi_identifiers": "day"},
    ),
    "dropped": ({"age": [None, 1, 1, 2, 2, 3, 3]}, {"quasi_identifiers": "age", "drop_missing": True}),
}
ON_PAPER = ["plain", "wide", "long labels", "unicode"]  # each line of whose reports is looked at


@pytest.mark.parametrize("kind", every(3, [pa.table, pd.DataFrame, pl.DataFrame]))
@pytest.mark.parametrize(("columns", "options"), ODD.values(), ids=ODD)
def test_odd_tables_are_reported(columns, options, kind):
    options = {"quasi_identifiers": list(columns), "sensitive": (), "model": shoal.KAnonymity(2)} | options
    page = release(kind(columns), **options).to_html()
    assert Tags(page).open == []
    assert "nan" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL).replace("finance", "")


LIKE_OTHERS = {*ON_PAPER, "one column", "one class", "missing", "means", "classes", "left out", "dropped"}
DRAWN = [
    pytest.param(name, marks=pytest.mark.deep("drawn like another table") if name in LIKE_OTHERS else ())
    for name in ODD
]


@pytest.mark.parametrize("name", DRAWN)
def test_odd_tables_are_drawn_on_paper(name, tmp_path):
    columns, options = ODD[name]
    made = release(
        pa.table(columns),
        **{"quasi_identifiers": list(columns), "sensitive": (), "model": shoal.KAnonymity(2)} | options,
    )
    made.save_report(tmp_path / "r.pdf")
    assert (tmp_path / "r.pdf").read_bytes()[:5] == b"%PDF-"


def test_suppressed_and_dropped_rows_are_told():
    columns, options = ODD["suppressed"]
    page = release(pa.table(columns), **options, sensitive=()).to_html()
    assert "2 rows (9.1 %), kept, with every quasi-identifier hidden" in page
    columns, options = ODD["dropped"]
    page = release(pa.table(columns), **options, sensitive=(), model=shoal.KAnonymity(2)).to_html()
    assert "1 row (14.3 %), because a value is missing" in page


def test_suppressed_rows_that_show_the_same_as_a_class_are_told_as_a_part_of_it():
    tree = shoal.Hierarchy.from_nested({"any": [{"G1": ["a", "b"]}, {"G2": ["d"]}, "c"]})
    made = release(
        pa.table({"v": ["a", "b"] * 10 + ["d"] * 2 + ["c"] * 20}),
        quasi_identifiers="v",
        sensitive=(),
        model=shoal.KAnonymity(5),
        max_suppression=2,
        algorithm=shoal.FullDomain(levels={"v": 1}),
        hierarchies={"v": tree},
    )
    assert made.frame["v"].to_pylist().count("any") == 22
    page = re.sub(r"<[^>]+>", "|", made.to_html())
    assert "2 of 20 rows or more, 21.0 on average" in page
    assert (
        "2 rows (4.8 %), kept, with every quasi-identifier hidden, and counted in the class with the same labels"
        in page
    )
    assert "count in the class with the same labels." in page
    assert "belong to no class" not in page
    assert "average class||21.0 rows" in page
    assert f"discernibility (DM)||{20 * 20 + 22 * 22}" in page
    before = facts_of(made).attributes[0].before
    assert sum(bar.rows for bar in before) == 40  # the suppressed rows' values are in no bar, here neither


def test_names_that_cannot_be_seen_stand_in_quotes():
    data = pa.table({"": ["", " ", "a"] * 10})
    page = release(data, quasi_identifiers=[""], sensitive=(), model=shoal.KAnonymity(5)).to_html()
    assert "<th>quasi-identifiers</th><td>&quot;&quot;</td>" in page
    assert "<h3>&quot;&quot;</h3>" in page
    assert "<td>&quot; &quot;</td>" in page


def test_text_that_cannot_be_a_date_is_counted_by_value():
    columns, options = ODD["no dates"]
    made = release(pa.table(columns), **options, sensitive=(), model=shoal.KAnonymity(3))
    assert [bar.name for bar in facts_of(made).attributes[0].before] == ["all 28 values"]


def test_of_many_columns_some_are_drawn_and_the_page_says_so():
    columns, options = ODD["wide"]
    page = release(pa.table(columns), quasi_identifiers=list(columns), sensitive=(), **options).to_html()
    assert "Of 200 quasi-identifiers the 24 that lost most are drawn." in page
    assert "Loss of the 60 quasi-identifiers of 200 that lost most" in page
    assert "and 170 more" in page
    assert page.count("<h3>") == 25


def test_the_same_input_gives_the_same_bytes(tmp_path):
    data = pa.table(table())
    for name in ("a", "b"):
        release(data).save(tmp_path / f"{name}.csv", report=[tmp_path / f"{name}.html", tmp_path / f"{name}.pdf"])
    for ending in ("html", "pdf"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


def written_on_paper(made, monkeypatch, folder):
    """Return each line of text in a PDF: its page, upper left corner, size and text."""
    lines = []
    write = Paper.text

    def remember(self, x, text, *, size=9.5, mono=False, **options):
        lines.append((len(self.figures), x, self.down, size, width_of(text, size, mono=mono), text))
        write(self, x, text, size=size, mono=mono, **options)

    monkeypatch.setattr(Paper, "text", remember)
    made.save_report(folder / "r.pdf")
    pages = len(re.findall(rb"/Type /Page\b", (folder / "r.pdf").read_bytes()))
    assert pages == max(page for page, *_ in lines)
    return lines


@pytest.mark.parametrize("name", ON_PAPER)
def test_on_paper_nothing_is_lost_overlaps_or_leaves_the_page(name, tmp_path, monkeypatch):
    columns, options = ODD.get(name, (table(), {"quasi_identifiers": ["age", "town"]}))
    made = release(pa.table(columns), **{"quasi_identifiers": list(columns), "sensitive": ()} | options)
    lines = written_on_paper(made, monkeypatch, tmp_path)
    texts = {text for *_, text in lines}
    assert {"Release report", "In short", "Risk before and after", "Reproduce it", "promise", "k = 4"} <= texts
    for page, x, down, size, width, text in lines:
        assert x + width <= WIDTH - MARGIN + 1, text
        assert down + size <= HEIGHT - MARGIN + 1, text
        for other, left, top, _, wide, beside in lines:
            if (page, x, down, text) != (other, left, top, beside) and page == other and abs(top - down) < 7:
                assert x + width <= left or left + wide <= x, (text, beside)


def test_signs_that_the_font_lacks_are_marked(tmp_path, monkeypatch):
    columns, options = ODD["unicode"]
    lines = written_on_paper(release(pa.table(columns), **options, sensitive=()), monkeypatch, tmp_path)
    assert any(text.startswith("▯ replaces a character that the font does not have") for *_, text in lines)


def test_reports_are_written_together_with_the_release(tmp_path):
    made = release()
    reports = [tmp_path / "r.json", tmp_path / "r.HTML", tmp_path / "r.htm", tmp_path / "r.pdf"]
    made.save(tmp_path / "out.csv", report=reports)
    told = json.loads((tmp_path / "r.json").read_text())
    assert told.pop("release") == {"sha256": files.checksum(tmp_path / "out.csv")}
    assert told == json.loads(made.to_json())
    assert (tmp_path / "r.HTML").read_text(encoding="utf-8") == made.to_html()
    assert (tmp_path / "r.htm").read_text(encoding="utf-8") == made.to_html()
    assert len(list(tmp_path.iterdir())) == 5


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_a_failure_leaves_neither_release_nor_report(tmp_path, monkeypatch, ending):
    made = release()
    (tmp_path / f"r.{ending}").write_text("old")

    def fail(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "write", fail)
    with pytest.raises(InputError, match="No space left"):
        made.save(tmp_path / "out.csv", report=tmp_path / f"r.{ending}")
    assert (tmp_path / f"r.{ending}").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_endings_that_are_none_of_a_report_are_refused(tmp_path):
    with pytest.raises(InputError) as error:
        release().save(tmp_path / "out.csv", report="r.docx")
    assert str(error.value) == "r.docx: a report cannot have the suffix '.docx': use .json, .html, .htm, .pdf."
    with pytest.raises(InputError, match=r"^r: a report cannot have the suffix ''"):
        release().save_report("r")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("report", [3, [None], b"a.html", ["a.html", 4]], ids=str)
def test_what_is_no_name_of_a_report_is_refused(tmp_path, report):
    wrong = report[-1] if isinstance(report, list) else report
    with pytest.raises(InputError) as error:
        release().save(tmp_path / "out.csv", report=report)
    assert str(error.value) == (
        f"{wrong!r} is not the name of a report; give a path such as 'report.html', or a list of paths."
    )
    assert not list(tmp_path.iterdir())


def test_a_report_that_is_named_twice_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^r.html: this report is named twice. Name each file once.$"):
        release().save("out.csv", report=["r.html", tmp_path / "r.json", Path("./r.html")])
    assert not list(tmp_path.iterdir())


def test_no_file_that_was_read_is_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"age": [20, 30] * 5}).to_csv("everyone.html")
    Path("trees.html").write_text("*\n\t20\n\t30\n")
    data = pd.DataFrame({"age": [20, 30] * 3})
    made = release(data, quasi_identifiers="age", sensitive=(), hierarchies={"age": Path("trees.html")})
    for save in (lambda: made.save("out.csv", report="trees.html"), lambda: made.save_report("trees.html")):
        with pytest.raises(InputError, match=r"^trees.html: this is the input, which shoal never overwrites"):
            save()


def test_a_page_needs_no_matplotlib_and_paper_says_what_to_install(tmp_path, monkeypatch):
    made = release()
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    made.save(tmp_path / "out.csv", report=tmp_path / "r.html")
    with pytest.raises(InputError, match=r"pip install 'shoal\[plots\]'"):
        made.save(tmp_path / "other.csv", report=tmp_path / "r.pdf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "r.html"]
