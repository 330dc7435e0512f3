"""anonymize(): from a table to a verified release."""

from __future__ import annotations

from typing import Any, Literal

from shoal.algorithms import Algorithm
from shoal.analysis.call_to_write import call_with_models, complete_call
from shoal.data.style import Style
from shoal.data.unit import Missing, Promised
from shoal.engines.memory.run import run
from shoal.io.source import Source
from shoal.models import PrivacyModel
from shoal.release.arguments import Hierarchies, Names
from shoal.release.range_ends.kinds import RangeKind
from shoal.release.release import Release
from shoal.release.request import Request
from shoal.system.mistaken_arguments import answering_mistakes
from shoal.system.progress import Progress, showing


@answering_mistakes("shoal.anonymize", answer=call_with_models, write=complete_call)
def anonymize(
    data: Any,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    identifying: Names = (),
    hierarchies: Hierarchies | None = None,
    model: PrivacyModel,
    algorithm: Algorithm | str = "auto",
    max_suppression: float | int = 0,
    suppressed: Literal["keep", "drop"] | None = None,
    order: Literal["rows", "classes", "shuffled"] | None = None,
    class_column: str | None = None,
    missing_values: Names = (),
    drop_missing: bool | Literal["roles", "all"] = False,
    pseudonymize: Names = (),
    keep: Names = (),
    accept: Names = (),
    key: bytes | str | None = None,
    style: Style | None = None,
    unit: str | None = None,
    group: str | None = None,
    promise: Promised | None = None,
    strict: bool = False,
    missing_units: Missing = "refuse",
    shift_dates: Names = (),
    rows_are_people: bool = False,
    ranges: RangeKind | None = None,
    progress: Progress | bool | None = None,
) -> Release:
    """Release a table so that every equivalence class satisfies a privacy model, verified from the released labels.

    data               a pandas, polars or pyarrow frame, or the path or address of a table
    quasi_identifiers  columns that could be linked with other data; their values are generalized
    sensitive          columns to protect, such as a diagnosis; they are released unchanged
    identifying        columns that name people; they are removed
    hierarchies        by column, a shoal.Hierarchy, a shoal.Ordered, a file or a spelling such as "intervals:5,10";
                       or a folder with a file for each column
    model              what every class must satisfy, such as KAnonymity(10) & DistinctDiversity(3)
    algorithm          a name such as "mondrian", or an algorithm with parameters; "auto" picks one for the table
    max_suppression    how many rows may be suppressed, as a share (0.05) or a number of rows (100)
    suppressed         keep suppressed rows, fully generalized (the default), or drop them (that of "samarati")
    order              leave the rows where they are (the default), sort them by class, or shuffle them
    class_column       the name of a new column with the number of each row's class
    missing_values     texts that mean a missing value, such as "?"
    drop_missing       drop rows in which a quasi-identifying or sensitive value is missing; "all": any value
    pseudonymize       columns whose values are replaced by keyed hashes, so that rows can still be linked
    keep               columns without another role that you have looked at: they may leave as they are
    accept             codes of what the review may find and you accept, such as "range-ends"
    key                the secret key for these hashes, shifted dates and stepped ranges
    style              how ranges, sets and suppressed values are written
    unit               the column that says whose row it is, if people have several: they are counted, not rows
    group              the column of people who are found together, such as a household
    promise            "classes", "profiles" or "households": by default as the rows of a person can be linked or not
    strict             let nobody have more than 1/k of the rows of a class
    missing_units      "refuse" rows that lack a unit, or take each as a person of its "own"
    shift_dates        columns of dates to move by a secret number of days for each person
    rows_are_people    say that each row is a different person, although values of a column such as an id repeat
    ranges             end ranges at values of people ("tight"), at the cuts of cells ("closed"), or a secret step
                       outside ("stepped", the default if there is a key and k is below 50)
    progress           called with the stage of the work and the share of it that is complete; by default a bar shows
                       it in notebooks (True: in a terminal, too; False: nowhere)

    >>> import shoal
    >>> release = shoal.anonymize(
    ...     shoal.datasets.adult(),
    ...     quasi_identifiers=["age", "sex", "race"],
    ...     sensitive="occupation",
    ...     identifying="fnlwgt",
    ...     hierarchies=shoal.datasets.adult_hierarchies(),
    ...     model=shoal.KAnonymity(10) & shoal.DistinctDiversity(3),
    ... )
    >>> release.report.k
    10
    """
    arguments = {name: value for name, value in locals().items() if name not in ("data", "progress")}
    source = Source.of(data)
    with showing(progress) as tell:
        return run(source, Request.of(source.columns, **arguments), tell, stacklevel=4)
