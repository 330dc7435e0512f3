"""The people of a DataFrame: their distinct rows, counted by Spark, and their released rows, in a random order."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from shoal.data.arrow_text import plain
from shoal.data.unit import named_units, unit_numbers, without_unit
from shoal.engines.similar_names import BLANKS, warning_of_similar
from shoal.engines.spark.count import Counted, Counts, IntArray, collect_counts, count
from shoal.engines.spark.frames import keys_of, numbered
from shoal.engines.spark.session import pyspark
from shoal.errors import InputError
from shoal.release.request import Request
from shoal.release.review.finding import Finding

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ORDER = "order"


@dataclass(frozen=True, eq=False)
class RowsOfPeople:
    """The distinct rows of people as places of their values, the number of each row's person, and their weights."""

    places: IntArray
    units: IntArray
    weights: Counts


def count_people(data: DataFrame, request: Request, max_rows: int) -> tuple[Counted, RowsOfPeople]:
    """Count the values of the requested columns, and the distinct rows of each person, of which the driver solves all.

    Each row that names nobody is refused, or a person of its own.
    """
    unit = request.unit
    if unit is None or unit.column is None:
        raise InputError("No column says whose row it is: name it (unit=…).")
    counts = count(data, (*request.names, unit.column)).limit(max_rows + 1).toArrow()
    if not counts.num_rows:
        raise InputError("The table has no rows.")
    if counts.num_rows > max_rows:
        raise InputError(
            f"The table has more than {max_rows:,} different rows of people, which are solved all together on the "
            f"driver: raise block_rows if it has the memory."
        )
    at = len(request.names)
    counted, places, weights = collect_counts(counts.remove_column(at), request)
    complete = counted.known.complete(counted.known.places(counts.columns[:at]))
    names = named_units(plain(counts.column(at).filter(pa.array(complete))), request.missing_values)
    nobody = names.is_null().to_numpy()
    if unit.missing == "refuse" and nobody.any():
        raise without_unit(unit.column, int(weights[nobody].sum()))
    rows = np.repeat(np.arange(weights.size), np.where(nobody, weights, 1))
    units = unit_numbers(unit.column, names.take(pa.array(rows)), request.missing_values, unit.missing)
    return counted, RowsOfPeople(places[rows], units, np.where(nobody, 1, weights)[rows])


def similar_names(data: DataFrame, request: Request) -> list[Finding]:
    """Warn of people who are written in several ways."""
    name = None if request.unit is None else request.unit.column
    functions, types = pyspark("sql.functions"), pyspark("sql.types")
    if name is None or not isinstance(data.schema.fields[data.columns.index(name)].dataType, types.StringType):
        return []
    own = functions.col(keys_of(data, (name,))[0])
    bare = functions.lower(functions.regexp_replace(own, BLANKS, ""))
    named = numbered(data).where((bare != "") & ~own.isin(*request.missing_values))
    row = named.agg(functions.countDistinct(own), functions.countDistinct(bare)).first()
    return [] if row is None else warning_of_similar(name, row[0] - row[1])


def in_random_order(frame: DataFrame) -> DataFrame:
    """Put each row into a random partition, and sort each partition at random; there is no seed to keep or guess."""
    functions = pyspark("sql.functions")
    partition = frame.withColumn(ORDER, functions.rand(secrets.randbits(63))).repartition(ORDER)
    again = partition.withColumn(ORDER, functions.rand(secrets.randbits(63)))
    return again.sortWithinPartitions(ORDER).drop(ORDER)
