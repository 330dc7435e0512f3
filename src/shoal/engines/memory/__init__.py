"""Releases of tables that are in memory."""
