"""Wheels with compiled kernels: what is added, and that pip can check it."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import zipfile
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "scripts" / "build_wheel.py"


def script():
    found = importlib.util.spec_from_file_location("build_wheel", SCRIPT)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_wheel_names_its_python_and_records_every_file(tmp_path):
    plain, archive = tmp_path / "shoal-1.0-py3-none-any.whl", tmp_path / "code-x.zip"
    archive.write_bytes(b"code")
    with zipfile.ZipFile(plain, "w") as wheel:
        wheel.writestr("shoal/__init__.py", "")
        wheel.writestr("shoal-1.0.dist-info/WHEEL", "Root-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("shoal-1.0.dist-info/RECORD", "old")
    made = script().add_archive(plain, archive, tag="cp311-cp311-manylinux_2_17_x86_64", folder=tmp_path)
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
