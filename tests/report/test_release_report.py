"""Reports are whole, stand alone, and are the same for the same input."""

from __future__ import annotations

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
from shoal import InputError, files
from shoal.report.paper import HEIGHT, MARGIN, WIDTH, Paper, width_of
from shoal.report.words import in_words

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
    """The tags of a page and their attributes; every tag must be closed in its turn."""

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
        "Every class holds at least 2 different values of each sensitive column.",
        f"It has {made.report.classes:,} classes, the smallest with {made.report.k} rows",
        f"{made.report.metrics['loss']:.3f} per cell",
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
    assert f"rows that are unique||{before.unique_rows} rows ({before.unique_rows / 1.2:.1f} %)||none" in page


@pytest.mark.parametrize(
    "model", [*MODELS, shoal.KMap(3, None), shoal.DeltaPresence(0, 0.5, None), shoal.AverageRisk(0.1)], ids=str
)
def test_every_model_has_words(model):
    for part in model.parts:
        assert in_words(part).endswith(".")
        assert in_words(part) != str(part)


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
    "wide": ({f"c{j}": [i % (2 + j % 3) for i in range(12)] for j in range(200)}, {}),
    "means": ({"age": list(range(40))}, {"quasi_identifiers": "age", "style": shoal.Style(numbers="mean")}),
    "classes": ({"age": list(range(40))}, {"quasi_identifiers": "age", "order": "classes", "class_column": "c"}),
    "suppressed": (
        {"age": [1] * 20 + [2, 3]},
        {"quasi_identifiers": "age", "algorithm": "samarati", "max_suppression": 2},
    ),
    "left out": (
        {"age": [1] * 20 + [2, 3]},
        {"quasi_identifiers": "age", "algorithm": "samarati", "max_suppression": 2, "suppressed": "drop"},
    ),
    "dropped": ({"age": [None, 1, 1, 2, 2, 3, 3]}, {"quasi_identifiers": "age", "drop_missing": True}),
}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize(("columns", "options"), ODD.values(), ids=ODD)
def test_odd_tables_are_reported(columns, options, kind, tmp_path):
    options = {"quasi_identifiers": list(columns), "sensitive": (), "model": shoal.KAnonymity(2)} | options
    made = release(kind(columns), **options)
    page = made.to_html()
    assert Tags(page).open == []
    assert "nan" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL).replace("finance", "")
    if kind is pa.table:
        made.save_report(tmp_path / "r.pdf")
        assert (tmp_path / "r.pdf").read_bytes()[:5] == b"%PDF-"


def test_suppressed_and_dropped_rows_are_told():
    columns, options = ODD["suppressed"]
    page = release(pa.table(columns), **options, sensitive=()).to_html()
    assert "2 rows (9.1 %), kept, with every quasi-identifier hidden" in page
    columns, options = ODD["dropped"]
    page = release(pa.table(columns), **options, sensitive=(), model=shoal.KAnonymity(2)).to_html()
    assert "1 row (14.3 %), as they miss a value" in page


def test_of_many_columns_some_are_drawn_and_the_page_says_so():
    columns, _ = ODD["wide"]
    page = release(pa.table(columns), quasi_identifiers=list(columns), sensitive=()).to_html()
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
    """Each line of text on paper: its page, the place of its left upper corner, its size and its text."""
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


@pytest.mark.parametrize("name", ["plain", "wide", "long labels", "unicode"])
def test_on_paper_nothing_is_lost_overlaps_or_leaves_the_page(name, tmp_path, monkeypatch):
    columns, options = ODD.get(name, (table(), {"quasi_identifiers": ["age", "town"]}))
    made = release(pa.table(columns), **{"quasi_identifiers": list(columns), "sensitive": ()} | options)
    lines = written_on_paper(made, monkeypatch, tmp_path)
    texts = {text for *_, text in lines}
    assert {"Release report", "In short", "Risk before and after", "Make it again", "promise", "k = 4"} <= texts
    for page, x, down, size, width, text in lines:
        assert x + width <= WIDTH - MARGIN + 1, text
        assert down + size <= HEIGHT - MARGIN + 1, text
        for other, left, top, _, wide, beside in lines:
            if (page, x, down, text) != (other, left, top, beside) and page == other and abs(top - down) < 7:
                assert x + width <= left or left + wide <= x, (text, beside)


def test_signs_that_the_font_lacks_are_marked(tmp_path, monkeypatch):
    columns, options = ODD["unicode"]
    lines = written_on_paper(release(pa.table(columns), **options, sensitive=()), monkeypatch, tmp_path)
    assert any(text.startswith("▯ stands for a sign that the font does not have") for *_, text in lines)


def test_reports_are_written_together_with_the_release(tmp_path):
    made = release()
    reports = [tmp_path / "r.json", tmp_path / "r.HTML", tmp_path / "r.htm", tmp_path / "r.pdf"]
    made.save(tmp_path / "out.csv", report=reports)
    assert (tmp_path / "r.json").read_text() == made.report.to_json()
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
    assert str(error.value) == "r.docx: the ending '.docx' is none of a report: use .json, .html, .htm, .pdf."
    with pytest.raises(InputError, match=r"^r: the ending ''"):
        release().save_report("r")
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
