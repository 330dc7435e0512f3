"""Local recoding of Adult: loss, seconds and the proven bound, beside ARX and other Python tools.

With SHOAL_REFERENCE_DATA the tables and hierarchies are those of its folders `arx` and `peers`, otherwise those that
shoal ships. Seconds are those of a whole release, from a pyarrow table to a verified release with its report, warm,
once. "at best" is the bound that no release can undercut, "gap" how far the loss is above it at most. ARX's figures
are the best known of its local recoding; they were measured on another machine at another time and are typed in here.
Two Python tools run live, in their own environment, timed by their public call alone; their losses are computed here
from their classes.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import hospital
import pyarrow as pa
import pyarrow.csv
from full_domain import EIGHT, REFERENCE, TABLE, adult, high_water, new_table
from mondrian import CATEGORICAL, NUMERIC, run_peer, shipped_trees, write_trees
from notes import note
from rich.console import Console
from rich.table import Table as RichTable
from scale import QUASI, resampled

import shoal
from shoal.data.encoding import encode
from shoal.data.hierarchies import find
from shoal.data.recoding import Recoding
from shoal.data.style import Style
from shoal.documents.plots import ALARM, CALM, GREY, OTHER, dress, new_figure, save
from shoal.metrics import loss

# ARX 3.9.2's local recoding: (LM, CPU s) for each k, and LM for each model at k = 5.
ARX = {2: (0.0115, 3.6), 5: (0.0282, 6.9), 10: (0.0432, 9.0), 50: (0.0944, 9.5), 100: (0.1287, 9.7)}
ARX_MODELS = [0.037, 0.064, 0.065, 0.442, 0.335]
# Effort "fast" of the version before compiled verdicts: losses and CPU seconds on the same kind of machine.
BEFORE = {
    "arx.trees": {2: (0.0107, 3.0), 5: (0.0269, 5.0), 10: (0.0421, 5.2), 50: (0.0936, 5.1), 100: (0.1268, 5.9)},
    "arx.free": {2: (0.0078, 4.0), 5: (0.0215, 6.9), 10: (0.0358, 7.5), 50: (0.0898, 7.1), 100: (0.1215, 8.3)},
    "peers": {2: (0.0075, 2.8), 5: (0.0196, 5.9), 10: (0.0350, 7.8), 50: (0.0852, 11.5), 100: (0.1152, 13.3)},
}
BEFORE_MODELS = [(0.0292, 3.9), (0.0377, 4.9), (0.0324, 4.4), (0.293, 12.5), (0.200, 13.3)]
KS_OF_PEERS = [5, 10, 50]  # and of effort "balanced", which takes as long
PEERS = {"project-lighthouse-anonymize": "lighthouse", "anonypy": "anonypy"}
ALLOWED = 0.05  # of the rows to suppress
CHANGED = 0.2  # of the cells of the large tables
COLUMNS = "loss (LM) | at best | gap | wall s | CPU s"
FORMS = {"loss": ".4f", "wall": ".1f"}
FIGURES = {  # of the models on occupation, by what is printed
    "k alone": "k",
    "3 different values": "distinct",
    "entropy 3": "entropy",
    "recursive (4,3)": "recursive",
    "t = .2, equal": "t_equal",
    "t = .2, hierarchical": "t_hierarchical",
}
PARTS = ["arx", "peers", "models", "suppression", "default", "seconds", "hospital", "rows"]
FAR = 9.0  # times the bound above it: not worth a number


@dataclass(frozen=True)
class Case:
    """A table with what is to be released of it."""

    title: str
    data: pa.Table
    quasi: list[str]
    trees: dict[str, shoal.Hierarchy]

    def few(self) -> Case:
        return Case(self.title, self.data.slice(0, 500), self.quasi, self.trees)

    def release(
        self, model: shoal.PrivacyModel, algorithm: Any, progress: Any = None, max_suppression: float = 0
    ) -> dict[str, Any]:
        """The figures of one release."""
        wall, cpu = time.perf_counter(), time.process_time()
        release = shoal.anonymize(
            self.data.select([*self.quasi, "occupation"]),
            quasi_identifiers=self.quasi,
            sensitive="occupation",
            hierarchies=self.trees,
            model=model,
            algorithm=algorithm,
            progress=progress,
            max_suppression=max_suppression,
        )
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        certificate = release.report.certificate or {"bound": None, "gap": None}
        lost = release.report.suppressed_rows
        found = {"loss": release.report.metrics["loss"], "wall": wall, "cpu": cpu, "suppressed": lost}
        return found | {"bound": certificate["bound"], "gap": certificate["gap"]}


def arx(free: bool = False) -> Case:
    data, trees = adult()
    title = "age as a free range" if free else "trees only"
    return Case(title, data, EIGHT, {name: trees[name] for name in EIGHT if not (free and name == "age")})


def peers() -> Case:
    """Seven quasi-identifiers, two of them numbers."""
    data, trees = shoal.datasets.adult(drop_missing=True), shipped_trees()
    if REFERENCE:
        folder = Path(REFERENCE) / "peers"
        data = pa.csv.read_csv(folder / "adult30162.csv")
        trees = {name: shoal.Hierarchy.from_file(find(folder, name)) for name in CATEGORICAL}
    return Case("two free ranges", data, [*NUMERIC, *CATEGORICAL], trees)


def kept(name: str, found: dict[str, Any]) -> list[str]:
    """Note the figures of a release, and return them as texts."""
    gap = None if found["gap"] is None else 100 * found["gap"]
    note(name, **{figure: found[figure] for figure in ("loss", "bound", "wall", "cpu")}, gap_percent=gap)
    return cells(found)


def cells(found: dict[str, Any]) -> list[str]:
    bound = "–" if found["bound"] is None else f"{found['bound']:.4f}"
    gap = "–" if found["gap"] is None or found["gap"] > FAR else f"{found['gap']:.1%}"
    return [f"{found['loss']:.4f}", bound, gap, f"{found['wall']:.1f}", f"{found['cpu']:.1f}"]


def typed(*figures: str) -> list[str]:
    """Figures of other tools, which were measured on the reference data and say nothing on other trees."""
    return [text if REFERENCE else "–" for text in figures]


def beside_arx(best: bool) -> RichTable:
    """Eight quasi-identifiers, with a tree for age and without."""
    shown = new_table("30,162 rows, 8 quasi-identifiers", f"cells | effort | k | {COLUMNS} | ARX's LM | its CPU s")
    for name, case in {"trees": arx(), "free": arx(free=True)}.items():
        for effort, algorithm in algorithms(best).items():
            case.few().release(shoal.KAnonymity(2), algorithm)  # compile
            for k, (lm, seconds) in ARX.items():
                if effort == "balanced" and (name, k) != ("trees", 10):  # it takes long
                    continue
                found = kept(f"{TABLE}.{name}.{effort}.k{k}", case.release(shoal.KAnonymity(k), algorithm))
                shown.add_row(case.title, effort, f"{k}", *found, *typed(f"{lm:.4f}", f"{seconds:.1f}"))
            shown.add_section()
    for k, (lm, seconds) in ARX.items():
        note(f"typed.k{k}", loss=lm, cpu=seconds)
    for table, figures in BEFORE.items():
        for k, (lm, seconds) in figures.items():
            note(f"before.{table}.k{k}", loss=lm, cpu=seconds)
    return shown


def algorithms(best: bool) -> dict[str, Any]:
    """The efforts of local recoding, and Mondrian."""
    efforts = ["fast", "balanced", "best"] if best else ["fast", "balanced"]
    return {effort: shoal.LocalRecoding(effort) for effort in efforts} | {"mondrian": "mondrian"}


def beside_python_tools(best: bool, python: Path | None) -> RichTable:
    """Seven quasi-identifiers, and other tools on the same table."""
    shown = new_table("30,162 rows, 7 quasi-identifiers", f"tool | k | {COLUMNS}")
    case, table = peers(), "peers" if REFERENCE else "shipped_peers"
    for k in ARX:
        for effort, algorithm in algorithms(best).items():
            if effort in ("fast", "mondrian") or k in KS_OF_PEERS:
                case.few().release(shoal.KAnonymity(2), algorithm)  # compile
                found = case.release(shoal.KAnonymity(k), algorithm)
                shown.add_row(f"shoal, {effort}", f"{k}", *kept(f"{table}.{effort}.k{k}", found))
        for tool, name in PEERS.items() if python and k in KS_OF_PEERS else ():
            found = run_other(case, python, tool, k)
            shown.add_row(tool, f"{k}", *kept(f"{table}.{name}.k{k}", found))
        shown.add_section()
    if not python:
        shown.caption = "The other tools are not installed here (they want Python 3.11 or 3.12)."
    return shown


def run_other(case: Case, python: Path, tool: str, k: int) -> dict[str, Any]:
    """The figures of another tool on the table with two free ranges."""
    columns = {name: case.data[name] for name in case.quasi}
    table = encode(columns, quasi=case.quasi, sensitive=[], guides=case.trees, style=Style())
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_trees(case.trees, folder)
        pa.csv.write_csv(case.data.select([*case.quasi, "occupation"]), folder / "adult.csv")
        wants_trees = tool != "anonypy"
        figures, ids = run_peer(python, f"run_{PEERS[tool]}.py", folder / "adult.csv", k, folder, wants_trees)
    lost = loss(table, Recoding.of_groups(table, ids))
    return {"loss": lost, "bound": None, "gap": None, "wall": figures["wall_s"], "cpu": figures["cpu_s"]}


def models_on_occupation() -> dict[str, shoal.PrivacyModel]:
    return {
        "3 different values": shoal.DistinctDiversity(3),
        "entropy 3": shoal.EntropyDiversity(3),
        "recursive (4,3)": shoal.RecursiveDiversity(4, 3),
        "t = .2, equal": shoal.Closeness(0.2),
        "t = .2, hierarchical": shoal.Closeness(0.2, "hierarchical", hierarchy=adult()[1]["occupation"]),
    }


def with_models() -> RichTable:
    """Models on the occupation, with k = 5."""
    shown = new_table("8 quasi-identifiers, trees only, k = 5, fast", f"model | {COLUMNS} | ARX's LM")
    case = arx()
    named = zip(models_on_occupation().items(), ARX_MODELS, BEFORE_MODELS, strict=True)
    for (name, model), lm, (before, seconds) in named:
        both, fast = shoal.KAnonymity(5) & model, shoal.LocalRecoding("fast")
        case.few().release(both, fast)  # compile
        shown.add_row(name, *kept(f"{TABLE}.model.{FIGURES[name]}", case.release(both, fast)), *typed(f"{lm:.3f}"))
        note(f"typed.model.{FIGURES[name]}", loss=lm)
        note(f"before.model.{FIGURES[name]}", loss=before, cpu=seconds)
    return shown


def with_suppression() -> RichTable:
    """What some suppressed rows would save."""
    title = f"8 quasi-identifiers, trees only, fast, none or {ALLOWED:.0%} of the rows suppressed"
    shown = new_table(title, "model | loss (LM) | CPU s | loss, some suppressed | CPU s | suppressed rows")
    case, fast, five = arx(), shoal.LocalRecoding("fast"), models_on_occupation()
    models = {f"k{k}": shoal.KAnonymity(k) for k in ARX}
    models |= {FIGURES[name]: shoal.KAnonymity(5) & five[name] for name in ("3 different values", "t = .2, equal")}
    for name, model in models.items():
        case.few().release(model, fast)  # compile
        none, some = case.release(model, fast), case.release(model, fast, max_suppression=ALLOWED)
        note(f"{TABLE}.none.{name}", loss=none["loss"], cpu=none["cpu"])
        note(f"{TABLE}.suppressing.{name}", loss=some["loss"], cpu=some["cpu"], rows=some["suppressed"])
        figures = [
            f"{figure:{form}}" for one in (none, some) for figure, form in ((one["loss"], ".5f"), (one["cpu"], ".1f"))
        ]
        shown.add_row(name, *figures, f"{some['suppressed']:,}")
    return shown


def default() -> RichTable:
    """What comes out if no algorithm is named: the seven columns of the demo, age as a free range, k = 10."""
    shown = new_table("32,561 rows of Adult, 7 quasi-identifiers, one a free range, k = 10, auto", f"model | {COLUMNS}")
    case = seven()
    models = {"k alone": shoal.KAnonymity(10)} | {
        name: shoal.KAnonymity(10) & model for name, model in models_on_occupation().items() if "hier" not in name
    }
    for name, model in models.items():
        case.few().release(model, "auto")  # compile
        shown.add_row(name, *kept(f"auto.{FIGURES[name]}", case.release(model, "auto")))
    two_seconds = case.release(shoal.KAnonymity(10), shoal.LocalRecoding(2.0))
    shown.add_row("k alone, two seconds", *kept("auto.two_seconds", two_seconds))
    return shown


def seven() -> Case:
    trees = shoal.datasets.adult_hierarchies()
    columns = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
    return Case("seven", shoal.datasets.adult(), columns, {name: trees[name] for name in columns if name != "age"})


def beside_seconds() -> RichTable:
    """The fixed efforts beside as many seconds as each of them took."""
    names = "table, model | effort | its loss | wall s | as many seconds: loss | wall s"
    shown = new_table("fixed efforts, and a number of seconds as long", names)
    k, distinct = shoal.KAnonymity(10), shoal.KAnonymity(10) & shoal.DistinctDiversity(3)
    entropy, close = shoal.KAnonymity(10) & shoal.EntropyDiversity(3), shoal.KAnonymity(10) & shoal.Closeness(0.2)
    cases = {"trees only": arx(), "two free ranges": peers(), "one free range": seven()}
    for (title, case), model in product(cases.items(), (k, distinct, entropy, close)):
        for effort in ("fast", "balanced"):
            for algorithm in (shoal.LocalRecoding(effort), shoal.LocalRecoding(0.5)):
                case.few().release(model, algorithm)  # compile
            fixed = case.release(model, shoal.LocalRecoding(effort))
            timed = case.release(model, shoal.LocalRecoding(fixed["wall"]))
            figures = [f"{found[name]:{form}}" for found in (fixed, timed) for name, form in FORMS.items()]
            shown.add_row(f"{title}, {model}", effort, *figures)
    return shown


def hospital_visits() -> RichTable:
    """A hospital table of 50,000 rows with 24,000 days of birth: the default, and Mondrian beside it."""
    shown = new_table(
        f"50,000 visits to a hospital, k = {hospital.K}", "algorithm | loss (LM) | at best | wall s | CPU s"
    )
    for algorithm in ("auto", "mondrian"):
        for rows in (500, 50_000):  # the first to compile
            data = hospital.hospital(rows)
            wall, cpu = time.perf_counter(), time.process_time()
            release = shoal.anonymize(
                data,
                quasi_identifiers=hospital.QUASI,
                sensitive=hospital.SENSITIVE,
                identifying=hospital.IDENTIFYING,
                hierarchies=hospital.TREES,
                model=shoal.KAnonymity(hospital.K),
                algorithm=algorithm,
                rows_are_people=True,
            )
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        bound = release.report.certificate["bound"] if release.report.certificate else None
        found = {"loss": release.report.metrics["loss"], "bound": bound, "gap": None, "wall": wall, "cpu": cpu}
        lost, best, _, *seconds = kept(f"hospital.{algorithm}", found)
        shown.add_row(algorithm, lost, best, *seconds)
    return shown


def many_rows(most: int) -> RichTable:
    """How seconds and memory grow with the rows, each size in a process of its own."""
    title = f"8 quasi-identifiers, trees only, {CHANGED:.0%} of the cells changed, k = 10, fast"
    shown = new_table(title, f"rows | {COLUMNS} | peak MiB | MiB before")
    for rows in (most // 20, most // 10, most // 5, most):
        command = [sys.executable, __file__, "--one", str(rows)]
        found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
        note(f"rows{rows}", mib=found["peak"], mib_before=found["before"])
        shown.add_row(f"{rows:,}", *kept(f"rows{rows}", found), f"{found['peak']:,.0f}", f"{found['before']:,.0f}")
    return shown


def one_size(rows: int) -> dict[str, Any]:
    trees = {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in QUASI}
    case = Case("", resampled(rows, CHANGED), QUASI, trees)
    case.few().release(shoal.KAnonymity(10), shoal.LocalRecoding("fast"))  # compile
    before = high_water(anew=True)
    found = case.release(shoal.KAnonymity(10), shoal.LocalRecoding("fast"))
    return found | {"before": before, "peak": high_water()}


def traced(best: bool, python: Path | None) -> dict[str, Any]:
    """Loss against seconds at k = 10, from what the search tells on its way; other tools as points."""
    found, k = {}, 10
    for name, case in (("arx", arx()), ("peers", peers())):
        lines: dict[str, list[tuple[float, float]]] = {}
        for effort in ["fast", "balanced", "best"] if best else ["fast", "balanced"]:
            case.few().release(shoal.KAnonymity(k), shoal.LocalRecoding(effort))  # compile
            line, start = lines.setdefault(effort, []), time.perf_counter()
            end = case.release(shoal.KAnonymity(k), shoal.LocalRecoding(effort), telling(line, start))
            line.append((round(end["wall"], 3), round(end["loss"], 5)))
        case.few().release(shoal.KAnonymity(k), "mondrian")  # compile
        points = {"Mondrian": case.release(shoal.KAnonymity(k), "mondrian")}
        if name == "arx" and REFERENCE:
            points["ARX 3.9.2, another machine (CPU seconds)"] = dict(zip(("loss", "wall"), ARX[k], strict=True))
        if name == "peers" and python:
            tool = "project-lighthouse-anonymize"
            points[tool] = run_other(case, python, tool, k)
        places = {tool: (round(one["wall"], 3), round(one["loss"], 5)) for tool, one in points.items()}
        title = f"{len(case.quasi)} quasi-identifiers, {case.title}, k = {k}"
        found[name] = {"title": title, "bound": round(end["bound"], 5), "lines": lines, "points": places}
    return found


def telling(points: list[tuple[float, float]], start: float) -> Callable[[str, float], None]:
    """A progress callback that writes down the loss whenever it is told."""

    def tell(stage: str, share: float) -> None:
        said = re.search(r"loss ([\d.]+),", stage)
        if said and (not points or float(said[1]) < points[-1][1]):
            points.append((round(time.perf_counter() - start, 3), float(said[1])))

    return tell


def draw(found: dict[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, case in found.items():
        figure = new_figure(7, 4.2)
        axes = figure.subplots()
        for (effort, points), colour in zip(case["lines"].items(), (OTHER, CALM, ALARM), strict=False):
            axes.step(*zip(*points, strict=True), where="post", color=colour, linewidth=1.5, label=effort)
            axes.plot(*points[-1], "o", color=colour, markersize=4)
        for (tool, (seconds, lm)), sign in zip(case["points"].items(), "sD^", strict=False):
            axes.plot(seconds, lm, sign, color=GREY, label=tool)
        axes.axhline(case["bound"], color="black", linewidth=1, linestyle=":", label="none can be below")
        axes.set_xscale("log")
        axes.legend(frameon=False, fontsize=9)
        dress(axes, case["title"], "seconds of the whole release", "loss (LM)")
        save(figure, folder / f"{name}.svg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="the Python of the environment with the other tools")
    parser.add_argument("--best", action="store_true", help='effort "best", too (minutes for each release)')
    parser.add_argument("--rows", type=int, default=1_000_000, help="the rows of the largest table")
    parser.add_argument("--parts", default=",".join(PARTS), help="what to measure")
    parser.add_argument("--trace", type=Path, help="write loss against seconds to this .json file, and do nothing else")
    parser.add_argument("--plot", type=Path, help="draw what --trace has written into this folder, and do nothing else")
    parser.add_argument("--one", type=int, help="measure a table of so many rows and print its figures")
    arguments = parser.parse_args()
    python = arguments.peers if arguments.peers and arguments.peers.exists() else None
    warnings.simplefilter("ignore", shoal.PrivacyWarning)
    if arguments.one:
        print(json.dumps(one_size(arguments.one)))
        return
    if arguments.trace and not arguments.plot:
        arguments.trace.write_text(json.dumps(traced(arguments.best, python), indent=1) + "\n")
        return
    if arguments.plot:
        if not arguments.trace:
            parser.error("--plot draws a file: name it with --trace.")
        draw(json.loads(arguments.trace.read_text()), arguments.plot)
        return
    parts = {
        "arx": lambda: beside_arx(arguments.best),
        "peers": lambda: beside_python_tools(arguments.best, python),
        "models": with_models,
        "suppression": with_suppression,
        "default": default,
        "seconds": beside_seconds,
        "hospital": hospital_visits,
        "rows": lambda: many_rows(arguments.rows),
    }
    for name in arguments.parts.split(","):
        Console(width=120).print(parts[name]())


if __name__ == "__main__":
    main()
