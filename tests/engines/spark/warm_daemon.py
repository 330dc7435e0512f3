"""Spark's daemon of Python workers, with everything imported before it forks them, so that workers start soon.

Spark's own daemon leaves the imports to each worker, since a thread does not survive a fork; these imports start none.
"""

from __future__ import annotations

import gc
import threading
from importlib import import_module

from pyspark.daemon import manager

for name in ("solve", "csv_parts", "files", "verify"):
    import_module(f"shoal.engines.spark.{name}")
import_module("pyspark.worker")

if __name__ == "__main__":
    assert threading.active_count() == 1
    gc.freeze()
    manager()
