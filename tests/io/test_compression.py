"""Compressed CSV files: read and written by every engine in memory and in parts, the same bytes each time."""

from __future__ import annotations

import gzip
import subprocess
import time
from pathlib import Path

import pyarrow as pa
import pytest

import shoal
from shoal.engines.streams.run import anonymize_files
from shoal.errors import InputError
from shoal.io import files
from shoal.io.csv_dialect import Dialect

LINES = "age,zip,note\n" + "".join(f'{20 + at % 40},{1000 + at % 7},"a ""b"" {at % 3}"\n' for at in range(400))
PLAIN = LINES.replace('"', "")
ROLES = {"quasi_identifiers": ["age", "zip"], "keep": ["note"], "model": shoal.KAnonymity(5), "algorithm": "mondrian"}
ENDINGS = (".csv.gz", ".csv.zst", ".tsv.gz", ".txt.ZST")


def packed(text: str, path: Path) -> Path:
    """Write a text compressed by code that is not shoal's."""
    content = text.replace(",", "\t").encode() if ".tsv" in path.name else text.encode()
    path.write_bytes(
        gzip.compress(content) if path.suffix.lower() == ".gz" else pa.compress(content, "zstd", asbytes=True)
    )
    return path


def unpacked(path: Path) -> bytes:
    if path.suffix.lower() == ".gz":
        return gzip.decompress(path.read_bytes())
    with pa.CompressedInputStream(pa.OSFile(str(path)), "zstd") as file:
        return bytes(file.read())


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("text", [LINES, PLAIN], ids=["quoted", "plain"])
def test_reads_what_other_tools_compress(tmp_path: Path, ending: str, text: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    expected = shoal.read(tmp_path / "t.csv").to_arrow()
    source = shoal.read(packed(text, tmp_path / f"t{ending}"))
    assert source.to_arrow() == expected
    assert source.checksum() == files.checksum(tmp_path / f"t{ending}")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("text", [LINES, PLAIN], ids=["quoted", "plain"])
def test_both_engines_write_the_lines_of_the_plain_release(tmp_path: Path, ending: str, text: str) -> None:
    data = packed(text, tmp_path / f"t{ending}")
    release = shoal.anonymize(data, **ROLES)
    release.save(tmp_path / "plain.csv")
    release.save(tmp_path / f"memory{ending}", report=tmp_path / "memory.json")
    anonymize_files(data, tmp_path / f"streams{ending}", **ROLES)
    expected = (tmp_path / "plain.csv").read_bytes()
    assert unpacked(tmp_path / f"memory{ending}") == expected
    assert unpacked(tmp_path / f"streams{ending}") == expected
    assert files.checksum(tmp_path / f"memory{ending}") in (tmp_path / "memory.json").read_text()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


@pytest.mark.parametrize(("ending", "command"), [(".csv.gz", ["gzip", "-dc"]), (".csv.zst", ["zstd", "-dc"])])
def test_the_usual_commands_unpack_a_release(tmp_path: Path, ending: str, command: list[str]) -> None:
    shoal.anonymize(packed(LINES, tmp_path / "t.csv.gz"), **ROLES).save(tmp_path / f"safe{ending}")
    try:
        done = subprocess.run([*command, str(tmp_path / f"safe{ending}")], capture_output=True, check=True)
    except FileNotFoundError:
        pytest.skip(f"{command[0]} is not installed")
    assert done.stdout == unpacked(tmp_path / f"safe{ending}")


@pytest.mark.parametrize("ending", [".csv.gz", ".csv.zst"])
def test_the_bytes_depend_on_the_rows_alone(tmp_path: Path, ending: str) -> None:
    table = shoal.read(packed(PLAIN, tmp_path / "t.csv.gz")).to_arrow()
    files.write(table, tmp_path / f"one{ending}", "csv", Dialect())
    time.sleep(1.1)  # the header of gzip has a time in seconds
    files.write(table, tmp_path / f"other{ending}", "csv", Dialect())
    written = (tmp_path / f"one{ending}").read_bytes()
    assert written == (tmp_path / f"other{ending}").read_bytes()
    if ending == ".csv.gz":
        assert written[4:8] == bytes(4)
        assert b"one" not in written[:20]


def test_folders_may_hold_compressed_and_plain_files(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    packed(LINES, folder / "a.csv.gz")
    packed(LINES, folder / "b.csv.zst")
    (folder / "c.csv").write_text(LINES)
    written = anonymize_files(folder, tmp_path / "safe.csv.zst", **ROLES)
    assert written.report.rows == 1200
    assert unpacked(tmp_path / "safe.csv.zst").count(b"\n") == 1201


def test_several_members_are_one_file(tmp_path: Path) -> None:
    head, _, rest = PLAIN.partition("\n")
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(f"{head}\n".encode()) + gzip.compress(rest.encode()))
    assert len(shoal.read(tmp_path / "t.csv.gz")) == 400


@pytest.mark.parametrize("damage", ["cut", "flipped", "plain"])
@pytest.mark.parametrize("ending", [".csv.gz", ".csv.zst"])
@pytest.mark.parametrize("text", [LINES, PLAIN], ids=["quoted", "plain"])
def test_damaged_files_are_refused_by_both_engines(tmp_path: Path, ending: str, text: str, damage: str) -> None:
    path = packed(text, tmp_path / f"t{ending}")
    content = bytearray(path.read_bytes())
    if damage == "flipped" and ending == ".csv.zst":
        content[4] ^= 0x08  # a reserved bit; the format need not have a checksum of the content
    elif damage == "flipped":
        content[-6] ^= 1
    path.write_bytes({"cut": content[:-3], "flipped": content, "plain": text.encode()}[damage])
    for run in (
        lambda: shoal.read(path),
        lambda: anonymize_files(path, tmp_path / "safe.csv", **ROLES),
    ):
        said = "file does not begin as one of" if damage == "plain" else r"\w+ compression is damaged or cut off"
        with pytest.raises(InputError, match=rf"t{ending}: the {said}"):
            run()
    assert not (tmp_path / "safe.csv").exists()


def test_mistakes_are_found_at_their_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.csv\.gz, line 3: the row has 1 field, the header 3"):
        shoal.read(packed("a,b,c\n1,2,3\n4\n", tmp_path / "t.csv.gz"))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a,b\n\xff,2\n"))
    with pytest.raises(InputError, match=r"line 2: the file is not UTF-8 text"):
        shoal.read(tmp_path / "t.csv.gz")
    with pytest.raises(InputError, match=r"the file is empty"):
        shoal.read(packed("", tmp_path / "t.csv.gz"))


def test_other_encodings(tmp_path: Path) -> None:
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress('ort,"ä"\nKöln,1\n'.encode("utf-16")))
    assert shoal.read(tmp_path / "t.csv.gz", encoding="utf-16").columns == ["ort", "ä"]


@pytest.mark.parametrize("name", ["t.parquet.gz", "t.xlsx.zst", "t.gz"])
def test_only_csv_is_compressed_from_outside(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="only CSV files are read and written with"):
        shoal.read(packed(PLAIN, tmp_path / name))
    release = shoal.anonymize(packed(PLAIN, tmp_path / "in.csv.gz"), **ROLES)
    with pytest.raises(InputError, match="only CSV files are read and written with"):
        release.save(tmp_path / f"safe{name[1:]}")


def test_leftovers_of_killed_runs_are_removed(tmp_path: Path) -> None:
    from shoal.system import temporary_files

    mark = temporary_files._mark(tmp_path / "safe.csv.gz")
    left = tmp_path / f"{mark}999999999-0123abcd.tmp.gz"
    left.write_text("half")
    shoal.anonymize(packed(PLAIN, tmp_path / "t.csv.gz"), **ROLES).save(tmp_path / "safe.csv.gz")
    assert not left.exists()


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    link = tmp_path / "full.csv.gz"
    link.symlink_to(full)
    table = pa.table({"a": [str(at * 7919) for at in range(100_000)]})
    with pytest.raises(OSError, match="No space left"):
        files.write(table, link, "csv", Dialect())


def test_spark_names_what_it_does_not_read(tmp_path: Path) -> None:
    from shoal.engines.spark.files import anonymize_files as by_spark

    with pytest.raises(InputError, match=r"t\.csv\.gz: Spark does not read compressed CSV files"):
        by_spark(packed(PLAIN, tmp_path / "t.csv.gz"), tmp_path / "safe", **ROLES)


def test_a_certificate_says_that_the_second_verifier_reads_no_compressed_files(tmp_path: Path) -> None:
    data = packed(PLAIN, tmp_path / "t.csv.gz")
    release = shoal.anonymize(data, **ROLES)
    release.save(tmp_path / "safe.csv.gz")
    roles = {name: value for name, value in ROLES.items() if name not in ("keep", "algorithm")}
    certificate = shoal.certify(tmp_path / "safe.csv.gz", data, **roles)
    assert "one of these is compressed" in certificate.body["repeatable"]["reason"]
    release.save(tmp_path / "safe.csv")
    (tmp_path / "t.csv").write_bytes(unpacked(data))
    plain = shoal.certify(tmp_path / "safe.csv", tmp_path / "t.csv", **roles)
    assert plain.repeatable


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.csv", gzip.compress(PLAIN.encode()), "the file is compressed with gzip. Rename it to 't.csv.gz'."),
        ("t.csv.gz", gzip.compress(gzip.compress(PLAIN.encode())), "the file is compressed twice. Unpack it once."),
        ("t.csv.gz", PLAIN.encode(), "as one of gzip does. If it is plain text, rename it to 't.csv'."),
        ("t.csv.zst", gzip.compress(PLAIN.encode()), "If it was compressed with gzip, rename it to 't.csv.gz'."),
    ],
)
def test_a_wrong_ending_is_answered_with_the_right_one(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    for read in (
        lambda: shoal.read(tmp_path / name),
        lambda: shoal.anonymize_files(tmp_path / name, tmp_path / "safe.csv", **ROLES),
    ):
        with pytest.raises(InputError) as caught:
            read()
        assert str(caught.value).endswith(sentence)
