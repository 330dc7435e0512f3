"""Loops over people who have several rows each."""
