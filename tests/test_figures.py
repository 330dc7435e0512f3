"""The figures of the README and the docs are those that `make bench` kept, and growth is drawn from them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.append(str(ROOT / "benchmarks"))
import figures  # noqa: E402
import run  # noqa: E402

KEPT = {"tool": {"figures": {"k5.loss": 0.0219, "k10.loss": 0.0371, "k5.seconds": 12.34, "k5.gain": -3.4}}}
MARKED = [page for page in figures.pages() if "<!-- figures:" in page.read_text("utf-8")]
DECIMAL = re.compile(r"\.\d")


@pytest.mark.parametrize("page", MARKED, ids=lambda page: page.name)
def test_pages_show_the_figures_that_were_kept(page):
    text = page.read_text("utf-8")
    renewed = figures.with_figures(text, figures.runs())
    wrong = [new for new, old in zip(renewed.splitlines(), text.splitlines(), strict=True) if new != old]
    assert not wrong, "run scripts/figures.py"


def test_the_readme_and_the_page_of_benchmarks_are_marked():
    assert {"README.md", "benchmarks.md"} <= {page.name for page in MARKED}


@pytest.mark.parametrize("page", MARKED, ids=lambda page: page.name)
def test_no_figure_is_typed_into_a_table_of_kept_ones(page):
    for block in page.read_text("utf-8").split("\n\n"):
        rows = block.splitlines()
        if block.startswith("|") and "<!-- figures:" in block:
            typed = [found for row in rows[2:] for found in without_marked(row) if DECIMAL.search(found)]
            assert not typed, f"mark them: {typed}"


TIME = re.compile(r"(?<![-\w.])[\d,.]*\d ?(?:CPU |core-)?(?:s|seconds?|ms|milliseconds|µs|MiB)\b")
CODE = re.compile(r"^```.*?^```|`[^`]*`", re.MULTILINE | re.DOTALL)
REPEATED_ELSEWHERE = {"bad_input.md"}  # its page names the command that repeats and limits them


def typed_times(text: str) -> list[str]:
    """Return the times and amounts of memory in a text that no mark names."""
    found = []
    for line in figures.RUN.sub("", CODE.sub("", text)).splitlines():
        first, *parts = figures.MARK.split(line)
        found += TIME.findall(first)
        for mark, after in zip(parts[::2], parts[1::2], strict=True):
            marked = list(figures.numbers(after))[len(figures.names(mark)) - 1]
            found += TIME.findall(after[marked.end() :])
    return found


@pytest.mark.parametrize("page", figures.pages(), ids=lambda page: page.name)
def test_no_time_or_memory_is_typed(page):
    typed = [] if page.name in REPEATED_ELSEWHERE else typed_times(page.read_text("utf-8"))
    assert not typed, f"measure and mark them, or leave them out: {typed}"


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("takes 3 s", ["3 s"]),
        ("in 1,024 MiB", ["1,024 MiB"]),
        ("<!-- figures: tool/k5.seconds --> 12 s, later 2.5 CPU s", ["2.5 CPU s"]),
        ("<!-- figures: tool/k5.{loss,seconds} --> .02 in 12 CPU s", []),
        ("SHA-256s of 24 rows", []),
        ("`timeout 3 s`", []),
    ],
)
def test_typed_times_are_told_from_kept_ones(line, typed):
    assert typed_times(line) == typed


def without_marked(row: str) -> list[str]:
    """Return the numbers of a row, beside its first cell, that no mark names."""
    cells = row.strip("|").split("|", 1)
    head = figures.MARK.findall(cells[0])[-1:]  # a mark in the first cell names numbers of the others
    text = "".join(f"<!-- figures: {mark} -->" for mark in head) + cells[1]
    first, *parts = figures.MARK.split(text)
    found = [number[0] for number in figures.numbers(first)]
    for mark, after in zip(parts[::2], parts[1::2], strict=True):
        found += [number[0] for number in figures.numbers(after)][len(figures.names(mark)) :]
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x <!-- figures: tool/k{5,10}.loss --> .1 / .200, .3", "x <!-- figures: tool/k{5,10}.loss --> .0 / .037, .3"),
        (
            "<!-- figures: tool/k5.{loss,seconds} --> 0.001 in 7 s",
            "<!-- figures: tool/k5.{loss,seconds} --> 0.022 in 12 s",
        ),
        ("<!-- figures: tool/k5.seconds --> 1.0.2 takes 9.9", "<!-- figures: tool/k5.seconds --> 1.0.2 takes 12.3"),
        ("<!-- figures: tool/k10.loss --> .04¹", "<!-- figures: tool/k10.loss --> .04¹"),
        ("<!-- figures: tool/k5.gain --> +9", "<!-- figures: tool/k5.gain --> −3"),
        ("k = 5 and 7.5 s, without a mark", "k = 5 and 7.5 s, without a mark"),
    ],
)
def test_numbers_are_written_as_they_stand(old, new):
    assert figures.with_figures(old, KEPT) == new


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("<!-- figures: tool/k7.loss --> .1", "tool has no figure 'k7.loss'"),
        ("<!-- figures: other/k5.loss --> .1", "other has no figure 'k5.loss'"),
        ("<!-- figures: tool/k{5,10}.loss --> .1", "2 figures are named, but 1 numbers follow"),
    ],
)
def test_a_mark_that_names_nothing_is_refused(line, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        figures.with_figures(line, KEPT)


def test_every_benchmark_was_run_as_it_would_be_today():
    kept = figures.runs()
    assert kept.keys() == run.BENCHMARKS.keys()
    stale = [name for name in run.BENCHMARKS if kept[name]["command"] != run.command_of(name)]
    assert not stale, f"make bench ONLY='{' '.join(stale)}'"


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Return a function that runs a benchmark of these lines, of which a page shows the loss."""
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "BENCHMARKS", {"fake": ["--k", "5"]})
    monkeypatch.setattr(figures, "KEPT", tmp_path / "figures")
    monkeypatch.setattr(figures, "shown_by_pages", lambda: {("fake", "k5.loss")})
    (tmp_path / "benchmarks").mkdir()

    def of(lines: str) -> list[str]:
        text = f"import sys\nsys.path.append({str(ROOT / 'benchmarks')!r})\nfrom notes import note\n{lines}\n"
        (tmp_path / "benchmarks" / "fake.py").write_text(text)
        return run.run("fake")

    return of


def test_the_runner_keeps_what_a_benchmark_notes(fake):
    assert fake("note('k5', loss=0.123456789, bound=None)\nnote('k10', loss=1)") == []
    (kept,) = figures.runs().values()
    assert kept["figures"] == {"k5.loss": 0.123457, "k10.loss": 1.0}
    assert kept["command"] == "python benchmarks/fake.py --k 5"
    assert kept["cores"] >= 1
    assert kept["memory_gb"] >= 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept["date"])


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("note('k5', loss=2)\nsys.exit(3)", "fake failed (exit code 3): its earlier figures stay."),
        ("note('k10', loss=2)", "fake did not measure k5.loss (1 in all), which pages show: its earlier figures stay."),
    ],
)
def test_the_runner_keeps_earlier_figures_of_a_benchmark_that_fails(fake, lines, said):
    assert fake("note('k5', loss=1)") == []
    (problem,) = fake(lines)
    assert problem.startswith(said)
    assert figures.runs()["fake"]["figures"] == {"k5.loss": 1.0}
