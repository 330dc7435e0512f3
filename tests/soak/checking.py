"""One case from its draw to the verdict."""

from __future__ import annotations

import json
import tempfile
import traceback
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import shoal
from oracles.second_verifier import Verifier
from soak import models
from soak.cases import WAYS, draw_case
from soak.people import models_of_people, shares_told, unit_of
from soak.tables import workplace
from soak.ways import UnsaidError, run

RELEASED, INFEASIBLE, REFUSED, UNSAID, BROKEN = "released", "infeasible", "refused", "not said", "BROKEN"

TWINS = {
    "pandas": "polars",
    "polars": "pyarrow",
    "pyarrow": "parquet",
    "command csv": "csv",
    "command parquet": "parquet",
    "command out of core": "out of core csv",
}


@dataclass(frozen=True)
class Verdict:
    """What became of a case: the outcome, and the sentences that tell why."""

    seed: int
    way: str
    algorithm: str
    outcome: str
    why: str = ""
    figures: tuple[int, int] = (0, 0)  # rows and classes of a release


def judge(seed, *, ways=WAYS, spark=None, keep=None, draw=draw_case):
    """Draw the case of a seed, run it and check what came of it."""
    case = draw(seed, ways)
    with tempfile.TemporaryDirectory(dir=workplace()) as place, warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", shoal.PrivacyWarning)
        folder = Path(keep or place)
        try:
            outcome, why, figures = _outcome(case, folder, spark)
        except Exception:
            outcome, why, figures = BROKEN, traceback.format_exc(limit=-6), (0, 0)
    return Verdict(seed, case.way, case.algorithm, outcome, why, figures)


def _outcome(case, folder, spark):
    try:
        done = run(case, folder, spark)
    except UnsaidError:
        return UNSAID, "", (0, 0)
    except shoal.InfeasibleError as error:
        return (*_infeasible(case, str(error)), (0, 0))
    except shoal.ReviewError as error:
        verdicts = [_refused(sentence) for sentence in str(error).splitlines()]
        return (*max(verdicts, key=lambda verdict: verdict[0] == BROKEN), (0, 0))
    except shoal.InputError as error:
        return (*_refused(str(error)), (0, 0))
    told = described(case, done)
    (folder / "case.json").write_text(json.dumps(told, indent=1, ensure_ascii=False), encoding="utf-8")
    problems = Verifier(done.original, done.released, told, done.people).run()
    problems += shares_told(done, case) if case.unit else []
    if problems:
        return BROKEN, "\n".join(problems), (0, 0)
    if case.seed % 4 == 0 and not _same_by_its_twin(case, done, folder):
        return BROKEN, f"{TWINS[case.way]} gives another release than {case.way}", (0, 0)
    return RELEASED, "", (len(done.released), done.report["classes"])


def _same_by_its_twin(case, done, folder):
    """Whether another way, where there is one that is asked the very same, gives the same rows and the same report."""
    if case.way not in TWINS or any(model["model"] == "alpha-k" for model in case.models):
        return True
    place = folder / "twin"
    place.mkdir()
    again = run(replace(case, way=TWINS[case.way]), place)
    figures = ("k", "classes", "suppressed_rows", "metrics", "loss_by_attribute")
    one, other = again.released, done.released
    if case.unit:  # shuffled
        one, other = (sorted(rows, key=lambda row: row["row"]) for rows in (one, other))
    return one == other and all(again.report[figure] == done.report[figure] for figure in figures)


def described(case, done):
    """The case as the second verifier takes it."""
    missing = set(case.missing)
    looked_at = (*case.quasi, *case.sensitive)

    def there(row, name):
        return None if row[name] in missing else row[name]

    rows = done.original
    if case.drop_missing:
        rows = [row for row in rows if all(there(row, name) is not None for name in looked_at)]
    flat = set(done.report["parameters"]["hierarchies"]) - case.guides.keys()  # by algorithms that need trees
    quasi = {}
    for name in case.quasi:
        texts = [there(row, name) for row in [*rows, *done.people]]
        present = list(dict.fromkeys(text for text in texts if text is not None))
        if name in case.guides:
            quasi[name] = case.guides[name].meaning(texts)
        elif name in flat:
            quasi[name] = {"kind": "tree", "paths": {text: [case.style.get("top", "*")] for text in present}}
        else:
            quasi[name] = {"kind": case.column(name).kind(present, typed=case.typed)}
    report = {name: done.report[name] for name in ("k", "classes", "rows", "suppressed_rows", "dropped_rows")}
    report |= {"people": done.report["people"]["people"]} if case.unit else {}
    by_attribute = done.report["loss_by_attribute"]
    return {
        "quasi": quasi,
        "sensitive": list(case.sensitive),
        "identifying": list(case.identifying),
        "pseudonymized": list(case.pseudonymized),
        "models": models.plain(case.models),
        "max_suppressed": case.budget(len(rows)),
        "suppressed": case.suppressed,
        "missing": list(case.missing),
        "drop_missing": case.drop_missing,
        "order": case.order,
        "match": "row",
        "class_column": case.class_column,
        "style": case.style,
        "report": report | {"loss": done.report["metrics"]["loss"], "loss_by_attribute": by_attribute},
    } | (asked_of_people(case) if case.unit else {})


def asked_of_people(case):
    """What the second verifier is told where people are counted."""
    unit = unit_of(case)
    return {
        "unit": unit,
        "models": models_of_people(models.plain(case.models), strict=unit["strict"]),
        "identifying": list(case.identifying),
        "pseudonymized": list(case.pseudonymized),
    }


def _infeasible(case, sentence):
    """A refusal is wrong where the table as one class satisfies the model."""
    if "levels" in case.parameters:
        return INFEASIBLE, ""
    rows = [
        {column.name: text for column, text in zip(case.columns, row, strict=True)}
        for row in zip(*(column.texts for column in case.columns), strict=True)
    ]
    if not case.typed:
        rows = [{name: case.mark if text is None else text for name, text in row.items()} for row in rows]
    told = {
        "quasi": {"row": {"kind": "sets"}},
        "sensitive": list(case.sensitive),
        "models": models.plain(case.models),
        "missing": list(case.missing),
    }
    if case.drop_missing:
        missing = {None, *case.missing}
        rows = [row for row in rows if not any(row[name] in missing for name in (*case.quasi, *case.sensitive))]
    if case.unit and unit_of(case)["promise"] != "classes":
        return INFEASIBLE, sentence  # there may be no way to match the rows
    people = [{"row": ""}] * len(case.people[0].texts) if case.people else []
    if case.unit:
        told |= asked_of_people(case)
    if Verifier(rows, [], told, people).one_class_would_do():
        return BROKEN, f"refused although the table as one class satisfies the model: {sentence}"
    return INFEASIBLE, sentence


def _refused(sentence):
    """A refusal is one sentence that says something, in the review one for each finding."""
    if len(sentence) < 20 or "\n" in sentence.strip() or sentence.rstrip()[-1] not in ".?…" or "Traceback" in sentence:
        return BROKEN, f"refused without a sentence: {sentence!r}"
    return REFUSED, sentence
