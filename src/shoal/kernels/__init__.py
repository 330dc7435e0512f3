"""Loops over integer arrays, compiled by numba; nothing of shoal is imported here."""
