"""Pseudonyms: identifiers replaced by keyed hashes (HMAC, RFC 2104), so that records can be linked but not named."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

import pyarrow as pa

from shoal.data.column import read_column
from shoal.data.style import text
from shoal.errors import InputError

MIN_KEY_BYTES = 16
PSEUDONYM_DIGITS = 32  # hexadecimal: 128 bits


def pseudonyms(
    name: str, column: pa.ChunkedArray, key: bytes | str | None, missing_values: Sequence[str] = ()
) -> pa.Array:
    """Replace each value by the first 128 bits of HMAC-SHA256(key, column name and value); missing ones have none."""
    if key is None:
        raise InputError(f"Column {name!r} can only be pseudonymized with a secret key: give key=… or --key-file.")
    secret, values = secret_of(key), read_column(name, column, missing_values)
    digests = (hmac.digest(secret, f"{name}\0{text(value)}".encode(), "sha256") for value in values.values)
    hashed = [digest.hex()[:PSEUDONYM_DIGITS] for digest in digests]
    places = pa.array(values.places, mask=values.places < 0)
    return pa.array(hashed, pa.string()).take(places)


def secret_of(key: bytes | str) -> bytes:
    """Return a secret key as bytes; refuse one that is too short."""
    if not isinstance(key, bytes | str):
        raise InputError(f"The key must be bytes or text, not {type(key).__name__}.")
    secret = key.encode() if isinstance(key, str) else key
    if len(secret) < MIN_KEY_BYTES:
        raise InputError(f"The key has {len(secret)} bytes: use a random one of at least {MIN_KEY_BYTES}.")
    return secret
