"""The certificate as a page to print, in the parts that reports are made of."""

from __future__ import annotations

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
    checks = tuple((clipped(check["check"]), check["sentence"]) for check in content["checks"])
    return Document(
        "Release certificate",
        about,
        (
            Section("The release", (Pairs((*_files(content), *known)),)),
            Section("What was verified", (Pairs(checks),)),
            Section("How to repeat it", _again(content, name)),
            Section("Checksums", (Pairs(_signature(content, name)), Text(content["note"], "note"))),
        ),
    )


def _files(content: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    release = content["release"]
    found = [("release", f"{clipped(release['file'])}, {release['bytes']:,} bytes, SHA-256\n{release['sha256']}")]
    original = content["private"]["original"]
    digest = original.get("sha256") or original["hmac_sha256"]
    kind = "SHA-256" if "sha256" in original else "HMAC of its SHA-256"
    found.append(("original", f"{clipped(original['file'])}, {content['original_rows']:,} rows, {kind}\n{digest}"))
    return tuple(found)


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
        f"shoal; the SHA-256 of its sources is {content['repeatable']['verifier_sha256']}."
    )
    return Text(told), Code(" ".join(words))


def _signature(content: dict[str, Any], name: str) -> tuple[tuple[str, str], ...]:
    found = [("of this certificate", f"{name}, SHA-256 of its canonical form\n{content['sha256']}")]
    if "hmac_sha256" in content:
        found.append(("signature", f"HMAC-SHA-256 with the secret key\n{content['hmac_sha256']}"))
    made = ", ".join(f"{name} {version}" for name, version in content["versions"].items())
    return (*found, ("made with", made))
