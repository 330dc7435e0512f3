"""What models promise and how a search went, in words."""

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


def search_in_words(search: dict[str, Any] | None) -> dict[str, str]:
    """How a search through a lattice went."""
    if search is None:
        return {}
    levels = ", ".join(f"{name} {level}" for name, level in search["node"].items())
    looked = f"{search['checked_nodes']:,} of {search['lattice_nodes']:,} nodes looked at"
    value, bound = search["value"], search["bound"]
    if search["stopped"]:
        done = search["closed_nodes"] / search["lattice_nodes"]
        looked += f"; stopped ({search['stopped']}) with {done:.1%} of them closed"
        looked += f": {search['objective']} is {value:.6g}, at best {bound:.6g} is possible"
    elif bound is not None:
        looked += f"; none is better ({search['objective']} {value:.6g})"
    return {"levels": levels, "search": looked}
