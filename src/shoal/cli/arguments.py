"""The arguments that anonymize() and certify() share, from the options of a command or the keys of a file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from shoal.cli.algorithms import algorithm_of
from shoal.cli.config.file import Config
from shoal.cli.values import hierarchies_of, names, pairs, suppression_of
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.models import PrivacyModel


def arguments_of(settings: Mapping[str, Any], file: Config) -> dict[str, Any]:
    """Return the arguments that the parameters of `shoal anonymize` and a configuration file give."""
    from shoal.data.style import Style

    quasi = names(settings.get("quasi"))
    algorithm = settings.get("algorithm", file.algorithm)
    own = file.of(algorithm)
    return {
        "quasi_identifiers": quasi,
        "sensitive": names(settings.get("sensitive")),
        "identifying": names(settings.get("identifying")),
        "pseudonymize": names(settings.get("pseudonymize")),
        "keep": names(settings.get("keep")),
        "accept": names(settings.get("accept")),
        "unit": settings.get("unit"),
        "group": settings.get("group"),
        "missing_units": settings.get("missing_units", "refuse"),
        "promise": settings.get("promise"),
        "shift_dates": names(settings.get("shift_dates")),
        "strict": settings.get("strict", False),
        "hierarchies": hierarchies_of(
            settings.get("hierarchies"), settings.get("hierarchy"), quasi, configured=file.hierarchies
        ),
        "model": _model(settings, file),
        "algorithm": algorithm_of(
            algorithm,
            {**own.parameters, **_set(settings)},
            seed=settings.get("seed"),
            weights={**own.weights, **pairs("--weight", settings.get("weight"))},
            levels={**own.levels, **pairs("--levels", settings.get("levels"))},
        ),
        "max_suppression": suppression_of(settings.get("max_suppression", "0")),
        "suppressed": settings.get("suppressed"),
        "missing_values": list(settings.get("missing") or []),
        "drop_missing": settings.get("drop_missing") or False,
        "rows_are_people": settings.get("rows_are_people", False),
        "ranges": settings.get("range_ends"),
        "style": Style(
            numbers=settings.get("ranges", Style.numbers), missing=settings.get("missing_label", Style.missing)
        ),
    }


def sensitive_hierarchies(settings: Mapping[str, Any], file: Config) -> dict[str, Any]:
    """Return the hierarchies of the sensitive columns."""
    return hierarchies_of(
        None,
        settings.get("sensitive_hierarchy"),
        names(settings.get("sensitive")),
        option="--sensitive-hierarchy",
        role="sensitive columns",
        configured=file.sensitive_hierarchies,
    )


def _set(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters of the algorithm that options set."""
    found, effort = pairs("--set", settings.get("set_")), settings.get("effort")
    if effort is None:
        return found
    if "effort" in found:
        raise InputError("--effort and --set effort set the same: give one of them.")
    return {"effort": str(effort), **found}


def _model(settings: Mapping[str, Any], file: Config) -> PrivacyModel:
    """Combine the models of all options."""
    from shoal.analysis.assessment.requirements import parse_requirements
    from shoal.data.hierarchy import Hierarchy
    from shoal.models import Closeness, DistinctDiversity, KAnonymity, KMap, ModelContext

    columns, population = names(settings.get("sensitive")), settings.get("population")
    trees = {
        name: guide if isinstance(guide, Hierarchy) else Hierarchy.from_file(guide)
        for name, guide in sensitive_hierarchies(settings, file).items()
        if name in columns
    }
    context = ModelContext(tuple(columns), dict.fromkeys(columns), trees, population)
    kinds = {"k": KAnonymity, "l": DistinctDiversity, "t": Closeness}
    parts: list[PrivacyModel] = [kind(settings[name]) for name, kind in kinds.items() if settings.get(name) is not None]
    parts += [requirement.model for requirement in parse_requirements(settings.get("require") or [], context)]
    if settings.get("k_map") is not None:
        parts.append(KMap(settings["k_map"], population))
    if (population is not None) != any(model.populations for model in parts):
        raise InputError(
            "--population is for --k-map and for --require 'k-map>=…' or 'presence(…)': give both or neither."
        )
    if not parts:
        raise InputError("No privacy model is given: add --k, --l, --t or --require, such as --k 10.")
    return reduce(and_, parts)
