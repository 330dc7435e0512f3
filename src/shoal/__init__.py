"""shoal makes tables of personal data safe to release.

The public names are listed in __init__.pyi, with the modules they come from; each is imported when it is first used, so
that `import shoal` and the command line start quickly. Until then nothing is imported here, not even from Python: the
command line answers Ctrl-C only once this file has been run.
"""

_OTHERWISE = {"ldiversity": "DistinctDiversity"}  # what is usually meant by names that resemble several
_homes: dict[str, str | None] = {}


def _homes_of_names() -> dict[str, str | None]:
    """Return the module of each public name, None for the modules themselves."""
    if not _homes:
        import ast
        from pathlib import Path

        stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
        imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
        _homes.update((alias.name, node.module) for node in imports for alias in node.names)
    return _homes


def __getattr__(name: str) -> object:
    if name == "__all__":
        return __dir__()
    if name not in _homes_of_names():
        from shoal.system.close_names import did_you_mean

        raise AttributeError(
            f"module 'shoal' has no attribute {name!r}."
            f"{did_you_mean(_OTHERWISE.get(name.casefold(), name), _homes_of_names())}"
        )
    from importlib import import_module

    home = _homes_of_names()[name]
    return getattr(import_module(f"shoal.{home}"), name) if home else import_module(f"shoal.{name}")


def __dir__() -> list[str]:
    return sorted(_homes_of_names())
