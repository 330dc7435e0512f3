"""The kinds of ranges that a release can show, and what each of them cannot be combined with."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from shoal.algorithms import Algorithm
from shoal.algorithms.algorithm import describe
from shoal.algorithms.mondrian import Mondrian
from shoal.data.style import Style
from shoal.data.unit import Unit
from shoal.errors import InputError
from shoal.models import PrivacyModel
from shoal.release.pseudonyms import secret_of
from shoal.system.close_names import did_you_mean

RangeKind = Literal["tight", "closed", "stepped"]
KINDS: tuple[RangeKind, ...] = ("tight", "closed", "stepped")
SMALL_K, SHARES = 10, (9, 14)  # the longest step is 1/9 of the scale below this k, and 1/14 from it on
LARGE_K = 50  # from which on tight ranges hardly point at anybody


def default_kind(*, keyed: bool, style: Style, model: PrivacyModel, unit: Unit | None) -> RangeKind:
    """Return the kind of ranges if none is asked for: stepped if there is a key and nothing speaks against it."""
    stepped = keyed and model.smallest < LARGE_K and not _against("stepped", style, model, unit)
    return "stepped" if stepped else "tight"


def check_kind(kind: object, *, style: Style, model: PrivacyModel, unit: Unit | None) -> RangeKind:
    """Return the kind of ranges; refuse an unknown one, and what would show where ranges were moved from."""
    for known in KINDS:
        if kind == known:
            if against := _against(known, style, model, unit):
                raise InputError(against)
            return known
    raise InputError(
        f"ranges = {kind!r} is not known: choose {', '.join(KINDS[:-1])} or {KINDS[-1]}.{did_you_mean(kind, KINDS)}"
    )


def _against(kind: RangeKind, style: Style, model: PrivacyModel, unit: Unit | None) -> str:
    """Return why a request cannot have ranges of a kind; empty if it can."""
    if kind == "tight":
        return ""
    if style.means:
        return f"Means of numbers would show what {kind} ranges hide: leave out one of the two."
    if model.populations:
        return f"{model} counts the people whom the tight ranges of a class fit: {kind} ranges fit others."
    if unit is not None and unit.linked:
        return f"{kind.capitalize()} ranges are not made for {unit.promise}: choose tight ranges."
    return ""


def secret_for(kind: str, key: bytes | str | None) -> bytes | None:
    """Return the key of stepped ranges as bytes; refuse such ranges without one."""
    if kind != "stepped":
        return None
    if key is None:
        raise InputError(
            "Stepped ranges need a secret key, the same for each release of the table: give key=… or --key-file."
        )
    return secret_of(key)


def with_cells(algorithm: Algorithm, kind: str) -> Algorithm:
    """Return the algorithm that keeps the cells of its classes, if ranges need them and it has any."""
    if kind != "tight" and isinstance(algorithm, Mondrian):
        return replace(algorithm, keep_cells=True)
    return algorithm


def check_cells(algorithm: Algorithm) -> None:
    """Refuse closed ranges of an algorithm whose classes are not cells that tile the space."""
    if not isinstance(algorithm, Mondrian) or algorithm.relaxed:
        raise InputError(
            f"{describe(algorithm)} does not cut the table into cells that tile it, whose ends closed ranges show: "
            f"choose mondrian, or stepped ranges."
        )


def share_of(model: PrivacyModel) -> int:
    """Return the part of the scale that the longest step takes: 9 for a ninth."""
    return SHARES[model.smallest >= SMALL_K]
