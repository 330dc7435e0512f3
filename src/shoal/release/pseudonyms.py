"""Pseudonyms: identifiers replaced by a keyed hash (HMAC, RFC 2104), so that records can be linked but not named."""

from __future__ import annotations

import hmac

import pyarrow as pa

from shoal.data.column import read_column
from shoal.data.style import text
from shoal.errors import InputError

SHORTEST_KEY = 16
LENGTH = 32  # hexadecimal digits: 128 bits


def pseudonyms(name: str, column: pa.ChunkedArray, key: bytes | str | None) -> pa.Array:
    """Each value as the first 128 bits of HMAC-SHA256(key, column name and value); missing stays missing."""
    secret = _secret(name, key)
    values = read_column(name, column)
    hashed = [
        hmac.digest(secret, f"{name}\0{text(value)}".encode(), "sha256").hex()[:LENGTH] for value in values.values
    ]
    places = pa.array(values.places, mask=values.places < 0)
    return pa.array(hashed, pa.string()).take(places)


def _secret(name: str, key: bytes | str | None) -> bytes:
    if key is None:
        raise InputError(f"Column {name!r} can only be pseudonymized with a secret key: give key=… or --key-file.")
    return secret_of(key)


def secret_of(key: bytes | str) -> bytes:
    """A secret key as bytes; refused where it is too short to be one."""
    if not isinstance(key, bytes | str):
        raise InputError(f"The key must be bytes or text, not {type(key).__name__}.")
    secret = key.encode() if isinstance(key, str) else key
    if len(secret) < SHORTEST_KEY:
        raise InputError(f"The key has {len(secret)} bytes: use a random one of at least {SHORTEST_KEY}.")
    return secret
