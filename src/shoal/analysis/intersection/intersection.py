"""intersect(): what several releases of the same people reveal together that none of them reveals alone.

S. R. Ganta, S. P. Kasiviswanathan, A. Smith, Composition attacks and auxiliary information in data privacy (2008),
doi:10.1145/1401890.1401926: whoever finds a person's class in each release knows that the person is in all of these
classes, and has a sensitive value that occurs in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from shoal.analysis.intersection.overlaps import Overlap, by_covering, by_linking
from shoal.analysis.intersection.people import by_person
from shoal.analysis.units import units_of
from shoal.data.classes import PEOPLE, ROWS
from shoal.data.column import read_column
from shoal.data.roles import Roles, check_column, names_of
from shoal.data.rows import histogram
from shoal.data.style import Style
from shoal.documents.html_page import Summary
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.models.model import whole_number
from shoal.release.arguments import Hierarchies, Names, guides_of, style_of, texts_of, tree_of
from shoal.system.mistaken_arguments import answering_mistakes


@dataclass(frozen=True)
class Together:
    """What the releases reveal together about one sensitive column.

    `certain` counts people for whom one value is left, `alone` those for whom the most revealing release leaves one;
    `fewest` is the least number of values left to anyone who has some; `none` counts people without a value that occurs
    in all of their classes: it has changed, or they are not in all releases.
    """

    certain: int
    alone: int
    fewest: int
    none: int


@dataclass(frozen=True, repr=False)
class Intersection(Summary):
    """What several releases reveal together about the people who are in all of them.

    `k` is the required class size; `alone` is the smallest class of each release, `smallest` the least number of rows
    that could be a person's, `below` counts people with fewer than k, and `sizes` counts people by that number. If it
    is not known which rows belong to one person (`linked` is False), rows cannot be intersected, and the least number
    in one release counts. If people have several rows in a release, the `candidates` are not rows but the people whose
    sets of rows are alike in every release, and `alone` is the fewest who share a set.
    """

    linked: bool
    people: int
    k: int
    alone: tuple[int, ...]
    smallest: int
    below: int
    sizes: dict[int, int]
    learned: dict[str, Together]
    candidates: str = ROWS.many

    def _figures(self) -> dict[str, object]:
        return {
            "people": self.people,
            "k": self.k,
            "smallest": self.smallest,
            "below k": self.below,
            **{f"certain {name}": learned.certain for name, learned in self.learned.items()},
        }

    @property
    def sentences(self) -> list[str]:
        """Sentences about what the releases reveal together that none of them reveals alone."""
        sentences = []
        whose = "that could be theirs" if self.candidates == ROWS.many else "who could be them"
        if self.below:
            sentences.append(
                f"Together the releases leave {self.below:,} of {self.people:,} people with fewer than {self.k} "
                f"{self.candidates} {whose}, the worst with {self.smallest}."
            )
        for name, learned in self.learned.items():
            more = learned.certain - learned.alone
            if more > 0:
                who = "person" if more == 1 else "people"
                sentences.append(
                    f"Together the releases make {name!r} certain for {more:,} more {who} than one of them."
                )
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """Return the intersection as plain dictionaries."""
        return asdict(self)


@answering_mistakes("shoal.intersect")
def intersect(
    releases: Sequence[Any],
    people: Any = None,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    on: str | None = None,
    same_rows: bool = False,
    k: int | None = None,
    suppressed: Names = (),
    hierarchies: Hierarchies | None = None,
    missing_values: Names = (),
    style: Style | None = None,
    unit: str | None = None,
) -> Intersection:
    """Intersect the classes of several releases of the same people, and the sensitive values in them.

    People are found in the releases in one of three ways: `on`, `same_rows` or `people`.

    releases           two or more released tables
    people             a table of people with raw values, whose classes are looked up in each release
    quasi_identifiers  the generalized columns; a release may have some of them
    sensitive          the columns whose values must not be inferred
    on                 a column that all releases have and that identifies people, such as a pseudonym; a person may
                       have several rows in a release
    same_rows          whether the releases have the same people in the same order
    k                  the required class size; by default the smallest class of the releases
    suppressed         the labels of suppressed rows: rows that show one for every quasi-identifier are in no class
    hierarchies        the hierarchies or orders of the quasi-identifiers, as in `anonymize`, to look up people
    missing_values     texts that count as missing, such as "?"
    style              the label style of the releases
    unit               the column that says whose row it is in the table of people, if they have several: the row by
                       which a person is found most easily counts

    >>> import pyarrow as pa, shoal
    >>> one = pa.table({"age": ["20-30", "20-30", "31-40", "31-40"], "ill": ["flu", "cold", "flu", "cold"]})
    >>> two = pa.table({"age": ["20-25", "26-35", "26-35", "36-40"], "ill": ["flu", "cold", "flu", "cold"]})
    >>> result = shoal.intersect([one, two], quasi_identifiers="age", sensitive="ill", same_rows=True, k=1)
    >>> result.smallest, result.learned["ill"].certain, result.learned["ill"].alone
    (1, 4, 2)
    """
    sources = _sources(releases)
    quasi = _columns(quasi_identifiers, sources)
    secrets = names_of(sensitive)
    for number, source in enumerate(sources, 1):
        for name in (*secrets, *([on] if on is not None else [])):
            check_column(name, source.columns, table=f"release {number}")
    if on in (*quasi, *secrets):
        raise InputError(
            f"Column {on!r} is a quasi-identifier or sensitive and cannot say whose row it is: name another "
            f"column (on)."
        )
    if k is not None:
        whole_number("k", k)
    if (on is not None) + bool(same_rows) + (people is not None) != 1:
        raise InputError(
            "Say how people are found in the releases: by a column (on), by their position (same_rows) or by a table "
            "of people with raw values. Choose one of the three."
        )
    if unit is not None and people is None:
        raise InputError(f"unit = {unit!r} is a column of the table of people, and none is given: leave it out.")
    missing, tops = texts_of(missing_values), set(texts_of(suppressed))
    shown = [source.read([name for name in quasi if name in source.columns], missing) for source in sources]
    values = [source.read(secrets, missing) for source in sources]
    if people is None:
        keys = [None if on is None else read_column(on, source.arrow(on), missing) for source in sources]
        several = any(key is not None and (key.counts > 1).any() for key in keys)
        link = by_person if several else by_linking
        overlap = link(shown, values, keys, tops)  # type: ignore[arg-type]
        candidates = (PEOPLE if several else ROWS).many
    else:
        candidates, table = ROWS.many, Source.of(people)
        for name in quasi:
            check_column(name, table.columns, table="the people's table")
        style = style_of(style)
        people_columns = table.read(quasi, (*missing, ""))
        guides = guides_of(hierarchies, Roles(quasi), table.columns)
        trees = {name: tree_of(people_columns[name], guide, style) for name, guide in guides.items()}
        whose = None
        if unit is not None:
            whose = units_of(table, Roles(quasi), unit=unit, missing_values=missing, missing="own")
        overlap = by_covering(shown, values, people_columns, trees, style=style, whose=whose)
    return _counted(overlap, k, secrets, linked=people is None, candidates=candidates)


def _counted(overlap: Overlap, k: int | None, secrets: Sequence[str], *, linked: bool, candidates: str) -> Intersection:
    """Count the people by the rows and values that are left to them."""
    weights, sizes = overlap.weights, overlap.sizes
    required = min(overlap.alone, default=0) if k is None else k
    people_by_size = histogram(sizes, weights)
    learned = {}
    for name in secrets:
        left, alone = overlap.values[name], overlap.values_alone[name]
        learned[name] = Together(
            certain=int(weights[left == 1].sum()),
            alone=max((int(weights[numbers == 1].sum()) for numbers in alone), default=0),
            fewest=int(left[left > 0].min()) if left.any() else 0,
            none=int(weights[left == 0].sum()),
        )
    return Intersection(
        linked=linked,
        people=int(weights.sum()),
        k=required,
        alone=overlap.alone,
        smallest=min(people_by_size, default=0),
        below=int(weights[sizes < required].sum()),
        sizes=people_by_size,
        learned=learned,
        candidates=candidates,
    )


def _sources(releases: Any) -> list[Source]:
    if isinstance(releases, str | bytes) or not isinstance(releases, Sequence) or len(releases) < 2:
        raise InputError("An intersection needs several releases: name two or more.")
    return [Source.of(release) for release in releases]


def _columns(quasi: Names, sources: Sequence[Source]) -> tuple[str, ...]:
    """Return the quasi-identifiers; each must be in some release, and each release must have one."""
    names = Roles.of([name for source in sources for name in source.columns], quasi_identifiers=quasi).quasi
    for number, source in enumerate(sources, 1):
        if not any(name in source.columns for name in names):
            raise InputError(f"Release {number} has none of the quasi-identifiers {', '.join(map(repr, names))}.")
    return names
