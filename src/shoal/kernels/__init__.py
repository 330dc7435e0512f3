"""Loops over integer arrays, compiled by numba; no kernel imports anything else of shoal."""
