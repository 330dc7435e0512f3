"""Hierarchies in the workbench: how they are built, edited and looked at."""
