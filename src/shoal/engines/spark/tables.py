"""CSV and Parquet files read as Spark tables and written from them; the columns of a CSV file stay text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from shoal.engines.scan import Scan, written_scan
from shoal.engines.spark.csv_parts import CheckedFiles, check, read_parts
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
# Override the settings of the session: no file may be skipped, and names are not patterns.
EXACT_FILES = {
    "ignoreCorruptFiles": False,
    "ignoreMissingFiles": False,
    "mergeSchema": False,
    "pathGlobFilter": "*",
    "recursiveFileLookup": False,
}
CHARACTERS = r"Spark cannot find a path with ':' and one of \ * ? [ ] { } ^ or a comma in it."


@dataclass(frozen=True, eq=False)
class Files:
    """The files of a table and their number of rows; `checked` has the parts of CSV files."""

    scan: Scan
    rows: int
    checked: CheckedFiles | None

    @classmethod
    def of(cls, scan: Scan) -> Files:
        """Check the files of a scan, and refuse those that Spark cannot read exactly."""
        if scan.kind == "parquet":
            for path in scan.paths:
                _check_name(path)
            checked, rows = None, scan.rows()
        else:
            _encoding(scan.dialect.encoding)
            checked = check(scan)
            rows = checked.rows
        if not rows:
            raise InputError(f"{scan.path}: the table has column names but no rows.")
        return cls(scan, rows, checked)

    def checksum(self) -> str:
        """Return the checksum of the files, which must be unchanged."""
        return self.scan.checksum(self.checked.checksums if self.checked else ())

    def check_rows(self, counted: int) -> None:
        """Refuse to continue if Spark has read more or fewer rows than the files have."""
        if counted != self.rows:
            raise InputError(
                f"{self.scan.path}: Spark has read {counted:,} rows, and there are {self.rows:,}. Run again when "
                f"nobody writes to the files; if they do not change, leave out --engine."
            )


def read(spark: SparkSession, files: Files) -> DataFrame:
    """Read the table in a file or a folder of files."""
    if files.checked is not None:
        return read_parts(spark, files.checked, files.scan.dialect, files.scan.columns)
    return _read_parquet(spark, files.scan.paths)


def read_back(spark: SparkSession, folder: Path, kind: str, dialect: Dialect) -> DataFrame:
    """Read the table that was written into a folder."""
    files = Files.of(written_scan(folder, dialect))
    if files.scan.kind != kind:
        raise VerificationError(f"The release is in files of the kind {files.scan.kind}.")
    return read(spark, files)


def write(frame: DataFrame, folder: Path, kind: str, dialect: Dialect) -> None:
    """Write a table into a new folder, one file for each partition."""
    if kind == "parquet":
        frame.write.parquet(_address(folder))
        return
    single_column = len(frame.columns) == 1
    frame = frame.na.fill("") if single_column else frame
    frame.write.options(**_csv_options(dialect, single_column=single_column)).csv(_address(folder))


def check_target(target: Path, *, instead: str = "Choose another name.") -> None:
    """Refuse a path that Spark cannot write to, or read from, by its exact name."""
    check_name(_full_path(target))
    if ":" in str(_full_path(target)) and _pattern(target) != _address(target):
        raise InputError(f"{target}: {CHARACTERS} {instead}")


def check_characters(spark: SparkSession, paths: Sequence[Path]) -> None:
    """Refuse names with characters that this Java cannot encode, since it replaces them by question marks."""
    encoding = _encoding_of_java(spark)
    for path in paths:
        try:
            str(_full_path(path)).encode(encoding)
        except (UnicodeError, LookupError) as error:
            raise InputError(
                f"{path}: Java cannot write this name in {encoding}: set LC_ALL=C.UTF-8 before Spark starts, or "
                f"rename it."
            ) from error


def _encoding_of_java(spark: SparkSession) -> str:
    """Return the encoding in which the driver's Java passes file names to the system."""
    return str(spark.sparkContext._jvm.java.lang.System.getProperty("sun.jnu.encoding"))


def _read_parquet(spark: SparkSession, paths: Sequence[Path]) -> DataFrame:
    """Read the table in these Parquet files, and in no others."""
    check_characters(spark, paths)
    table = spark.read.options(**EXACT_FILES).parquet(*(_pattern(path) for path in paths))
    read_paths = {unquote(re.sub("^file:/*", "/", address)) for address in table.inputFiles()}
    expected = {str(_full_path(path)) for path in paths}
    if read_paths != expected:
        path = min(read_paths ^ expected)
        raise InputError(f"{path}: Spark does not read these files by their exact names. Rename the file.")
    return table


def _full_path(path: Path) -> Path:
    """Return the full path; its last part stays as it is even if it is a link."""
    return path.parent.resolve() / path.name


def _address(path: Path) -> str:
    """Return the address of a local path, whatever the default file system of the cluster is."""
    return f"file:{_full_path(path)}"


def _pattern(path: Path) -> str:
    """Return the pattern that matches only this path."""
    return re.sub(r"([\\*?\[\]{},^])", r"\\\1", _address(path))


def _check_name(path: Path) -> None:
    """Refuse a file that Spark skips or does not find by its name."""
    check_name(_full_path(path))
    if path.name[0] in "._":
        raise InputError(f"{path}: Spark skips files whose names begin with {path.name[0]!r}. Rename the file.")
    if ":" in path.name:
        raise InputError(f"{path}: Spark cannot read a file with ':' in its name. Rename the file.")
    check_target(path, instead="Rename the file or its folder.")


def _csv_options(dialect: Dialect, *, single_column: bool) -> dict[str, Any]:
    """Return Spark's options for writing CSV; an empty value in a single column is quoted, not an empty line."""
    return {
        "sep": dialect.separator,
        "encoding": _encoding(dialect.encoding),
        "header": True,
        "quote": '"',
        "escape": '"',
        "emptyValue": '""' if single_column else "",
        "nullValue": "",
        "ignoreLeadingWhiteSpace": False,
        "ignoreTrailingWhiteSpace": False,
        "lineSep": "\n",  # with CRLF, Spark would also change line breaks within cells
    }


def _encoding(name: str) -> str:
    """Return Spark's name of an encoding."""
    plain = codecs.lookup(name).name.removesuffix("-sig")
    if plain not in ENCODINGS:
        raise InputError(f"Spark does not write {name}: save the CSV as UTF-8, or leave out --engine.")
    return ENCODINGS[plain]
