"""Names of files: exactly that file is read or written, or the name is refused before any work."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.cli.config.file import read_toml
from shoal.cli.values import key_in
from shoal.io.databases import Address

BAD = ["a\nb", "a\rb", "a\tb", "a\x1bb", "a\x7fb", "a\x85b", "a\u2028b", "a\u2029b", os.fsdecode(b"a\xff\xfe"), "a\0b"]
GOOD = [
    "[1]",
    "a*b?",
    "{x,y}",
    "50%",
    "%2e",
    "a'b\"c",
    "a;--",
    "a b",
    "é",
    "a?mode=ro",
    "$HOME",
    "k=v",
    "file:x",
    "a\\b",
]
TABLE = "age,zip\n" + "1,2\n" * 4
ASKED = {"quasi_identifiers": ["age", "zip"], "model": shoal.KAnonymity(2)}


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text(TABLE)
    Path("decoy").mkdir()


def ways(stem):
    """All ways to name a file, as (what, call)."""
    release = shoal.anonymize("table.csv", **ASKED)
    ended = {one: f"{stem}{one}" for one in (".csv", ".parquet", ".xlsx", ".sav", ".dta", ".sas7bdat", ".txt", ".toml")}
    for ending in (".csv", ".parquet", ".xlsx", ".sav", ".dta", ".sas7bdat"):
        yield f"read {ending}", lambda ending=ending: shoal.read(ended[ending])
    for ending in (".csv", ".parquet"):
        yield f"save {ending}", lambda ending=ending: release.save(ended[ending])
        yield f"parts to {ending}", lambda ending=ending: shoal.anonymize_files("table.csv", ended[ending], **ASKED)
        yield f"parts of {ending}", lambda ending=ending: shoal.anonymize_files(ended[ending], "o.csv", **ASKED)
    yield "parts to a folder", lambda: shoal.anonymize_files("table.csv", stem, **ASKED)
    for ending in (".json", ".html", ".pdf"):
        yield f"report {ending}", lambda ending=ending: release.save("o.csv", report=f"{stem}{ending}")
    for kind in ("sqlite", "duckdb"):
        yield f"save {kind}", lambda kind=kind: release.save(f"{kind}:///{stem}.db#safe")
        yield f"read {kind}", lambda kind=kind: shoal.read(f"{kind}:///{stem}.db#safe")
    yield "address", lambda: Address.of(f"postgresql://user@host/{stem}#t")
    yield "hierarchy", lambda: shoal.Hierarchy.from_file(ended[".txt"])
    yield "configuration", lambda: read_toml(Path(ended[".toml"]))
    yield "key", lambda: key_in(Path(f"{stem}.key"))
    yield "apply", lambda: shoal.apply(f"{stem}.json", "table.csv")


@pytest.mark.parametrize("stem", BAD)
def test_a_name_that_garbles_reports_is_refused_before_any_work(stem):
    before = sorted(os.listdir(b"."))
    for what, call in ways(stem):
        with pytest.raises(shoal.InputError) as caught:
            call()
        sentence = str(caught.value)
        assert "in the name of a file" in sentence or "cannot be read. Write" in sentence, (what, sentence)
        assert sentence.isprintable()
        assert sorted(os.listdir(b".")) == before, what


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("stem", GOOD)
def test_a_legal_name_is_that_of_exactly_one_file(stem):
    Path(f"{stem}.csv").write_text(TABLE)
    pq.write_table(pa.table({"age": [1, 1], "zip": [2, 2]}), pa.OSFile(str(Path(f"{stem}.parquet").absolute()), "wb"))
    assert len(shoal.read(f"{stem}.csv").to_arrow()) == 4
    assert shoal.read(f"{stem}.parquet").columns == ["age", "zip"]
    shoal.anonymize_files(f"{stem}.parquet", f"{stem}-o.csv", report=f"{stem}.json", **ASKED)
    assert json.loads(Path(f"{stem}.json").read_text())["input"]["file"] == f"{stem}.parquet"
    release = shoal.anonymize(f"{stem}.csv", **ASKED)
    release.save(f"{stem}-p.parquet", report=f"{stem}.html")
    if "?" in stem:  # what follows it in an address may be a secret
        for kind in ("sqlite", "duckdb"):
            with pytest.raises(shoal.InputError, match=r"\?…: an address of a file has no options"):
                release.save(f"{kind}:///{stem}.db#safe")
        return
    release.save(f"sqlite:///{stem}.db#safe")
    if set("*[\\") & set(stem):
        with pytest.raises(shoal.InputError, match=r"in a name for a pattern or a folder\. Rename"):
            release.save(f"duckdb:///{stem}.duckdb#safe")
        Path(f"{stem}.duckdb").touch()
    else:
        release.save(f"duckdb:///{stem}.duckdb#safe")
        assert len(shoal.read(f"duckdb:///{stem}.duckdb#safe").to_arrow()) == 4
    with closing(sqlite3.connect(Path(f"{stem}.db").absolute())) as database:
        assert database.execute("SELECT count(*) FROM safe").fetchone() == (4,)
    endings = (".csv", ".parquet", "-o.csv", ".json", "-p.parquet", ".html", ".db", ".duckdb")
    assert set(os.listdir(".")) == {"table.csv", "decoy", *(f"{stem}{ending}" for ending in endings)}


def test_a_name_that_is_too_long_is_refused_on_every_way():
    for what, call in ways("x" * 300):
        if what not in ("address",):
            with pytest.raises(shoal.InputError, match=r"File name too long|there is no file"):
                call()


def test_the_folder_of_a_file_is_no_column():
    Path("year=2024").mkdir()
    pq.write_table(pa.table({"age": [1, 1]}), "year=2024/x.parquet")
    assert shoal.read("year=2024/x.parquet").columns == ["age"]
