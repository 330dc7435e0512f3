"""Algorithms for tables in which people have several rows."""
