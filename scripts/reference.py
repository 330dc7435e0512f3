"""Write the pages of the reference from the code: names, commands, keys, models, algorithms, measures, errors.

`pages()` returns them by their place in the documentation. `make docs` puts them there; nothing is kept on disk.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any

import typer
from docstrings import as_markdown, in_cell, text

import shoal
from shoal import errors
from shoal.algorithms import ALGORITHMS
from shoal.cli.app import app
from shoal.cli.config.keys import OPEN, SECTIONS, Kind
from shoal.cli.console import EXIT_CODES
from shoal.metrics import METRICS
from shoal.models import MODELS
from shoal.release.review.finding_codes import BLOCKING, CODES

Block = Iterable[str]


def pages() -> dict[str, str]:
    """Return the text of every generated page by its place below docs/."""
    return {f"reference/{name}.md": "\n\n".join(write()).rstrip() + "\n" for name, write in PAGES.items()}


def public(kind: Any) -> list[str]:
    """Return the public names of which `kind` holds."""
    return [name for name in shoal.__all__ if kind(getattr(shoal, name))]


def python() -> Block:
    """Describe functions, what they return and take, and the modules."""
    yield "# Python"
    yield (
        "Every public name of `shoal`. [Models](models.md), [algorithms](algorithms.md) and [errors](errors.md) have "
        "pages of their own. No function changes what it is given."
    )
    yield "## Functions"
    for name in public(inspect.isfunction):
        yield from function(f"shoal.{name}", getattr(shoal, name))
    yield "## What they return and take"
    for name in public(_is_plain_class):
        yield from described_class(f"shoal.{name}", getattr(shoal, name), members=True)
    yield "## Modules and lists"
    for name in public(inspect.ismodule):
        yield from module(f"shoal.{name}", getattr(shoal, name))
    yield "### `shoal.MODELS`"
    yield "All models: " + ", ".join(f"[`{one.__name__}`](models.md)" for one in MODELS) + "."
    yield "### `shoal.ALGORITHMS`"
    yield "All algorithms by name: " + ", ".join(f"[`{name}`](algorithms.md)" for name in ALGORITHMS) + "."


def module(name: str, described: Any) -> Block:
    """Describe a module and the functions in it that have no description elsewhere."""
    yield f"### `{name}`"
    yield as_markdown(described)
    if name == "shoal.models":
        yield "See [models](models.md)."
        return
    for inner in described.__all__:
        thing = getattr(described, inner)
        describe = described_class if inspect.isclass(thing) else function
        yield from describe(f"{name}.{inner}", thing, depth=4)


def models() -> Block:
    """Describe every privacy model, and how it is written as a requirement."""
    yield "# Models"
    yield (
        "What every class of a release must satisfy. They are combined with `&`. "
        "[Which model do I need?](../models.md) says what each is for, with its attack."
    )
    yield "| model | as a requirement | what must hold |\n| --- | --- | --- |\n" + "\n".join(
        f"| [`{model.__name__}`](#shoal{model.__name__.lower()}) | `{form.spelling}` | {in_cell(form.formula)} |"
        for model in MODELS
        for form in model.forms
    )
    for model in MODELS:
        yield from described_class(f"shoal.{model.__name__}", model, depth=2)
    yield from described_class("shoal.PrivacyModel", shoal.PrivacyModel, depth=2, members=True)


def algorithms() -> Block:
    """Describe every algorithm and its parameters."""
    yield "# Algorithms"
    yield (
        'Given by name (`algorithm="mondrian"`, `--algorithm mondrian`) or with parameters '
        "(`algorithm=shoal.Mondrian(relaxed=True)`, `--algorithm mondrian --set relaxed=true`)."
    )
    yield "| name | what it does | may suppress rows |\n| --- | --- | --- |\n" + "\n".join(
        f"| [`{name}`](#shoal{one.__name__.lower()}) | {in_cell(one.summary)} | {'yes' if one.suppresses else 'no'} |"
        for name, one in ALGORITHMS.items()
    )
    for one in ALGORITHMS.values():
        yield from described_class(f"shoal.{one.__name__}", one, depth=2)


def measures() -> Block:
    """Describe every measure of loss."""
    yield "# Measures"
    yield "What a release costs: `report.metrics`, `shoal.measure`, `shoal metrics`. [More](../measures.md)."
    yield "| name | title | definition | better |\n| --- | --- | --- | --- |\n" + "\n".join(
        f"| `{name}` | {one.title} | {in_cell(one.formula)} | {'higher' if one.higher_is_better else 'lower'} |"
        for name, one in METRICS.items()
    )


def commands() -> Block:
    """Describe every command with its options, as --help does."""
    yield "# Command line"
    yield _help(app.info.help or "")
    for name, command in command_tree(typer.main.get_command(app), "shoal"):
        yield f"## `{name}`"
        yield _help(command.help or "")
        panels: dict[str, list[str]] = {}
        for parameter in command.params:
            if not parameter.hidden and parameter.name != "help":
                panels.setdefault(getattr(parameter, "rich_help_panel", None) or "Options", []).append(_row(parameter))
        for panel, rows in panels.items():
            yield f"| {panel} | |\n| --- | --- |\n" + "\n".join(rows)


def command_tree(command: Any, name: str) -> list[tuple[str, Any]]:
    """Return every command below a group with its full name."""
    found = []
    for inner, child in command.commands.items():
        full = f"{name} {inner}"
        found += command_tree(child, full) if hasattr(child, "commands") else [(full, child)]
    return found


def _row(parameter: Any) -> str:
    default = parameter.default
    shown = isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""
    said = text(
        (parameter.help or "").replace("{algorithms}", ", ".join(name for name in ALGORITHMS if name != "auto"))
    )
    said = said.replace("{objectives}", "see [full-domain generalization](../full_domain.md)")
    ends = f" Default: `{default}`." if shown else " Required." if parameter.required else ""
    return f"| `{_named(parameter)}` | {in_cell(said, escaped=True)}{ends} |"


def _named(parameter: Any) -> str:
    argument = parameter.param_type_name == "argument"
    return parameter.name.upper() if argument else ", ".join([*parameter.opts, *parameter.secondary_opts])


def _help(said: str) -> str:
    """Turn the text of --help into Markdown: its examples become a block."""
    before, *examples = re.split(r"\[bold\]Examples?\[/bold\]", inspect.cleandoc(said))
    block = "\n".join(line.strip() for line in "".join(examples).splitlines() if line.strip())
    return text(before.strip()) + (f"\n\n```console\n{block}\n```" if examples else "")


def configuration() -> Block:
    """Describe every key of a shoal.toml."""
    yield "# Configuration keys"
    yield "The sections and keys of a `shoal.toml`. [A configuration file](../configuration.md) shows them all."
    tree = dict(command_tree(typer.main.get_command(app), "shoal"))
    options = {parameter.name: parameter for parameter in tree["shoal anonymize"].params}
    for section, keys in SECTIONS.items():
        yield f"## `[{section}]`"
        yield "| key | value | option |\n| --- | --- | --- |\n" + "\n".join(
            f"| `{name}` | {in_cell(key.kind.description)}{_several(key.kind)} | `{_named(options[key.parameter])}` |"
            for name, key in keys.items()
        )
        if section in OPEN:
            what = "the name of a column" if section == "hierarchies" else "a parameter of the algorithm"
            yield f"Every other key is {what}, as in `--{OPEN[section].rstrip('_')}`."


def _several(kind: Kind) -> str:
    return ", or several in brackets" if kind.several and "[" not in kind.description else ""


def error_pages() -> Block:
    """Describe every error and warning, the exit codes, and the codes of the review."""
    yield "# Errors and warnings"
    yield (
        "A message says what is wrong, the value received and what to do. All errors are `shoal.ShoalError`; on the "
        "command line each is one sentence and an exit code, and nothing is written."
    )
    for name, one in error_classes().items():
        yield f"## `{name}`"
        code = next((code for kind, code in EXIT_CODES.items() if issubclass(one, kind)), None)
        ends = f" The exit code is {code}." if code is not None else ""
        yield as_markdown(one) + f"\n\nA kind of `{one.__mro__[1].__name__}`.{ends}"
    yield "## What the review finds"
    yield "`release.review`, `accept=[…]`, `--accept`: [is it safe now?](../review.md)"
    yield "| code | what it means | what happens |\n| --- | --- | --- |\n" + "\n".join(
        f"| `{code}` | {in_cell(said)} | {'stops the release' if code in BLOCKING else 'a warning'} |"
        for code, said in CODES.items()
    )


def error_classes() -> dict[str, type[BaseException]]:
    """Return the errors and warnings of shoal, in the order of their file."""
    found = vars(errors).values()
    return {one.__name__: one for one in found if inspect.isclass(one) and one.__module__ == errors.__name__}


def _is_plain_class(thing: Any) -> bool:
    known = (shoal.PrivacyModel, *ALGORITHMS.values(), *error_classes().values())
    return inspect.isclass(thing) and not issubclass(thing, known)


def function(name: str, described: Any, *, depth: int = 3) -> Block:
    """Describe a function."""
    yield f"{'#' * depth} `{name}`"
    yield f"```python\n{signature(name.rpartition('.')[2], described)}\n```"
    yield as_markdown(described)


def described_class(name: str, described: Any, *, depth: int = 3, members: bool = False) -> Block:
    """Describe a class, and if asked its methods and properties."""
    yield f"{'#' * depth} `{name}`"
    if dataclasses.is_dataclass(described) and not members:
        yield f"```python\n{signature(described.__name__, described)}\n```"
    yield as_markdown(described)
    if members:
        rows = [f"| `{label}` | {said} |" for label, said in _members(described)]
        if rows:
            yield "| | |\n| --- | --- |\n" + "\n".join(rows)


def _members(described: Any) -> Iterable[tuple[str, str]]:
    """Return fields, properties and methods of a class, with the first sentence of their docstrings."""
    fields = dataclasses.fields(described) if dataclasses.is_dataclass(described) else ()
    for field in fields:
        if not field.name.startswith("_"):
            yield f".{field.name}", f"`{in_cell(str(field.type), escaped=True)}`"
    for name, member in inspect.getmembers(described):
        behind = getattr(member, "fget", None) or getattr(member, "func", None) or member
        if not name.startswith("_") and str(getattr(behind, "__module__", "")).startswith("shoal"):
            called = "(…)" if callable(member) else ""
            yield f".{name}{called}", in_cell((inspect.getdoc(member) or "").split("\n\n")[0])


def signature(name: str, described: Any) -> str:
    """Write a signature, on one line if it fits and else with a line for each parameter."""
    shown, starred = [], False
    for parameter in inspect.signature(described).parameters.values():
        if parameter.name.startswith("_"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            shown.append("*")
        starred = starred or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        default = "" if parameter.default is parameter.empty else f" = {_value(parameter.default)}"
        kind = "" if parameter.annotation is parameter.empty else f": {_kind(parameter.annotation)}"
        shown.append(f"{star}{parameter.name}{kind}{default}")
    line = f"{name}({', '.join(shown)})"
    return line if len(line) <= 80 else f"{name}(\n    " + ",\n    ".join(shown) + ",\n)"


def _kind(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _value(default: Any) -> str:
    return "…" if re.search(r" at 0x|<", repr(default)) else repr(default)


PAGES: dict[str, Callable[[], Block]] = {
    "python": python,
    "models": models,
    "algorithms": algorithms,
    "measures": measures,
    "commands": commands,
    "configuration": configuration,
    "errors": error_pages,
}
