"""CSV and Parquet files as Spark reads and writes them, the columns of a CSV staying text."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.csv_files import Dialect, has_quotes
from shoal.errors import InputError
from shoal.spark.starting import pyspark
from shoal.streams.scan import Scan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ENCODINGS = {
    "ascii": "us-ascii",
    "iso8859-1": "iso-8859-1",
    "utf-16": "utf-16",
    "utf-16-be": "utf-16be",
    "utf-16-le": "utf-16le",
    "utf-8": "utf-8",
}


def read(spark: SparkSession, scan: Scan) -> DataFrame:
    """The table of a file or a folder of files."""
    paths = [str(path.resolve()) for path in scan.paths]
    if scan.kind == "parquet":
        return spark.read.parquet(*paths)
    return _read_csv(spark, paths, scan.columns, scan.dialect, several_lines=any(map(has_quotes, scan.paths)))


def read_back(spark: SparkSession, folder: Path, kind: str, columns: list[str], dialect: Dialect) -> DataFrame:
    """The table that was written into a folder."""
    if kind == "parquet":
        return spark.read.parquet(str(folder.resolve()))
    return _read_csv(spark, [str(folder.resolve())], columns, dialect, several_lines=True)


def write(frame: DataFrame, folder: Path, kind: str, dialect: Dialect) -> None:
    """Write a table into a new folder, a file for each part."""
    if kind == "parquet":
        frame.write.parquet(str(folder.resolve()))
        return
    # With CRLF as the end of lines Spark would write every line break within a cell so.
    options = _options(dialect) | {"lineSep": "\n"}
    frame.write.options(**options).csv(str(folder.resolve()))


def _read_csv(
    spark: SparkSession, paths: list[str], columns: list[str], dialect: Dialect, *, several_lines: bool
) -> DataFrame:
    """A file whose values may go over several lines is read by one task; other files are cut."""
    types = pyspark("sql.types")
    schema = types.StructType([types.StructField(name, types.StringType()) for name in columns])
    options = {"mode": "FAILFAST", "enforceSchema": False, "multiLine": several_lines}
    table = spark.read.schema(schema).options(**_options(dialect), **options).csv(paths)
    return table.na.fill("")  # an empty text, as it is where a file is read without Spark


def _options(dialect: Dialect) -> dict[str, Any]:
    return {
        "sep": dialect.separator,
        "encoding": _encoding(dialect.encoding),
        "header": True,
        "quote": '"',
        "escape": '"',
        "emptyValue": "",
        "ignoreLeadingWhiteSpace": False,
        "ignoreTrailingWhiteSpace": False,
    }


def _encoding(name: str) -> str:
    """The name of an encoding as Spark knows it."""
    plain = codecs.lookup(name).name.removesuffix("-sig")
    if plain not in ENCODINGS:
        raise InputError(f"Spark does not read {name}: save the CSV as UTF-8, or leave out --engine.")
    return ENCODINGS[plain]
