"""Prepare Pythons of arm64 Linux that are emulated here, and print their paths: arm64_python.py FOLDER RELEASE…

Each release of Debian brings one. It is called like any other Python, also by itself and in virtual environments: what
has its name is a script that calls the emulator. Nothing is installed, and root is not needed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from shlex import quote

EMULATOR = "qemu-aarch64-static"
TOOLS = {"debootstrap": "debootstrap", "dpkg-deb": "dpkg", "fakeroot": "fakeroot", EMULATOR: "qemu-user-static"}
PYTHONS = {"bookworm": "python3.11", "trixie": "python3.13"}


def missing() -> list[str]:
    """Return the Debian packages of the tools that are not here."""
    return [package for tool, package in TOOLS.items() if shutil.which(tool) is None]


def prepare(release: str, folder: Path) -> Path:
    """Return the emulated Python of a release of Debian, which is downloaded unless the folder has it."""
    root = folder.absolute() / release
    python = root / "usr" / "bin" / PYTHONS[release]
    if not root.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            part = Path(temporary, "root")
            unpack(release, part)
            name_wheels(part, root)
            launch(part / python.relative_to(root), root)
            part.rename(root)
    return python


def unpack(release: str, root: Path) -> None:
    """Unpack the packages that this Python needs, without installing them."""
    with tempfile.TemporaryDirectory() as temporary:
        command = ["fakeroot", "debootstrap", "--download-only", "--arch=arm64", "--variant=minbase"]
        command += [f"--include={PYTHONS[release]}-venv,libstdc++6", release, temporary]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"debootstrap could not download {release} for arm64:\n{done.stdout[-2000:]}{done.stderr}")
        for package in sorted(Path(temporary).glob("var/cache/apt/archives/*.deb")):
            subprocess.run(["dpkg-deb", "--extract", package, root], check=True)


def name_wheels(part: Path, root: Path) -> None:
    """Have virtual environments take pip from the root: the emulator does not redirect every call that reads a file."""
    for file in part.glob("usr/lib/python3*/_sysconfigdata*.py"):
        if not file.is_symlink():
            wheels = repr(str(root / "usr" / "share" / "python-wheels"))
            file.write_text(file.read_text("utf-8").replace("'/usr/share/python-wheels/'", wheels), "utf-8")


def launch(python: Path, root: Path) -> None:
    """Put a script that calls the emulator in the place of a Python whose root will be there."""
    program = Path("usr", "lib", python.name, "program")
    python.rename(python.parents[2] / program)
    # Python finds its files, and itself, by the name that it is called by.
    in_root = f'-L {quote(str(root))} -0 "$0" {quote(str(root / program))}'
    python.write_text(f'#!/bin/sh\nexec {EMULATOR} {in_root} "$@"\n')
    python.chmod(0o755)


if __name__ == "__main__":
    for name in sys.argv[2:]:
        if name not in PYTHONS:
            known = ", ".join(PYTHONS)
            sys.exit(f"{name!r} is not a release of Debian whose Python is known here: choose from {known}.")
    if lacking := missing():
        sys.exit(f"Not found: {', '.join(lacking)}. Install them (apt-get install).")
    for name in sys.argv[2:]:
        print(prepare(name, Path(sys.argv[1])))
