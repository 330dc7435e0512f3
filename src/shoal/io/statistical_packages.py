"""Files of SPSS, Stata and SAS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.data.python_values import column
from shoal.errors import InputError, reason
from shoal.system.optional_packages import extra

READERS = {".sav": "read_sav", ".dta": "read_dta", ".sas7bdat": "read_sas7bdat", ".xpt": "read_xport"}


def read_statistics(path: Path) -> pa.Table:
    """Read a file by its suffix, with the value labels of SPSS and Stata in place of their codes.

    Labels are used if every value of a column has one of its own; otherwise the codes stay. Values that are declared
    missing and blank texts are missing; dates become dates, numbers without a fraction whole numbers.
    """
    pyreadstat = extra("pyreadstat", "statistics", "SPSS, Stata and SAS files")
    read = getattr(pyreadstat, READERS[path.suffix.lower()])
    try:
        values, metadata = read(str(path), output_format="dict")
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        raise InputError(f"{path}: not readable as {path.suffix.lower()} ({reason(error)}).") from error
    labels: dict[str, dict[Any, str]] = metadata.variable_value_labels
    arrays = []
    for name in values:
        present = [None if isinstance(value, str) and not value.strip() else value for value in values[name]]
        arrays.append(column(_labelled(present, labels.get(name, {})), whole=True))
    return pa.table(arrays, names=list(values))


def _labelled(values: list[Any], labels: dict[Any, str]) -> list[Any]:
    """Replace values by their labels, unless one has no label of its own."""
    used = {value for value in values if value is not None}
    named = {value: labels[value] for value in used if value in labels}
    if not used or len(named) < len(used) or len(set(named.values())) < len(used):
        return values
    return [None if value is None else named[value] for value in values]
