"""Releases of tables in memory."""
