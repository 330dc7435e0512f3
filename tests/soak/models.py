"""Random privacy models: as plain descriptions, which become shoal's models or the options of a command."""

from __future__ import annotations

from dataclasses import fields
from functools import reduce
from operator import and_

import shoal
from soak.trees import Drawn


def draw_models(rng, sensitive, rows):
    """One to three models that fit the sensitive columns, with parameters that many tables satisfy."""
    k = rng.choice([2, 2, 3, 4, 5, 8, max(2, rows // 2)])
    found = [] if sensitive and rng.random() < 0.25 else [{"model": "k-anonymity", "k": k}]
    if rng.random() < 0.1:
        found = [{"model": "highest-risk", "risk": rng.choice([0.5, 0.34, 0.2, 1 / 3])}]
    if rng.random() < 0.06:
        found.append({"model": "average-risk", "risk": rng.choice([0.1, 0.3, 0.5])})
    if sensitive and (not found or rng.random() < 0.6):
        for _ in range(rng.choice([1, 1, 1, 2])):
            found.append(_of_sensitive(rng, sensitive, k))
    return found or [{"model": "k-anonymity", "k": k}]


def _of_sensitive(rng, sensitive, k):
    column = rng.choice(sensitive)
    one = {"sensitive": column.name} if rng.random() < 0.4 else {}
    model = rng.choice(OF_SENSITIVE)(rng, k)
    if model.get("distance") == "ordered":
        numbers = all(other.type == "int" for other in ([column] if one else sensitive))
        if not numbers:
            values = sorted({text for text in column.texts if text is not None})
            model["order"], one = rng.sample(values, len(values)), {"sensitive": column.name}
    if model.get("distance") == "hierarchical":
        values = sorted({text for text in column.texts if text is not None}) or ["none"]
        one, model["tree"] = {"sensitive": column.name}, Drawn(rng, values)
        model["paths"] = model["tree"].paths()
    return model | one


OF_SENSITIVE = [
    lambda rng, k: {"model": "distinct-l", "l": rng.choice([2, 2, 3])},
    lambda rng, k: {"model": "frequency-l", "l": rng.choice([1.2, 1.5, 2, 2.5])},
    lambda rng, k: {"model": "entropy-l", "l": rng.choice([1.2, 1.5, 2, 1.8, 2.7])},
    lambda rng, k: {"model": "recursive-cl", "c": rng.choice([1, 2, 3, 0.7]), "l": rng.choice([1, 2, 3])},
    lambda rng, k: {"model": "t-closeness", "t": _t(rng), "distance": "equal"},
    lambda rng, k: {"model": "t-closeness", "t": _t(rng), "distance": "ordered"},
    lambda rng, k: {"model": "t-closeness", "t": _t(rng), "distance": "hierarchical"},
    lambda rng, k: {"model": "alpha-k", "alpha": rng.choice([0.5, 0.7, 0.9]), "k": k},
    lambda rng, k: {"model": "p-sensitive-k", "p": 2, "k": k},
    lambda rng, k: {"model": "beta-likeness", "beta": rng.choice([0.5, 1, 2]), "enhanced": rng.random() < 0.5},
    lambda rng, k: {"model": "delta-disclosure", "delta": rng.choice([0.7, 1.2, 2])},
]


def _t(rng):
    return rng.choice([0.1, 0.2, 0.25, 0.4, 0.6, 0])


KINDS = {kind.name: kind for kind in shoal.MODELS}


def made(description, people):
    """Build the model of a description."""
    kind = KINDS[description["model"]]
    names = {parameter.name for parameter in fields(kind)}
    parameters = {name: value for name, value in description.items() if name in names}
    if "hierarchy" in names:
        parameters["hierarchy"] = hierarchy(description.get("tree"))
    if kind.uses_population:
        parameters["population"] = people
    return kind(**parameters)


def shoal_model(models, people=None):
    """Combine the descriptions into one model of shoal."""
    return reduce(and_, (made(model, people) for model in models))


def hierarchy(tree):
    """A drawn tree as shoal's."""
    if tree is None:
        return None
    nodes = tree.nodes()
    return shoal.Hierarchy.from_parents([label for _, label, _ in nodes], [parent for _, _, parent in nodes])


def plain(models):
    """The descriptions as the second verifier takes them."""
    return [{key: value for key, value in model.items() if key != "tree"} for model in models]


def required(description):
    """Write a description as requirements; what a form fixes differently is asked in a requirement of its own."""
    kind = KINDS[description["model"]]
    defaults = {parameter.name: parameter.default for parameter in fields(kind)}
    free = {"sensitive", "hierarchy", "population", "k"}
    for form in kind.forms:
        asked = {parameter.name for parameter in form.parameters}
        if all(
            description.get(name, default) == form.fixed.get(name, default)
            for name, default in defaults.items()
            if name not in free | asked
        ):
            also = [f"k>={description['k']}"] if "k" in form.fixed and description["k"] > 1 else []
            of = f' of "{description["sensitive"]}"' if description.get("sensitive") else ""
            return [form.spelling.format(**description) + of, *also]
    raise AssertionError(f"no form of {kind.__name__} is written as {description}")


def options(models, folder, people, *, short):
    """Return the descriptions as options of a command, with --k if wanted; None if a command cannot express them."""
    words = []
    for number, model in enumerate(models):
        kind = model["model"]
        if "order" in model:
            return None
        if kind == "k-map" and "--k-map" not in words:
            words += ["--k-map", str(model["k"])]
        elif kind == "k-anonymity" and "--k" not in words and short:
            words += ["--k", str(model["k"])]
        else:
            for text in required(model):
                words += ["--require", text]
        if KINDS[kind].uses_population and "--population" not in words:
            words += ["--population", str(people)]
        if "tree" in model:
            file = folder / f"sensitive{number}.txt"
            file.write_text(model["tree"].text("tab-tree"), encoding="utf-8")
            if any(word.startswith(f"{model['sensitive']}=") for word in words):
                return None  # a column has one hierarchy
            words += ["--sensitive-hierarchy", f"{model['sensitive']}={file}"]
    return words
