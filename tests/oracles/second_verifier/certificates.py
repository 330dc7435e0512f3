"""Certificates: whether one is whole and signed, is about these files, and says what its case says."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from pathlib import Path
from zipfile import ZipFile, is_zipfile

FORMAT = 1
OWN = ("sha256", "hmac_sha256")
ENTRIES = {"asked", "case", "certificate", "checks", "date", "figures", "format", "note", "original_rows", "private"}
ENTRIES |= {"release", "repeatable", "rows_matched", "versions", *OWN}
SAME = ("sensitive", "identifying", "pseudonymized", "max_suppressed", "suppressed", "drop_missing", "order")


def digest(path):
    """The SHA-256 of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def key_in(path):
    """The secret key in a file; refused where others can read it."""
    if os.name == "posix" and Path(path).stat().st_mode & 0o077:
        raise ValueError(f"others can read the secret key {path}: run chmod 600 {path} first")
    key = Path(path).read_bytes().strip()
    if len(key) < 16:
        raise ValueError(f"the secret key {path} is shorter than 16 bytes")
    return key


def keyed(key, text):
    """The HMAC-SHA-256 of a text."""
    return hmac.new(key, text.encode(), "sha256").hexdigest()


def named(path, entry, key):
    """A file as an entry of a certificate names it: by its SHA-256, or by the HMAC of that."""
    return digest(path) if "sha256" in entry else keyed(key, f"file {digest(path)}")


def read_certificate(path):
    """The certificate in a file."""
    with open(path, encoding="utf-8") as file:
        found = json.load(file, object_pairs_hook=once)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"{path} is no certificate of format {FORMAT}")
    if not found["repeatable"]["holds"]:
        raise ValueError(found["repeatable"]["reason"])
    return found


def once(pairs):
    """An object of JSON whose names are different: who reads it must not see another one than who checks it."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError(f"a name stands twice among {', '.join(name for name, _ in pairs)}")
    return dict(pairs)


def own_sources():
    """The SHA-256 of the sources of this verifier, one after the other in the order of their names."""
    home = Path(__file__).resolve().parent
    if is_zipfile(home.parent):
        with ZipFile(home.parent) as archive:
            names = sorted(name for name in archive.namelist() if name.startswith("second_verifier/"))
            return hashlib.sha256(b"".join(archive.read(name) for name in names)).hexdigest()
    return hashlib.sha256(b"".join(one.read_bytes() for one in sorted(home.glob("*.py")))).hexdigest()


def certificate_problems(certificate, key, paths):
    """What is wrong with a certificate itself, and with the files that it names; `paths` are these by their role."""
    found = []
    rest = {name: value for name, value in certificate.items() if name not in OWN}
    body = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    own = hashlib.sha256(body).hexdigest()
    if certificate.get("sha256") != own:
        found.append("certificate: it was changed, its SHA-256 is another")
    signature = certificate.get("hmac_sha256")
    if key is not None and (signature is None or not hmac.compare_digest(signature, keyed(key, f"certificate {own}"))):
        found.append("certificate: the signature is not that of this key")
    entries = certificate["private"] | {"release": certificate["release"], "case": certificate["case"]}
    for role, path in paths.items():
        entry = entries.get(role)
        if entry is None:
            found.append(f"files: the certificate names no {role}")
        elif "sha256" not in entry and key is None:
            raise ValueError(f"the certificate names its {role} by a secret key: give it with --key")
        elif named(path, entry, key) != entry.get("sha256", entry.get("hmac_sha256")):
            found.append(f"files: {path} is not the {role} of the certificate")
    return found


def case_problems(certificate, case):
    """Where a certificate says something else than the case, by which the release is checked."""
    asked, found = certificate["asked"], []
    if unknown := set(certificate) - ENTRIES:
        found.append(f"certificate: it says what shoal never says, {', '.join(sorted(unknown))}")
    if "tops" in case:
        found.append("certificate: its case names tops, which shoal leaves to the hierarchies")
    models = [{name: one for name, one in model.items() if name not in ("paths", "order")} for model in case["models"]]
    told = {name: case.get(name) for name in (*SAME, "class_column", "escaped", "unit")}
    asked = asked | {"quasi": sorted(asked["quasi"])}
    for name, value in (told | {"quasi": sorted(case["quasi"]), "models": models}).items():
        if plain(asked.get(name)) != plain(value):
            found.append(f"certificate: it says {name} = {asked.get(name)}, and its case {value}")
    if not certificate["figures"].keys() >= {"k", "classes", "rows"} & case["report"].keys():
        found.append("certificate: it leaves out k, the classes or the rows")
    for name, value in certificate["figures"].items():
        if name not in case["report"] or plain(case["report"][name]) != plain(value):
            found.append(f"certificate: it says {name} = {value}, and its case {case['report'].get(name)}")
    return found


def plain(value):
    """A value with its numbers as they are written, as those of a case are."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value if value is None or isinstance(value, bool) else str(value)
