"""The Python script that reproduces a release."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import reduce
from math import isfinite
from os import PathLike
from typing import Any

import numpy as np

from shoal import models
from shoal.algorithms import ALGORITHMS
from shoal.data.style import Style
from shoal.data.unit import Unit
from shoal.io.databases.address import without_passwords
from shoal.io.source import Source
from shoal.models import PrivacyModel
from shoal.models.people import LimitedContribution
from shoal.release.range_ends.kinds import default_kind
from shoal.release.report_basis import FileSource
from shoal.release.request import Request, usual_suppressed
from shoal.release.reuse.classes import KeptClasses

LINE_LENGTH = 96
MEANINGS = {
    "earlier": "the earlier release, or its .json report",
    "data": "the original table",
    "hierarchies": "the hierarchies and orders, by column",
    "sensitive_hierarchies": "the hierarchies of the distances, by column",
    "population": "the population table",
    "key": "the secret key",
    "model": "the privacy model",
    "algorithm": "the algorithm",
}
SHUFFLED = "# The rows are shuffled at random: each run gives them in another order."


class _NotLiteralError(Exception):
    """An object cannot be written as Python code."""


def python_lines(request: Request, source: Source | FileSource) -> str:
    """Write the script; objects that existed only in memory appear by name, defined or explained at the top."""
    if isinstance(request.algorithm, KeptClasses):
        return _applied(request, request.algorithm, source)
    names: list[str] = []
    arguments = {name: text for name, text in _arguments(request, names).items() if text is not None}
    call = [f"    {_data(source, request, names)},"]
    call += [f"    {name}={text}," for name, text in arguments.items()]
    function = "anonymize"
    if request.files:
        function = "spark.anonymize_files" if "master" in request.files else "anonymize_files"
        options = dict(request.files)
        call.insert(1, f"    {written(options.pop('output'))},")
        call += [f"    {name}={written(value)}," for name, value in options.items()]
    body = "\n".join([f"release = shoal.{function}(", *call, ")"])
    if request.node is not None:
        body += f"\nrelease = release.lattice.apply({written(dict(request.node))})"
    head = [f"population = {written(_path(request.model.populations[0]))}"] if "population file" in names else []
    used = [name for name in MEANINGS if name in names]
    definitions = _definitions(request, source)
    defined = [definitions[name] for name in used if name in definitions]
    if any("(config[" in line for line in defined):
        defined.insert(0, definitions["config"])
    comments = [f"# {name}: {MEANINGS[name]}" for name in used if name not in definitions]
    comments += [SHUFFLED] if request.order == "shuffled" else []
    return _with_imports("\n".join([*comments, *defined, *head, body]))


def _applied(request: Request, classes: KeptClasses, source: Source | FileSource) -> str:
    """Write the script that applies an earlier release."""
    names = [] if classes.origin else ["earlier"]
    call = [written(classes.origin) if classes.origin else "earlier", _data(source, request, names)]
    if classes.refuse:
        call.append('misfits="refuse"')
    if request.max_suppression != classes.generalization.options["max_suppression"]:
        call.append(f"max_suppression={written(request.max_suppression)}")
    if key := _key(request, names):
        call.append(f"key={key}")
    if request.rows_are_people != classes.generalization.options["rows_are_people"]:
        call.append(f"rows_are_people={written(request.rows_are_people)}")
    kept = classes.generalization
    added = {"keep": (request.roles.kept, kept.roles.kept), "accept": (request.accept, kept.options["accept"])}
    for option, (asked, before) in added.items():
        if more := [one for one in asked if one not in before]:
            call.append(f"{option}={written(more)}")
    used = [name for name in MEANINGS if name in names]
    definitions = _definitions(request, source)
    head = [definitions.get(name, f"# {name}: {MEANINGS[name]}") for name in used]
    head += [SHUFFLED] if request.order == "shuffled" else []
    return _with_imports("\n".join([*head, f"release = shoal.apply({', '.join(call)})"]))


def _with_imports(text: str) -> str:
    imports = ["import tomllib"] if "tomllib." in text else []
    imports += ["from pathlib import Path"] if "Path(" in text else []
    return "\n".join([*imports, *([""] if imports else []), "import shoal", "", text]) + "\n"


def _data(source: Source | FileSource, request: Request, names: list[str]) -> str:
    """Write the table as its file, or as the name `data`."""
    if source.origin is None or "data" in _definitions(request, source):
        names.append("data")
        return "data"
    return written(source.origin)


def _definitions(request: Request, source: Source | FileSource) -> Mapping[str, str]:
    """Return the lines that define names, including a call of shoal.read() if the table needs reading options."""
    if isinstance(source, Source) and source.options:
        options = [f"{name}={written(value)}" for name, value in source.options.items()]
        return {"data": f"data = shoal.read({', '.join([written(source.origin), *options])})", **request.definitions}
    return request.definitions


def _arguments(request: Request, names: list[str]) -> dict[str, str | None]:
    """Write the arguments of the call; None for those that have their default."""
    roles, unit = request.roles, request.unit
    usual = usual_suppressed(request.algorithm, request.model)
    people = () if unit is None else unit.columns

    def unless(default: object, value: object) -> str | None:
        return None if value == default else written(value)

    return {
        "quasi_identifiers": written([name for name in roles.quasi if name not in request.shift_dates]),
        "sensitive": unless([], list(roles.sensitive)),
        "identifying": unless([], [name for name in roles.identifying if name not in people]),
        "hierarchies": _hierarchies(request, names),
        "model": _model(request.model, names),
        "algorithm": _algorithm(request.algorithm, names),
        "max_suppression": unless(0, request.max_suppression),
        "suppressed": None if unit is not None and unit.linked else unless(usual, request.suppressed),
        "order": unless("rows", "rows" if unit is not None else request.order),
        "class_column": unless(None, request.class_column),
        "missing_values": unless([], list(request.missing_values)),
        "drop_missing": unless(False, request.drop_missing),
        "pseudonymize": unless([], list(roles.pseudonymized)),
        "keep": unless([], list(roles.kept)),
        "accept": unless([], list(request.accept)),
        "key": _key(request, names),
        "style": unless(Style(), request.style),
        "shift_dates": unless([], list(request.shift_dates)),
        **({} if unit is None else _unit(unit, linked=unit.column in roles.pseudonymized)),
        "rows_are_people": unless(False, request.rows_are_people),
        "ranges": None if {request.ranges, _usual_ranges(request)} == {"tight"} else written(request.ranges),
    }


def _unit(unit: Unit, *, linked: bool) -> dict[str, str | None]:
    """Write whose rows they are; the promise follows from what is pseudonymized, unless another was asked for."""
    usual = "households" if unit.group is not None else "profiles" if linked else "classes"
    arguments = {
        "unit": (unit.column, None),
        "group": (unit.group, None),
        "promise": (unit.promise, usual),
        "strict": (unit.strict, False),
        "missing_units": (unit.missing, "refuse"),
    }
    return {name: None if value == default else written(value) for name, (value, default) in arguments.items()}


def _usual_ranges(request: Request) -> str:
    """Return the kind of ranges that the call has by default."""
    return default_kind(keyed=_needs_key(request), style=request.style, model=request.model, unit=request.unit)


def _needs_key(request: Request) -> bool:
    return bool(request.roles.pseudonymized or request.shift_dates or request.ranges == "stepped")


def _key(request: Request, names: list[str]) -> str | None:
    if not _needs_key(request):
        return None
    names.append("key")
    return "key"


def _hierarchies(request: Request, names: list[str]) -> str | None:
    """Write the hierarchies as a folder, or by column as a spelling, a file or a name."""
    hierarchies = request.hierarchies
    if hierarchies is None or isinstance(hierarchies, str | PathLike):
        return None if hierarchies is None else written(hierarchies)
    trees = {column: tree for column, tree in hierarchies.items() if column in request.roles.quasi}
    lines = []
    for column, tree in trees.items():
        nameable = isinstance(tree, str | PathLike)
        names += [] if nameable else ["hierarchies"]
        lines.append(f"{written(column)}: {written(tree) if nameable else f'hierarchies[{written(column)}]'}")
    return _filled("{", lines, "}") if lines else None


def _model(model: PrivacyModel, names: list[str]) -> str:
    used: list[str] = []
    try:
        # What strict asks for is not written as a model.
        text = " & ".join(_part(part, used) for part in model.parts if not isinstance(part, LimitedContribution))
    except _NotLiteralError:
        text, used = "model", ["model"]
    names += used
    return text


def _part(model: PrivacyModel, names: list[str]) -> str:
    """Write a model with the parameters that differ from their defaults."""
    by_name = {}
    if hasattr(model, "population"):
        names.append("population" if _path(model.population) is None else "population file")
        by_name["population"] = "population"
    if getattr(model, "hierarchy", None) is not None:
        names.append("sensitive_hierarchies")
        by_name["hierarchy"] = f"sensitive_hierarchies[{written(getattr(model, 'sensitive', None))}]"
    return _constructor(model, by_name)


def _path(population: Any) -> str | None:
    return without_passwords(str(population)) if isinstance(population, str | PathLike) else None


def _algorithm(algorithm: Any, names: list[str]) -> str:
    try:
        if isinstance(algorithm, str):
            return written(algorithm)
        if ALGORITHMS.get(algorithm.name) is type(algorithm) and algorithm == type(algorithm)():
            return written(algorithm.name)
        return _constructor(algorithm)
    except _NotLiteralError:
        names.append("algorithm")
        return "algorithm"


def _constructor(value: Any, by_name: Mapping[str, str] | None = None) -> str:
    """Write the call that constructs one of shoal's models, algorithms or styles."""
    kind = type(value)
    public = (*ALGORITHMS.values(), *vars(models).values(), Style)
    if not is_dataclass(value) or not any(kind is known for known in public):
        raise _NotLiteralError
    arguments = []
    for field in fields(value):
        argument = getattr(value, field.name)
        text = (by_name or {}).get(field.name)
        if field.default is MISSING:
            arguments.append(text or written(argument))
        elif text or argument != field.default:
            arguments.append(f"{field.name}={text or written(argument)}")
    return f"shoal.{kind.__name__}({', '.join(arguments)})"


def written(value: Any) -> str:
    """Write a value as a Python expression."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(value)
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value)):
        return repr(value)
    if isinstance(value, PathLike):
        return f"Path({written(str(value))})"
    if isinstance(value, Mapping):
        return _filled("{", [f"{written(name)}: {written(inner)}" for name, inner in value.items()], "}")
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))}{',' * (len(value) == 1)})"
    if isinstance(value, Sequence):
        return _filled("[", [written(inner) for inner in value], "]")
    return _constructor(value)


def _filled(left: str, items: list[str], right: str) -> str:
    """Write items in brackets, on several lines if one would be too long."""
    line = f"{left}{', '.join(items)}{right}"
    if len(line) <= LINE_LENGTH - 24:
        return line
    lines = reduce(_add, items, [""])
    return "\n".join([left, *(f"        {line.strip()}" for line in lines), f"    {right}"])


def _add(lines: list[str], item: str) -> list[str]:
    if lines[-1] and len(lines[-1]) + len(item) > LINE_LENGTH - 12:
        return [*lines, f"{item},"]
    return [*lines[:-1], f"{lines[-1]} {item},"]
