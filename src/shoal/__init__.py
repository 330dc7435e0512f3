"""shoal makes tables of personal data safe to release.

The public names are listed in __init__.pyi, with the modules they come from; each is imported when it is first used, so
that `import shoal` and the command line start quickly.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_HOMES = {alias.name: node.module for node in _STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names}
_OTHERWISE = {"ldiversity": "DistinctDiversity"}  # what is usually meant by names that resemble several

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        from shoal.system.close_names import did_you_mean

        raise AttributeError(
            f"module 'shoal' has no attribute {name!r}.{did_you_mean(_OTHERWISE.get(name.casefold(), name), _HOMES)}"
        )
    home = _HOMES[name]
    return getattr(import_module(f"shoal.{home}"), name) if home else import_module(f"shoal.{name}")


def __dir__() -> list[str]:
    return __all__
