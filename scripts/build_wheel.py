"""Build wheels that bring the kernels compiled, one for each Python: build_wheel.py FOLDER PYTHON…

Each Python gets an environment with the versions of locks/core.txt, in which its wheel is tried: the demo must compile
nothing, and releases must have their recorded bytes. A wheel without compiled kernels is built beside them, for all
other Pythons and machines.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "locks" / "core.txt"
PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
# The archive links to nothing but numba, so it runs wherever numba's own wheels do. The Python is asked, as an emulated
# one is of another machine.
TAG = (
    "from platform import machine; from sys import version_info as v; "
    "print(f'cp{v[0]}{v[1]}-cp{v[0]}{v[1]}-manylinux_2_17_{machine()}')"
)


def build_plain(folder: Path) -> Path:
    """Build the wheel for every Python and machine."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    return max(folder.glob("shoal-*-py3-none-any.whl"), key=lambda wheel: wheel.stat().st_mtime)


def build_for(python: str, plain: Path, folder: Path) -> Path:
    """Install the plain wheel with pinned versions, compile its kernels and put them into a wheel for this Python."""
    with tempfile.TemporaryDirectory() as temporary:
        own = Path(temporary, "bin", "python")
        subprocess.run([python, "-m", "venv", temporary], check=True)
        subprocess.run([own, *PIP, "--require-hashes", "-r", LOCK], check=True)
        subprocess.run([own, *PIP, "--no-deps", plain], check=True)
        subprocess.run([own, ROOT / "scripts" / "kernel_archive.py", temporary], check=True)
        tag = subprocess.run([own, "-c", TAG], check=True, capture_output=True, text=True).stdout.strip()
        [archive] = Path(temporary).glob("code-*.zip")
        wheel = add_archive(plain, archive, tag=tag, folder=Path(temporary))
        try_out(wheel, own)
        return Path(shutil.move(wheel, folder / wheel.name))


def try_out(wheel: Path, python: Path) -> None:
    """Install a wheel over another of the same version, and stop where it compiles the demo or changes a release."""
    subprocess.run([python, *PIP, "--no-deps", "--force-reinstall", wheel], check=True)
    with tempfile.TemporaryDirectory() as cache:
        quiet = {"env": os.environ | {"NUMBA_CACHE_DIR": cache}, "cwd": cache, "stdout": subprocess.DEVNULL}
        subprocess.run([python, "-I", "-m", "shoal", "demo"], check=True, **quiet)
        if compiled := sorted(path.name for path in Path(cache).rglob("*.code")):
            sys.exit(f"{wheel.name} lacks kernels that the demo needs: {', '.join(compiled)}")
        subprocess.run([python, "-I", ROOT / "tests" / "same_bytes.py"], check=True, **quiet)


def add_archive(plain: Path, archive: Path, *, tag: str, folder: Path) -> Path:
    """Write a wheel with an archive of kernels, and with the tag of the Pythons and machines that it is for."""
    target = folder / plain.name.replace("py3-none-any", tag)
    record = []
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:

        def write(name: str, content: bytes) -> None:
            wheel.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
            hashed = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={hashed},{len(content)}")

        for name in source.namelist():
            content = source.read(name)
            if name.endswith(".dist-info/RECORD"):
                record_name = name
                continue
            if name.endswith(".dist-info/WHEEL"):
                content = content.replace(b"py3-none-any", tag.encode())
                content = content.replace(b"Root-Is-Purelib: true", b"Root-Is-Purelib: false")
            write(name, content)
        write(f"shoal/kernels/{archive.name}", archive.read_bytes())
        wheel.writestr(record_name, "\n".join([*record, f"{record_name},,", ""]))
    return target


if __name__ == "__main__":
    into = Path(sys.argv[1])
    into.mkdir(parents=True, exist_ok=True)
    pure = build_plain(into)
    for interpreter in sys.argv[2:]:
        print(build_for(interpreter, pure, into))
