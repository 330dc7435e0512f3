"""Privacy models: one model, or close family, per file. A new one is imported here and added to MODELS."""

from shoal.models.alpha_k import AlphaK
from shoal.models.beta_likeness import BetaLikeness
from shoal.models.closeness import Closeness
from shoal.models.context import ModelContext
from shoal.models.delta_disclosure import DeltaDisclosure
from shoal.models.delta_presence import DeltaPresence
from shoal.models.distinct_diversity import DistinctDiversity
from shoal.models.entropy_diversity import EntropyDiversity
from shoal.models.form import Figure, Form, Parameter
from shoal.models.frequency_diversity import FrequencyDiversity
from shoal.models.k_anonymity import KAnonymity
from shoal.models.k_map import KMap
from shoal.models.model import AllOf, PrivacyModel
from shoal.models.p_sensitivity import PSensitivity
from shoal.models.recursive_diversity import RecursiveDiversity
from shoal.models.risk import AverageRisk, HighestRisk
from shoal.models.sensitive import SensitiveModel

MODELS: list[type[PrivacyModel]] = [
    KAnonymity,
    DistinctDiversity,
    FrequencyDiversity,
    EntropyDiversity,
    RecursiveDiversity,
    PSensitivity,
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    Closeness,
    HighestRisk,
    AverageRisk,
    KMap,
    DeltaPresence,
]

__all__ = [
    "MODELS",
    "AllOf",
    "AlphaK",
    "AverageRisk",
    "BetaLikeness",
    "Closeness",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctDiversity",
    "EntropyDiversity",
    "Figure",
    "Form",
    "FrequencyDiversity",
    "HighestRisk",
    "KAnonymity",
    "KMap",
    "ModelContext",
    "PSensitivity",
    "Parameter",
    "PrivacyModel",
    "RecursiveDiversity",
    "SensitiveModel",
]
