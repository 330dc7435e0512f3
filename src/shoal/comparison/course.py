"""The experiment of the COMP 430/530 assignment: three anonymizers against k, and bottom-up against ℓ."""

from __future__ import annotations

from os import PathLike

from shoal.algorithms import BottomUp, CentroidClustering, RandomGrouping
from shoal.comparison.compare import Progress, run_plan
from shoal.comparison.comparison import Comparison
from shoal.comparison.plan import Plan, Setting, grid
from shoal.errors import InputError
from shoal.hierarchies import find
from shoal.source import Source

KS = (4, 8, 16, 32, 64, 128, 256)
LS = (1, 2, 3, 4, 5, 6, 7, 8)
K_OF_LS = 16


def compare_course(
    raw_dataset_file: str | PathLike[str] | Source,
    DGH_folder: str | PathLike[str],  # noqa: N803  the assignment's name
    *,
    repeat: int = 3,
    seed: int = 0,
    keep: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Time, LM and MD of the three anonymizers at k = 4 … 256, and of bottom-up at k = 16 and ℓ = 1 … 8."""
    source = Source.of(raw_dataset_file)
    trees = {name: find(DGH_folder, name, source.columns) for name in source.columns}
    secret = [name for name, tree in trees.items() if tree is None]
    if len(secret) != 1:
        said = ", ".join(secret) or "none"
        raise InputError(f"{DGH_folder}: one column is sensitive and has no DGH, here it is {said}.")
    chosen = {kind.name: kind() for kind in (RandomGrouping, CentroidClustering, BottomUp)}
    diverse = tuple(Setting(BottomUp.name, K_OF_LS, l) for l in LS[1:])  # noqa: E741
    return run_plan(
        source,
        Plan(grid(list(chosen), KS, (1,)) + diverse, dict(chosen), repeat, seed),
        quasi_identifiers=[name for name in source.columns if name not in secret],
        sensitive=secret,
        hierarchies={name: tree for name, tree in trees.items() if tree is not None},
        measures=("loss_rows", "distortion", "time"),
        keep=keep,
        progress=progress,
    )
