"""SHA-256 of what shoal writes for fixed inputs: the same on every machine, Python and library version.

python tests/same_bytes.py           compares this machine with what is recorded, and ends with 1 where it differs
python tests/same_bytes.py --record  writes the record anew, where the bytes were meant to change
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyarrow import csv, parquet

import shoal

RECORD = Path(__file__).with_suffix(".json")
QUASI = ["age", "education", "marital-status", "sex", "native-country"]
STRICT = shoal.KAnonymity(3) & shoal.DistinctDiversity(2)
MODELS = {
    "k": shoal.KAnonymity(5),
    "entropy": shoal.EntropyDiversity(2.2),
    "recursive": shoal.RecursiveDiversity(2, 3),
    "closeness": shoal.KAnonymity(2) & shoal.Closeness(0.35),
    "beta": shoal.BetaLikeness(3),
    "disclosure": shoal.DeltaDisclosure(2.5),
}
ALGORITHMS = [
    shoal.AgglomerativeClustering(),
    shoal.AgglomerativeClustering(shrink=True),
    shoal.Auto(),
    shoal.Mondrian(),
    shoal.Mondrian(dimension="widest", cut="median"),
    shoal.Mondrian(dimension="random", seed=3),
    shoal.Mondrian(relaxed=True),
    shoal.BottomUp(),
    shoal.Datafly(),
    shoal.FullDomain(),
    shoal.FullDomain("non_uniform_entropy"),
    shoal.Incognito(),
    shoal.Samarati(),
    shoal.RandomGrouping(seed=2),
    shoal.CentroidClustering(),
    shoal.GraphClustering(),
    shoal.HilbertClustering(),
    shoal.KMember(),
    shoal.KMember(start="random"),
    shoal.LocalRecoding(),
    shoal.LocalRecoding("balanced"),
    shoal.OnePassKMeans(),
    shoal.SequentialClustering(),
    shoal.SequentialClustering(exchange=True),
    shoal.SequentialClustering(measure="entropy", starts=2),
]


def digests() -> dict[str, str]:
    """What is asked, with the SHA-256 of what comes out."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", shoal.PrivacyWarning)
        return dict(_digests(Path(folder)))


def _digests(folder: Path) -> Iterator[tuple[str, str]]:
    adult = shoal.datasets.adult()
    every = pa.array(range(0, adult.num_rows, 40))
    table = adult.take(every).select([*QUASI, "occupation"])
    source = folder / "adult.csv"
    csv.write_csv(table, source)
    for algorithm in ALGORITHMS:
        yield from _written(repr(algorithm), folder, data=source, model=STRICT, algorithm=algorithm)
    for name, model in MODELS.items():
        yield from _written(f"Mondrian, {name}", folder, data=source, model=model, algorithm=shoal.Mondrian())
    yield from _written(
        "Samarati, suppressed", folder, data=source, model=STRICT, algorithm=shoal.Samarati(), max_suppression=0.02
    )
    release = shoal.anonymize(table, **_asked(model=STRICT, algorithm=shoal.Mondrian()))
    release.save(folder / "safe.parquet")
    rows = parquet.read_table(folder / "safe.parquet").to_pylist()
    yield "Parquet, values", _sha256(json.dumps(rows).encode())
    shoal.anonymize_files(
        source, folder / "streamed.csv", memory="1GB", **_asked(model=STRICT, algorithm=shoal.Mondrian())
    )
    yield "in parts", _sha256((folder / "streamed.csv").read_bytes())


def _written(name: str, folder: Path, **asked: object) -> Iterator[tuple[str, str]]:
    """The bytes of the release, and of its report without the versions of what made it."""
    release = shoal.anonymize(asked.pop("data"), **_asked(**asked))
    release.save(folder / "safe.csv", report=folder / "safe.json")
    yield name, _sha256((folder / "safe.csv").read_bytes())
    report = json.loads((folder / "safe.json").read_text("utf-8"))
    del report["versions"]
    yield f"{name}, report", _sha256(json.dumps(report, sort_keys=True).encode())


def _asked(**more: object) -> dict[str, object]:
    trees = {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in QUASI}
    return {"quasi_identifiers": QUASI, "sensitive": "occupation", "hierarchies": trees, **more}


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def differences() -> list[str]:
    """What comes out otherwise than recorded."""
    recorded = json.loads(RECORD.read_text("utf-8"))
    here = digests()
    return sorted(name for name in recorded.keys() | here.keys() if recorded.get(name) != here.get(name))


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        RECORD.write_text(json.dumps(digests(), indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    elif other := differences():
        sys.exit("\n".join(["These bytes are not the recorded ones:", *other]))
    else:
        sys.stdout.write(f"all {len(json.loads(RECORD.read_text('utf-8')))} checksums as recorded\n")
