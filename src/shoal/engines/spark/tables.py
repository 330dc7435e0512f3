"""CSV and Parquet files as tables of Spark and back, the columns of a CSV staying text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from shoal.engines.spark.csv_parts import Judged, judge, read_parts
from shoal.engines.streams.scan import Scan
from shoal.errors import InputError, VerificationError
from shoal.io.csv_dialect import Dialect
from shoal.system.atomic_files import check_name

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
# Whatever the session says: no file may be passed over, nor be taken by a part of its name.
WHOLE = {
    "ignoreCorruptFiles": False,
    "ignoreMissingFiles": False,
    "mergeSchema": False,
    "pathGlobFilter": "*",
    "recursiveFileLookup": False,
}
SIGNS = r"Spark cannot find a path with ':' and one of \ * ? [ ] { } ^ or a comma in it."


@dataclass(frozen=True, eq=False)
class Files:
    """The files of a table, and what the driver found in them."""

    scan: Scan
    rows: int
    judged: Judged | None  # where they are CSV

    @classmethod
    def of(cls, scan: Scan) -> Files:
        """Look at the files of a scan, and refuse what Spark cannot read exactly."""
        if scan.kind == "parquet":
            for path in scan.paths:
                _check_name(path)
            return cls(scan, _some(scan, scan.rows()), None)
        _encoding(scan.dialect.encoding)
        judged = judge(scan)
        return cls(scan, _some(scan, judged.rows), judged)

    def checksum(self) -> str:
        """The checksum of the files, which must be as they were at first."""
        return self.scan.checksum(self.judged.checksums if self.judged else ())

    def check_rows(self, counted: int) -> None:
        """Refuse to go on where Spark has read more or fewer rows than there are."""
        if counted != self.rows:
            raise InputError(
                f"{self.scan.path}: Spark has read {counted:,} rows, and there are {self.rows:,}. Run again when "
                f"nobody writes to the files; if they stay as they are, leave out --engine."
            )


def _some(scan: Scan, rows: int) -> int:
    """The number of rows, which must not be 0."""
    if not rows:
        raise InputError(f"{scan.path}: the table has column names but no rows.")
    return rows


def read(spark: SparkSession, files: Files) -> DataFrame:
    """The table of a file or a folder of files."""
    if files.judged is not None:
        return read_parts(spark, files.judged, files.scan.dialect, files.scan.columns)
    return _read_parquet(spark, files.scan.paths)


def read_back(spark: SparkSession, folder: Path, kind: str, dialect: Dialect) -> DataFrame:
    """The table that was written into a folder."""
    files = Files.of(Scan.of(folder, separator=dialect.separator, encoding=dialect.encoding))
    if files.scan.kind != kind:
        raise VerificationError(f"The release is in files of the kind {files.scan.kind}.")
    return read(spark, files)


def write(frame: DataFrame, folder: Path, kind: str, dialect: Dialect) -> None:
    """Write a table into a new folder, a file for each part."""
    place = _address(folder)
    if kind == "parquet":
        frame.write.parquet(place)
        return
    if len(frame.columns) == 1:
        frame = frame.na.fill("")
    frame.write.options(**_options(dialect, alone=len(frame.columns) == 1)).csv(place)


def check_target(target: Path) -> None:
    """Refuse a folder that Spark cannot write to, or read from, by its exact name."""
    check_name(_place(target))
    if ":" in str(_place(target)) and _pattern(target) != _address(target):
        raise InputError(f"{target}: {SIGNS} Choose another name.")


def check_signs(spark: SparkSession, paths: Sequence[Path]) -> None:
    """Refuse names that this Java would take for others: where it does not know a sign, it puts ? in its place."""
    known = _signs_of_java(spark)
    for path in paths:
        try:
            str(_place(path)).encode(known)
        except (UnicodeError, LookupError) as error:
            raise InputError(
                f"{path}: Java cannot write this name in {known}: set LC_ALL=C.UTF-8 before Spark starts, or rename it."
            ) from error


def _signs_of_java(spark: SparkSession) -> str:
    """The encoding in which the driver's Java gives names to the system."""
    return str(spark.sparkContext._jvm.java.lang.System.getProperty("sun.jnu.encoding"))


def _read_parquet(spark: SparkSession, paths: Sequence[Path]) -> DataFrame:
    """The table of Parquet files, of these and no others."""
    check_signs(spark, paths)
    table = spark.read.options(**WHOLE).parquet(*(_pattern(path) for path in paths))
    found = {unquote(re.sub("^file:/*", "/", one)) for one in table.inputFiles()}
    wanted = {str(_place(path)) for path in paths}
    if found != wanted:
        other = min(found ^ wanted)
        raise InputError(f"{other}: Spark does not read these files by their exact names. Rename the file.")
    return table


def _place(path: Path) -> Path:
    """The whole path by its own name, also where that is the name of a link."""
    return path.parent.resolve() / path.name


def _address(path: Path) -> str:
    """A path on this machine, whichever file system is the usual one of a cluster."""
    return f"file:{_place(path)}"


def _pattern(path: Path) -> str:
    """The pattern that one path alone fits."""
    return re.sub(r"([\\*?\[\]{},^])", r"\\\1", _address(path))


def _check_name(path: Path) -> None:
    """Refuse a file that Spark passes over or does not find by its name."""
    check_name(_place(path))
    if path.name[0] in "._":
        raise InputError(f"{path}: Spark passes over files whose names begin with {path.name[0]!r}. Rename the file.")
    if ":" in path.name:
        raise InputError(f"{path}: Spark cannot read a file with ':' in its name. Rename the file.")
    if ":" in str(_place(path)) and _pattern(path) != _address(path):
        raise InputError(f"{path}: {SIGNS} Rename the file or its folder.")


def _options(dialect: Dialect, *, alone: bool) -> dict[str, Any]:
    """How Spark writes a CSV; of a table of one column, a row with an empty value is no empty line."""
    return {
        "sep": dialect.separator,
        "encoding": _encoding(dialect.encoding),
        "header": True,
        "quote": '"',
        "escape": '"',
        "emptyValue": '""' if alone else "",
        "nullValue": "",
        "ignoreLeadingWhiteSpace": False,
        "ignoreTrailingWhiteSpace": False,
        "lineSep": "\n",  # with CRLF Spark would write every line break within a cell so
    }


def _encoding(name: str) -> str:
    """The name of an encoding as Spark knows it."""
    plain = codecs.lookup(name).name.removesuffix("-sig")
    if plain not in ENCODINGS:
        raise InputError(f"Spark does not write {name}: save the CSV as UTF-8, or leave out --engine.")
    return ENCODINGS[plain]
