"""Compile the kernels before the tests start, so that no two test processes compile the same kernel."""

from __future__ import annotations

import subprocess
import sys
import warnings

from contract.lists import ALGORITHMS
from shoal.cli.kernel_use import _release, steps
from shoal.kernels.compiling import SOURCES
from shoal.kernels.kept_code import cache_folder

LONGEST = ("auto", "local recoding", "local recoding, balanced")  # compile as long as all the others together
HALVES = ("longest", "others")


def use_every_kernel(half: str) -> None:
    """Use half of the kernels, and the variants of algorithms that the tests have."""
    for name, run in steps():
        if (name in LONGEST) == (half == HALVES[0]):
            run()
    for algorithm in ALGORITHMS if half != HALVES[0] else ():
        if algorithm.name not in ("auto", "local"):
            _release(algorithm)


def warm() -> None:
    """Compile every kernel, unless an earlier call has done so for the same sources."""
    folder = cache_folder(SOURCES)
    if folder is not None and not (stamp := folder / "warm").exists():
        processes = [subprocess.Popen([sys.executable, __file__, half]) for half in HALVES]
        codes = [process.wait() for process in processes]
        if any(codes):
            raise RuntimeError("The kernels could not be compiled: see the traceback above.")
        stamp.touch()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    use_every_kernel(sys.argv[1])
