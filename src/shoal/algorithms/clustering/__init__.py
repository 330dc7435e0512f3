"""Algorithms that put similar rows into one class."""
