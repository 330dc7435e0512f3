"""Checksums and signatures: SHA-256 of files and of canonical JSON, and HMAC-SHA-256 (RFC 2104) with a secret key."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

OWN = ("sha256", "hmac_sha256")  # the entries of a certificate that are over all others


def canonical(body: dict[str, Any]) -> bytes:
    """A certificate without its own checksum and signature as JSON that has one form: sorted, no blanks, ASCII."""
    rest = {name: value for name, value in body.items() if name not in OWN}
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def signed(body: dict[str, Any], key: bytes | None) -> dict[str, Any]:
    """A certificate with the SHA-256 of its canonical form, and where there is a key with the HMAC over that."""
    checksum = hashlib.sha256(canonical(body)).hexdigest()
    found = body | {"sha256": checksum}
    return found if key is None else found | {"hmac_sha256": keyed(key, f"certificate {checksum}")}


def keyed(key: bytes, text: str) -> str:
    """The HMAC of a text."""
    return hmac.digest(key, text.encode(), "sha256").hex()


def sealed(entry: dict[str, Any], key: bytes | None) -> dict[str, Any]:
    """A private file as a certificate names it: with a key, nobody without it can test a guess at its content."""
    if key is None:
        return entry
    return {"file": entry["file"], "hmac_sha256": keyed(key, f"file {entry['sha256']}")}
