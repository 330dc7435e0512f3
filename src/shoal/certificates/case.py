"""The case of a release as the second verifier takes it, so that the checks can be repeated without shoal."""

from __future__ import annotations

from typing import Any

from shoal.certificates.checks import Checks
from shoal.certificates.matching import BY_COLUMN
from shoal.certificates.plain_models import VALUES, paths_of, plain_model
from shoal.certificates.tables import Tables, is_csv
from shoal.data.domain import AnyDomain, NumericDomain, RangeDomain, TreeDomain
from shoal.models import MODELS


def unrepeatable(tables: Tables) -> str | None:
    """Why the second verifier cannot repeat the checks; None where it can."""
    places = {"original": tables.original, "release": tables.released, "population": tables.people}
    other = [name for name, source in places.items() if not is_csv(source)]
    if other:
        return f"The second verifier reads CSV files, and the {' and the '.join(other)} is none."
    strange = [str(part) for part in tables.request.model.parts if type(part) not in MODELS]
    if strange:
        return f"The second verifier does not know the model {strange[0]}."
    return None


def case_of(tables: Tables, checks: Checks) -> dict[str, Any]:
    """All that the second verifier needs beside the files."""
    request, roles = tables.request, tables.request.roles
    found: dict[str, Any] = {
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
    return found | ({"match": checks.column} if checks.by == BY_COLUMN else {})


def asked_of(case: dict[str, Any]) -> dict[str, Any]:
    """What may be published of a case: no values of the table, and no trees or orders, which list such."""
    models = [{name: one for name, one in model.items() if name not in VALUES} for model in case["models"]]
    kept = ("sensitive", "identifying", "pseudonymized", "max_suppressed", "suppressed", "drop_missing", "order")
    asked = {name: case[name] for name in (*kept, "class_column", "escaped")}
    return asked | {"quasi": list(case["quasi"]), "models": models}


def _meaning(domain: AnyDomain) -> dict[str, Any]:
    if isinstance(domain, TreeDomain):
        return {"kind": "tree", "paths": paths_of(domain.hierarchy)}
    if isinstance(domain, NumericDomain):
        return {"kind": "numbers" if domain.are_numbers else "dates"}
    if isinstance(domain, RangeDomain):
        return {"kind": "order", "values": list(domain.labels[domain.missing + 1 :])}
    return {"kind": "sets"}
