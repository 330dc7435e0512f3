"""The address that the server listens on."""

from __future__ import annotations

import errno
import socket

import pytest

from shoal import InputError
from shoal.ui.server import hosts
from shoal.ui.server.hosts import Where, listen


@pytest.fixture
def busy():
    """Occupy a port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def test_any_free_port_is_taken():
    where, sock = listen("127.0.0.1", 0)
    with sock, socket.create_connection(("127.0.0.1", where.port), timeout=5):
        assert where == Where("127.0.0.1", "127.0.0.1", sock.getsockname()[1])
    assert where.url == f"http://127.0.0.1:{where.port}"
    assert where.loopback


def test_the_next_free_port_is_taken_where_none_is_named(busy, monkeypatch):
    monkeypatch.setattr(hosts, "PORT", busy)
    where, sock = listen("127.0.0.1", None)
    sock.close()
    assert busy < where.port < busy + hosts.TRIES


def test_where_all_ports_are_in_use_another_one_is_asked_for(busy, monkeypatch):
    monkeypatch.setattr(hosts, "PORT", busy)
    monkeypatch.setattr(hosts, "TRIES", 1)
    with pytest.raises(InputError, match=f"The ports {busy} to {busy} are all in use: name a free one with --port"):
        listen("127.0.0.1", None)


def test_a_port_that_was_named_is_not_exchanged(busy):
    with pytest.raises(InputError, match=f"--port {busy} is in use: name another one, or leave out --port"):
        listen("127.0.0.1", busy)


def test_a_port_that_may_not_be_opened_is_told(monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(hosts, "_bound", refuse)
    with pytest.raises(InputError, match=r"--port 80 cannot be opened \(Permission denied\): name another one"):
        listen("127.0.0.1", 80)


@pytest.mark.parametrize("host", ["no such host", "192.0.2.1", "x" * 300])
def test_a_host_that_is_not_here_is_told(host):
    with pytest.raises(InputError, match="is not a name or address of this machine: try 127"):
        listen(host, 0)


def test_names_are_looked_up():
    where, sock = listen("localhost", 0)
    sock.close()
    assert (where.host, where.loopback, where.everywhere) == ("localhost", True, False)
    assert where.url == f"http://localhost:{where.port}"


def test_addresses_of_six_are_written_in_brackets():
    assert Where("::1", "::1", 8787).url == "http://[::1]:8787"
    assert Where("::1", "::1", 8787).is_own("[::1]:8787")


def test_a_server_for_this_machine_goes_by_its_names_alone():
    here = Where("127.0.0.1", "127.0.0.1", 8787)
    assert all(map(here.is_own, ["127.0.0.1:8787", "localhost", "[::1]:9000", "LocalHost:8787"]))
    assert not any(map(here.is_own, ["", "evil.example", "192.168.7.7", "localhost.", "a@localhost", "localhost:1/x"]))


def test_a_server_for_all_machines_goes_by_its_name_and_by_numbers():
    everywhere = Where("0.0.0.0", "0.0.0.0", 8787)
    assert not everywhere.loopback
    assert everywhere.url == f"http://{socket.gethostname()}:8787"
    assert all(map(everywhere.is_own, ["192.168.7.7:8787", "[fe80::1]:8787", "localhost:8787", socket.gethostname()]))
    assert not everywhere.is_own("evil.example:8787")


def test_a_server_behind_a_proxy_goes_by_the_name_that_is_passed_on():
    named = Where("shoal.clinic.example", "192.168.7.7", 8787)
    assert all(map(named.is_own, ["shoal.clinic.example", "192.168.7.7:8787"]))
    assert not any(map(named.is_own, ["192.168.7.8:8787", "localhost:8787", "clinic.example"]))
