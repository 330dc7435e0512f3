"""Every parser by the way that a user takes: each target is given the place, a generator and the bytes of a case."""

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
    """A hierarchy file that is read is written and read again as it was."""
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
    """The spelling of a hierarchy on the command line's table."""
    column = rng.choice(["age", "zip", "disease"])
    asked = ASKED | {"quasi_identifiers": [column], "hierarchies": {column: _text(content)}}
    shoal.anonymize("table.csv", **asked)


def requirement(place, rng, content):
    """A requirement in words."""
    shoal.assess("table.csv", quasi_identifiers=["sex"], sensitive="disease", require=_text(content))


def configuration(place, rng, content):
    """A configuration file through the command line."""
    if _leaves_the_place(content):
        raise SkippedError
    _command(place, "anonymize", "--config", place.put("case.toml", content))


def report(place, rng, content):
    """The report of an earlier release, damaged as a file, or changed within and signed again."""
    if rng.random() < 0.6:
        content = _signed(changed(rng, json.loads(rng.choice(members("reports")))["generalization"]))
    earlier = place.put("case.json", content)
    if rng.random() < 0.05:
        _command(place, "apply", earlier, "table.csv", "-o", "next.csv", "--report", "next.json", "--quiet")
    else:
        shoal.apply(earlier, "table.csv", max_suppression=rng.choice([None, 1.0])).save("next.csv")


def address(place, rng, content):
    """The address of a table in a database, whose server is away."""
    shoal.read(_text(content), query=rng.choice([None, None, "SELECT * FROM patients", "DROP TABLE patients", ""]))


@dataclass(frozen=True)
class Target:
    """A way to take, the corpus it starts from, and how many of its cases there are for one of the slowest."""

    run: Callable
    corpus: str
    share: int

    def content(self, rng):
        """The bytes of a case."""
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
    """The members of a corpus: files of a folder, or texts in a file."""
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
    """Bytes as a word of a command line, which Python gives with halves of characters for what is no UTF-8."""
    return content.replace(b"\0", b"").decode("utf-8", "surrogateescape")


def _signed(plain):
    """A report around a generalization, with the checksum of what stands in it."""
    if isinstance(plain, dict):
        plain.pop("sha256", None)
        content = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        plain = plain | {"sha256": hashlib.sha256(content.encode()).hexdigest()}
    return json.dumps({"generalization": plain}).encode()


def _leaves_the_place(content):
    """Whether a configuration names files that are not in the place of the campaign."""
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
    """Run a command: done, or refused by one line on standard error, and then without a trace."""
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
