"""The five functions of the COMP 430/530 assignment (Data Privacy and Security), with its names and parameters.

All of them take files and write files. The columns with a DGH, `<column>.txt` in the folder, are the quasi-identifiers;
the one column without is the sensitive attribute. `python -m shoal.comp430 --help` shows the assignment's command line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from numbers import Integral
from pathlib import Path

from shoal.algorithms import Algorithm, BottomUp, CentroidClustering, RandomGrouping
from shoal.comp430.files import File, Raw, check_output, dgh_files, path_of, read_table
from shoal.data.hierarchy import Hierarchy
from shoal.engines.memory.count import count
from shoal.engines.memory.relabel import released_frame
from shoal.errors import InputError
from shoal.io.outputs import check_target
from shoal.models import DistinctDiversity, KAnonymity, PrivacyModel
from shoal.release.labelling import Labelling
from shoal.release.promise import Original, Promise
from shoal.release.release import write_verified
from shoal.release.request import Request
from shoal.release.solve import solve
from shoal.system import atomic_files


def cost_MD(raw_dataset_file: File, anonymized_dataset_file: File, DGH_folder: File) -> int:
    """Return MD, the distortion metric: the sum over all cells of the steps from the raw value up to its label."""
    return _costs(raw_dataset_file, anonymized_dataset_file, DGH_folder)[0]


def cost_LM(raw_dataset_file: File, anonymized_dataset_file: File, DGH_folder: File) -> float:
    """Return LM, the loss metric: the sum over all rows of the mean of (leaves under the label − 1) / (leaves − 1)."""
    return float(_costs(raw_dataset_file, anonymized_dataset_file, DGH_folder)[1])


def random_anonymizer(raw_dataset_file: File, DGH_folder: File, k: int, s: int, output_file: File) -> None:
    """Write a release whose classes are k rows of the table, shuffled by the seed s; the last class takes the rest."""
    model, algorithm = KAnonymity(_whole("k", k, 1)), RandomGrouping(_whole("s", s, 0))
    _anonymize(raw_dataset_file, DGH_folder, model, algorithm, output_file)


def clustering_anonymizer(raw_dataset_file: File, DGH_folder: File, k: int, output_file: File) -> None:
    """Write a release whose classes are the k rows nearest to centroids that are far from each other."""
    _anonymize(raw_dataset_file, DGH_folder, KAnonymity(_whole("k", k, 1)), CentroidClustering(), output_file)


def bottomup_anonymizer(raw_dataset_file: File, DGH_folder: File, k: int, l: int, output_file: File) -> None:
    """Write the full-domain release at the lowest level that has k rows and l sensitive values in every class."""
    model: PrivacyModel = KAnonymity(_whole("k", k, 1))
    diversity = _whole("l", l, 1)
    if diversity > 1:
        model &= DistinctDiversity(diversity)
    _anonymize(raw_dataset_file, DGH_folder, model, BottomUp(), output_file)


bottom_up_anonymizer = bottomup_anonymizer


def _whole(name: str, value: object, minimum: int) -> int:
    """Check that an argument is a whole number of Python or numpy, and return it."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < minimum:
        raise InputError(f"{name} = {value!r} is not valid; give a whole number of at least {minimum}.")
    return int(value)


def _anonymize(file: File, folder: File, model: PrivacyModel, algorithm: Algorithm, output: File) -> None:
    """Make a release with an algorithm, and put it in place once the written file is verified."""
    raw, target = Raw.read(file, folder), path_of(output)
    check_target(target, [Path(file), *dgh_files(folder)])
    check_output(target, folder)
    source = raw.source
    request = Request.of(
        source.columns,
        quasi_identifiers=tuple(raw.trees),
        sensitive=raw.sensitive,
        hierarchies=raw.trees,
        model=KAnonymity(2),
        algorithm=algorithm,
    )
    request = replace(request, model=model)  # the assignment allows k = 1, which Request.of() refuses
    counted = count(source, request)
    labelling = Labelling.of(solve(counted.encode, request, lambda stage, share: None), request)
    frame = released_frame(source, labelling.tops, labelling.labels, labelling.ids, columns={}, identifying=())
    promise = Promise.of(
        request, tops=labelling.tops, budget=0, rows=labelling.rows, hierarchies=raw.trees, original=Original(source)
    )
    atomic_files.replace_whole(
        {target: lambda path: write_verified(frame, path, promise=promise, kind="csv", dialect=source.dialect)}
    )


def _costs(raw_file: File, anonymized_file: File, folder: File) -> tuple[int, Fraction]:
    """Compute MD and LM from the texts of the two files."""
    raw, anonymized = Raw.read(raw_file, folder), read_table(anonymized_file)
    raw.check_alike(anonymized)
    distortion, loss = 0, Fraction(0)
    for name, tree in raw.trees.items():
        cells = list(zip(raw.source.arrow(name).to_pylist(), anonymized.arrow(name).to_pylist(), strict=True))
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
    """Return the leaf of a value, and the lowest node with the label on the path to the root, or −1."""
    leaf = node = int(tree.leaf_nodes[tree.codes[value]])
    while node >= 0 and tree.labels[node] != label:
        node = int(tree.parents[node])
    return leaf, node
