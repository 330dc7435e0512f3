"""Loops over growing clusters of rows."""
