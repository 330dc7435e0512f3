"""Every parser as users reach it: each target gets the folder, a random generator and the bytes of a case."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass

import shoal
from fuzz import names, tables
from fuzz.mutator import changed, mutated
from fuzz.outcomes import SkippedError, WrongError, check_sentence
from fuzz.places import CORPUS

ASKED = {"quasi_identifiers": ["age", "zip"], "model": shoal.KAnonymity(2), "algorithm": "mondrian"}


def hierarchy(place, rng, content):
    """Read a hierarchy file, write it, and read it back unchanged."""
    tree = shoal.Hierarchy.from_file(place.put("case.txt", content))
    for label in tree.leaves[:5]:
        if tree.path(label)[-1] != tree.root:
            raise WrongError(f"{label!r} does not end at the root")
    for form in ("tab-tree", "pairs", "levels"):
        try:
            again = shoal.Hierarchy.from_file(tree.save("again.csv", format=form))
        except shoal.HierarchyError as error:
            check_sentence(str(error))
            continue
        if again != tree and sorted(map(again.path, again.leaves)) != sorted(map(tree.path, tree.leaves)):
            raise WrongError(f"written as {form} it is another tree")


def spelling(place, rng, content):
    """Use a hierarchy spelling of the command line."""
    column = rng.choice(["age", "zip", "disease"])
    asked = ASKED | {"quasi_identifiers": [column], "hierarchies": {column: _text(content)}}
    shoal.anonymize("table.csv", **asked)


def requirement(place, rng, content):
    """Parse a requirement in words."""
    shoal.assess("table.csv", quasi_identifiers=["sex"], sensitive="disease", require=_text(content))


def configuration(place, rng, content):
    """Pass a configuration file to the command line."""
    if _leaves_the_place(content):
        raise SkippedError
    _command(place, "anonymize", "--config", place.put("case.toml", content))


def report(place, rng, content):
    """Apply the report of an earlier release, damaged as a file, or changed inside and signed again."""
    if rng.random() < 0.6:
        content = _signed(changed(rng, json.loads(rng.choice(members("reports")))["generalization"]))
    earlier = place.put("case.json", content)
    if rng.random() < 0.05:
        _command(place, "apply", earlier, "table.csv", "-o", "next.csv", "--report", "next.json", "--quiet")
    else:
        shoal.apply(earlier, "table.csv", max_suppression=rng.choice([None, 1.0])).save("next.csv")


def address(place, rng, content):
    """Read a table in a database by its address, with no server within reach."""
    shoal.read(_text(content), query=rng.choice([None, None, "SELECT * FROM patients", "DROP TABLE patients", ""]))


@dataclass(frozen=True)
class Target:
    """A parser, the corpus its cases start from, and the number of its cases for each case of the slowest target."""

    run: Callable
    corpus: str
    share: int

    def content(self, rng):
        """Return the bytes of a case."""
        return mutated(rng, members(self.corpus))


TARGETS = {
    "names": Target(names.read_and_write, "names.json", 4),
    "tables": Target(tables.read_and_release, "tables", 8),
    "hierarchies": Target(hierarchy, "hierarchies", 8),
    "spellings": Target(spelling, "spellings.json", 4),
    "requirements": Target(requirement, "requirements.json", 4),
    "configurations": Target(configuration, "configurations", 3),
    "reports": Target(report, "reports", 4),
    "addresses": Target(address, "addresses.json", 5),
}
_MEMBERS = {}


def members(name):
    """Return the members of a corpus: files in a folder, or texts in a file."""
    if name not in _MEMBERS:
        path = CORPUS / name
        files = sorted(path.iterdir()) if path.is_dir() else []
        texts = [] if path.is_dir() else json.loads(path.read_text(encoding="utf-8"))
        _MEMBERS[name] = [
            *(one.read_bytes() for one in files),
            *(text.encode("utf-8", "surrogatepass") for text in texts),
        ]
    return _MEMBERS[name]


def _text(content):
    """Decode bytes as a word of the command line, with surrogates for bytes that are not UTF-8."""
    return content.replace(b"\0", b"").decode("utf-8", "surrogateescape")


def _signed(plain):
    """Return a report with a generalization and the checksum of its content."""
    if isinstance(plain, dict):
        plain.pop("sha256", None)
        content = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        plain = plain | {"sha256": hashlib.sha256(content.encode()).hexdigest()}
    return json.dumps({"generalization": plain}).encode()


def _leaves_the_place(content):
    """Tell whether a configuration names files outside the folder of the campaign."""
    try:
        waiting = [tomllib.loads(content.decode("utf-8-sig"))]
    except (ValueError, RecursionError):
        return False
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            waiting += one.values() if isinstance(one, dict) else one
        elif isinstance(one, str) and (
            one.startswith(("/", "~")) or ("://" in one and "////" in one) or "../../.." in one
        ):
            return True
    return False


def _command(place, *words):
    """Run a command: it succeeds, or refuses with one line on standard error and leaves no files."""
    from typer.testing import CliRunner

    from shoal.cli.app import app

    result = CliRunner().invoke(app, list(words))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in (0, 2, 3):
        raise WrongError(f"exit code {result.exit_code}: {result.stderr}")
    if result.exit_code == 0:
        return
    if result.stderr.startswith("Usage:"):
        raise shoal.InputError("The options cannot be read.")
    said = [line for line in result.stderr.rstrip("\n").split("\n") if not line.startswith("warning: ")]
    if len(said) != 1 or not said[0].startswith("shoal: "):
        raise WrongError(f"refused in other words than one sentence: {result.stderr!r}")
    raise shoal.InputError(said[0].removeprefix("shoal: "))
