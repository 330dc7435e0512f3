"""shoal makes tables of personal data safe to release.

The public names, each imported when it is first used, so that `import shoal` and the command line start at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal import comp430, datasets, spark
    from shoal.algorithms import (
        Auto,
        BottomUp,
        CentroidClustering,
        Datafly,
        FullDomain,
        GraphClustering,
        Incognito,
        KMember,
        LocalRecoding,
        Mondrian,
        OnePassKMeans,
        RandomGrouping,
        Samarati,
        SequentialClustering,
    )
    from shoal.api import anonymize, assess, assess_columns, check
    from shoal.applying import apply
    from shoal.assessment import Assessment, ColumnSet, Verdict
    from shoal.attacks import Attack, attack
    from shoal.certificates import ReleaseCertificate, certify
    from shoal.databases import read_database
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
    from shoal.intersection import Intersection, intersect
    from shoal.labels import Style
    from shoal.measurement import measure
    from shoal.models import (
        AlphaK,
        AverageRisk,
        BetaLikeness,
        Closeness,
        DeltaDisclosure,
        DeltaPresence,
        DistinctDiversity,
        EntropyDiversity,
        FrequencyDiversity,
        HighestRisk,
        KAnonymity,
        KMap,
        PrivacyModel,
        PSensitivity,
        RecursiveDiversity,
    )
    from shoal.release import Release, Report
    from shoal.source import read
    from shoal.streams.run import anonymize_files
    from shoal.suggestions import Suggestion, suggest_missing, suggest_roles
    from shoal.verification import verify

_HOME = {
    "AlphaK": "models",
    "Assessment": "assessment",
    "Attack": "attacks",
    "Auto": "algorithms",
    "AverageRisk": "models",
    "BetaLikeness": "models",
    "BottomUp": "algorithms",
    "CentroidClustering": "algorithms",
    "Closeness": "models",
    "ColumnSet": "assessment",
    "Comparison": "comparison",
    "Datafly": "algorithms",
    "DeltaDisclosure": "models",
    "DeltaPresence": "models",
    "DistinctDiversity": "models",
    "EntropyDiversity": "models",
    "FrequencyDiversity": "models",
    "FullDomain": "algorithms",
    "GraphClustering": "algorithms",
    "Hierarchy": "hierarchy",
    "HierarchyError": "errors",
    "HighestRisk": "models",
    "Incognito": "algorithms",
    "InfeasibleError": "errors",
    "InputError": "errors",
    "Intersection": "intersection",
    "KAnonymity": "models",
    "KMap": "models",
    "KMember": "algorithms",
    "LocalRecoding": "algorithms",
    "Mondrian": "algorithms",
    "OnePassKMeans": "algorithms",
    "Ordered": "domain",
    "PSensitivity": "models",
    "PrivacyModel": "models",
    "PrivacyWarning": "errors",
    "RandomGrouping": "algorithms",
    "RecursiveDiversity": "models",
    "Release": "release",
    "ReleaseCertificate": "certificates",
    "Report": "release",
    "Samarati": "algorithms",
    "SequentialClustering": "algorithms",
    "ShoalError": "errors",
    "Style": "labels",
    "Suggestion": "suggestions",
    "Verdict": "assessment",
    "VerificationError": "errors",
    "anonymize": "api",
    "anonymize_files": "streams.run",
    "apply": "applying",
    "assess": "api",
    "assess_columns": "api",
    "attack": "attacks",
    "certify": "certificates",
    "check": "api",
    "comp430": "",
    "compare": "comparison",
    "datasets": "",
    "intersect": "intersection",
    "measure": "measurement",
    "read": "source",
    "read_database": "databases",
    "spark": "",
    "suggest_missing": "suggestions",
    "suggest_roles": "suggestions",
    "verify": "verification",
}

__all__ = [
    "AlphaK",
    "Assessment",
    "Attack",
    "Auto",
    "AverageRisk",
    "BetaLikeness",
    "BottomUp",
    "CentroidClustering",
    "Closeness",
    "ColumnSet",
    "Comparison",
    "Datafly",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctDiversity",
    "EntropyDiversity",
    "FrequencyDiversity",
    "FullDomain",
    "GraphClustering",
    "Hierarchy",
    "HierarchyError",
    "HighestRisk",
    "Incognito",
    "InfeasibleError",
    "InputError",
    "Intersection",
    "KAnonymity",
    "KMap",
    "KMember",
    "LocalRecoding",
    "Mondrian",
    "OnePassKMeans",
    "Ordered",
    "PSensitivity",
    "PrivacyModel",
    "PrivacyWarning",
    "RandomGrouping",
    "RecursiveDiversity",
    "Release",
    "ReleaseCertificate",
    "Report",
    "Samarati",
    "SequentialClustering",
    "ShoalError",
    "Style",
    "Suggestion",
    "Verdict",
    "VerificationError",
    "anonymize",
    "anonymize_files",
    "apply",
    "assess",
    "assess_columns",
    "attack",
    "certify",
    "check",
    "comp430",
    "compare",
    "datasets",
    "intersect",
    "measure",
    "read",
    "read_database",
    "spark",
    "suggest_missing",
    "suggest_roles",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'shoal' has no attribute {name!r}")
    home = import_module(f"shoal.{_HOME[name] or name}")
    return getattr(home, name) if _HOME[name] else home


def __dir__() -> list[str]:
    return __all__
