"""Cases in which several rows are about one person: who they are, which columns change, and what is promised."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import replace

from oracles.second_verifier.people import fewest, owners
from shoal.algorithms import ALGORITHMS
from soak.cases import COMMANDS, FILES, FRAMES, draw_case
from soak.columns import Column
from soak.models import draw_models

IN_MEMORY = (*FRAMES, *FILES, *COMMANDS)
MAX_ROWS = 40  # of one person
COUNT_PEOPLE = tuple(name for name, kind in ALGORITHMS.items() if kind().counts_people)
WHO, HOME = "who", "home"
KINDS = {
    "str": lambda number: f"P{number:03}",
    "int": lambda number: str(7 * number - 20),
    "float": lambda number: f"{number}.5",
    "date": lambda number: f"19{10 + number % 80}-0{1 + number // 80}-11",
    "bool": lambda number: "true" if number % 2 else "false",
}


def draw_people_case(seed, ways=IN_MEMORY):
    """The case of a seed with people drawn into its rows."""
    case, rng = draw_case(seed, ways), random.Random(f"people {seed}")
    rows = len(case.columns[0].texts)
    whose = _whose(rng, rows)
    case = _roles(case, rng, whose)
    secret = [case.column(name) for name in case.sensitive]
    models = (
        draw_models(rng, secret, max(4, len(set(whose)) // 2)) if case.people or rng.random() < 0.5 else case.models
    )
    unit, linked = case.unit, _linked(case)
    if not unit:
        raise AssertionError("a case of people names no unit")
    algorithm, parameters = case.algorithm, case.parameters
    if linked and rng.random() < 0.95:
        algorithm, parameters = "auto", {}
    elif not linked and rng.random() < 0.5:
        algorithm = COUNT_PEOPLE[seed // len(ways) % len(COUNT_PEOPLE)]
        parameters = parameters if algorithm == case.algorithm else {}
    return replace(
        case,
        models=models,
        people=(),
        algorithm=algorithm,
        parameters=parameters,
        max_suppression=rng.choice([case.max_suppression, 0.3, 0.6]) if linked else case.max_suppression,
        suppressed="drop" if linked else case.suppressed,
        order="shuffled",
        class_column=None if linked else case.class_column,
    )


def _fitting(models, people, *, linked):
    """The models with a k that so many people can satisfy; where rows can be linked, without those of all classes."""
    most = max(2, people // (6 if linked else 3))
    kept = [model for model in models if model["model"] != "average-risk" or not linked]
    kept = [model | {"k": min(model["k"], most)} if "k" in model else model for model in kept]
    return kept or [{"model": "k-anonymity", "k": 2}]


def unit_of(case):
    """What the count of people needs to know."""
    promise = case.unit.get("promise") or ("classes" if not _linked(case) else "profiles")
    return {
        "column": case.unit.get("unit"),
        "group": case.unit.get("group"),
        "promise": "households" if case.unit.get("group") else promise,
        "strict": case.unit.get("strict", False),
        "missing": case.unit.get("missing_units", "refuse"),
    }


def models_of_people(models, *, strict):
    """The models with as many people as they need, and where it is strict, with the share that a person may have."""
    least = fewest(models)
    found = [*models, {"model": "k-anonymity", "k": least}]
    return found + ([{"model": "limited-contribution", "k": least}] if strict else [])


def shares_told(done, case):
    """What is wrong in the report about the rows of people, counted again."""
    figures = done.report["people"]
    missing = set(case.missing)
    looked_at = (*case.quasi, *case.sensitive) if case.drop_missing else ()
    kept = [row for row in done.original if not any(row[name] is None or row[name] in missing for name in looked_at)]
    whose = dict(zip((row["row"] for row in kept), owners(kept, case.unit.get("unit"), missing), strict=True))
    classes = defaultdict(Counter)
    for row in done.released:
        classes[tuple(row[name] for name in case.quasi)][whose[row["row"]]] += 1
    shares = [max(people.values()) / people.total() for people in classes.values()]
    problems = []
    if figures["most_rows_of_a_person"] != max(Counter(whose.values()).values()):
        problems.append("report: the most rows of a person are others")
    if not any(abs(figures["largest_share_of_a_class"] - share) < 1e-5 for share in shares):
        problems.append("report: the largest share of a class is of none of the classes")
    return problems


def _linked(case):
    unit = case.unit
    return bool(unit.get("group")) or unit.get("promise") == "profiles" or unit.get("unit") in case.pseudonymized


def _whose(rng, rows):
    """The number of each row's person: a few rows each, very different numbers, or one person with half of the rows."""
    shape = rng.choice(["even", "even", "equal", "equal", "equal", "skewed", "skewed", "half", "alone", "all one"])
    if shape == "all one" and rng.random() < 0.8:
        shape = "even"
    if shape == "alone":
        return list(range(rows))
    if shape == "all one":
        return [0] * rows
    if shape == "equal":
        many = rng.choice([2, 2, 3, 4])
        return rng.sample([row // many for row in range(rows)], rows)
    if shape == "even":
        people = max(1, round(rows / rng.choice([1.2, 1.5, 2, 3, 6])))
        return [rng.randrange(people) for _ in range(rows)]
    whose, person = [0] * (min(MAX_ROWS, rows // 2) if shape == "half" else 0), 1
    while len(whose) < rows:
        many = min(MAX_ROWS, 1 + int(rng.expovariate(rng.choice([2, 0.5, 0.5, 0.1]))))
        whose += [person] * many
        person += 1
    whose = whose[:rows]
    if rng.random() < 0.7:
        rng.shuffle(whose)
    return whose


def _roles(case, rng, whose):
    """The case with columns of the person and the household, and columns that stay the same for a person."""
    static = rng.choice(["all", "some", "none"])
    named = {*case.quasi, *case.sensitive}
    columns = [
        _static(column, whose) if column.name in named and _stays(rng, static) else column for column in case.columns
    ]
    promise = rng.choice(["classes"] * 5 + ["profiles"] * 2 + ["households"] * 2)
    kind = rng.choice(["str", "str", "int", "float", "date", "bool" if rng.random() < 0.1 else "str"])
    numbers = rng.sample(range(400), max(whose) + 1)
    who = Column(WHO, [KINDS[kind](numbers[person]) for person in whose], kind)
    unit = {"unit": WHO}
    if rng.random() < 0.2:
        share = rng.choice([0.05, 0.3])
        who = replace(who, texts=[None if rng.random() < share else text for text in who.texts])
        unit |= {"missing_units": "own"} if rng.random() < 0.9 else {}
    pseudonymized = tuple(name for name in case.pseudonymized if rng.random() < 0.2)
    home = []
    if promise == "households":
        size = rng.choice([1, 2, 3])
        homes = [f"H{(row if rng.random() < 0.02 else person) // size}" for row, person in enumerate(whose)]
        home = [Column(HOME, homes, "str")]
        unit |= {"group": HOME}
        if rng.random() < 0.4:
            unit, who = {"group": HOME}, None
            home = [Column(HOME, [f"H{person}" for person in whose], "str")]
        if rng.random() < 0.3:
            pseudonymized += (HOME,)
    elif promise == "profiles":
        if rng.random() < 0.8:
            pseudonymized += (WHO,)
        if WHO not in pseudonymized or rng.random() < 0.2:
            unit |= {"promise": "profiles"}
    else:
        unit |= {"strict": True} if rng.random() < 0.25 else {}
        unit |= {"promise": "classes"} if rng.random() < 0.2 else {}
    added = [*([who] if who is not None else []), *home]
    for column in added:
        columns.insert(rng.randrange(len(columns) + 1), column)
    gone = tuple(column.name for column in added if column.name not in pseudonymized)
    return replace(
        case,
        columns=tuple(columns),
        identifying=(*case.identifying, *gone),
        pseudonymized=pseudonymized,
        unit=unit,
    )


def _stays(rng, static):
    return static == "all" or (static == "some" and rng.random() < 0.5)


def _static(column, whose):
    """The column with each person's first value in all of their rows."""
    first = {}
    for person, text in zip(whose, column.texts, strict=True):
        first.setdefault(person, text)
    return replace(column, texts=[first[person] for person in whose])
