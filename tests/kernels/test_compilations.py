"""Compiling is announced in one line for each folder of kernels, and no clock of a report counts it."""

from __future__ import annotations

import logging
import time

import pytest

from shoal.kernels import compilations
from shoal.kernels.compilations import Compilations, clock

KERNEL, OTHER = "/somewhere/kernels/local_recoding/boxes.py", "/somewhere/numba/np/arrayobj.py"


@pytest.fixture
def compiler(monkeypatch) -> Compilations:
    """Compilations of a process that has imported one file of kernels."""
    fresh = Compilations()
    fresh.files.add(KERNEL)
    monkeypatch.setattr(compilations, "COMPILATIONS", fresh)
    return fresh


def test_the_first_compilation_of_a_folder_is_announced_with_an_estimate(compiler, caplog):
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            compiler.start(KERNEL, "boxes")
            compiler.end()
    [line] = caplog.messages
    assert line.startswith("compiling kernels of local recoding for this machine, once: about ")
    assert line.endswith(" s")


def test_who_cannot_keep_the_code_is_not_told_that_it_is_compiled_once(compiler, caplog):
    compiler.kept = False
    with caplog.at_level(logging.WARNING):
        compiler.start(KERNEL, "boxes")
    [line] = caplog.messages
    assert "once" not in line
    assert "in each process" in line


def test_what_others_compile_is_not_announced(compiler, caplog):
    compiler.start(OTHER, "zeros")
    compiler.end()
    assert caplog.messages == []
    assert compiler.seconds == 0


def test_the_clock_stands_still_while_a_kernel_and_what_it_calls_are_compiled(compiler):
    before = clock()
    compiler.start(KERNEL, "boxes")
    compiler.start(OTHER, "zeros")
    time.sleep(0.2)
    compiler.end()
    assert clock() - before < 0.1
    time.sleep(0.2)
    compiler.end()
    assert clock() - before < 0.1
    time.sleep(0.2)
    assert clock() - before > 0.19
    assert compiler.names == ["boxes"]


def test_their_number_is_told_while_somebody_counts_them(compiler):
    told = []
    for _ in range(2):
        with compiler.counted(told.append):
            for name in ("boxes", "shares"):
                compiler.start(KERNEL, name)
                compiler.end()
            compiler.start(OTHER, "no kernel of ours")
        compiler.start(KERNEL, "later")
        compiler.end()
    assert told == [1, 2, 4, 5]
