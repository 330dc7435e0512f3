"""Privacy models by the names that the second verifier has for them."""

from __future__ import annotations

from typing import Any

from shoal.data.hierarchy import Hierarchy
from shoal.models import PrivacyModel

VALUES = ("paths", "order")  # parameters that list values of the table


def paths_of(tree: Hierarchy) -> dict[str, list[str]]:
    """Each value of a tree with its ancestors, the root last."""
    return {leaf: list(tree.path(leaf)[1:]) for leaf in tree.leaves}


def plain_model(part: PrivacyModel) -> dict[str, Any]:
    """Return the name and the parameters of a model; a population is a file of its own."""
    given = {name: value for name, value in vars(part).items() if value is not None and name != "population"}
    tree = given.pop("hierarchy", None)
    if tree is not None:
        given["paths"] = paths_of(tree)
    if "order" in given:
        given["order"] = list(given["order"])
    return {"model": part.name or str(part)} | given
