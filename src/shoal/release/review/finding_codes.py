"""The codes of what the review looks for; they stay the same from version to version."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from shoal.data.roles import names_of
from shoal.errors import InputError
from shoal.release.arguments import Names
from shoal.system.close_names import did_you_mean

CODES: Mapping[str, str] = MappingProxyType(
    {
        "identifying-column": "a column without a role that identifies people",
        "free-text": "a column without a role that holds free text",
        "derived-column": "a column without a role that tells the hidden value of a quasi-identifier",
        "repeated-people": "people in several rows who are counted as several people, or whose rows are linked",
        "linked-rows": "a column that stays and links the rows of some people",
        "unique-combination": "columns without a role that make people unique within their class",
        "range-ends": "ranges that end at the value of a single person",
        "row-order": "rows in an order that tells more than the labels",
        "homogeneous-class": "classes in which (nearly) everyone has the same sensitive value",
        "small-k": "classes of one or two",
        "tiny-table": "a table that is too small for two classes",
        "suppressed-rows": "suppressed rows that stay and fail the model together",
        "rare-value": "values that a single row of the release has",
        "intersection": "several rows or releases that tell more together",
        "similar-names": "people whose names differ only in blanks or capitals, and are counted as different",
        "ambiguous-label": "labels that can be misread",
        "changing-table": "a table whose rows may differ when they are computed again",
    }
)
BLOCKING = frozenset({"identifying-column", "free-text", "derived-column", "repeated-people"})
BY_COLUMN = frozenset(
    {"identifying-column", "free-text", "derived-column", "linked-rows", "unique-combination", "rare-value"}
)


def check_codes(codes: Names) -> tuple[str, ...]:
    """Return the codes of findings to accept; refuse unknown ones, and those that name a column to be answered."""
    given = names_of(codes)
    for code in given:
        if code not in CODES:
            known = [name for name in CODES if name not in BLOCKING]
            raise InputError(
                f"accept: {code!r} is not a code of the review: choose from {', '.join(known)}."
                + did_you_mean(code, known)
            )
        if code in BLOCKING:
            way = (
                "name the unit, or say rows_are_people=True (--rows-are-people)"
                if code == "repeated-people"
                else "name the column in keep=[…] (--keep)"
            )
            raise InputError(f"accept: {code!r} stops a release and is not accepted as a whole: {way}.")
    return given
