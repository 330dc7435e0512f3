"""The second verifier accepts a sound release and refuses each kind of broken one."""

from __future__ import annotations

import ast
import csv
import json
import random
import subprocess
import sys
from copy import deepcopy
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from oracles import models as literal
from oracles.second_verifier import verify
from oracles.second_verifier.models import Group, closeness
from soak.trees import Drawn

FOLDER = Path(__file__).parents[1] / "oracles" / "second_verifier"
TREE = {"13053": ["130**", "*"], "13068": ["130**", "*"], "14850": ["148**", "*"], "14853": ["148**", "*"]}
CASE = {
    "quasi": {
        "age": {"kind": "numbers"},
        "zip": {"kind": "tree", "paths": TREE},
        "job": {"kind": "sets"},
        "size": {"kind": "order", "values": ["S", "M", "L"]},
        "born": {"kind": "dates"},
    },
    "sensitive": ["illness"],
    "identifying": ["name"],
    "models": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 2}],
    "max_suppressed": 1,
    "missing": [""],
    "report": {"k": 3, "classes": 2, "rows": 7, "suppressed_rows": 1},
}
COLUMNS = ("name", "age", "zip", "job", "size", "born", "illness", "visits")
ORIGINAL = [
    ("Ann", "30", "13053", "cook", "S", "2000-01-01", "flu", "1"),
    ("Bob", "-4", "14850", "", "L", "1990-05-05", "cold", "2"),
    ("Cid", "36", "13068", "nurse", "M", "2000-01-11", "cold", "3"),
    ("Dan", "31", "13053", "cook", "S", "2000-01-06", "flu", "4"),
    ("Eve", "", "14853", "clerk", "L", "1999-12-31", "flu", "5"),
    ("Fay", "16", "14850", "clerk", "L", "1990-05-05", "flu", "6"),
    ("Gus", "90", "14850", "judge", "S", "2004-05-05", "cold", "7"),
]
FIRST = ("30-36", "130**", "cook | nurse", "S - M", "2000-01-01 - 2000-01-11")
SECOND = ("*", "148**", "? | clerk", "L", "1990-05-05 - 1999-12-31")
# The loss by hand, column by column: three rows of the first class, three of the second, and a suppressed one.
DAYS = (date(2004, 5, 5) - date(1990, 5, 5)).days
LOSS = [
    Fraction(3 * 6, 94) + 3 + 1,
    3 * Fraction(1, 3) + 3 * Fraction(1, 3) + 1,
    3 * Fraction(1, 4) + 3 * Fraction(1, 4) + 1,
    3 * Fraction(1, 2) + 0 + 1,
    Fraction(3 * 10 + 3 * (date(1999, 12, 31) - date(1990, 5, 5)).days, DAYS) + 1,
]
CASE["report"]["loss"] = float(sum(LOSS) / 35)
LABELS = [FIRST, SECOND, FIRST, FIRST, SECOND, SECOND, ("*",) * 5]


def original():
    return [dict(zip(COLUMNS, row, strict=True)) for row in ORIGINAL]


def released():
    return [
        dict(zip(COLUMNS[1:], (*labels, *row[-2:]), strict=True)) for labels, row in zip(LABELS, ORIGINAL, strict=True)
    ]


def problems(change, case=None):
    """Return the problems of the release after a change."""
    rows, asked = released(), deepcopy(case or CASE)
    changed = change(rows, asked)
    return verify(original(), rows if changed is None else changed, asked)


def test_a_sound_release_is_accepted():
    assert problems(lambda rows, case: None) == []


MUTATIONS = {
    "a range that ends too early": lambda rows, case: rows[2].update(age="30-35"),
    "a value that is another one": lambda rows, case: rows[0].update(age="31"),
    "a group of other values": lambda rows, case: rows[0].update(zip="148**"),
    "a label that no tree knows": lambda rows, case: rows[0].update(zip="13***"),
    "a set without the value": lambda rows, case: rows[0].update(job="clerk | nurse"),
    "a set that hides the missing value": lambda rows, case: rows[1].update(job="clerk"),
    "a range of the order without the value": lambda rows, case: rows[2].update(size="S"),
    "a range of dates without the value": lambda rows, case: rows[2].update(born="2000-01-01 - 2000-01-10"),
    "missing shown for a value": lambda rows, case: rows[0].update(age="?"),
    "no label at all": lambda rows, case: rows[0].update(age=None),
    "a lost row": lambda rows, case: [*rows[:3], *rows[4:]],
    "a row twice": lambda rows, case: [*rows, rows[0]],
    "two rows in each other's place": lambda rows, case: [rows[2], rows[1], rows[0], *rows[3:]],
    "another sensitive value": lambda rows, case: rows[0].update(illness="cold"),
    "another value of another column": lambda rows, case: rows[0].update(visits="9"),
    "an identifying column": lambda rows, case: [{"name": "x"} | row for row in rows],
    "an invented column": lambda rows, case: [row | {"new": "x"} for row in rows],
    "a column less": lambda rows, case: [{name: row[name] for name in row if name != "visits"} for row in rows],
    "columns in another order": lambda rows, case: [dict(reversed(row.items())) for row in rows],
    "a class that shrinks": lambda rows, case: rows[0].update(zip="*"),
    "more rows suppressed than allowed": lambda rows, case: case.update(max_suppressed=0),
    "another row suppressed": lambda rows, case: rows[0].update(dict.fromkeys(CASE["quasi"], "*")),
    "a loss that is not the reported one": lambda rows, case: case["report"].update(loss=CASE["report"]["loss"] + 1e-8),
    "a smaller k than reported": lambda rows, case: case["report"].update(k=4),
    "more classes than reported": lambda rows, case: case["report"].update(classes=1),
    "more rows suppressed than there are": lambda rows, case: case["report"].update(suppressed_rows=2),
    "no rows": lambda rows, case: [],
    "a model that does not hold": lambda rows, case: case["models"].append({"model": "frequency-l", "l": 2}),
}


@pytest.mark.parametrize("change", MUTATIONS.values(), ids=MUTATIONS.keys())
def test_a_release_that_breaks_a_promise_is_refused(change):
    assert problems(change)


def test_rows_that_may_be_dropped_may_be_those_that_fit_nowhere_else():
    drop = CASE | {"suppressed": "drop"}
    assert problems(lambda rows, case: rows[:-1], drop) == []
    assert problems(lambda rows, case: rows[:-2], drop)
    assert problems(lambda rows, case: [rows[1], rows[0], *rows[2:-1]], drop)


def test_rows_by_class_are_found_by_a_column():
    by_class = CASE | {"order": "classes", "match": "visits"}
    order = [0, 2, 3, 1, 4, 5, 6]
    assert problems(lambda rows, case: [rows[at] for at in order], by_class) == []
    assert problems(lambda rows, case: [rows[at] for at in [2, 0, 3, 1, 4, 5, 6]], by_class)
    assert problems(lambda rows, case: [rows[at] for at in [0, 2, 1, 3, 4, 5, 6]], by_class)
    assert problems(lambda rows, case: [rows[at] for at in [0, 2, 2, 1, 4, 5, 6]], by_class)


# Each model with parameters at its very edge, for a class of three flu and one cold in a table of four and four.
EDGES = [
    ({"model": "k-anonymity"}, "k", 4, 5),
    ({"model": "highest-risk"}, "risk", 0.25, 0.2499),
    ({"model": "average-risk"}, "risk", 0.25, 0.2499),
    ({"model": "distinct-l"}, "l", 2, 3),
    ({"model": "frequency-l"}, "l", "4/3", 1.34),
    ({"model": "entropy-l"}, "l", 1.7547, 1.7549),
    ({"model": "recursive-cl", "l": 2}, "c", 3.01, 3),
    ({"model": "t-closeness"}, "t", 0.25, 0.2499),
    ({"model": "t-closeness", "distance": "ordered", "order": ["cold", "flu"]}, "t", 0.25, 0.2499),
    ({"model": "t-closeness", "distance": "hierarchical", "paths": {"flu": ["*"], "cold": ["*"]}}, "t", 0.25, 0.24),
    ({"model": "alpha-k", "k": 4}, "alpha", 0.75, 0.7499),
    ({"model": "p-sensitive-k", "k": 4}, "p", 2, 3),
    ({"model": "beta-likeness"}, "beta", 0.5, 0.4999),
    ({"model": "beta-likeness", "enhanced": True}, "beta", 0.5, 0.4999),
    ({"model": "delta-disclosure"}, "delta", 0.6932, 0.6931),
]


@pytest.mark.parametrize(("model", "name", "holds", "fails"), EDGES)
def test_models_are_decided_at_their_edge(model, name, holds, fails):
    values = ["flu", "flu", "flu", "cold", "cold", "cold", "cold", "flu"]
    rows = [{"x": "1" if at < 4 else "2", "s": value} for at, value in enumerate(values)]
    case = {"quasi": {"x": {"kind": "numbers"}}, "sensitive": ["s"]}
    assert verify(rows, rows, case | {"models": [model | {name: holds}]}) == []
    assert verify(rows, rows, case | {"models": [model | {name: fails}]})


def test_models_of_a_population_count_those_who_fit():
    rows = [{"x": "1"}, {"x": "2"}, {"x": "5"}]
    shown = [{"x": "1-2"}, {"x": "1-2"}, {"x": "5"}]
    people = [{"x": value} for value in ("1", "2", "2", "5", "5", "9")]
    case = {"quasi": {"x": {"kind": "numbers"}}}

    def found(**model):
        return verify(rows, shown, case | {"models": [model]}, people)

    assert found(model="k-map", k=2) == []
    assert found(model="k-map", k=3)
    assert found(model="delta-presence", low=0, high=0.67) == []
    assert found(model="delta-presence", low=0, high=0.66)
    assert "told that they are not" in found(model="delta-presence", low=0.4, high=0.9)[0]


@pytest.mark.parametrize("seed", range(30))
def test_the_distance_in_a_tree_is_that_of_the_cheapest_way_to_carry(seed):
    rng = random.Random(seed)
    leaves = [f"v{number}" for number in range(rng.randint(2, 6))]
    paths = Drawn(rng, leaves).paths()
    full = {leaf: (leaf, *above) for leaf, above in paths.items()}
    table = leaves + [rng.choice(leaves) for _ in range(8)]
    values = rng.sample(table, rng.randint(1, 5))
    heights = {}
    for path in full.values():
        for at in range(len(path)):
            heights[path[at:]] = max(heights.get(path[at:], 0), at)

    def ground(one, other):
        above = [full[one][at:] for at in range(len(full[one]))]
        shared = next(node for node in above if full[other][-len(node) :] == node)
        return Fraction(heights[shared], max(map(len, full.values())) - 1)

    distance = literal.earth_movers_distance(values, table, ground)
    whole, group = (Group([{"s": value} for value in rows], ["s"]) for rows in (table, values))
    asked = {"distance": "hierarchical", "paths": paths}
    assert closeness(asked | {"t": distance}, group, "s", whole)
    assert distance == 0 or not closeness(asked | {"t": distance - Fraction(1, 10**9)}, group, "s", whole)


BAD = {
    "a key that is not known": {"max_supressed": 3},
    "no quasi-identifier": {"quasi": {}},
    "no model": {"models": []},
    "a model that is not known": {"models": [{"model": "k"}]},
    "a column that is not there": {"identifying": ["nobody"]},
    "a column with two roles": {"identifying": ["illness"]},
    "a model of no column": {"sensitive": []},
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD.keys())
def test_a_case_that_would_be_checked_in_part_is_refused(change, tmp_path):
    with pytest.raises(ValueError, match=r"known|columns|needs"):
        verify(original(), released(), CASE | change)
    done = run_alone(tmp_path, released(), CASE | change)
    assert done.returncode == 2
    assert done.stderr.startswith("This cannot be checked: ValueError")


def test_it_shares_no_code_with_the_package():
    for file in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            own = {"second_verifier"} if file.name == "__main__.py" else set()
            assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names | own, file


def run_alone(folder, rows, case):
    for name, content in (("a.csv", original()), ("b.csv", rows)):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, content[0])
            writer.writeheader()
            writer.writerows(content)
    (folder / "case.json").write_text(json.dumps(case), encoding="utf-8")
    words = [sys.executable, "-I", str(FOLDER), "--original", "a.csv", "--release", "b.csv", "--case", "case.json"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


def test_it_runs_alone_on_files(tmp_path):
    done = run_alone(tmp_path, released(), CASE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "rows: 7 of 7 once and in order, 35 labels cover" in done.stdout
    rows = released()
    rows[0]["age"] = "31-36"
    done = run_alone(tmp_path, rows, CASE)
    assert done.returncode == 1
    assert "column 'age' shows '31-36' for '30'" in done.stdout
