"""Which sensitive attributes a model looks at."""

from __future__ import annotations

from shoal.errors import InputError
from shoal.table import Classes


def attributes(named: str | None, classes: Classes) -> tuple[str, ...]:
    """The attribute that a model names, or all sensitive attributes of the table."""
    if not classes.sensitive:
        raise InputError("The model needs a sensitive attribute and none is named: give sensitive=….")
    if named is None:
        return tuple(classes.sensitive)
    if named not in classes.sensitive:
        raise InputError(
            f"The model asks for the sensitive attribute {named!r}, but the sensitive attributes are "
            f"{', '.join(map(repr, classes.sensitive))}."
        )
    return (named,)
