"""The case of a release: the input of the second verifier, which repeats the checks without shoal."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from shoal.certificates.checks import Checks
from shoal.certificates.matching import BY_COLUMN
from shoal.certificates.second_verifier import KNOWN_MODELS
from shoal.certificates.tables import Tables
from shoal.data.domain import AnyDomain, NumericDomain, RangeDomain, TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.io.compression import codec_of
from shoal.io.files import format_of
from shoal.models import PrivacyModel

VALUES = ("paths", "order")  # parameters of models that list values of the table


def unrepeatable(tables: Tables) -> str | None:
    """Say why the second verifier cannot repeat the checks; return None if it can."""
    sources = {"original": tables.original, "release": tables.released}
    sources |= {"population": tables.population} if tables.population else {}
    paths = {name: source.path for name, source in sources.items()}
    not_csv = [name for name, path in paths.items() if path is None or format_of(path, read=True) != "csv"]
    if not_csv:
        verb = "is" if len(not_csv) == 1 else "are"
        return f"The second verifier reads CSV files, and the {' and the '.join(not_csv)} {verb} not CSV."
    if any(codec_of(path) for path in paths.values() if path is not None):
        return "The second verifier reads plain CSV files, and one of these is compressed."
    if tables.original.notes:
        return "The second verifier reads whole CSV files that name their columns in the first line."
    if tables.request.drop_missing == "all":
        return "The second verifier does not know of rows that were dropped for a missing value in any column."
    unknown = [str(part) for part in tables.request.model.parts if part.name not in KNOWN_MODELS]
    if unknown:
        return f"The second verifier does not know the model {unknown[0]}."
    return None


def case_of(tables: Tables, checks: Checks) -> dict[str, Any]:
    """Return everything that the second verifier needs in addition to the files."""
    request, roles = tables.request, tables.request.roles
    case: dict[str, Any] = {
        "quasi": {
            name: _meaning(domain) for name, domain in zip(tables.table.quasi, tables.table.domains, strict=True)
        },
        "sensitive": list(roles.sensitive),
        "identifying": list(roles.identifying),
        "pseudonymized": list(roles.pseudonymized),
        "models": [plain_model(part) for part in request.model.parts],
        "max_suppressed": tables.budget,
        "suppressed": request.suppressed,
        "missing": list(request.missing_values),
        "drop_missing": request.drop_missing,
        "order": request.order,
        "class_column": request.class_column,
        "style": dict(vars(request.style)),
        "escaped": tables.escaped,
        "report": checks.figures,
    }
    if request.unit is not None:
        case["unit"] = asdict(request.unit)
        if not checks.sure:  # of several ways to match the rows, the one in which the promise holds
            case["matched"] = checks.originals.tolist()
    return case | ({"match": checks.column} if checks.by == BY_COLUMN else {})


def public_part(case: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a case that may be published: no values of the table, nor trees and orders that list them."""
    models = [{name: value for name, value in model.items() if name not in VALUES} for model in case["models"]]
    names = ("sensitive", "identifying", "pseudonymized", "max_suppressed", "suppressed", "drop_missing", "order")
    public = {name: case[name] for name in (*names, "class_column", "escaped")}
    public |= {"unit": case["unit"]} if "unit" in case else {}
    return public | {"quasi": list(case["quasi"]), "models": models}


def _meaning(domain: AnyDomain) -> dict[str, Any]:
    """Describe the labels of a quasi-identifier."""
    if isinstance(domain, TreeDomain):
        return {"kind": "tree", "paths": _paths(domain.hierarchy)}
    if isinstance(domain, NumericDomain):
        return {"kind": "numbers" if domain.are_numbers else "dates"}
    if isinstance(domain, RangeDomain):
        return {"kind": "order", "values": list(domain.labels[domain.missing + 1 :])}
    return {"kind": "sets"}


def _paths(tree: Hierarchy) -> dict[str, list[str]]:
    """Return each value of a tree with its ancestors, the root last."""
    return {leaf: list(tree.path(leaf)[1:]) for leaf in tree.leaves}


def plain_model(part: PrivacyModel) -> dict[str, Any]:
    """Return the name and the parameters of a model; a population is a file of its own."""
    given = {name: value for name, value in vars(part).items() if value is not None and name != "population"}
    tree = given.pop("hierarchy", None)
    if tree is not None:
        given["paths"] = _paths(tree)
    if "order" in given:
        given["order"] = list(given["order"])
    return {"model": part.name or str(part)} | given
