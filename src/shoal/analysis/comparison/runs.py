"""The runs of a comparison: one at a time if time is measured, otherwise on all cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait

import numpy as np

from shoal.algorithms import Algorithm
from shoal.analysis.comparison.kept import Figures
from shoal.analysis.comparison.plan import Plan, Setting, shuffled
from shoal.analysis.comparison.results import CLASSES, FEWEST, SMALLEST, SUPPRESSED, TIME
from shoal.data.classes import Classes
from shoal.data.recoding import Recoding, distinct
from shoal.data.table import Table
from shoal.errors import InfeasibleError, InputError, VerificationError
from shoal.kernels.compilations import clock
from shoal.metrics import METRICS
from shoal.release.arguments import check_feasible, check_recoding
from shoal.release.people import Task
from shoal.release.solve import was_interrupted
from shoal.system.interrupts import answering_interrupts

Run = tuple[Setting, int]  # with the number of the repetition
Done = tuple[Setting, int, Figures]


@dataclass(frozen=True, eq=False)
class Bench:
    """What every run needs: the table, the same with a tree for every column, the plan and the measures."""

    table: Table
    with_trees: Table
    plan: Plan
    measures: tuple[str, ...]
    max_suppressed: int

    def table_of(self, setting: Setting) -> Table:
        """Return the table that an algorithm works on."""
        needs = getattr(self.plan.algorithms[setting.algorithm], "needs_hierarchies", False)
        return self.with_trees if needs else self.table

    def warm_up(self, setting: Setting, repetition: int) -> None:
        """Do a run that is not counted: the first of a setting takes longer, with cold caches and code to compile."""
        with suppress(InfeasibleError, InputError):
            self._recode(setting, repetition)

    def run(self, setting: Setting, repetition: int) -> Figures:
        """Return the figures of one run; its classes must satisfy the model."""
        try:
            table, recoding, seconds = self._recode(setting, repetition)
        except (InfeasibleError, InputError) as error:
            return {"failure": str(error)}
        check_recoding(recoding, table, self.max_suppressed)
        model, classes = setting.model_for(table), table.classes(recoding.ids)
        if not model.satisfied(classes).all():
            raise VerificationError(f"{setting}: the algorithm's classes do not satisfy {model}.", closing="")
        small = distinct(table, recoding)
        measured = {name: seconds if name == TIME else METRICS[name](*small) for name in self.measures}
        dropped = {SUPPRESSED: table.rows - int(classes.rows.sum())} if self.max_suppressed else {}
        return measured | facts_of(classes) | dropped

    def _recode(self, setting: Setting, repetition: int) -> tuple[Table, Recoding, float]:
        """Return the table of a run, the algorithm's answer, and the seconds it took."""
        table, order = self.table_of(setting), self.plan.shuffle(setting, repetition)
        table = table if order is None else shuffled(table, order)
        algorithm, model = self.plan.algorithm(setting, repetition), setting.model_for(table)
        check_feasible(table, model)
        task = Task.of(table, model)
        task.check(algorithm)
        start = clock()
        recoding = _recode(task, algorithm, self.max_suppressed)
        seconds = clock() - start
        if was_interrupted(recoding):
            raise KeyboardInterrupt
        return table, recoding, seconds

    def suppressed(self) -> dict[str, float]:
        """Return what suppressing every cell would cost, by each measure that is worst there."""
        table = self.table_of(self.plan.settings[0])
        everything = distinct(table, Recoding.of_groups(table, np.full(len(table.weights), -1, np.int32)))
        names = [name for name in self.measures if name != TIME and METRICS[name].worst_if_suppressed]
        return {name: float(METRICS[name](*everything)) for name in names}


def facts_of(classes: Classes) -> Figures:
    """Return the number of classes, the rows of the smallest, and the fewest different sensitive values in one."""
    if not len(classes):
        return {CLASSES: 0}
    values = [int(classes.distinct(name).min()) for name in classes.sensitive]
    found: Figures = {CLASSES: len(classes), SMALLEST: int(classes.rows.min())}
    return found | ({FEWEST: min(values)} if values else {})


def _recode(task: Task, algorithm: Algorithm, budget: int) -> Recoding:
    """Return the algorithm's answer for all rows; if people who are suppressed have too many, let it suppress fewer."""
    most = budget
    while True:
        recoding = task.of_rows(algorithm.recode(task.table, task.model, max_suppressed=most))
        if most == 0 or task.fits(recoding, budget):
            return recoding
        most //= 2


def run_all(bench: Bench, runs: list[Run], begin: Callable[[Setting], None], *, at_once: int) -> Iterator[Done]:
    """Yield each run with its figures as it is done; `begin` is called with the next setting."""
    if TIME in bench.measures or at_once == 1 or len(runs) < 2 * at_once:
        yield from _one_by_one(bench, runs, begin)
    else:
        yield from _side_by_side(bench, runs, begin, at_once)


def cores(measures: Sequence[str]) -> int:
    """Return how many runs may run at the same time: one if time is measured, as parallel runs take longer."""
    if TIME in measures:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _one_by_one(bench: Bench, runs: list[Run], begin: Callable[[Setting], None]) -> Iterator[Done]:
    warm: set[Setting] = set()
    for setting, repetition in runs:
        begin(setting)
        with answering_interrupts():
            if TIME in bench.measures and setting not in warm:
                bench.warm_up(setting, repetition)
                warm.add(setting)
            figures = bench.run(setting, repetition)
        yield setting, repetition, figures


def _side_by_side(bench: Bench, runs: list[Run], begin: Callable[[Setting], None], at_once: int) -> Iterator[Done]:
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(at_once, multiprocessing.get_context("spawn"), _take, (bench,))
    try:
        begin(runs[0][0])
        waiting = {pool.submit(_run, *run): run for run in runs}
        for done in as_completed(waiting):
            setting, repetition = waiting[done]
            yield setting, repetition, done.result()
            begin(setting)
    except BrokenProcessPool as error:
        raise InputError("A parallel run ended without a result, most likely because it ran out of memory.") from error
    finally:
        for process in multiprocessing.active_children():
            if process not in others:
                process.terminate()
        pool.shutdown(cancel_futures=True)


_bench: Bench | None = None  # of a process for runs


def _take(bench: Bench) -> None:
    global _bench
    _bench = bench
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))  # Ctrl-C reaches this process, too
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has ended, even if that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _run(setting: Setting, repetition: int) -> Figures:
    assert _bench is not None  # noqa: S101
    return _bench.run(setting, repetition)
