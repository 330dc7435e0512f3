"""attack(): what an attacker with some knowledge about people learns from a table, released or raw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from numbers import Real
from typing import Any, Literal, overload

import numpy as np

from shoal.analysis.attack.columns import known_columns, secret_columns
from shoal.analysis.attack.criteria import Criteria
from shoal.analysis.attack.experiment import Experiment
from shoal.analysis.attack.facet import Facet
from shoal.analysis.attack.findings import Findings, findings_of
from shoal.analysis.attack.lab import LINKING, experiment
from shoal.analysis.attack.linking import Rows
from shoal.analysis.attack.people import Known
from shoal.analysis.units import units_of
from shoal.data.parameters import MAX_SEED, whole_number
from shoal.data.roles import Roles, check_column
from shoal.data.style import Style
from shoal.documents.html_page import Lines, Summary, figure
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.arguments import Hierarchies, Names, guides_of, style_of, texts_of, tree_of
from shoal.system.mistaken_arguments import answering_mistakes
from shoal.system.progress import Progress, showing


@dataclass(frozen=True, repr=False)
class Attack(Summary):
    """What an attacker who knows some columns finds in the released table and, for comparison, in the original.

    `unread` has labels that could not be read: they may come from a hierarchy that was not given.
    """

    known: tuple[str, ...]
    people: int
    released: Findings
    original: Findings | None = None
    unread: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unit: str | None = None  # the column that says whose rows are known, if people have several
    k: int = 2  # with fewer candidates than this, a person is linked

    def _figures(self) -> dict[str, object]:
        return {
            "people": self.people,
            "linked": self.released.linked,
            f"fewest {self.released.candidates}": self.released.smallest,
            **{f"certain {name}": found.certain for name, found in self.released.learned.items()},
        }

    def _rows_shown(self) -> Lines:
        tables = {"original": self.original, "released": self.released}
        found = {name: _told(findings) for name, findings in tables.items() if findings is not None}
        rows = [[what, *(told[what] for told in found.values())] for what in found["released"]]
        return (["", *found], rows) if self.original is not None else ([], [])

    def to_dict(self) -> dict[str, Any]:
        """Return the attack as plain dictionaries."""
        return asdict(self)


def _told(findings: Findings) -> dict[str, str]:
    """Return what is found in one table, by what it is."""
    told: dict[str, object] = {"linked": findings.linked, f"fewest {findings.candidates}": findings.smallest}
    for name, learned in findings.learned.items():
        told |= {f"certain {name}": learned.certain, f"highest confidence, {name}": learned.highest_confidence}
    return {what: figure(value) for what, value in told.items()}


@overload
def attack(released: Any, attacker: Any = None, *, kind: Literal["linking"] = ..., **options: Any) -> Attack: ...
@overload
def attack(released: Any, attacker: Any = None, *, kind: Literal["all"], **options: Any) -> Criteria: ...
@overload
def attack(released: Any, attacker: Any = None, *, kind: str, **options: Any) -> Experiment: ...
@answering_mistakes("shoal.attack")  # type: ignore[misc] # the overloads leave out what all kinds share
def attack(
    released: Any,
    attacker: Any = None,
    *,
    kind: str = LINKING,
    known: Names | None = None,
    sensitive: Names = (),
    original: Any = None,
    sample: float | None = None,
    seed: int = 0,
    hierarchies: Hierarchies | None = None,
    missing_values: Names = (),
    style: Style | None = None,
    unit: str | None = None,
    k: int = 2,
    control: Any = None,
    attacks: int = 1000,
    sides: Sequence[Names] | None = None,
    progress: Progress | bool | None = None,
) -> Attack | Experiment | Criteria:
    """Link people to the rows that could be theirs: all labels of the row cover what is known about the person.

    Missing values on either side, and empty cells of the attacker's table, rule nothing out. Other kinds attack people
    of the original, and compare the success with people of a control group who are not in the release.

    released        the released table
    attacker        the attacker's table, with a row of raw values for each person; for linking only
    kind            "linking"; "singling-out", "linkability", "inference", "membership" or "downcoding"; or "all" of
                    these five, for the criteria of WP216
    known           the columns that the attacker knows; by default all that both tables have
    sensitive       the columns that the attacker wants to learn
    original        the original table, which is attacked too, for comparison
    sample          a share of the original to use as the attacker's table
    seed            the seed that draws the sample
    hierarchies     the hierarchies or orders of known columns, as in `anonymize`
    missing_values  texts that count as missing, such as "?"
    style           the label style of the release
    unit            the column that says whose row it is in the attacker's table, if people have several: a release that
                    has it, such as a pseudonym, is searched for the people who have a row for each known one; one that
                    has not, if the original has it, for the people of the original with a row in the class of each
                    known one (of several classes that cover it, the one with the fewest people); otherwise for rows
    k               how many rows or people a person must be lost among: with fewer, the person is found; for linking
    control         people like those of the original who are not in the release; without them, the other kinds are
                    compared with guesses made without the release
    attacks         the number of guesses
    sides           for linkability, the two sets of known columns that two tables have; by default every other column
    progress        as in `anonymize`

    >>> import shoal
    >>> known = ["age", "education"]
    >>> adult = shoal.datasets.adult().select(known)
    >>> release = shoal.anonymize(
    ...     adult, quasi_identifiers=known, model=shoal.KAnonymity(10), algorithm="mondrian"
    ... )
    >>> attack = shoal.attack(release.frame, original=adult, sample=0.1, known=known)
    >>> attack.people, attack.original.linked, attack.released.linked
    (3256, 10, 0)
    """
    target = Source.of(released)
    before = None if original is None else Source.of(original)
    missing = texts_of(missing_values)
    if kind != LINKING:
        with showing(progress) as tell:
            return experiment(
                kind,
                target,
                original=before,
                control=control,
                known=known,
                sensitive=sensitive,
                sides=sides,
                hierarchies=hierarchies,
                style=style_of(style),
                missing=missing,
                attacks=attacks,
                seed=seed,
                progress=tell,
                unused={"attacker": attacker, "sample": sample, "unit": unit},
            )
    whole_number("k", k, at_least=1)
    people = _people(attacker, before, sample, seed, by=unit, missing=missing)
    names = known_columns(known, people, target, sampled=sample is not None, unit=unit)
    secrets = secret_columns(sensitive, names)
    for whose, source, required in (
        ("attacker's", people if sample is None else None, names),
        ("released", target, (*names, *secrets)),
        ("original", before, (*names, *secrets)),
    ):
        if source is not None:
            for name in required:
                check_column(name, source.columns, table=f"the {whose} table")
    style = style_of(style)
    guides = guides_of(hierarchies, Roles(names), target.columns)
    people_columns = people.read(names, (*missing, ""))
    example = people_columns if before is None else before.read(names, missing)
    trees = {name: tree_of(column, guides[name], style) for name, column in example.items() if name in guides}

    roles = Roles(names, secrets)
    rows: Rows | Known = Rows.of(list(people_columns.values()))
    persons = units_of(people, roles, unit=unit, missing_values=missing)
    if persons is not None and isinstance(rows, Rows):
        rows = Known(rows, persons)
    findings: list[Findings] = []
    everybody: Known | None = None  # of the original, if it says whose rows they are
    for source in (before, target):
        if source is not None:
            own = units_of(source, roles, unit=unit if unit in source.columns else None, missing_values=missing)
            columns, values = source.read(names, missing), source.read(secrets, missing)
            if source is before and own is not None:
                everybody = Known(Rows.of(list(columns.values())), own)
            found = findings_of(rows, columns, values, trees, style=style, k=k, owners=own, original=everybody)
            findings.insert(0, found)
    labels = target.read(names, missing)
    unread = {name: Facet.of(labels[name], [example[name]], trees.get(name), style).unread for name in names}
    return Attack(
        known=names,
        people=findings[0].people,
        released=findings[0],
        original=findings[1] if before is not None else None,
        unread={name: labels for name, labels in unread.items() if labels},
        unit=unit,
        k=k,
    )


def _people(
    attacker: Any, original: Source | None, sample: float | None, seed: int, *, by: str | None, missing: tuple[str, ...]
) -> Source:
    """Return the attacker's table, or a random sample of the original's rows, or of its people with all of theirs."""
    if attacker is not None:
        if sample is not None:
            raise InputError("Both an attacker's table and a sample are given: choose one of them.")
        return Source.of(attacker)
    if sample is None:
        raise InputError("Nobody is attacked: give a table of people the attacker knows, or a sample of the original.")
    if original is None:
        raise InputError("A sample is drawn from the original table, and no original is given.")
    if isinstance(sample, bool) or not isinstance(sample, Real) or not 0 < sample <= 1:
        raise InputError(f"sample = {sample!r} is not a share of the people: give a number above 0, up to 1.")
    seed = whole_number("seed", seed, at_least=0, at_most=MAX_SEED)
    whose = units_of(original, Roles(()), unit=by, missing_values=missing)
    everyone = len(original) if whose is None else int(whose.max()) + 1
    drawn = np.zeros(everyone, np.bool_)
    count = max(1, round(float(sample) * everyone))
    drawn[np.random.RandomState(seed).permutation(everyone)[:count]] = True
    return original.keep(drawn if whose is None else drawn[whose])
