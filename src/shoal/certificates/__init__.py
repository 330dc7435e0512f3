"""Certificates of written releases: certify() verifies one anew, ReleaseCertificate is what can be said of it.

tables.py reads both files, rows.py and labels.py tell which row is which and what its labels mean, checks.py and
promises.py ask all that must hold, case.py writes down how the second verifier repeats it, certificate.py signs and
saves. certifying.py shows the line.
"""

from shoal.certificates.certificate import ReleaseCertificate
from shoal.certificates.certify import certify

__all__ = ["ReleaseCertificate", "certify"]
