"""Releases of tables that are larger than memory: files are read and written batch by batch."""
