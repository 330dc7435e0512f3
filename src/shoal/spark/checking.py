"""Verification: Spark groups a release by the labels that it shows, and the model is asked about every class."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shoal.errors import VerificationError
from shoal.spark.frames import ROWS, count_rows, key, keys_of, numbered
from shoal.spark.starting import pyspark
from shoal.table import Classes
from shoal.verification import Promise, check_release

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Observation


def check(released: DataFrame, promise: Promise) -> Classes:
    """The classes of a release by its labels, or VerificationError."""
    names = (*promise.quasi, *promise.sensitive)
    shown = count_rows(numbered(released), keys_of(released, names)).toArrow()
    if not shown.num_rows:
        raise VerificationError("The release has no rows. Nothing was released.")
    return check_release(shown.drop_columns(ROWS).rename_columns(names), promise, weights=shown[ROWS].to_numpy())


def watched(frame: DataFrame) -> tuple[Observation, DataFrame]:
    """The DataFrame, and what tells the digest of its rows after they have gone by."""
    seen = pyspark("sql").Observation()
    return seen, numbered(frame).observe(seen, _digest(frame).alias("digest")).toDF(*frame.columns)


def check_digest(written: DataFrame, seen: Observation) -> None:
    """Refuse a table whose rows are not those that have gone by."""
    found: Decimal = numbered(written).agg(_digest(written)).first()[0]
    if found != seen.get["digest"]:
        raise VerificationError("The values were not written as they are. Nothing was released.")


def _digest(frame: DataFrame) -> Column:
    """A sum over the rows that changes with every value, whatever the order of the rows."""
    functions = pyspark("sql.functions")
    hashed = functions.xxhash64(*(key(at) for at in range(len(frame.columns))))
    total: Any = functions.sum(hashed.cast("decimal(38,0)"))
    return total
