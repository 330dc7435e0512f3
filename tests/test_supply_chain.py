"""What is pinned fits what is asked for, and the inventory names all of it."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import audit  # noqa: E402

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
INVENTORY = (ROOT / "docs" / "supply_chain.md").read_text("utf-8")


def lock(name: str) -> Path:
    return ROOT / "locks" / f"{name}.txt"


def asked(lines: list[str]) -> list[Requirement]:
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("core", PROJECT["dependencies"]),
        ("development", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]),
        ("spark", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["spark"]),
    ],
)
def test_every_asked_package_is_pinned_to_a_version_that_fits(name, lines):
    pinned = audit.pinned(lock(name))
    for requirement in asked(lines):
        versions = pinned[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in versions), requirement


def test_the_locks_agree():
    development = audit.pinned(lock("development"))
    for package, versions in (audit.pinned(lock("core")) | audit.pinned(lock("spark"))).items():
        assert development.get(package, versions) == versions, package
    assert audit.pinned(lock("core")).keys() <= development.keys()


@pytest.mark.parametrize("name", ["core", "development", "spark"])
def test_every_pinned_package_has_hashes(name):
    entries = re.split(r"^(?=[A-Za-z0-9])", lock(name).read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert len(entries) >= len(audit.pinned(lock(name))) > 10
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_inventory_names_every_package_that_users_get():
    for package in audit.pinned(lock("core")):
        assert package in INVENTORY, package
    for extra, lines in PROJECT["optional-dependencies"].items():
        if extra not in ("dev", "mutation"):
            assert f"`{extra}`" in INVENTORY
            for requirement in asked(lines):
                assert requirement.name in INVENTORY, requirement


def test_the_inventory_says_the_least_versions():
    for requirement in asked(PROJECT["dependencies"]):
        least = str(requirement.specifier).removeprefix(">=")
        assert f"| {requirement.name} | {least} |" in INVENTORY


def test_few_libraries_are_needed():
    assert len(PROJECT["dependencies"]) <= 6
    assert len(audit.pinned(lock("core"))) <= 18


def test_the_inventory_counts_the_recorded_checksums():
    recorded = json.loads((ROOT / "tests" / "same_bytes.json").read_text("utf-8"))
    assert f"the SHA-256 of {len(recorded)} files" in INVENTORY


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "lock.txt"
    path.write_text(text)
    return path


def answering(tmp_path: Path, answer: str) -> str:
    """A program in the place of pip-audit that gives one answer."""
    tool = tmp_path / "pip-audit"
    tool.write_text(f"#!/bin/sh\necho '{answer}'\n")
    tool.chmod(0o755)
    return str(tool)


def test_an_audit_without_an_answer_is_no_audit(tmp_path):
    path = written(tmp_path, "one==1.0 \\\n    --hash=sha256:00\ntwo[more]==2.0 ; python_version < '4' \\\n")
    assert audit.judged(path, [{"name": "one", "skip_reason": "no connection"}]) == ([], ["one", "two"], 0)
    answers = [{"name": "one", "version": "1.0", "vulns": []}, {"name": "two", "version": "2.0", "vulns": []}]
    assert audit.judged(path, answers) == ([], [], 2)


def test_an_audit_tells_of_what_is_known(tmp_path):
    path = written(tmp_path, "one==1.0 \\\n")
    flaw = {"id": "PYSEC-1", "fix_versions": ["1.1"]}
    known, unasked, count = audit.judged(path, [{"name": "one", "version": "1.0", "vulns": [flaw]}])
    assert known == ["one 1.0: PYSEC-1, mended in 1.1"]
    assert (unasked, count) == ([], 1)


@pytest.mark.parametrize("answer", ['{"dependencies": []}', "no route to host"])
def test_make_audit_says_what_was_not_audited(tmp_path, capsys, answer):
    path = written(tmp_path, "one==1.0 \\\n")
    assert audit.main(answering(tmp_path, answer), str(path)) == 0
    assert "not audited: one 1.0" in capsys.readouterr().out


def test_make_audit_fails_where_a_vulnerability_is_known(tmp_path, capsys):
    path = written(tmp_path, "one==1.0 \\\n")
    answer = {"dependencies": [{"name": "one", "version": "1.0", "vulns": [{"id": "X", "fix_versions": []}]}]}
    assert audit.main(answering(tmp_path, json.dumps(answer)), str(path)) == 1
    assert "X, mended in no version yet" in capsys.readouterr().out
