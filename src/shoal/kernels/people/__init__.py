"""Kernels that count people, who can have several rows."""
