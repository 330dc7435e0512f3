"""How well a table protects the people in it, without changing it."""

from shoal.analysis.assessment.assessment import Assessment
from shoal.analysis.assessment.columns import ColumnSet
from shoal.analysis.assessment.figures import Sensitive
from shoal.analysis.assessment.requirements import Verdict
from shoal.analysis.assessment.uniqueness import PopulationUniqueness
from shoal.release.risk import Risk

__all__ = ["Assessment", "ColumnSet", "PopulationUniqueness", "Risk", "Sensitive", "Verdict"]
