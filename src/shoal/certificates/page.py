"""The certificate as a page to print."""

from __future__ import annotations

import shlex
from typing import Any

from shoal.data.unit import WORDS
from shoal.documents.document import Code, Document, Pairs, Section, Text
from shoal.release.report.phrases import clipped


def document(content: dict[str, Any], name: str) -> Document:
    """Return the page of a certificate that is in a file of this name."""
    release, request = content["release"], content["asked"]
    columns = {
        "quasi-identifiers": request["quasi"],
        "sensitive": request["sensitive"],
        "removed": request["identifying"],
        "pseudonymized": request["pseudonymized"],
    }
    original = f"{clipped(content['private']['original']['file'])}, {content['original_rows']:,} rows"
    facts = [("release", f"{clipped(release['file'])}, {release['rows']:,} rows"), ("original", original)]
    facts += [(role, clipped(", ".join(names))) for role, names in columns.items() if names]
    if unit := request.get("unit"):
        whose = [
            f"{name} {unit[key]!r}" for key, name in (("column", "people of"), ("group", "groups of")) if unit[key]
        ]
        facts.append(("counted", f"{clipped(', '.join(whose))}. {WORDS[unit['promise']]}"))
    facts.append(("verified by", ", ".join(f"{name} {version}" for name, version in content["versions"].items())))
    checks = tuple((clipped(check["check"]), _unbroken(check["sentence"])) for check in content["checks"])
    verdict = "The release and its original were read again, and all of this holds:"
    return Document(
        "Release certificate",
        ", ".join([clipped(name), *filter(None, [content.get("date")])]),
        (
            Section("The release", (Pairs(tuple(facts)),)),
            Section("What was verified", (Text(verdict), Pairs(checks))),
            Section("How to repeat it", _instructions(content, name)),
            Section("Checksums", (Code(_checksums(content)), Text(content["note"], "note"))),
        ),
    )


def _unbroken(sentence: str) -> str:
    return sentence.replace(" = ", "\u00a0=\u00a0")


def _instructions(content: dict[str, Any], name: str) -> tuple[Text | Code, ...]:
    """Return the command of the second verifier, or the reason why there is none."""
    if not content["repeatable"]["holds"]:
        return (Text(f"It cannot be repeated without shoal. {content['repeatable']['reason']}", "alarm"),)
    original = content["private"]["original"]["file"]
    population = content["private"].get("population")
    words = ["python", "second_verifier.pyz", "--certificate", name, "--original", original]
    words += ["--release", content["release"]["file"], *(["--population", population["file"]] if population else [])]
    words += ["--key", "secret.key"] if "hmac_sha256" in content else []
    requirements = f"With {content['case']['file']} and the second verifier, which shares no code with shoal:"
    return Text(requirements), Code(shlex.join(words))


def _checksums(content: dict[str, Any]) -> str:
    """List each file with its SHA-256, or with the HMAC of that."""
    entries = {"release": content["release"], **content["private"], "case": content["case"]}
    lines = [(clipped(role), entry.get("sha256"), entry.get("hmac_sha256")) for role, entry in entries.items()]
    lines.append(("second verifier", content["repeatable"]["verifier_sha256"], None))
    lines.append(("this certificate", content["sha256"], None))
    lines += [("its signature", None, content["hmac_sha256"])] if "hmac_sha256" in content else []
    width = max(len(role) for role, _, _ in lines)
    return "\n".join(
        f"{role:{width}}  {'SHA-256' if plain else 'HMAC   '}  {plain or keyed}" for role, plain, keyed in lines
    )
