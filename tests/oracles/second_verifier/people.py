"""People instead of rows: whose a row is, and whether sets of rows that can be linked are shared by enough of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import ceil

from .models import Group, exact, failing

PROMISES = ("classes", "profiles", "households")


def check_unit(case, columns):
    """Refuse a unit that is not as it must be, or whose column would stay in the release."""
    unit = case.get("unit")
    if unit is None:
        return
    named = [name for name in (unit["column"], unit["group"]) if name is not None]
    gone = [*case.get("identifying", []), *case.get("pseudonymized", [])]
    if not named or unit["promise"] not in PROMISES or any(name not in columns or name not in gone for name in named):
        raise ValueError(f"The unit {unit} names a column that is not there or stays, or a promise that is not known.")
    if unit["promise"] == "households" and unit["group"] is None:
        raise ValueError("A promise to households needs their column.")
    linked = unit["column"] in case.get("pseudonymized", [])
    if linked and unit["promise"] != "profiles":
        raise ValueError("A pseudonymized column of people needs the promise of profiles.")
    if unit["strict"] and all(model["model"] != "limited-contribution" for model in case["models"]):
        raise ValueError("A strict unit needs the model limited-contribution.")


def owners(rows, column, missing):
    """The owner of each row; one that is missing owns this row alone."""
    return [
        ("row", number) if column is None or is_nobody(row[column], missing) else ("value", row[column])
        for number, row in enumerate(rows)
    ]


def is_nobody(value, missing):
    """Whether a value names nobody: a missing or a blank one."""
    return value is None or value in missing or not value.strip()


def fewest(models):
    """The fewest people that the models allow together."""
    found = [1]
    for model in models:
        found += [ceil(exact(model[name])) for name in ("k", "l", "p") if name in model]
        found += [ceil(1 / exact(model["alpha"]))] if model["model"] == "alpha-k" else []
        found += [ceil(1 / exact(model["risk"]))] if model["model"] == "highest-risk" else []
    return max(found)


def unshared(models, linked, whole, sensitive):
    """How many sets of rows that can be linked are shared by too few, how many sets there are, and the fewest sharing.

    `linked` has for each released row: who can link it, its class, its person and its sensitive values.
    """
    sets = defaultdict(Counter)
    for owner, key, _, _ in linked:
        sets[owner][key] += 1
    profile = {owner: frozenset(rows.items()) for owner, rows in sets.items()}
    sharing, members = Counter(profile.values()), defaultdict(list)
    for owner, _, person, values in linked:
        members[profile[owner]].append((values, person))
    groups = [
        Group([values for values, _ in some], sensitive, owners=[person for _, person in some])
        for some in members.values()
    ]
    few = {place for place, one in enumerate(members) if sharing[one] < fewest(models)}
    return len(few | failing(models, groups, whole, sensitive)), len(members), min(sharing.values())
