"""Certificates of written releases: certify() verifies a release again, and ReleaseCertificate says what holds.

tables.py reads both files; rows.py, matching.py and labels.py find the original row of each released row and what its
labels mean; people.py counts people instead of rows; checks.py and promises.py check the release; case.py describes it
for the second verifier; certificate.py signs and saves the certificate.
"""

from shoal.certificates.certificate import ReleaseCertificate
from shoal.certificates.certify import certify

__all__ = ["ReleaseCertificate", "certify"]
