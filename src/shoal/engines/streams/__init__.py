"""Releases of tables that are larger than memory: files go in and come out batch by batch."""
