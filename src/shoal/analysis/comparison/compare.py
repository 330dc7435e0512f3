"""compare(): run algorithms over a grid of k and ℓ and measure the cost of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import MISSING, Field, fields, replace
from math import log
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, cast

from shoal.algorithms import Algorithm
from shoal.algorithms.algorithm import check_seed
from shoal.analysis.comparison.comparison import Comparison
from shoal.analysis.comparison.kept import Figures, Kept, content, key_of, processor
from shoal.analysis.comparison.plan import Plan, Setting, grid, whole_numbers
from shoal.analysis.comparison.results import TIME, Cell
from shoal.analysis.comparison.runs import Bench, Run, run_all
from shoal.analysis.measure import wanted_measures
from shoal.analysis.units import units_of
from shoal.data.budget import budget_of
from shoal.data.domain import TreeDomain
from shoal.data.parameters import whole_number
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.arguments import Hierarchies, Names, algorithm_of, dropping, flat, guides_of, texts_of, whole_rows
from shoal.system.mistaken_arguments import answering_mistakes
from shoal.system.progress import Progress, showing


@answering_mistakes("shoal.compare")
def compare(
    data: Any,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    hierarchies: Hierarchies | None = None,
    algorithms: Iterable[str | Algorithm],
    k: int | Sequence[int],
    l: int | Sequence[int] = 1,  # noqa: E741
    repeat: int = 3,
    measures: Names = ("loss", "distortion", "time"),
    max_suppression: float | int = 0,
    missing_values: Names = (),
    drop_missing: bool | Literal["roles", "all"] = False,
    unit: str | None = None,
    seed: int = 0,
    keep: str | PathLike[str] | None = None,
    fresh: bool = False,
    at_once: int = 1,
    progress: Progress | bool | None = None,
) -> Comparison:
    """Measure what each algorithm costs at each k and ℓ (distinct ℓ-diversity).

    data               a data frame, a file or a database address
    quasi_identifiers  the columns that an attacker may know, which are generalized
    sensitive          the columns whose values must not be inferred; needed for ℓ > 1
    hierarchies        the hierarchies or orders of the quasi-identifiers, as in `anonymize`
    algorithms         names of algorithms, or algorithms with parameters
    k                  one class size or several
    l                  one number of distinct sensitive values in each class or several
    repeat             how often each setting runs: with another seed, or without seeds with the rows in another order
    measures           names of measures; "time" is the seconds that the algorithm itself takes, without compilation
    max_suppression    the share or number of rows that may be suppressed
    missing_values     texts that count as missing, such as "?"
    drop_missing       whether rows are left out that miss a value of these columns; "all": of any column
    unit               the column that says whose row it is, if people have several: they are counted, not rows
    seed               the first seed
    keep               a file of finished runs; runs that it has from before are not repeated
    fresh              whether to start the file anew
    at_once            the number of runs at a time, each in a process of its own; one if time is measured
    progress           as in `anonymize`

    Ctrl-C returns what is finished, with `complete` False.

    >>> import shoal
    >>> adult = shoal.datasets.adult().slice(0, 500)
    >>> comparison = shoal.compare(
    ...     adult, quasi_identifiers=["age", "sex"], algorithms=["mondrian", "random"], k=[2, 10], measures="loss"
    ... )
    >>> [(cell.setting.algorithm, cell.setting.k) for cell in comparison.cells]
    [('mondrian', 2), ('mondrian', 10), ('random', 2), ('random', 10)]
    >>> comparison.cells[0].mean("loss") < comparison.cells[1].mean("loss") < comparison.cells[2].mean("loss")
    True
    """
    chosen = _named(algorithms)
    ks, ls = whole_numbers("k", k, at_least=1), whole_numbers("l", l, at_least=1)
    return run_plan(
        Source.of(data),
        Plan(
            grid(list(chosen), ks, ls),
            chosen,
            whole_number("repeat", repeat, at_least=1),
            whole_number("seed", seed, at_least=0),
        ),
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        hierarchies=hierarchies,
        measures=measures,
        max_suppression=max_suppression,
        missing_values=missing_values,
        drop_missing=drop_missing,
        unit=unit,
        keep=keep,
        fresh=fresh,
        at_once=at_once,
        progress=progress,
    )


def run_plan(
    source: Source,
    plan: Plan,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    hierarchies: Hierarchies | None = None,
    measures: Names = ("loss", "distortion", "time"),
    max_suppression: float | int = 0,
    missing_values: Names = (),
    drop_missing: bool | Literal["roles", "all"] = False,
    unit: str | None = None,
    keep: str | PathLike[str] | None = None,
    fresh: bool = False,
    at_once: int = 1,
    progress: Progress | bool | None = None,
) -> Comparison:
    """Run the settings of a plan on a table."""
    roles = Roles.of(source.columns, quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    _check(plan, roles)
    whole_number("at_once", at_once, at_least=1)
    names = tuple(dict.fromkeys(texts_of(measures)))
    if not names:
        raise InputError("No measure is named: give one or several, such as ['loss', 'time'].")
    wanted_measures([name for name in names if name != TIME], roles)
    missing = texts_of(missing_values)
    guides = guides_of(hierarchies, roles, source.columns)
    complete_rows = source.keep(whole_rows(source, roles, missing, dropping(drop_missing)))

    plain = with_trees = complete_rows.encode(roles, guides=guides, missing_values=missing)
    if not all(isinstance(domain, TreeDomain) for domain in plain.domains):
        trees = {name: guides.get(name, flat(Style())) for name in roles.quasi}
        with_trees = complete_rows.encode(roles, guides=trees, missing_values=missing)
    units = units_of(complete_rows, roles, unit=unit, missing_values=missing)
    plain, with_trees = replace(plain, units=units), replace(with_trees, units=units)
    bench = Bench(plain, with_trees, plan, names, budget_of(max_suppression, plain.rows))
    kept = Kept(None if keep is None else Path(keep), fresh=fresh)
    with showing(progress) as tell:
        done, complete = _finish(bench, kept, at_once, tell)
    return Comparison(
        name=source.name or "the table",
        rows=plain.rows,
        quasi=roles.quasi,
        sensitive=roles.sensitive,
        measures=names,
        cells=tuple(Cell(setting, tuple(done[setting])) for setting in plan.settings if done[setting]),
        notes=(
            *source.notes,
            *_dropped(len(source) - len(complete_rows)),
            *_notes(bench, at_once, complete=complete),
            *_people(unit, plain),
        ),
        complete=complete,
        suppressed=bench.suppressed(),
    )


def _finish(bench: Bench, kept: Kept, at_once: int, tell: Progress) -> tuple[dict[Setting, list[Figures]], bool]:
    """Return the figures of every run, kept or new; and False if Ctrl-C ended the runs early."""
    plan, timed = bench.plan, TIME in bench.measures
    texts = {id(table): content(table) for table in (bench.table, bench.with_trees)}

    def key(setting: Setting, repetition: int) -> str:
        table, order = texts[id(bench.table_of(setting))], plan.shuffle(setting, repetition)
        algorithm = plan.algorithm(setting, repetition)
        return key_of(table, order, algorithm, setting.model, bench.max_suppressed, timed=timed)

    figures_of = {run: kept.find(key(*run), bench.measures) for run in plan.runs}
    clock = Clock([run for run, figures in figures_of.items() if figures is None])

    def begin(setting: Setting) -> None:
        tell(f"{len(plan.runs) - len(clock.left)} of {len(plan.runs)} runs: {setting}", clock.share)

    complete = True
    try:
        for setting, repetition, figures in run_all(bench, list(clock.left), begin, at_once=at_once):
            figures_of[setting, repetition] = figures
            facts = {"algorithm": repr(plan.algorithm(setting, repetition)), "k": setting.k, "l": setting.l}
            kept.add(key(setting, repetition), figures, facts)
            clock.finished((setting, repetition))
    except KeyboardInterrupt:
        complete = False
    done: dict[Setting, list[Figures]] = {setting: [] for setting in plan.settings}
    for (setting, _), finished in figures_of.items():
        if finished is not None:
            done[setting].append(finished)
    return done, complete


class Clock:
    """The progress of the runs: each is expected to take as long as the most similar one that is done."""

    def __init__(self, runs: list[Run]) -> None:
        self.left = runs
        self.last = perf_counter()
        self.took: dict[Setting, float] = {}
        self.spent = 0.0

    def finished(self, run: Run) -> None:
        """Note that a run is done."""
        now = perf_counter()
        self.took[run[0]] = now - self.last
        self.spent, self.last = self.spent + now - self.last, now
        self.left.remove(run)

    @property
    def share(self) -> float:
        """The share of the expected time that has passed."""
        if not self.took:
            return 0.0
        return self.spent / (self.spent + sum(self._expected(setting) for setting, _ in self.left))

    def _expected(self, setting: Setting) -> float:
        same = [other for other in self.took if other.algorithm == setting.algorithm]
        if not same:
            return self.spent / len(self.took)
        return self.took[min(same, key=lambda other: (abs(log(other.k / setting.k)), abs(other.l - setting.l)))]


def _named(algorithms: Iterable[str | Algorithm]) -> dict[str, Algorithm]:
    """Return the algorithms by name; the name includes parameters that are not the default."""
    if isinstance(algorithms, str) or not isinstance(algorithms, Iterable):
        raise InputError(f"algorithms = {algorithms!r} must be a list, such as ['mondrian', 'clustering'].")
    by_name: dict[str, Algorithm] = {}
    for choice in algorithms:
        algorithm = algorithm_of(choice)
        name = _spelled(algorithm)
        if name in by_name:
            raise InputError(f"The algorithm {name} is named twice: keep one of the two.")
        by_name[name] = algorithm
    if not by_name:
        raise InputError("No algorithm is named: give one or several, such as ['mondrian', 'clustering'].")
    return by_name


def _spelled(algorithm: Algorithm) -> str:
    """Write an algorithm's name with its parameters that are not the default."""
    parameters = [(field, getattr(algorithm, field.name)) for field in fields(cast(Any, algorithm))]
    changed = [f"{field.name}={value}" for field, value in parameters if value != _default(field)]
    return " ".join([algorithm.name, *changed])


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _check(plan: Plan, roles: Roles) -> None:
    """Raise InputError for settings that protect nobody, and for ℓ without a sensitive column."""
    check_seed("The comparison", plan.seed)
    for setting in plan.settings:
        if setting.l > 1 and not roles.sensitive:
            raise InputError(f"l = {setting.l} needs a sensitive column and none is named.")
        if setting.k == 1 and setting.l == 1:
            raise InputError("k = 1 with l = 1 protects nobody: choose a k of at least 2.")


def _dropped(rows: int) -> list[str]:
    """Say how many rows were left out as they miss a value, if any."""
    return (
        [f"{rows:,} row{'s' * (rows > 1)} with missing values {'were' if rows > 1 else 'was'} left out."]
        if rows
        else []
    )


def _people(unit: str | None, table: Table) -> list[str]:
    """Say who was counted, if people were."""
    if unit is None:
        return []
    return [f"k and ℓ are of the {table.people:,} people of column {unit!r}, not of rows; losses are of rows."]


def _notes(bench: Bench, at_once: int, *, complete: bool) -> tuple[str, ...]:
    """Describe how the figures were measured."""
    notes, repeat = [], bench.plan.repeat
    if not complete:
        notes.append(f"The comparison was interrupted: each setting was to run {repeat} times.")
    elif repeat == 1:
        notes.append("Each setting ran once, so that nothing is known of the spread.")
    else:
        notes.append(
            f"Each setting ran {repeat} times: with another seed each time if an algorithm is random, otherwise with "
            f"the rows in their order and then shuffled. Figures are means (times: medians) ± one standard deviation; "
            f"bands go from the lowest run to the highest. Where those of two overlap, they are not told apart."
        )
    if TIME in bench.measures:
        notes.append(
            f"Times are those of the algorithm alone, after a run that is not counted, one run at a time on "
            f"{processor()}; reading, labelling and verifying are not included."
        )
    elif at_once > 1:
        notes.append(f"Up to {at_once} runs may have run at the same time, as no time was measured.")
    return tuple(notes)
