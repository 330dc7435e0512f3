"""Optional packages, imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from shoal.errors import InputError


def extra(module: str, extra: str, what: str, *, verb: str = "need") -> Any:
    """Import a module of an optional package; raise InputError with the extra to install if it is missing.

    `what` names the things that need it, as in "Plots need matplotlib".
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise InputError(f"{what} {verb} {module.partition('.')[0]}: pip install 'shoal[{extra}]'.") from error
