"""Privacy models by the names that the second verifier has for them."""

from __future__ import annotations

from typing import Any

from shoal.data.hierarchy import Hierarchy
from shoal.models import PrivacyModel

NAMES = {
    "KAnonymity": "k-anonymity",
    "HighestRisk": "highest-risk",
    "AverageRisk": "average-risk",
    "KMap": "k-map",
    "DeltaPresence": "delta-presence",
    "DistinctDiversity": "distinct-l",
    "FrequencyDiversity": "frequency-l",
    "EntropyDiversity": "entropy-l",
    "RecursiveDiversity": "recursive-cl",
    "AlphaK": "alpha-k",
    "PSensitivity": "p-sensitive-k",
    "Closeness": "t-closeness",
    "BetaLikeness": "beta-likeness",
    "DeltaDisclosure": "delta-disclosure",
}
VALUES = ("paths", "order")  # parameters that list values of the table


def paths_of(tree: Hierarchy) -> dict[str, list[str]]:
    """Each value of a tree with its ancestors, the root last."""
    return {leaf: list(tree.path(leaf)[1:]) for leaf in tree.leaves}


def plain_model(part: PrivacyModel) -> dict[str, Any]:
    """A model by its name and its parameters; a population is a file of its own."""
    given = {name: value for name, value in vars(part).items() if value is not None and name != "population"}
    tree = given.pop("hierarchy", None)
    if tree is not None:
        given["paths"] = paths_of(tree)
    if "order" in given:
        given["order"] = list(given["order"])
    return {"model": NAMES.get(type(part).__name__, str(part))} | given
