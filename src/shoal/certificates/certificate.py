"""ReleaseCertificate: the verified facts about a written release, signed, and the case to verify them again."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.documents.html_page import Lines, Summary
from shoal.documents.plots import matplotlib
from shoal.errors import InputError
from shoal.system.atomic_files import replace_whole, write_text

SIGNATURES = ("sha256", "hmac_sha256")  # the entries of a certificate that are computed from all others
PUBLIC_NOTE = "It names no value of the original and may be published; the case may not."
PRIVATE_NOTE = (
    "Made without a key: anyone who knows nearly all of the original can test guesses at the rest by its SHA-256. "
    "Give it only to those who hold the data, or make it with a key."
)


@dataclass(frozen=True, eq=False, repr=False)
class ReleaseCertificate(Summary):
    """The certificate of a release that was read again and holds.

    body  the content of the certificate
    case  the input of the second verifier; it lists values of hierarchies and checksums of private files, and must stay
          with the data
    key   the secret key of the signature, if any
    """

    body: dict[str, Any]
    case: dict[str, Any]
    key: bytes | None = field(default=None, repr=False)

    @property
    def sentences(self) -> list[str]:
        """One sentence for each check that holds."""
        return [check["sentence"] for check in self.body["checks"]]

    @property
    def repeatable(self) -> bool:
        """Whether the second verifier can repeat the checks."""
        return bool(self.body["repeatable"]["holds"])

    def to_dict(self, case: str = "certificate.case.json") -> dict[str, Any]:
        """Return the certificate as plain values, with its checksum and signature; `case` is the case's file name."""
        content = self.case_json().encode()
        entry = {"file": case, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        note = PRIVATE_NOTE if self.key is None else PUBLIC_NOTE
        return signed(self.body | {"case": sealed(entry, self.key), "note": note}, self.key)

    def to_json(self, case: str = "certificate.case.json") -> str:
        """Return the certificate as JSON, always the same bytes."""
        return _json(self.to_dict(case))

    def case_json(self) -> str:
        """Return the case as JSON."""
        return _json(self.case)

    def save(self, path: str | PathLike[str] = "certificate.json", *, pdf: str | PathLike[str] | None = None) -> Path:
        """Write the certificate, its case next to it as NAME.case.json, and a page to print if `pdf` is given."""
        target = Path(path)
        case, page = check_certificate(target, pdf)
        content = self.to_dict(case.name)
        writers = {
            target: lambda file: write_text(_json(content), file),
            case: lambda file: write_text(self.case_json(), file),
        }
        if page is not None:
            from shoal.certificates.page import document
            from shoal.documents.pdf import write

            writers[page] = lambda file: write(document(content, target.name), file)
        replace_whole(writers)
        return target

    def _figures(self) -> dict[str, object]:
        return {
            "release": self.body["release"]["file"],
            "checks that hold": len(self.sentences),
            "signed": self.key is not None,
            "repeatable": self.repeatable,
        }

    def _rows_shown(self) -> Lines:
        return ["what was checked"], [[sentence] for sentence in self.sentences]


def check_certificate(target: Path, pdf: str | PathLike[str] | None) -> tuple[Path, Path | None]:
    """Return the paths of the case and of the page; refuse wrong file endings."""
    page = None if pdf is None else Path(pdf)
    if target.suffix.lower() != ".json":
        raise InputError(f"{target}: a certificate is a .json file; name a page to print with --pdf or pdf=….")
    if page is not None and page.suffix.lower() != ".pdf":
        raise InputError(f"{page}: the page of a certificate is a .pdf file.")
    if page is not None:
        matplotlib("figure")
    return target.with_name(f"{target.stem}.case.json"), page


def signed(body: dict[str, Any], key: bytes | None) -> dict[str, Any]:
    """Add the SHA-256 of a certificate as canonical JSON (sorted, no blanks, ASCII), and with a key also its HMAC."""
    rest = {name: value for name, value in body.items() if name not in SIGNATURES}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    checksum = hashlib.sha256(canonical.encode()).hexdigest()
    certificate = body | {"sha256": checksum}
    return certificate if key is None else certificate | {"hmac_sha256": _keyed(key, f"certificate {checksum}")}


def _keyed(key: bytes, text: str) -> str:
    """Return the HMAC (RFC 2104) of a text."""
    return hmac.digest(key, text.encode(), "sha256").hex()


def sealed(entry: dict[str, Any], key: bytes | None) -> dict[str, Any]:
    """Describe a private file in a certificate: with a key, only its holders can test guesses at the content."""
    if key is None:
        return {name: entry[name] for name in ("file", "bytes", "sha256")}
    return {"file": entry["file"], "hmac_sha256": _keyed(key, f"file {entry['sha256']}")}


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
