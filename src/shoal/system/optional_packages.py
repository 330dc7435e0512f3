"""Packages that shoal does not need for itself, or what to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from shoal.errors import InputError


def extra(module: str, extra: str, what: str) -> Any:
    """A module of an extra package."""
    try:
        return import_module(module)
    except ImportError as error:
        raise InputError(f"{what} need {module.partition('.')[0]}: pip install 'shoal[{extra}]'.") from error
