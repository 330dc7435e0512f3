"""Verification: whether a release is what it says, told from what was released by code that did not make it.

What is shared with the code that makes releases is this and nothing else: the privacy models and what they may see of
classes (`Classes`), hierarchies and styles as they are given, the text of a value (`labels.text`,
`encoding.plain_values`), and the reading of tables (`Source`, `files`).
"""

from shoal.release.verification.classes import grouped, verify
from shoal.release.verification.parquet import check_parquet
from shoal.release.verification.parts import Parts
from shoal.release.verification.release import check_release, readable
from shoal.release.verification.witnesses import Witnesses

__all__ = [
    "Parts",
    "Witnesses",
    "check_parquet",
    "check_release",
    "grouped",
    "readable",
    "verify",
]
