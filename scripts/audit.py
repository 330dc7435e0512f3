"""Asks pip-audit about every pinned package; where its database cannot be had, prints what there is to be asked about.

python scripts/audit.py PIP-AUDIT [LOCK …]   ends with 1 where a vulnerability is known, 0 where none is or nobody knows
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

LOCKS = [Path("locks/core.txt"), Path("locks/development.txt"), Path("locks/spark.txt")]


def pinned(lock: Path) -> dict[str, set[str]]:
    """Each package of a lock with its versions (one for each marker)."""
    versions: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", lock.read_text("utf-8"), re.MULTILINE):
        versions.setdefault(name, set()).add(version)
    return versions


def asked(pip_audit: str, lock: Path) -> list[dict[str, object]]:
    """What pip-audit knows of each package: its vulnerabilities, or why it could not be asked."""
    line = [pip_audit, "--requirement", str(lock), "--require-hashes", "--disable-pip", "--format", "json"]
    run = subprocess.run([*line, "--progress-spinner", "off"], capture_output=True, text=True, timeout=600)
    try:
        return json.loads(run.stdout)["dependencies"]
    except json.JSONDecodeError:
        reason = run.stderr.strip().splitlines()[-1:] or ["no answer"]
        return [{"name": name, "skip_reason": reason[0]} for name in pinned(lock)]


def judged(lock: Path, answers: list[dict[str, object]]) -> tuple[list[str], list[str], int]:
    """The known vulnerabilities in words, the packages that could not be asked about, the number of the others."""
    told = {str(answer["name"]): answer for answer in answers}
    unasked = sorted(name for name in pinned(lock) if "vulns" not in told.get(name, {}))
    known = [
        f"{name} {answer['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'no version yet'}"
        for name, answer in told.items()
        for flaw in answer.get("vulns", [])  # type: ignore[attr-defined]
    ]
    return known, unasked, len(pinned(lock)) - len(unasked)


def main(pip_audit: str, *locks: str) -> int:
    """Tell of every lock; the number of those with a known vulnerability, at most 1."""
    found = False
    for lock in [Path(lock) for lock in locks] or LOCKS:
        known, unasked, count = judged(lock, asked(pip_audit, lock))
        found |= bool(known)
        print(f"{lock}: {count} packages asked about, {len(known)} known vulnerabilities, {len(unasked)} NOT AUDITED")
        for line in known:
            print(f"  {line}")
        for name in unasked:
            print(f"  not audited: {name} {', '.join(sorted(pinned(lock)[name]))}")
        if unasked:
            print("  The database could not be asked about these: no connection, or packages of another platform.")
    return int(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
