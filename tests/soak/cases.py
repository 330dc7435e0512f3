"""Random cases by seed: a table, the roles of its columns, what is asked of it, and the way it is asked."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor

from shoal.algorithms import ALGORITHMS
from soak.algorithms import BY_DIFFERENT_ROWS, NEED_TREES, draw_parameters
from soak.columns import NAMES, Column, draw_column, sensitive_column
from soak.guides import Guide, draw_guide
from soak.models import draw_models
from soak.traces import DIARY

FRAMES = ("pandas", "polars", "pyarrow")
FILES = ("csv", "parquet")
COMMANDS = ("command csv", "command parquet")
PARTS = ("out of core csv", "out of core parquet", "out of core folder", "command out of core")
WAYS = (*FRAMES, *FILES, *COMMANDS, *PARTS)
SPARK = ("spark frame", "spark folder", "spark parquet")
NESTED = ("polars", "pyarrow", "parquet", "command parquet", "out of core parquet")  # ways of columns within columns
TEXT = ("csv", "command csv", "out of core csv", "out of core folder", "command out of core", "spark folder")
NOTES = ["plain", "", "two\nlines", 'a "quoted" word', "comma, separated", " blanks ", "naïve ☃", "=1+1", "?"]


@dataclass(frozen=True)
class Case:
    """All that one run is given; the column `row` tells the rows apart."""

    seed: int
    way: str
    columns: tuple[Column, ...]
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    identifying: tuple[str, ...]
    pseudonymized: tuple[str, ...]
    guides: dict[str, Guide]
    models: list[dict]
    people: tuple[Column, ...]
    algorithm: str
    parameters: dict
    max_suppression: float | int
    suppressed: str
    order: str
    class_column: str | None
    missing: tuple[str, ...]
    mark: str  # what stands in a text file where a value is missing
    drop_missing: bool
    style: dict
    separator: str
    line_end: str
    block_rows: int | None
    categorical: bool  # text as categories, where a frame or a file can have such
    unit: dict = field(default_factory=dict)  # the arguments that name people, where several rows can be about one

    @property
    def typed(self):
        """Whether the columns have types, as in frames and Parquet files."""
        return self.way not in TEXT

    @property
    def command(self):
        """Whether it goes by the command line."""
        return self.way.startswith("command")

    @property
    def keyed(self):
        """Whether there is a key, with which ranges are stepped by default."""
        return bool(self.pseudonymized) or self.seed % 3 == 0

    @property
    def kept(self):
        """The columns without another role, which the review lets pass."""
        roles = (*self.quasi, *self.sensitive, *self.identifying, *self.pseudonymized)
        roles += tuple(name for name in self.unit.values() if isinstance(name, str))
        return tuple(column.name for column in self.columns if column.name not in roles)

    def column(self, name):
        """The column of a name."""
        return next(column for column in self.columns if column.name == name)

    def budget(self, rows):
        """The rows that may be suppressed."""
        if isinstance(self.max_suppression, int):
            return min(self.max_suppression, rows)
        return floor(Fraction(str(self.max_suppression)) * rows)


def algorithms_for(way):
    """The algorithms that a way takes."""
    return BY_DIFFERENT_ROWS if way in (*PARTS, *SPARK) else tuple(ALGORITHMS)


def draw_case(seed, ways=WAYS):
    """The case of a seed; neighbouring seeds go through all ways, then through all algorithms."""
    rng = random.Random(f"shoal {seed}")
    way = ways[seed % len(ways)]
    known = algorithms_for(way)
    algorithm = known[seed // len(ways) % len(known)]
    in_memory = way not in (*PARTS, *SPARK)
    command = way.startswith("command")
    rows = rng.choice([rng.randint(2, 9), rng.randint(8, 30), rng.randint(20, 60), rng.randint(20, 120)])
    names = rng.sample(NAMES, rng.choice([1, 2, 2, 3, 3, 4]))
    quasi = [draw_column(rng, name, rows) for name in names]
    if way in SPARK:  # whose times have zones
        quasi = [replace(column, type="str") if column.type == "time" else column for column in quasi]
    secret = [sensitive_column(rng, name, rows) for name in ["disease", "Beruf 1"][: rng.choice([0, 1, 1, 1, 2])]]
    models = draw_models(rng, secret, rows)
    with_trees = algorithm in NEED_TREES
    asks_people = in_memory and rng.random() < (0.2 if with_trees or algorithm in ("auto", "mondrian") else 0.01)
    if asks_people:  # a value named as everything is one that everybody fits
        quasi = [replace(column, texts=["x" if text == "*" else text for text in column.texts]) for column in quasi]
    people = _people(rng, quasi) if asks_people else ()
    models = _population_models(rng, models, rows, len(people[0].texts), command=command) if people else models
    more = {column.name: [text for text in column.texts if text is not None] for column in people}
    guides = {
        column.name: draw_guide(rng, column, command=command, trees=with_trees, more=more.get(column.name, ()))
        for column in quasi
    }
    row = Column("row", [str(number) for number in rng.sample(range(1000), rows)], "int")
    note = Column("note", [rng.choice(NOTES) for _ in range(rows)], "str")
    name = Column("name", [f"person {number}" for number in range(rows)], "str")
    key = Column("insurance no", [f"X{rng.randrange(rows)}" for _ in range(rows)], "str")
    others = [column for column in (note, name, key) if rng.random() < 0.5]
    columns = [*quasi, *secret, *others]
    rng.shuffle(columns)
    columns.insert(rng.randrange(len(columns) + 1), row)
    columns += _diary(random.Random(f"diary {seed}"), rows) if way in NESTED else []
    marks = rng.choice([("",), ("", "NA"), ("NA",), ("?", ""), ("n/a",)])
    return Case(
        seed=seed,
        way=way,
        columns=tuple(columns),
        quasi=tuple(rng.sample(names, len(names))),
        sensitive=tuple(column.name for column in secret),
        identifying=("name",) if name in others else (),
        pseudonymized=("insurance no",) if key in others and rng.random() < 0.5 else (),
        guides={name: guide for name, guide in guides.items() if guide is not None},
        models=models,
        people=people,
        algorithm=algorithm,
        parameters=draw_parameters(rng, algorithm, names),
        max_suppression=rng.choice([0, 0, 0, 0.05, 0.1, 0.3, 1, 4]),
        suppressed=rng.choice(["keep", "keep", "drop"]),
        order=rng.choice(["rows", "rows", "rows", "classes"]) if in_memory else "rows",
        class_column="class" if in_memory and not people and rng.random() < 0.1 else None,
        missing=marks if rng.random() < 0.93 else (),
        mark=rng.choice(marks),
        drop_missing=rng.random() < 0.15,
        style=_style(rng, command=command),
        separator=rng.choice([",", ",", ";", "\t"]),
        line_end=rng.choice(["\n", "\n", "\r\n"]),
        block_rows=_block_rows(rng, algorithm) if not in_memory else None,
        categorical=rng.random() < 0.2 and way not in SPARK,
    )


def _diary(rng, rows):
    """At times, a column of lists or structs, each with a category that no other row has."""
    kind = rng.choice([None, None, "list", "struct"])
    visits = rng.sample(range(1000, 10_000), rows)
    return [Column(DIARY, [f"visit {visit}" for visit in visits], kind)] if kind else []


def _block_rows(rng, algorithm):
    if algorithm not in ("auto", "local", "mondrian") and rng.random() < 0.95:
        return None
    return rng.choice([None, None, 5, 15, 30, 60])


def _people(rng, quasi):
    """A population that the table was drawn from, by its quasi-identifiers."""
    rows = len(quasi[0].texts)
    picked = [*range(rows), *(rng.randrange(rows) for _ in range(rng.choice([0, rows, 3 * rows])))]
    found = []
    for column in quasi:
        texts = [column.texts[at] for at in picked[:rows]] + [rng.choice(column.texts) for _ in picked[rows:]]
        if column.type == "int":
            texts[rows:] = [rng.choice([text, str(rng.randint(-5, 99))]) for text in texts[rows:]]
        found.append(Column(column.name, texts, column.type))
    return tuple(found)


def _population_models(rng, models, rows, people, *, command):
    if command or rng.random() < 0.5:
        return [*(models if rng.random() < 0.3 else []), {"model": "k-map", "k": rng.choice([2, 3, 5])}]
    share = rows / people
    low, high = rng.choice([0, round(share / 2, 3)]), rng.choice([1, round(min(1, share + 0.2), 3)])
    return [{"model": "delta-presence", "low": low, "high": high if low or high < 1 else 0.95}]


def _style(rng, *, command):
    found = {}
    if rng.random() < 0.2:
        found["numbers"] = rng.choice(["[{low}, {high}]", "{low} to {high}", "mean"])
    if rng.random() < 0.2:
        found["missing"] = rng.choice(["(none)", "NA"])
    if not command and rng.random() < 0.1:
        found |= {"separator": " / ", "top": "any", "ordered": "{low} … {high}"}
    return found
