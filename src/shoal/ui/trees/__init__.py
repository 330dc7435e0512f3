"""Hierarchies in the workbench: building, editing and displaying them."""
