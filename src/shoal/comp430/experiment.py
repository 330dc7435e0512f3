"""The experiment of the COMP 430/530 assignment: three anonymizers for several k, and bottom-up for several ℓ."""

from __future__ import annotations

from shoal.algorithms import BottomUp, CentroidClustering, RandomGrouping
from shoal.analysis.comparison.compare import run_plan
from shoal.analysis.comparison.comparison import Comparison
from shoal.analysis.comparison.plan import Plan, Setting, grid
from shoal.comp430.files import File, Raw
from shoal.data.parameters import whole_number
from shoal.system.progress import Progress

KS = (4, 8, 16, 32, 64, 128, 256)
LS = (1, 2, 3, 4, 5, 6, 7, 8)
K_FOR_LS = 16


def compare_course(
    raw_dataset_file: File,
    dgh_folder: File,
    *,
    repeat: int = 3,
    rows: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    keep: File | None = None,
    fresh: bool = False,
    progress: Progress | bool | None = None,
) -> Comparison:
    """Measure time, LM and MD of the three anonymizers at k = 4 … 256, and of bottom-up at k = 16 and ℓ = 1 … 8.

    rows and sample take some of the rows only, as `shoal.read` does.
    """
    raw = Raw.read(raw_dataset_file, dgh_folder)
    algorithms = {kind.name: kind() for kind in (RandomGrouping, CentroidClustering, BottomUp)}
    diverse = tuple(Setting(BottomUp.name, K_FOR_LS, l) for l in LS[1:])
    return run_plan(
        raw.source.some(rows=rows, sample=sample, seed=seed),
        Plan(
            grid(list(algorithms), KS, (1,)) + diverse,
            dict(algorithms),
            whole_number("repeat", repeat, at_least=1),
            seed,
        ),
        quasi_identifiers=list(raw.trees),
        sensitive=raw.sensitive,
        hierarchies=raw.trees,
        measures=("loss_rows", "distortion", "time"),
        keep=keep,
        fresh=fresh,
        progress=progress,
    )
