"""The certificate as a page to print, in the parts that reports are made of."""

from __future__ import annotations

import shlex
from typing import Any

from shoal.report.parts import Code, Document, Pairs, Section, Text
from shoal.report.words import clipped


def document(content: dict[str, Any], name: str) -> Document:
    """The words of the page of a certificate that stands in a file of this name."""
    release, asked = content["release"], content["asked"]
    columns = {
        "quasi-identifiers": asked["quasi"],
        "sensitive": asked["sensitive"],
        "removed": asked["identifying"],
        "pseudonymized": asked["pseudonymized"],
    }
    known = tuple((role, clipped(", ".join(names))) for role, names in columns.items() if names)
    about = f"{clipped(release['file'])}, {release['rows']:,} rows" + (
        f", {content['date']}" if "date" in content else ""
    )
    checks = tuple((clipped(check["check"]), _unbroken(check["sentence"])) for check in content["checks"])
    verdict = f"shoal {content['versions']['shoal']} read the release and its original anew, and all of this holds:"
    return Document(
        "Release certificate",
        about,
        (
            Section("The release", (Pairs((*_files(content), *known)),)),
            Section("What was verified", (Text(verdict), Pairs(checks))),
            Section("How to repeat it", _again(content, name)),
            Section("Checksums", (Pairs(_signature(content, name)), Text(content["note"], "note"))),
        ),
    )


def _unbroken(sentence: str) -> str:
    return sentence.replace(" = ", "\u00a0=\u00a0")


def _grouped(digest: str) -> str:
    """A checksum in two lines of four groups, as eyes can compare it."""
    groups = [digest[at : at + 8] for at in range(0, len(digest), 8)]
    return " ".join(groups[:4]) + "\n" + " ".join(groups[4:])


def _files(content: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    release, original = content["release"], content["private"]["original"]
    kind = "SHA-256" if "sha256" in original else "HMAC of its SHA-256"
    digest = _grouped(original.get("sha256") or original["hmac_sha256"])
    return (
        ("release", f"{clipped(release['file'])}, {release['bytes']:,} bytes, SHA-256\n{_grouped(release['sha256'])}"),
        ("original", f"{clipped(original['file'])}, {content['original_rows']:,} rows, {kind}\n{digest}"),
    )


def _again(content: dict[str, Any], name: str) -> tuple[Text | Code, ...]:
    if not content["repeatable"]["holds"]:
        return (Text(f"It cannot be repeated without shoal. {content['repeatable']['reason']}", "alarm"),)
    original = content["private"]["original"]["file"]
    population = content["private"].get("population")
    words = ["python", "second_verifier.pyz", "--certificate", name, "--original", original]
    words += ["--release", content["release"]["file"], *(["--population", population["file"]] if population else [])]
    words += ["--key", "secret.key"] if "hmac_sha256" in content else []
    told = (
        f"With {content['case']['file']}, which holds the case, and the second verifier, which shares no code with "
        f"shoal. The SHA-256 of its sources is\n{_grouped(content['repeatable']['verifier_sha256'])}"
    )
    return Text(told), Code(shlex.join(words))


def _signature(content: dict[str, Any], name: str) -> tuple[tuple[str, str], ...]:
    found = [("of this certificate", f"{name}, SHA-256 of its canonical form\n{_grouped(content['sha256'])}")]
    if "hmac_sha256" in content:
        found.append(("signature", f"HMAC-SHA-256 with the secret key\n{_grouped(content['hmac_sha256'])}"))
    made = ", ".join(f"{name} {version}" for name, version in content["versions"].items())
    return (*found, ("made with", made))
