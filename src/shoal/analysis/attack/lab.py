"""The attack lab: attacks of five kinds on a release, each beside a control group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shoal.analysis.attack.columns import known_columns, secret_columns
from shoal.analysis.attack.criteria import WP216, Criteria
from shoal.analysis.attack.downcoding import downcoding
from shoal.analysis.attack.experiment import WORDS, Experiment
from shoal.analysis.attack.ground import Ground
from shoal.analysis.attack.inference import inference
from shoal.analysis.attack.linkability import linkability
from shoal.analysis.attack.membership import membership
from shoal.analysis.attack.singling_out import singling_out
from shoal.analysis.attack.trial import CONFIDENCE, Comparison
from shoal.data.parameters import MAX_SEED, whole_number
from shoal.data.roles import Roles, check_column, names_of
from shoal.data.style import Style
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.arguments import Hierarchies, Names, guides_of, tree_of
from shoal.system.close_names import did_you_mean
from shoal.system.progress import Progress

LINKING, ALL = "linking", "all"
KINDS = (LINKING, *WORDS, ALL)

Sides = tuple[Sequence[str], Sequence[str]]


def experiment(
    kind: str,
    released: Source,
    *,
    original: Source | None,
    control: Any,
    known: Names | None,
    sensitive: Names,
    sides: Sequence[Names] | None,
    hierarchies: Hierarchies | None,
    style: Style,
    missing: Sequence[str],
    attacks: int,
    seed: int,
    progress: Progress,
    unused: Mapping[str, object],
) -> Experiment | Criteria:
    """Run one kind of attack, or all of them; `unused` has arguments for other kinds, which must not be given."""
    people = _groups(kind, original, control, unused)
    wanted = names_of(sensitive)
    names = known_columns(known, people[0], released, sampled=False, unit=None, secrets=wanted)
    secrets = secret_columns(wanted, names)
    if kind in ("inference", ALL) and not secrets:
        raise InputError("Nothing is to be inferred: name the secret column, such as sensitive='disease'.")
    for table, source in zip(("released", "original", "control"), (released, *people), strict=False):
        for name in (*names, *secrets):
            check_column(name, source.columns, table=f"the {table} table")
    chosen = _sides(sides, names) if kind in ("linkability", ALL) else ((), ())
    guides = guides_of(hierarchies, Roles(names), released.columns)
    columns = people[0].read(guides, missing)
    ground = Ground.of(
        released,
        people,
        known=names,
        secrets=secrets,
        trees={name: tree_of(columns[name], guide, style) for name, guide in guides.items()},
        style=style,
        missing=missing,
        attacks=whole_number("attacks", attacks, at_least=1),
        seed=whole_number("seed", seed, at_least=0, at_most=MAX_SEED),
        progress=progress,
    )
    runs: dict[str, Callable[[], list[Comparison]]] = {
        "singling-out": lambda: singling_out(ground),
        "linkability": lambda: linkability(ground, _with_copies(ground, chosen)),
        "inference": lambda: inference(ground),
        "membership": lambda: membership(ground),
        "downcoding": lambda: downcoding(ground),
    }
    shown = (*ground.own_facets(), *ground.secrets.values())
    unread = {facet.name: facet.unread for facet in shown if facet.unread}
    kinds = [kind] if kind != ALL else [*WP216, *(other for other in runs if other not in WP216)]
    results = {}
    for name in kinds:
        progress(f"attacking: {WORDS[name].title.lower()}", 0)
        results[name] = Experiment(name, names, _together(runs[name]()), seed, unread)
    return Criteria(results) if kind == ALL else results[kind]


def _groups(kind: str, original: Source | None, control: Any, unused: Mapping[str, object]) -> list[Source]:
    """Return the people of the original and, if there is one, of the control group; refuse what does not fit."""
    if kind not in KINDS:
        raise InputError(
            f"kind = {kind!r} is not an attack: choose one of {', '.join(KINDS)}.{did_you_mean(kind, KINDS)}"
        )
    given = next((name for name, value in unused.items() if value is not None), None)
    if given is not None:
        raise InputError(f"{given} is for attacks of the kind 'linking', not for {kind!r}: leave it out.")
    if original is None:
        raise InputError(f"An attack of the kind {kind!r} is judged by the original: give the original table.")
    if control is None:
        return [original]
    others = Source.of(control)
    if others.columns == original.columns and others.to_arrow().equals(original.to_arrow()):
        raise InputError("The control group is the original itself: give people who are not in the release.")
    return [original, others]


def _together(comparisons: list[Comparison]) -> tuple[Comparison, ...]:
    """Widen the intervals of several comparisons, so that all of them hold with the same confidence (Bonferroni)."""
    level = 1 - (1 - CONFIDENCE) / max(1, len(comparisons))
    return tuple(replace(one, confidence=level) for one in comparisons)


def _sides(sides: Sequence[Names] | None, known: Sequence[str]) -> Sides:
    """Return the two sets of columns: those that are named, or every other known column."""
    if sides is None:
        if len(known) < 2:
            raise InputError(f"Linkability needs two known columns, and {', '.join(map(repr, known))} is the only one.")
        return known[::2], known[1::2]
    named = [names_of(side) for side in sides]
    if len(named) != 2 or not all(named):
        raise InputError(f"Linkability takes two sets of columns, not {len(named)}: give sides=[['age'], ['zip']].")
    for name in (*named[0], *named[1]):
        check_column(name, list(known), table="what the attacker knows")
    if both := sorted(set(named[0]) & set(named[1])):
        raise InputError(f"Column {both[0]!r} is on both sides, which would link anybody: leave it out of one.")
    return named[0], named[1]


def _with_copies(ground: Ground, sides: Sides) -> Sides:
    """Add copies under other names to the side of their column."""
    first, second = (
        [*side, *(copy.name for name in side for copy in ground.copies_of(ground.facets[name]))] for side in sides
    )
    return first, second
