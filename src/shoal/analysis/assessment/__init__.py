"""How well a table protects the people in it, without changing it."""

from shoal.analysis.assessment.assessment import Assessment, assessment_of
from shoal.analysis.assessment.columns import ColumnSet
from shoal.analysis.assessment.figures import RiskyRow
from shoal.analysis.assessment.sensitive import Sensitive
from shoal.analysis.assessment.uniqueness import PopulationUniqueness
from shoal.analysis.assessment.verdicts import FailingClass, Verdict
from shoal.release.risk import Risk

__all__ = [
    "Assessment",
    "ColumnSet",
    "FailingClass",
    "PopulationUniqueness",
    "Risk",
    "RiskyRow",
    "Sensitive",
    "Verdict",
    "assessment_of",
]
