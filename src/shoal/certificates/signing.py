"""Checksums and signatures: SHA-256 of files and of canonical JSON, and HMAC-SHA-256 (RFC 2104) with a secret key."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

SIGNATURES = ("sha256", "hmac_sha256")  # the entries of a certificate that are computed from all others


def canonical(body: dict[str, Any]) -> bytes:
    """Return a certificate without its checksum and signature as canonical JSON: sorted, no blanks, ASCII."""
    rest = {name: value for name, value in body.items() if name not in SIGNATURES}
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def signed(body: dict[str, Any], key: bytes | None) -> dict[str, Any]:
    """Add the SHA-256 of the canonical form to a certificate, and with a key also the HMAC of that checksum."""
    checksum = hashlib.sha256(canonical(body)).hexdigest()
    certificate = body | {"sha256": checksum}
    return certificate if key is None else certificate | {"hmac_sha256": keyed(key, f"certificate {checksum}")}


def keyed(key: bytes, text: str) -> str:
    """Return the HMAC of a text."""
    return hmac.digest(key, text.encode(), "sha256").hex()


def sealed(entry: dict[str, Any], key: bytes | None) -> dict[str, Any]:
    """Describe a private file in a certificate: with a key, only its holders can test guesses at the content."""
    if key is None:
        return entry
    return {"file": entry["file"], "hmac_sha256": keyed(key, f"file {entry['sha256']}")}
