"""Algorithms that generalize every value of an attribute to the same level."""
