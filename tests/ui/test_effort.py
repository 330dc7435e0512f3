"""The effort that the workbench offers: by name, in seconds, or none."""

from __future__ import annotations

import pytest

import shoal
from shoal.ui.pages.protection import EFFORTS
from shoal.ui.state.project import Project


@pytest.mark.parametrize("effort", EFFORTS)
def test_every_effort_that_is_offered_goes_on_to_auto_and_local_recoding(effort):
    named = float(effort) if effort.isdigit() else effort or None
    assert Project(algorithm="auto", effort=effort).build_algorithm() == shoal.Auto(effort=named)
    assert Project(algorithm="local", effort=effort).build_algorithm() == shoal.LocalRecoding(named or "balanced")


def test_other_algorithms_know_no_effort():
    assert Project(algorithm="mondrian", effort="2").build_algorithm() == shoal.Mondrian()
