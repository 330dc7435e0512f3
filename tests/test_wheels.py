"""Wheels with compiled kernels: what is added, that pip can check it, and how arm64 Linux is emulated to build them."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "scripts"
EMULATED = ROOT / ".arm64" / "bookworm" / "usr" / "bin" / "python3.11"


def script(name):
    return script_of(SCRIPTS / f"{name}.py")


def script_of(path):
    found = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def emulated():
    """A Python of arm64 Linux, where `make wheel-arm64` has prepared one."""
    if lacking := script("arm64_python").missing():
        pytest.skip(f"nothing emulates arm64 here: {', '.join(lacking)} not installed")
    if not EMULATED.exists():
        pytest.skip("no Python of arm64 Linux is prepared here: make wheel-arm64 does it")
    return EMULATED


def program(path, *lines):
    """Write a script of the shell."""
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


def test_the_wheel_names_its_python_and_records_every_file(tmp_path):
    plain, archive = tmp_path / "shoal-1.0-py3-none-any.whl", tmp_path / "code-x.zip"
    archive.write_bytes(b"code")
    with zipfile.ZipFile(plain, "w") as wheel:
        wheel.writestr("shoal/__init__.py", "")
        wheel.writestr("shoal-1.0.dist-info/WHEEL", "Root-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("shoal-1.0.dist-info/RECORD", "old")
    made = script("build_wheel").add_archive(plain, archive, tag="cp311-cp311-manylinux_2_17_x86_64", folder=tmp_path)
    assert made.name == "shoal-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"
    with zipfile.ZipFile(made) as wheel:
        names = wheel.namelist()
        assert wheel.read("shoal/kernels/code-x.zip") == b"code"
        assert wheel.read("shoal-1.0.dist-info/WHEEL") == (
            b"Root-Is-Purelib: false\nTag: cp311-cp311-manylinux_2_17_x86_64\n"
        )
        lines = wheel.read("shoal-1.0.dist-info/RECORD").decode().splitlines()
        recorded = dict(line.split(",", 1) for line in lines)
        assert set(recorded) == set(names)
        assert len(names) == len(set(names))
        for name in set(names) - {"shoal-1.0.dist-info/RECORD"}:
            digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=").decode()
            assert recorded[name] == f"sha256={digest},{len(wheel.read(name))}"


def test_a_wheel_is_tried_with_the_demo_and_with_the_recorded_bytes(tmp_path):
    python = program(tmp_path / "python", f'echo "$@" >> {tmp_path}/called')
    script("build_wheel").try_out(tmp_path / "new.whl", python)
    installed, demo, same_bytes = (tmp_path / "called").read_text().splitlines()
    assert installed.endswith(f"--force-reinstall {tmp_path}/new.whl")
    assert demo == "-I -m shoal demo"
    assert same_bytes == f"-I {ROOT}/tests/same_bytes.py"


def test_a_wheel_that_compiles_the_demo_is_refused(tmp_path):
    compiles = 'case "$*" in *demo) mkdir "$NUMBA_CACHE_DIR/shoal"; touch "$NUMBA_CACHE_DIR/shoal/sort-1.code";; esac'
    with pytest.raises(SystemExit, match=r"^new.whl lacks kernels that the demo needs: sort-1.code$"):
        script("build_wheel").try_out(tmp_path / "new.whl", program(tmp_path / "python", compiles))


def test_a_wheel_that_releases_other_bytes_is_refused(tmp_path):
    differs = 'case "$*" in *same_bytes.py) exit 1;; esac'
    with pytest.raises(subprocess.CalledProcessError, match=r"same_bytes\.py"):
        script("build_wheel").try_out(tmp_path / "new.whl", program(tmp_path / "python", differs))


def test_an_emulated_python_is_called_by_its_own_name(tmp_path, monkeypatch):
    """So that it finds its environment, and calls itself by a name that works."""
    root = tmp_path / "a root"
    python = root / "usr" / "bin" / "python3.11"
    python.parent.mkdir(parents=True)
    (root / "usr" / "lib" / "python3.11").mkdir(parents=True)
    python.write_text("machine code")
    script("arm64_python").launch(python, root)
    (tmp_path / "environment").symlink_to(python)
    program(tmp_path / "qemu-aarch64-static", "printf '%s\\n' \"$@\"")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    called = subprocess.run([tmp_path / "environment", "-c", "1 + 1"], check=True, capture_output=True, text=True)
    code = root / "usr" / "lib" / "python3.11" / "program"
    assert code.read_text() == "machine code"
    assert called.stdout.splitlines() == [
        "-L",
        str(root),
        "-0",
        str(tmp_path / "environment"),
        str(code),
        "-c",
        "1 + 1",
    ]


def test_an_emulated_python_finds_pip_in_its_root(tmp_path):
    library = tmp_path / "part" / "usr" / "lib" / "python3.11"
    library.mkdir(parents=True)
    (library / "_sysconfigdata_x.py").write_text("named = {'WHEEL_PKG_DIR': '/usr/share/python-wheels/'}")
    (library / "_sysconfigdata_y.py").symlink_to("/not/in/the/root.py")
    script("arm64_python").name_wheels(tmp_path / "part", tmp_path / "root")
    assert script_of(library / "_sysconfigdata_x.py").named == {
        "WHEEL_PKG_DIR": str(tmp_path / "root" / "usr" / "share" / "python-wheels")
    }


@pytest.mark.parametrize(
    ("release", "said"),
    [
        (
            "bookworm",
            "Not found: debootstrap, dpkg, fakeroot, qemu-user-static. Install them (apt-get install).\n",
        ),
        ("sid", "'sid' is not a release of Debian whose Python is known here: choose from bookworm, trixie.\n"),
    ],
)
def test_what_cannot_be_emulated_is_said(tmp_path, release, said):
    command = [sys.executable, SCRIPTS / "arm64_python.py", tmp_path, release]
    run = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (1, "", said)


def test_an_emulated_python_runs_itself_in_a_virtual_environment(tmp_path, emulated):
    subprocess.run([emulated, "-m", "venv", "--without-pip", tmp_path], check=True)
    asked = "import platform, subprocess, sys; print(platform.machine(), sys.prefix, flush=True); "
    asked += "len(sys.argv) > 1 or subprocess.run([sys.executable, *sys.orig_argv[1:], 'again'], check=True)"
    run = subprocess.run([tmp_path / "bin" / "python", "-c", asked], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines() == [f"aarch64 {tmp_path}"] * 2


@pytest.mark.deep("builds a wheel under emulation and tries it there, minutes")
def test_a_wheel_for_arm64_compiles_nothing_and_releases_the_recorded_bytes(tmp_path, emulated):
    subprocess.run([sys.executable, SCRIPTS / "build_wheel.py", tmp_path, emulated], check=True)
    [wheel] = tmp_path.glob("shoal-*-cp311-cp311-manylinux_2_17_aarch64.whl")
    assert any(
        name.startswith("shoal/kernels/code-cpython-311-linux-aarch64-") for name in zipfile.ZipFile(wheel).namelist()
    )
