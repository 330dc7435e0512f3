"""solve(): the labels of a DataFrame's rows, found by the driver, or by workers in blocks if rows are too many."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from shoal.algorithms import Algorithm
from shoal.algorithms.algorithm import describe
from shoal.data.coding import Coding
from shoal.data.encoding import Guide
from shoal.data.table import Table
from shoal.engines.distinct_rows import block_size
from shoal.engines.lookup import Labels, Lookup
from shoal.engines.people import PeopleTable
from shoal.engines.spark.count import Counted, Counts, IntArray, collect_counts, count, count_parts, sweep, sweep_counts
from shoal.engines.spark.frames import ROWS, Batches, check_types, map_batches, without_pandas
from shoal.engines.spark.labellers import Answered, BatchReader, JoinLabeller, LookupLabeller, code_columns, code_names
from shoal.engines.spark.parquet_parts import ParquetParts
from shoal.engines.spark.people import count_people
from shoal.engines.spark.session import ACHIEVABLE
from shoal.errors import InfeasibleError, InputError
from shoal.release.answer import WholeAnswer, coding_of
from shoal.release.arguments import algorithm_of
from shoal.release.blocks import (
    Blocks,
    BlocksAnswer,
    Cost,
    answer_block,
    block_algorithm,
    cost_of_a_cut,
    with_tight_ranges,
)
from shoal.release.coarse_cuts import Cuts, find_cuts
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request
from shoal.release.solve import Tell

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MAX_ROWS = 1_000_000  # distinct rows that a driver or a worker can solve
BLOCK, SUMMARY = "block", "summary"
REMEDY = "raise block_rows"


def solve(
    data: DataFrame, request: Request, block_rows: int | None, tell: Tell, *, parts: ParquetParts | None = None
) -> Answered:
    """Count the distinct rows, solve them, and return the answer with the labeller of the rows.

    parts  the files of the DataFrame, if workers can read them themselves
    """
    check_types(data, request.roles)
    for name in request.roles.pseudonymized:
        pseudonyms(name, pa.chunked_array([], pa.string()), request.key)  # an unusable key is refused here
    max_rows = block_size(request, block_rows) or MAX_ROWS
    tell("counting different rows", 0)
    if request.unit is not None:
        return solve_people(data, request, max_rows, tell)
    distinct = count(data, request.names) if parts is None else count_parts(data, parts, request.names)
    first = distinct.limit(max_rows + 1).toArrow()
    if not first.num_rows:
        raise InputError("The table has no rows.")
    if first.num_rows <= max_rows:
        return _solve_together(data, request, first, tell)
    distinct.persist()
    try:
        return solve_in_blocks(data, request, distinct, max_rows, tell)
    finally:
        distinct.unpersist()


def _solve_together(data: DataFrame, request: Request, distinct: pa.Table, tell: Tell) -> Answered:
    """Solve all distinct rows on the driver."""
    counted, places, weights = collect_counts(distinct, request)

    def encode(guides: Mapping[str, Guide]) -> tuple[Table, Coding]:
        coding = coding_of(request, counted.values, guides)
        return coding.table(coding.of_places(places), weights), coding

    answer = WholeAnswer.of(encode, request, tell)
    return _answered(data, answer, counted, *answer.classes_of_rows)


def _answered(data: DataFrame, answer: WholeAnswer, counted: Counted, codes: IntArray, ids: IntArray) -> Answered:
    """Return the answer with the labeller of rows, given the codes of distinct rows and their classes."""
    request, labelling = answer.request, answer.labelling
    labeller = LookupLabeller(
        BatchReader.of(request, counted.known, answer.coding, data.columns),
        Lookup(lambda: [(codes, ids)], len(codes)),
        {name: Labels(labels, labelling.tops[name]) for name, labels in labelling.labels.items()},
        drops_suppressed=request.drops_suppressed,
    )
    return Answered(answer, answer.promise(), labeller, counted)


def solve_people(data: DataFrame, request: Request, max_rows: int, tell: Tell) -> Answered:
    """Solve the distinct rows of each person on the driver."""
    counted, rows = count_people(data, request, max_rows)
    found: list[PeopleTable] = []

    def encode(guides: Mapping[str, Guide]) -> tuple[Table, Coding]:
        coding = coding_of(request, counted.values, guides)
        found[:] = [PeopleTable.of(coding, coding.of_places(rows.places), rows.units, rows.weights)]
        return found[0].table, coding

    answer = WholeAnswer.of(encode, request, tell)
    classes = found[0].classes_of_rows(answer.labelling.ids)
    if classes is None:
        raise InputError(
            f"{describe(answer.algorithm)} puts equal rows of different people into different classes, which Spark "
            f"cannot tell apart: choose mondrian or full-domain."
        )
    return _answered(data, answer, counted, found[0].rows, classes)


def solve_in_blocks(data: DataFrame, request: Request, distinct: DataFrame, max_rows: int, tell: Tell) -> Answered:
    """Cut the table into blocks of at most `max_rows` distinct rows, and let workers solve each block."""
    request = with_tight_ranges(request, REMEDY)
    algorithm = block_algorithm(algorithm_of(request.algorithm), remedy=REMEDY)
    if isinstance(getattr(algorithm, "effort", None), int | float):
        raise InputError("A number of seconds gives other blocks on other machines: choose fast, balanced or best.")
    counted = sweep_counts(distinct, request)
    known, coding = counted.known, coding_of(request, counted.values, request.guides)

    def encode(batches: Batches) -> Batches:
        for batch in batches:
            places = known.places(batch.columns[:-1])
            complete = known.complete(places)
            codes, weights = coding.of_places(places[complete]), batch.column(ROWS).filter(pa.array(complete))
            yield pa.RecordBatch.from_arrays([*map(pa.array, codes.T), weights], [*code_names(coding), ROWS])

    rows = map_batches(distinct, encode, f"{code_columns(coding)}, {ROWS} bigint").persist()
    try:
        tell("cutting into blocks", 0)
        cuts = find_cuts(
            coding,
            request.model,
            max_rows,
            lambda count: sweep(rows, lambda table: count(*_codes_and_weights(table))),
            remedy=REMEDY,
        )
        tell(f"working on {len(cuts)} blocks", 0)
        answers = _answers(rows, cuts, request, coding, algorithm).persist()
        summaries = [json.loads(row[0]) for row in answers.where(f"{SUMMARY} is not null").select(SUMMARY).collect()]
    finally:
        rows.unpersist()
    costs = tuple(Cost(**summary["cost"]) for summary in summaries)
    cut_cost = next(summary["cost_of_a_cut"] for summary in summaries if summary["block"] == 0)
    blocks = Blocks(len(cuts), cuts.depth, sum(summary["different_rows"] for summary in summaries), cut_cost)
    answer = BlocksAnswer(request, coding, algorithm, costs, blocks)
    reader = BatchReader.of(request, known, coding, data.columns)
    return Answered(answer, answer.promise(), JoinLabeller(reader, answers), counted, persisted=answers)


def _codes_and_weights(table: pa.Table) -> tuple[IntArray, Counts]:
    """Return the codes and the weights of distinct rows."""
    columns = [column.to_numpy() for column in table.columns]
    return np.stack(columns[:-1], axis=1), columns[-1]


def _answers(rows: DataFrame, cuts: Cuts, request: Request, coding: Coding, algorithm: Algorithm) -> DataFrame:
    """Return the codes of the distinct rows with their labels; the first row of each block has its summary as JSON."""
    request = replace(request, guides={}, key=None, hierarchies=None)  # workers must not receive these
    label_names = [f"label{at}" for at in range(len(coding.quasi))]

    def with_block(batches: Batches) -> Batches:
        for batch in batches:
            codes, _ = _codes_and_weights(pa.Table.from_batches([batch]))
            yield batch.append_column(BLOCK, pa.array(cuts.blocks(codes)))

    def answer(block: pa.Table) -> pa.Table:
        number = block[BLOCK][0].as_py()
        codes, weights = _codes_and_weights(block.drop_columns(BLOCK))
        try:
            solved = answer_block(request, coding, algorithm, codes, weights, _tell_nobody)
        except InfeasibleError as error:
            error.add_note(f"{ACHIEVABLE}{error.achievable}")  # for the driver
            raise
        cut_cost = None
        if number == 0:
            cut_cost = cost_of_a_cut(request, coding, algorithm, codes, weights, solved.cost, _tell_nobody)
        summary = {
            "block": number,
            "cost": asdict(solved.cost),
            "different_rows": len(solved.codes),
            "cost_of_a_cut": cut_cost,
        }
        labels = [pa.array(solved.labels[name]).take(pa.array(solved.ids)) for name in coding.quasi]
        summaries = pa.array([json.dumps(summary), *[None] * (len(solved.ids) - 1)], pa.string())
        names = [*code_names(coding), *label_names, SUMMARY]
        return pa.table([*map(pa.array, solved.codes.T), *labels, summaries], names=names)

    with_blocks = map_batches(rows, with_block, f"{code_columns(coding)}, {ROWS} bigint, {BLOCK} int")
    schema = ", ".join([code_columns(coding), *(f"{name} string" for name in label_names), f"{SUMMARY} string"])
    with without_pandas():
        return with_blocks.groupBy(BLOCK).applyInArrow(answer, schema)


def _tell_nobody(stage: str, share: float) -> None:
    """Ignore the progress of a worker."""
