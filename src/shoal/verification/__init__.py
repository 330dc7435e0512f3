"""Verification: whether a release is what it says, told from what was released by code that did not make it."""

from shoal.verification.classes import grouped, verify

__all__ = ["grouped", "verify"]
