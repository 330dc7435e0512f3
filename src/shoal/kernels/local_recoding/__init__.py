"""Loops of local recoding."""
