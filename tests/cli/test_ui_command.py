"""shoal ui: what it refuses before it starts."""

from __future__ import annotations

import importlib
import socket

import pytest


def refused(run, line):
    result = run(line)
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr


@pytest.mark.parametrize("size", ["much", "2", "0GB", "2 lions", "-1GB"])
def test_a_size_that_is_none_is_refused(run, size):
    assert (
        refused(run, f"ui --max-upload='{size}'")
        == f"shoal: --max-upload '{size}' is not a size: give one such as 2GB.\n"
    )


def test_folders_and_files_that_are_missing_are_told(run):
    assert refused(run, "ui --folder nowhere") == "shoal: --folder nowhere: there is no such folder.\n"
    assert refused(run, "ui nothing.csv") == "shoal: nothing.csv: no such file.\n"
    assert "shoal cannot read such an address" in refused(run, "ui snowflake://host/db")


def test_a_port_in_use_that_was_named_is_refused(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert refused(run, f"ui --port {port}").startswith(f"shoal: --port {port} is in use: name another one")


def test_without_the_extra_the_command_to_install_it_is_told(run, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("shoal.system.optional_packages.import_module", missing)
    assert importlib.import_module("shoal.system.optional_packages").import_module is missing
    told = refused(run, "ui --port 0 --no-browser")
    assert told == "shoal: The pages of shoal ui need nicegui: pip install 'shoal[ui]'.\n"
