"""`import shoal` offers its public names, sorted, and nothing else."""

from __future__ import annotations

import subprocess
import sys

import shoal


def test_the_public_names_are_sorted_and_all_there():
    assert shoal.__all__ == sorted(shoal.__all__)
    assert dir(shoal) == shoal.__all__
    for name in shoal.__all__:
        assert getattr(shoal, name) is not None
    assert not hasattr(shoal, "no_such_name")


def test_every_public_thing_has_a_docstring():
    for name in shoal.__all__:
        assert getattr(shoal, name).__doc__, name


def test_nothing_is_imported_before_the_command_line_can_answer_ctrl_c():
    code = "import sys; before = {*sys.modules}; import shoal; print({*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{'shoal'}\n"
