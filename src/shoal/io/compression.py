"""Compressed CSV files, such as visits.csv.gz and visits.csv.zst: opened like any other file.

What a file is compressed with is told by the end of its name alone. The bytes that are written depend on the content
alone: neither the time nor the name of the file is in them.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import BinaryIO, TextIO, cast

import pyarrow as pa

from shoal.errors import InputError, reason

CODECS = {".gz": "gzip", ".zst": "zstd"}
FIRST_BYTES = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}


def codec_of(path: Path) -> str | None:
    """Return what a file is compressed with, by the end of its name.

    >>> codec_of(Path("visits.csv.GZ")), codec_of(Path("visits.csv"))
    ('gzip', None)
    """
    return CODECS.get(path.suffix.lower())


def inner_suffix(path: Path) -> str:
    """Return the ending of a name in lower case, without that of the compression.

    >>> inner_suffix(Path("visits.TSV.gz")), inner_suffix(Path("visits.csv"))
    ('.tsv', '.csv')
    """
    return (path.with_suffix("") if codec_of(path) and path.stem else path).suffix.lower()


def full_suffix(path: Path) -> str:
    """Return the whole ending of a name, with that of the compression.

    >>> full_suffix(Path("visits.2024.csv.gz")), full_suffix(Path("visits.csv"))
    ('.csv.gz', '.csv')
    """
    return path.with_suffix("").suffix + path.suffix if codec_of(path) and path.stem else path.suffix


def opened(path: Path) -> BinaryIO:
    """Open a file to read its bytes, decompressed; `tell()` counts the bytes of the file itself."""
    codec = codec_of(path)
    return path.open("rb") if codec is None else cast(BinaryIO, _Decompressed(path, codec))


def opened_text(path: Path, encoding: str, *, newline: str | None = None) -> TextIO:
    """Open a file to read its text, decompressed."""
    if codec_of(path) is None:
        return path.open(encoding=encoding, newline=newline)
    return io.TextIOWrapper(opened(path), encoding=encoding, newline=newline)


def created(path: Path) -> BinaryIO:
    """Open a file to write bytes to it, which are compressed; it is complete once it is closed."""
    codec = codec_of(path)
    return path.open("wb") if codec is None else cast(BinaryIO, _Compressed(path, codec))


def compressed_inside(path: Path) -> InputError | None:
    """Say so if a file that was opened as text is compressed, or is so twice."""
    with opened(path) as file:
        ending = ending_of(file.read(4))
    if ending is None:
        return None
    if codec_of(path):
        return InputError(f"{path}: the file is compressed twice. Unpack it once.")
    return InputError(f"{path}: the file is compressed with {CODECS[ending]}. Rename it to {path.name + ending!r}.")


def ending_of(first: bytes) -> str | None:
    """Return the ending that a compressed file should have, by its first bytes."""
    return next((ending for start, ending in FIRST_BYTES.items() if first.startswith(start)), None)


class _Decompressed(io.BufferedIOBase):
    """The decompressed bytes of a file; whatever damage the codec finds is reported with the file's name."""

    def __init__(self, path: Path, codec: str) -> None:
        self._path, self._codec = path, codec
        with path.open("rb"):  # says in the usual words why it cannot be read
            self._file = pa.OSFile(str(path))
        self._content = pa.CompressedInputStream(self._file, codec)

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        try:
            return cast(bytes, self._content.read(None if size is None or size < 0 else size))
        except (OSError, pa.ArrowException) as error:
            raise self._damage(reason(error)) from error

    def _damage(self, found: str) -> InputError:
        with self._path.open("rb") as file:
            ending = ending_of(file.read(4))
        if ending == self._path.suffix.lower():
            return InputError(f"{self._path}: the {self._codec} compression is damaged or cut off ({found}).")
        name = self._path.with_suffix(ending or "").name
        what = f"it was compressed with {CODECS[ending]}" if ending else "it is plain text"
        return InputError(
            f"{self._path}: the file does not begin as one of {self._codec} does. If {what}, rename it to {name!r}."
        )

    def read1(self, size: int = -1, /) -> bytes:
        return self.read(1 << 16 if size < 0 else size)

    def tell(self) -> int:
        return cast(int, self._file.tell())

    def close(self) -> None:
        if not self.closed:
            self._content.close()
            self._file.close()
        super().close()


class _Compressed(io.BufferedIOBase):
    """A file that compresses what is written to it."""

    def __init__(self, path: Path, codec: str) -> None:
        self._file = path.open("wb")
        self._content = pa.CompressedOutputStream(pa.PythonFile(self._file, "w"), codec)

    def writable(self) -> bool:
        return True

    def write(self, block: bytes | memoryview, /) -> int:  # type: ignore[override]
        self._content.write(block)
        return len(block)

    def close(self) -> None:
        try:
            if not self.closed:
                self._content.close()
        finally:
            self._file.close()
            super().close()
