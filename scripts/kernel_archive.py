"""Write the archive of the compiled kernels for any processor of this kind: kernel_archive.py FOLDER.

It is named by the digest that shoal looks for: what does not fit its sources, Python and versions is not used.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path

GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # so that the time of building does not change the archive


def write_archive(folder: Path) -> Path:
    """Compile in one process, see in another what Python calls, and put that into an archive in the folder."""
    from shoal.kernels.compiling import SOURCES
    from shoal.kernels.kept_code import archive_of

    with tempfile.TemporaryDirectory() as cache:
        called: dict[str, str] = {}
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, __file__, "--use"],
                env=os.environ | GENERIC | {"NUMBA_CACHE_DIR": cache},
                stdout=subprocess.PIPE,
                check=True,
            )
            called = json.loads(done.stdout)
        target = folder / archive_of(SOURCES).name
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for member, file in sorted(called.items()):
                archive.writestr(zipfile.ZipInfo(member, LONG_AGO), Path(file).read_bytes(), zipfile.ZIP_DEFLATED)
    return target


def use_kernels() -> dict[str, str]:
    """Use every kernel; return the files of those that came from the disk, by their names in an archive."""
    from shoal.kernels.kept_code import KernelCache

    load, called = KernelCache.load_overload, {}

    def noted(cache: KernelCache, signature: object, context: object) -> object:
        kept = load(cache, signature, context)
        if kept is not None and cache.folder is not None:
            _, processor, features = context.codegen().magic_tuple()
            if (processor, features) != ("generic", ""):
                raise RuntimeError(f"compiled for {processor}, not for any processor")
            called[cache.member(signature)] = str(cache.file(cache.folder, signature, context.codegen()))
        return kept

    KernelCache.load_overload = noted

    import shoal
    from shoal.cli.kernel_use import steps

    for _, run in steps():
        run()
    adult, trees = shoal.datasets.adult(), shoal.datasets.adult_hierarchies()
    quasi = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
    for algorithm in (shoal.Auto(), shoal.Mondrian(), shoal.FullDomain()):
        for model in (shoal.KAnonymity(10), shoal.KAnonymity(10) & shoal.DistinctDiversity(3)):
            shoal.anonymize(
                adult.select([*quasi, "occupation"]),
                quasi_identifiers=quasi,
                sensitive="occupation",
                hierarchies=trees,
                model=model,
                algorithm=algorithm,
            )
    return called


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "--use":
        print(json.dumps(use_kernels()))
    else:
        print(write_archive(Path(sys.argv[1])))
