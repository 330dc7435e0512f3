"""The examples of the README and the docs run as they stand."""

from __future__ import annotations

import ast
import itertools
import re
import shlex
import shutil
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import shoal
from shoal import PrivacyWarning
from shoal.cli.app import app
from shoal.models import MODELS
from spark_here import no_session_left, without_spark

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import reference  # noqa: E402

PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
GUIDES = sorted((ROOT / "docs").glob("*/*.md"))  # whose commands run, too
LONG = {
    "README.md",
    "attack.md",
    "compare.md",
    "full_domain.md",
    "index.md",
    "report.md",
    "sequential.md",
    "spark.md",
    "thesis.md",
}  # on large tables


def patients(seed: int, rows: int = 300) -> str:
    """A table of patients, drawn alike for every seed."""
    random = np.random.RandomState(seed)
    zips, diseases = ["13051", "13053", "13068", "14001", "14850", "14853"], ["asthma", "cold", "flu", "mumps"]
    drawn = [random.randint(18, 95, rows), *(random.choice(of, rows) for of in (["f", "m"], zips, diseases))]
    lines = [f"P{seed}-{row},{','.join(map(str, cells))}" for row, cells in enumerate(zip(*drawn, strict=True))]
    return "\n".join(["name,age,sex,zip,disease", *lines, ""])


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


class WithoutFigures(ast.NodeTransformer):
    """Leaves out what is said of the figures of a whole table, but not that an attack on a release finds nobody."""

    def visit_Assert(self, node: ast.Assert) -> ast.Assert | ast.Pass:
        return node if ast.unparse(node.test) == "found.released.linked == 0" else ast.Pass()


def run(page: Path, figures: ast.NodeTransformer | None = None) -> None:
    """Run the examples of a page one after another."""
    names: dict[str, object] = {}
    with warnings.catch_warnings(), no_session_left():
        warnings.simplefilter("ignore", PrivacyWarning)
        for block in blocks(page, "python"):
            if "shoal.spark" in block and (reason := without_spark()):
                pytest.skip(reason)
            parsed = ast.parse(block, page.name)
            parsed = ast.fix_missing_locations(figures.visit(parsed)) if figures else parsed
            exec(compile(parsed, page.name, "exec"), names)


def uses_spark(page: Path) -> bool:
    return any("shoal.spark" in block for block in blocks(page, "python"))


deep = pytest.mark.deep("takes long; without --depth=all it runs on a small table, unless it starts Spark")


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=deep if page.name in LONG else (), id=page.name) for page in PAGES],
)
def test_python_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(page)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name in LONG and not uses_spark(page)], ids=lambda page: page.name
)
def test_long_python_examples_run_on_a_small_table(page, tmp_path, monkeypatch, small_adult):
    monkeypatch.chdir(tmp_path)
    run(page, WithoutFigures())


@pytest.mark.parametrize(
    ("page", "commands", "away"), [("README.md", 2, 0), ("docs/command_line.md", 16, 3)]
)  # away: a cluster and two servers
def test_the_commands_of_the_first_pages_run(page, commands, away, tmp_path, monkeypatch, small_adult):
    monkeypatch.chdir(tmp_path)
    Path("patients.csv").write_text(patients(1))
    Path("next.csv").write_text(patients(2))
    lines = "\n".join(blocks(ROOT / page, "console")).replace("\\\n", " ").splitlines()
    found = [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("shoal ")]
    here = [command for command in found if not ({"spark", "ui"} & {*command} or "host" in " ".join(command))]
    assert (len(found), len(found) - len(here)) == (commands, away)
    for command in here:
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, (command, result.output)
    assert Path("safe.json").exists()
    trees = {"age": "intervals:5,10,20", "zip": "prefix"}
    found = shoal.attack(
        "safe.csv", original="patients.csv", sample=1.0, known=["age", "sex", "zip"], hierarchies=trees, k=5
    )
    assert found.original.linked > 250
    assert found.released.linked == 0
    assert not away or len(Path("next_safe.csv").read_text().splitlines()) == 301


def test_the_readme_fits_on_two_screens():
    text = re.sub("<!-- .*? -->", "", PAGES[0].read_text("utf-8"))  # the marks of figures are not shown
    assert len(text.splitlines()) <= 110
    assert len(text) <= 6000
    assert text.index("make demo") < text.index("make test") < 1000


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_guides_can_be_followed_step_by_step(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "docs" / "examples" / "patients.csv", "patients.csv")  # which the guides offer to download
    if not uses_spark(page):
        follow(page)
        return
    if reason := without_spark():
        pytest.skip(reason)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:  # Java stays in the folder it started in
        fresh.submit(follow, page).result()


def follow(page: Path) -> None:
    """Run all that a guide says, in its order."""
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        for language, block in re.findall(r"^```(python|console)\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
            if language == "python":
                exec(compile(block, page.name, "exec"), names)
                continue
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith("shoal "):
                    result = CliRunner().invoke(app, shlex.split(line, comments=True)[1:])
                    assert result.exit_code == (1 if line.endswith("# exit code 1") else 0), (line, result.output)


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_guides_offer_the_table_that_they_use(page):
    text = page.read_text("utf-8")
    assert "](../examples/patients.csv){ download }" in text or "patients.csv" not in "".join(
        blocks(page, "python") + blocks(page, "console")
    )


@pytest.mark.parametrize("page", [*PAGES, *GUIDES], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    generated = {ROOT / "docs" / "reference" / f"{name}.md" for name in reference.PAGES}  # by `make docs`
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        place = (page.parent / target).resolve()
        assert place.exists() or place in generated, target


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_each_model_has_a_section_with_an_attack(model):
    sections = (ROOT / "docs" / "models.md").read_text("utf-8").split("\n### ")[1:]
    (mine,) = [section for section in sections if f"\n`{model.__name__}(" in section.split("```")[0]]
    asserted = "\n".join(re.findall(r"^```python\n(.*?)^```", mine, re.MULTILINE | re.DOTALL))
    assert f"{model.__name__}(" in asserted
    assert "assert" in asserted


def test_what_happens_at_a_fault_is_said_alike_in_both_places():
    def table(path: Path) -> list[str]:
        lines = iter(path.read_text("utf-8").splitlines())
        found = [next(line for line in lines if line.startswith("| fault |"))]
        return found + list(itertools.takewhile(lambda line: line.startswith("|"), lines))

    assert table(ROOT / "SECURITY.md") == table(ROOT / "docs" / "faults.md")
