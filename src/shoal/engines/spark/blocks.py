"""Blocks: where different rows are too many for the driver, it finds coarse cuts, and workers answer for each block."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from shoal.algorithms import Algorithm
from shoal.data.coding import Coding
from shoal.engines.spark.answers import Answered
from shoal.engines.spark.count import Counted, Counts, IntArray, Known, null_last
from shoal.engines.spark.errors import ACHIEVABLE
from shoal.engines.spark.frames import ROWS, Batches, keys_of, mapped, without_pandas
from shoal.engines.spark.relabel import Joining, Reading, code_columns, code_names
from shoal.engines.spark.sweeps import sweep
from shoal.errors import InfeasibleError, InputError
from shoal.release.answer import coding_of
from shoal.release.arguments import algorithm_of
from shoal.release.blocks import Blocks, BlocksAnswer, Cost, answer_block, block_algorithm, cost_of_a_cut
from shoal.release.coarse_cuts import Cuts, find_cuts
from shoal.release.request import Request
from shoal.release.solve import Tell

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BLOCK, COST = "block", "cost"
REMEDY = "raise block_rows"


def block_by_block(data: DataFrame, request: Request, different: DataFrame, limit: int, tell: Tell) -> Answered:
    """Cut the table into blocks of at most `limit` different rows, and let the algorithm answer about each."""
    algorithm = block_algorithm(algorithm_of(request.algorithm), remedy=REMEDY)
    if isinstance(getattr(algorithm, "effort", None), int | float):
        raise InputError("A number of seconds gives other blocks on other machines: choose fast, balanced or best.")
    counted = _counted(request, different, keys_of(data, request.names))
    coding = coding_of(request, counted.values, request.guides)
    rows = mapped(different, _Coded(counted.known, coding), f"{code_columns(coding)}, {ROWS} bigint").persist()
    try:
        tell("cutting into blocks", 0)
        cuts = find_cuts(
            coding,
            request.model,
            limit,
            lambda count: sweep(rows, lambda table: count(*_part(table))),
            remedy=REMEDY,
        )
        tell(f"working on {len(cuts)} blocks", 0)
        answers = _answers(rows, cuts, request, coding, algorithm).persist()
        told = [json.loads(row[0]) for row in answers.where(f"{COST} is not null").select(COST).collect()]
    finally:
        rows.unpersist()
    costs = tuple(Cost(**one["cost"]) for one in told)
    more = next(one["more"] for one in told if one["block"] == 0)
    blocks = Blocks(len(cuts), cuts.depth, sum(one["different_rows"] for one in told), more)
    whole = BlocksAnswer(request, coding, algorithm, costs, blocks)
    reading = Reading.of(request, counted.known, coding, data.columns)
    return Answered(whole, whole.promise(), Joining(reading, answers), counted, held=answers)


def _counted(request: Request, different: DataFrame, keys: list[str]) -> Counted:
    """The values of the columns."""
    columns = [different.select(name).distinct().toArrow().column(0) for name in keys]
    known = Known(request.names, tuple(null_last(column.combine_chunks()) for column in columns))

    def counts(known: Known) -> list[Counts]:
        return sweep(different, lambda table: known.counts(known.places(table.columns[:-1]), table[ROWS].to_numpy()))

    before = after = counts(known)
    if request.drop_missing:
        known = known.without_missing(before, request.missing_values)
        after = counts(known)
    return Counted.of(known, before, after)


@dataclass(frozen=True, eq=False)
class _Coded:
    """Different rows by values become different rows by codes, those that miss a value being left out."""

    known: Known
    coding: Coding

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            places = self.known.places(batch.columns[:-1])
            whole = self.known.whole(places)
            codes, weights = self.coding.of_places(places[whole]), batch.column(ROWS).filter(pa.array(whole))
            yield pa.RecordBatch.from_arrays([*map(pa.array, codes.T), weights], [*code_names(self.coding), ROWS])


def _part(table: pa.Table) -> tuple[IntArray, Counts]:
    """The codes and the weights of some different rows."""
    columns = [column.to_numpy() for column in table.columns]
    return np.stack(columns[:-1], axis=1), columns[-1]


def _answers(rows: DataFrame, cuts: Cuts, request: Request, coding: Coding, algorithm: Algorithm) -> DataFrame:
    """The codes of the different rows with the labels that they are to show; one row of a block tells what it costs."""
    # What workers need not know stays here.
    asked = replace(request, guides={}, key=None, hierarchies=None)
    shown = [f"label{at}" for at in range(len(coding.quasi))]

    def with_block(batches: Batches) -> Batches:
        for batch in batches:
            codes, _ = _part(pa.Table.from_batches([batch]))
            yield batch.append_column(BLOCK, pa.array(cuts.blocks(codes)))

    def answered(block: pa.Table) -> pa.Table:
        number = block[BLOCK][0].as_py()
        codes, weights = _part(block.drop_columns(BLOCK))
        try:
            found = answer_block(asked, coding, algorithm, codes, weights, _nobody)
        except InfeasibleError as error:
            error.add_note(f"{ACHIEVABLE}{error.achievable}")  # which the driver reads
            raise
        told = {"block": number, "cost": asdict(found.cost), "different_rows": len(found.codes), "more": None}
        if number == 0:
            told["more"] = cost_of_a_cut(asked, coding, algorithm, codes, weights, found.cost, _nobody)
        labels = [pa.array(found.labels[name]).take(pa.array(found.ids)) for name in coding.quasi]
        costs = pa.array([json.dumps(told), *[None] * (len(found.ids) - 1)], pa.string())
        return pa.table([*map(pa.array, found.codes.T), *labels, costs], names=[*code_names(coding), *shown, COST])

    numbered = mapped(rows, with_block, f"{code_columns(coding)}, {ROWS} bigint, {BLOCK} int")
    schema = ", ".join([code_columns(coding), *(f"{name} string" for name in shown), f"{COST} string"])
    with without_pandas():
        return numbered.groupBy(BLOCK).applyInArrow(answered, schema)


def _nobody(stage: str, share: float) -> None:
    """Nobody is told how far a worker is."""
