"""The command line."""

from shoal.cli.app import main

__all__ = ["main"]
