"""The files of the repository that say who, what and how: they agree with the package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
yaml = pytest.importorskip("yaml")


def test_the_citation_is_that_of_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in project["authors"]]


def test_pipx_finds_the_command_by_the_name_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {project["name"]: "shoal.cli:main"}


@pytest.mark.parametrize("name", ["bug", "idea"])
def test_templates_of_issues_are_forms(name: str) -> None:
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml").read_text("utf-8"))
    assert {"name", "description", "body"} <= form.keys()
    assert all(part["type"] in ("markdown", "textarea", "input") for part in form["body"])
    assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_the_checklist_names_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    pages = [ROOT / "CONTRIBUTING.md", ROOT / ".github" / "PULL_REQUEST_TEMPLATE.md"]
    named = {name for page in pages for name in re.findall(r"`make ([a-z0-9-]+)", page.read_text("utf-8"))}
    assert {"check", "test-all", "bench"} <= named <= targets
