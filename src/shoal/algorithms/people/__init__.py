"""Algorithms for tables in which a person has several rows."""
