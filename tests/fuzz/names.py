"""Names of files of all kinds: exactly that file is read or written, or the name is refused before any work."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import unicodedata
from contextlib import closing, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import shoal
from fuzz.outcomes import WrongError

ASKED = {"quasi_identifiers": ["age", "zip"], "model": shoal.KAnonymity(2), "algorithm": "mondrian"}
GARBLED = ("Cc", "Cs", "Zl", "Zp")


def read_and_write(place, rng, content):
    """Use a name in one role, beside files that it would match as a pattern, a quoted text or a URI."""
    name = content.decode("utf-8", "surrogateescape").replace("/", "_").encode("utf-8", "surrogateescape")
    name = os.fsdecode(name)[:300]
    if name in ("", ".", "..") or Path(name).name != name:
        name = f"x{name}".replace("/", "_")
    WAYS[rng.randrange(len(WAYS))](place, Path(name).stem or "x")
    if any(unicodedata.category(sign) in GARBLED for sign in Path(name).stem):
        raise WrongError(f"a name that garbles reports was taken: {name!r}")


def _new(place, path, write):
    """Write a file with this name, if possible, beside others like it."""
    with suppress(OSError, ValueError):  # no file can have this name, and shoal must say so
        write(path)
    place.before = place._look()


def _csv(place, stem):
    path = f"{stem}.csv"
    _new(place, path, lambda file: shutil.copy("table.csv", file))
    if shoal.read(path).to_arrow() != shoal.read("table.csv").to_arrow():
        raise WrongError(f"another file than {path!r} was read")
    shoal.anonymize(path, **ASKED).save("safe.csv", report=["safe.json", "safe.html"])
    if json.loads(Path("safe.json").read_text(encoding="utf-8"))["input"]["file"] != path:
        raise WrongError(f"the report names another file than {path!r}")


def _parquet(place, stem):
    table = pa.table({"age": ["1", "1"], "zip": ["2", "2"]})
    _new(place, f"{stem}.parquet", lambda file: pq.write_table(table, pa.OSFile(str(Path(file).absolute()), "wb")))
    if shoal.read(f"{stem}.parquet").to_arrow() != table:
        raise WrongError(f"another file than {stem!r}.parquet was read")
    shoal.anonymize_files(f"{stem}.parquet", "safe.parquet", **ASKED)


def _output(place, stem):
    path = Path(f"{stem}.csv")
    shoal.anonymize("table.csv", **ASKED).save(path, report=f"{stem}.json")
    _check_new(place, {path.name, f"{stem}.json"})


def _parts(place, stem):
    shoal.anonymize_files("table.csv", f"{stem}.csv", report=f"{stem}.json", **ASKED)
    _check_new(place, {f"{stem}.csv", f"{stem}.json"})


def _hierarchy(place, stem):
    path = f"{stem}.txt"
    _new(place, path, lambda file: shutil.copy("tree.txt", file))
    if shoal.Hierarchy.from_file(path) != shoal.Hierarchy.from_file("tree.txt"):
        raise WrongError(f"another file than {path!r} was read")


def _sqlite(place, stem):
    path = f"{stem}.db".replace("#", "_")
    _new(place, path, lambda file: shutil.copy("clinic.db", file))
    address = f"sqlite:///{path}"
    given = shoal.anonymize(f"{address}#patients", quasi_identifiers="age", model=shoal.KAnonymity(2))
    given.save(f"{address}#safe")
    with closing(sqlite3.connect(Path(path).absolute())) as database:
        if len(database.execute("SELECT * FROM safe").fetchall()) != 4:
            raise WrongError(f"another file than {path!r} was written")
    _check_new(place, {path})


def _duckdb(place, stem):
    path = f"{stem}.duckdb".replace("#", "_")
    shoal.anonymize("table.csv", **ASKED).save(f"duckdb:///{path}#safe")
    if shoal.read(f"duckdb:///{path}#safe").columns != shoal.read("table.csv").columns:
        raise WrongError(f"another file than {path!r} was written")
    _check_new(place, {path})


def _check_new(place, names):
    other = set(place.differences()) - names
    if other:
        raise WrongError(f"{sorted(names)} were to be written, and {sorted(other)} were")


WAYS = (_csv, _parquet, _output, _parts, _hierarchy, _sqlite, _duckdb)
