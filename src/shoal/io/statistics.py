"""Tables of SPSS, Stata and SAS."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.data.python_values import column
from shoal.errors import InputError, reason
from shoal.system.optional_packages import extra

READERS = {".sav": "read_sav", ".dta": "read_dta", ".sas7bdat": "read_sas7bdat", ".xpt": "read_xport"}


def read_statistics(path: Path) -> pa.Table:
    """A file by its ending, with the texts of SPSS's and Stata's value labels in place of their codes.

    Labels are used where every value of a column has one of its own; otherwise the codes stay. What is declared missing
    is missing, and so are blank texts; dates are dates, numbers without a fraction whole numbers.
    """
    pyreadstat = extra("pyreadstat", "statistics", "SPSS, Stata and SAS files")
    read = getattr(pyreadstat, READERS[path.suffix.lower()])
    try:
        values, about = read(str(path), output_format="dict")
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        raise InputError(f"{path}: not readable as {path.suffix.lower()} ({reason(error)}).") from error
    labels: dict[str, dict[Any, str]] = about.variable_value_labels
    arrays = [column(_labelled(_there(values[name]), labels.get(name, {})), whole=True) for name in values]
    return pa.table(arrays, names=list(values))


def _there(values: Iterable[Any]) -> list[Any]:
    return [None if isinstance(value, str) and not value.strip() else value for value in values]


def _labelled(values: list[Any], labels: dict[Any, str]) -> list[Any]:
    """The labels of the values, or the values where one has no label of its own."""
    used = {value for value in values if value is not None}
    named = {value: labels[value] for value in used if value in labels}
    if not used or len(named) < len(used) or len(set(named.values())) < len(used):
        return values
    return [None if value is None else named[value] for value in values]
