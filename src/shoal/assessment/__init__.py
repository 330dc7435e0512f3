"""How safe a table is as it stands."""

from shoal.assessment.assessment import Assessment, RiskyRow, assessment_of
from shoal.assessment.columns import ColumnSet
from shoal.assessment.risk import Risk
from shoal.assessment.sensitive import Sensitive
from shoal.assessment.uniqueness import PopulationUniqueness
from shoal.assessment.verdicts import FailingClass, Verdict

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
