"""Random privacy models: as plain descriptions, which become shoal's models or the options of a command."""

from __future__ import annotations

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


MADE = {
    "k-anonymity": lambda m, s, people: shoal.KAnonymity(m["k"]),
    "highest-risk": lambda m, s, people: shoal.HighestRisk(m["risk"]),
    "average-risk": lambda m, s, people: shoal.AverageRisk(m["risk"]),
    "k-map": lambda m, s, people: shoal.KMap(m["k"], people),
    "delta-presence": lambda m, s, people: shoal.DeltaPresence(m["low"], m["high"], people),
    "distinct-l": lambda m, s, people: shoal.DistinctDiversity(m["l"], s),
    "frequency-l": lambda m, s, people: shoal.FrequencyDiversity(m["l"], s),
    "entropy-l": lambda m, s, people: shoal.EntropyDiversity(m["l"], s),
    "recursive-cl": lambda m, s, people: shoal.RecursiveDiversity(m["c"], m["l"], s),
    "t-closeness": lambda m, s, people: shoal.Closeness(
        m["t"], m["distance"], order=m.get("order"), hierarchy=hierarchy(m.get("tree")), sensitive=s
    ),
    "alpha-k": lambda m, s, people: shoal.AlphaK(m["alpha"], m["k"], s),
    "p-sensitive-k": lambda m, s, people: shoal.PSensitivity(m["p"], m["k"], s),
    "beta-likeness": lambda m, s, people: shoal.BetaLikeness(m["beta"], m["enhanced"], s),
    "delta-disclosure": lambda m, s, people: shoal.DeltaDisclosure(m["delta"], s),
}


def shoal_model(models, people=None):
    """The descriptions as one model of shoal."""
    return reduce(and_, (MADE[model["model"]](model, model.get("sensitive"), people) for model in models))


def hierarchy(tree):
    """A drawn tree as shoal's."""
    if tree is None:
        return None
    nodes = tree.nodes()
    return shoal.Hierarchy.from_parents([label for _, label, _ in nodes], [parent for _, _, parent in nodes])


def plain(models):
    """The descriptions as the second verifier takes them."""
    return [{key: value for key, value in model.items() if key != "tree"} for model in models]


REQUIRED = {
    "highest-risk": lambda m: [f"risk<={m['risk']}"],
    "average-risk": lambda m: [f"average risk<={m['risk']}"],
    "k-anonymity": lambda m: [f"k>={m['k']}"],
    "distinct-l": lambda m: [f"distinct l>={m['l']}"],
    "frequency-l": lambda m: [f"frequency l>={m['l']}"],
    "entropy-l": lambda m: [f"entropy l>={m['l']}"],
    "recursive-cl": lambda m: [f"recursive({m['c']}, {m['l']})"],
    "t-closeness": lambda m: [f"{m['distance'].replace('equal', '')} t<={m['t']}".strip()],
    "alpha-k": lambda m: [f"alpha<={m['alpha']}"],
    "p-sensitive-k": lambda m: [f"distinct l>={m['p']}"],
    "beta-likeness": lambda m: [f"{'enhanced ' * m['enhanced']}beta<={m['beta']}"],
    "delta-disclosure": lambda m: [f"delta<={m['delta']}"],
}
BOTH = ("alpha-k", "p-sensitive-k")  # which also ask for k rows, in a requirement of its own


def options(models, folder, people, *, short):
    """The descriptions as options of a command, with --k where that is wanted; None where a command cannot say them."""
    words = []
    for number, model in enumerate(models):
        kind = model["model"]
        if kind == "k-map":
            words += ["--k-map", str(model["k"]), "--population", str(people)]
            continue
        if kind not in REQUIRED or "order" in model:
            return None
        if kind == "k-anonymity" and "--k" not in words and short:
            words += ["--k", str(model["k"])]
            continue
        of = f' of "{model["sensitive"]}"' if model.get("sensitive") else ""
        words += ["--require", REQUIRED[kind](model)[0] + of]
        if kind in BOTH and model["k"] > 1:
            words += ["--require", f"k>={model['k']}"]
        if "tree" in model:
            file = folder / f"sensitive{number}.txt"
            file.write_text(model["tree"].text("tab-tree"), encoding="utf-8")
            if any(word.startswith(f"{model['sensitive']}=") for word in words):
                return None  # a column has one hierarchy
            words += ["--sensitive-hierarchy", f"{model['sensitive']}={file}"]
    return words
