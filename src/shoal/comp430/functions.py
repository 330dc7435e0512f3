"""The five functions of the COMP 430/530 assignment (Data Privacy and Security), with its names and parameters.

Files in, files out. The columns of the table with a DGH, `<column>.txt` in the folder, are its quasi-identifiers; the
one column without is the sensitive attribute. `python -m shoal.comp430 --help` is the assignment's command line.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from numbers import Integral
from pathlib import Path

from shoal.algorithms import Algorithm, BottomUp, CentroidClustering, RandomGrouping
from shoal.comp430.files import File, Raw, check_output, dgh_files, place_of, read_table
from shoal.data.encoding import encode
from shoal.data.hierarchy import Hierarchy
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.errors import InputError
from shoal.io.outputs import check_target
from shoal.models import DistinctDiversity, KAnonymity, PrivacyModel
from shoal.release.arguments import check_feasible
from shoal.release.release import class_labels, released_frame, write_verified
from shoal.release.verification import Original, Promise
from shoal.system import atomic_files
from shoal.system.interrupts import answering_interrupts

__all__ = [
    "bottom_up_anonymizer",
    "bottomup_anonymizer",
    "clustering_anonymizer",
    "cost_LM",
    "cost_MD",
    "random_anonymizer",
]

STYLE = Style()


def cost_MD(raw_dataset_file: File, anonymized_dataset_file: File, DGH_folder: File) -> int:
    """MD, the distortion metric: over all cells, the steps from the raw value up to the label that is shown."""
    return _costs(raw_dataset_file, anonymized_dataset_file, DGH_folder)[0]


def cost_LM(raw_dataset_file: File, anonymized_dataset_file: File, DGH_folder: File) -> float:
    """LM, the loss metric: over all rows, the mean of its cells' (leaves under the label − 1) / (all leaves − 1)."""
    return float(_costs(raw_dataset_file, anonymized_dataset_file, DGH_folder)[1])


def random_anonymizer(raw_dataset_file: File, DGH_folder: File, k: int, s: int, output_file: File) -> None:
    """Write a release whose classes are every k rows of the table shuffled by the seed s; the last takes the rest."""
    model, algorithm = KAnonymity(_whole("k", k, 1)), RandomGrouping(_whole("s", s, 0))
    _anonymize(raw_dataset_file, DGH_folder, model, algorithm, output_file)


def clustering_anonymizer(raw_dataset_file: File, DGH_folder: File, k: int, output_file: File) -> None:
    """Write a release whose classes are the k rows nearest to centroids that are far from one another."""
    _anonymize(raw_dataset_file, DGH_folder, KAnonymity(_whole("k", k, 1)), CentroidClustering(), output_file)


def bottomup_anonymizer(raw_dataset_file: File, DGH_folder: File, k: int, l: int, output_file: File) -> None:
    """Write the full-domain release of the lowest level with k rows and l sensitive values in every class."""
    model: PrivacyModel = KAnonymity(_whole("k", k, 1))
    diversity = _whole("l", l, 1)
    if diversity > 1:
        model &= DistinctDiversity(diversity)
    _anonymize(raw_dataset_file, DGH_folder, model, BottomUp(), output_file)


bottom_up_anonymizer = bottomup_anonymizer


def _whole(name: str, value: object, least: int) -> int:
    """A whole number of Python or numpy, checked."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"{name} = {value!r} will not do: give a whole number of at least {least}.")
    return int(value)


def _anonymize(file: File, folder: File, model: PrivacyModel, algorithm: Algorithm, output: File) -> None:
    """Let an algorithm group the rows, and write what they show, once what was written has been verified."""
    raw, target = Raw.read(file, folder), place_of(output)
    check_target(target, [Path(file), *dgh_files(folder)])
    check_output(target, folder)
    source, trees = raw.source, raw.trees
    columns = {name: source.arrow(name) for name in source.columns}
    table = encode(columns, quasi=tuple(trees), sensitive=(raw.sensitive,), guides=trees, style=STYLE)
    check_feasible(table, model)
    with answering_interrupts():
        recoding = algorithm.recode(table, model)
    tops = {name: tree.root for name, tree in trees.items()}
    labels = class_labels(table, recoding, STYLE)
    frame = released_frame(source, tops, labels, recoding.ids, other={}, identifying=())
    promise = Promise(
        roles=Roles(tuple(trees), (raw.sensitive,)),
        model=model,
        tops=tops,
        max_suppressed=0,
        rows=len(source),
        hierarchies=trees,
        style=STYLE,
        missing_values=(),
        original=Original(source),
    )
    atomic_files.replace_whole(
        {target: lambda place: write_verified(frame, place, promise=promise, kind="csv", dialect=source.dialect)}
    )


def _costs(raw_file: File, anonymized_file: File, folder: File) -> tuple[int, Fraction]:
    """MD and LM, told from the texts of the two files."""
    raw, shown = Raw.read(raw_file, folder), read_table(anonymized_file)
    raw.check_alike(shown)
    distortion, loss = 0, Fraction(0)
    for name, tree in raw.trees.items():
        cells = list(zip(raw.source.arrow(name).to_pylist(), shown.arrow(name).to_pylist(), strict=True))
        covered = 0
        for (value, label), rows in Counter(cells).items():
            leaf, node = _nodes(tree, value, label)
            if node < 0:
                raise InputError(
                    f"{anonymized_file}, row {cells.index((value, label)) + 1}: column {name!r} shows {label!r}, "
                    f"which is neither the raw value {value!r} nor above it in the DGH. "
                    f"Give the same rows in the same order."
                )
            distortion += rows * int(tree.depths[leaf] - tree.depths[node])
            covered += rows * int(tree.highs[node] - tree.lows[node])
        loss += Fraction(covered, max(1, len(tree.leaves) - 1) * len(raw.trees))
    return distortion, loss


def _nodes(tree: Hierarchy, value: str, label: str) -> tuple[int, int]:
    """The leaf of a value and the lowest node with the label from there up; −1 where there is none."""
    leaf = node = int(tree.leaf_nodes[tree.codes[value]])
    while node >= 0 and tree.labels[node] != label:
        node = int(tree.parents[node])
    return leaf, node
