"""shoal makes tables of personal data safe to release.

The public names, each imported when it is first used, so that `import shoal` and the command line start at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal import datasets
    from shoal.algorithms import Mondrian
    from shoal.api import anonymize, assess
    from shoal.assessment import Assessment
    from shoal.domain import Ordered
    from shoal.errors import (
        HierarchyError,
        InfeasibleError,
        InputError,
        PrivacyWarning,
        ShoalError,
        VerificationError,
    )
    from shoal.hierarchy import Hierarchy
    from shoal.labels import Style
    from shoal.models import DistinctDiversity, KAnonymity, PrivacyModel
    from shoal.release import Release, Report
    from shoal.verification import verify

_HOME = {
    "Assessment": "assessment",
    "DistinctDiversity": "models",
    "Hierarchy": "hierarchy",
    "HierarchyError": "errors",
    "InfeasibleError": "errors",
    "InputError": "errors",
    "KAnonymity": "models",
    "Mondrian": "algorithms",
    "Ordered": "domain",
    "PrivacyModel": "models",
    "PrivacyWarning": "errors",
    "Release": "release",
    "Report": "release",
    "ShoalError": "errors",
    "Style": "labels",
    "VerificationError": "errors",
    "anonymize": "api",
    "assess": "api",
    "datasets": "",
    "verify": "verification",
}

__all__ = [
    "Assessment",
    "DistinctDiversity",
    "Hierarchy",
    "HierarchyError",
    "InfeasibleError",
    "InputError",
    "KAnonymity",
    "Mondrian",
    "Ordered",
    "PrivacyModel",
    "PrivacyWarning",
    "Release",
    "Report",
    "ShoalError",
    "Style",
    "VerificationError",
    "anonymize",
    "assess",
    "datasets",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'shoal' has no attribute {name!r}")
    home = import_module(f"shoal.{_HOME[name] or name}")
    return getattr(home, name) if _HOME[name] else home


def __dir__() -> list[str]:
    return __all__
