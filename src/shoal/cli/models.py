"""The privacy model of a command, from its options or the keys of a configuration file."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from shoal.cli.config.file import Config
from shoal.cli.values import hierarchies_of, names, pairs
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.models import PrivacyModel


def model_of(
    k: int | None,
    l: int | None,  # noqa: E741
    t: float | None,
    require: list[PrivacyModel],
    k_map: int | None,
    population: str | None,
) -> PrivacyModel:
    """Combine the models of all options."""
    from shoal.models import Closeness, DistinctDiversity, KAnonymity, KMap

    parts: list[PrivacyModel] = []
    if k is not None:
        parts.append(KAnonymity(k))
    if l is not None:
        parts.append(DistinctDiversity(l))
    if t is not None:
        parts.append(Closeness(t))
    parts += require
    if k_map is not None:
        parts.append(KMap(k_map, population))
    if (population is not None) != any(model.populations for model in parts):
        raise InputError("--population is for --k-map and --require 'presence(…)': give both or neither.")
    if not parts:
        raise InputError("No privacy model is given: add --k, --l, --t or --require, such as --k 10.")
    return reduce(and_, parts)


def requirements_of(
    require: list[str] | None,
    sensitive: list[str] | None,
    hierarchies: list[str] | None,
    config: Config,
    population: str | None = None,
) -> list[PrivacyModel]:
    """Parse the models of --require, with the hierarchies of their sensitive columns."""
    from shoal.analysis.assessment.requirements import parse_requirements
    from shoal.data.hierarchy import Hierarchy
    from shoal.models import ModelContext

    columns = names(sensitive)
    by_column = pairs("--sensitive-hierarchy", hierarchies)
    guides = hierarchies_of(None, by_column, columns, "sensitive columns", config.sensitive_hierarchies)
    trees = {
        name: guide if isinstance(guide, Hierarchy) else Hierarchy.from_file(guide)
        for name, guide in guides.items()
        if name in columns
    }
    context = ModelContext(tuple(columns), dict.fromkeys(columns), trees, population)
    return [requirement.model for requirement in parse_requirements(require or [], context)]
