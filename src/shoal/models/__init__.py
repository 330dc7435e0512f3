"""Privacy models: one model, or close family, per file."""

from shoal.models.distinct_diversity import DistinctDiversity
from shoal.models.k_anonymity import KAnonymity
from shoal.models.model import AllOf, PrivacyModel

__all__ = ["AllOf", "DistinctDiversity", "KAnonymity", "PrivacyModel"]
