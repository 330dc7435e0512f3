"""What models promise, how a search went, and figures, in words."""

from __future__ import annotations

from typing import Any

from shoal.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DeltaPresence,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    HighestRisk,
    KAnonymity,
    KMap,
    PrivacyModel,
    PSensitivity,
    RecursiveDiversity,
)

MAX_CHARACTERS = 90  # of a label
SHUFFLED = "shuffled at random: another run gives the same rows in another order"


def in_words(model: PrivacyModel) -> str:
    """What a model promises of every class, in a sentence; its own text for models that shoal does not know."""
    name = getattr(model, "sensitive", None)
    column = f"“{name}”" if name is not None else "each sensitive column"
    match model:
        case KAnonymity(k=k):
            return f"Every class has at least {k:,} rows: each row looks like at least {k - 1:,} others."
        case KMap(k=k):
            return f"What a class shows fits at least {k:,} people of the population."
        case DistinctDiversity(l=l):
            return f"Every class holds at least {l:,} different values of {column}."
        case PSensitivity(p=p, k=k):
            return f"Every class has at least {k:,} rows and at least {p:,} different values of {column}."
        case FrequencyDiversity(l=l):
            return f"In no class has more than one row in {l:g} the same value of {column}."
        case EntropyDiversity(l=l):
            return f"In every class the values of {column} are as uncertain as {l:g} equally frequent ones, or more."
        case RecursiveDiversity(c=c, l=l):
            return (
                f"In every class the most frequent value of {column} is rarer than {c:g} times the values from "
                f"the {l}th most frequent on together."
            )
        case AlphaK(alpha=alpha, k=k):
            return f"Every class has at least {k:,} rows, and no value of {column} more than {alpha:.4g} of them."
        case Closeness(t=t, distance=distance):
            return (
                f"In every class {column} is distributed as in the whole table, up to a distance of {t:g} "
                f"(earth mover's, {distance}), which is at most 1."
            )
        case BetaLikeness(beta=beta, enhanced=enhanced):
            limit = " and by no more than −ln of its share" if enhanced else ""
            return (
                f"In no class is a value of {column} more frequent than in the whole table by more than {beta:g} "
                f"times its share there{limit}."
            )
        case DeltaDisclosure(delta=delta):
            return (
                f"In every class every value of {column} is about as frequent as in the whole table: the logarithm "
                f"of the ratio is below {delta:g}."
            )
        case DeltaPresence(low=low, high=high):
            return (
                f"Of the people of the population that a class fits, between {low:g} and {high:g} are in the table: "
                f"whether somebody is in it stays uncertain."
            )
        case HighestRisk(risk=risk):
            return f"Nobody is found with a probability above {risk:g} by the quasi-identifiers."
        case AverageRisk(risk=risk):
            return f"On average a person is found with a probability of at most {risk:g} by the quasi-identifiers."
        case _:
            return str(model)


def search_in_words(search: dict[str, Any] | None, *, figures: bool = True) -> dict[str, str]:
    """Describe a search through a lattice; leave out its figures if they would disclose values of suppressed rows."""
    if search is None:
        return {}
    levels = ", ".join(f"{clipped(name)} {level}" for name, level in search["node"].items())
    if not figures:
        stopped = f"stopped early ({search['stopped']})" if search["stopped"] else ""
        ended = stopped or ("complete: no other levels are better" if search["bound"] is not None else "")
        return {"levels": levels} | ({"search": ended} if ended else {})
    outcome = f"{search['checked_nodes']:,} of {search['lattice_nodes']:,} nodes looked at"
    value, bound = search["value"], search["bound"]
    if search["stopped"]:
        closed = search["closed_nodes"] / search["lattice_nodes"]
        outcome += f"; stopped ({search['stopped']}) with {percent(closed)} of them closed"
        outcome += f": {search['objective']} is {value:.6g}, at best {bound:.6g} is possible"
    elif bound is not None:
        outcome += f"; none is better ({search['objective']} {value:.6g})"
    return {"levels": levels, "search": outcome}


def certificate_in_words(certificate: dict[str, Any] | None) -> dict[str, str]:
    """How far a release is at most from the best possible."""
    if certificate is None:
        return {}
    ended = "; the search was ended before its time" if certificate["interrupted"] else ""
    measured = certificate["objective"].replace("_", " ")
    if measured != "loss":
        measured += f" of {certificate['loss']:.4f}"
    return {"proven": f"{measured}: {certificate['sentence']}{ended}"}


def percent(share: float) -> str:
    """Write a share as 100 %, > 99.9 %, 28.0 % or 0.012 %; only the exact ends are written as 0 % and 100 %."""
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    if share > 0.999:
        return "> 99.9 %"
    if share < 0.00001:
        return "< 0.001 %"
    return f"{100 * share:.1f} %" if share >= 0.00995 else f"{100 * share:.2g} %"


def three_digits(share: float) -> str:
    """Write a measure from 0 to 1 with three digits; only the exact ends are written as 0.000 and 1.000."""
    if share in (0, 1) or 0.001 <= share <= 0.999:
        return f"{share:.3f}"
    return "< 0.001" if share < 0.001 else "> 0.999"


def clipped(text: str) -> str:
    """Shorten a text to one line of visible characters; put it in quotes if it is blank."""
    line = "".join(character if character.isprintable() else " " for character in text)
    if not line.strip():
        line = f'"{line}"'
    return line if len(line) <= MAX_CHARACTERS else line[: MAX_CHARACTERS - 1] + "…"


def blocks_in_words(blocks: dict[str, Any] | None) -> dict[str, str]:
    """Describe how a table was cut into blocks, and the loss that this caused."""
    if blocks is None:
        return {}
    cut = f"{blocks['different_rows']:,} distinct rows were processed in {blocks['blocks']:,} blocks"
    cost = blocks["estimated_loss_of_cutting"]
    effect = (
        "the loss caused by the cuts is unknown" if cost is None else f"the cuts caused about {cost:.4f} of the loss"
    )
    return {"blocks": f"{cut}; {effect}"}
