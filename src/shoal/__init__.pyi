"""The public names of shoal, each with the module that it comes from."""

from . import comp430 as comp430, datasets as datasets, models as models, spark as spark
from .algorithms import (
    ALGORITHMS as ALGORITHMS,
    AgglomerativeClustering as AgglomerativeClustering,
    Auto as Auto,
    BottomUp as BottomUp,
    CentroidClustering as CentroidClustering,
    Datafly as Datafly,
    FullDomain as FullDomain,
    GraphClustering as GraphClustering,
    HilbertClustering as HilbertClustering,
    Incognito as Incognito,
    KMember as KMember,
    LocalRecoding as LocalRecoding,
    Mondrian as Mondrian,
    OnePassKMeans as OnePassKMeans,
    RandomGrouping as RandomGrouping,
    Samarati as Samarati,
    SequentialClustering as SequentialClustering,
)
from .analysis.assessment import Assessment as Assessment, ColumnSet as ColumnSet, Verdict as Verdict
from .analysis.assessment.assess import assess as assess, assess_columns as assess_columns, check as check
from .analysis.attack.attack import Attack as Attack, attack as attack
from .analysis.attack.criteria import Criteria as Criteria
from .analysis.attack.experiment import Experiment as Experiment
from .analysis.comparison import Comparison as Comparison, compare as compare
from .analysis.intersection.intersection import Intersection as Intersection, intersect as intersect
from .analysis.measure import measure as measure
from .analysis.review import review as review
from .analysis.suggestions import (
    Suggestion as Suggestion,
    suggest_missing as suggest_missing,
    suggest_roles as suggest_roles,
)
from .api import anonymize as anonymize
from .certificates import ReleaseCertificate as ReleaseCertificate, certify as certify
from .data.domain import Ordered as Ordered
from .data.hierarchy import Hierarchy as Hierarchy
from .data.style import Style as Style
from .engines.streams.run import anonymize_files as anonymize_files
from .errors import (
    HierarchyError as HierarchyError,
    InfeasibleError as InfeasibleError,
    InputError as InputError,
    PrivacyWarning as PrivacyWarning,
    ReviewError as ReviewError,
    ShoalError as ShoalError,
    VerificationError as VerificationError,
)
from .io.databases import read_database as read_database
from .io.source import read as read
from .models import (
    MODELS as MODELS,
    AlphaK as AlphaK,
    AverageRisk as AverageRisk,
    BetaLikeness as BetaLikeness,
    Closeness as Closeness,
    DeltaDisclosure as DeltaDisclosure,
    DeltaPresence as DeltaPresence,
    DistinctDiversity as DistinctDiversity,
    EntropyDiversity as EntropyDiversity,
    FrequencyDiversity as FrequencyDiversity,
    HighestRisk as HighestRisk,
    KAnonymity as KAnonymity,
    KMap as KMap,
    PrivacyModel as PrivacyModel,
    PSensitivity as PSensitivity,
    RecursiveDiversity as RecursiveDiversity,
)
from .next_delivery import apply as apply
from .release.figures import Report as Report
from .release.release import Release as Release
from .release.review.finding import Finding as Finding
from .release.review.review import Review as Review
from .release.verification.verify import verify as verify
