"""Other users of this machine are recognized by the owner of the socket."""

import os
import socket
import subprocess
import sys

import pytest

from shoal.ui.server import peers

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lists sockets with owners")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_the_owner_of_a_connection_is_found(address, monkeypatch):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as server:
        try:
            server.bind((address, 0))
        except OSError:
            pytest.skip(f"this machine has no {address}")
        server.listen()
        port = server.getsockname()[1]
        with socket.create_connection((address, port)) as browser:
            client = browser.getsockname()[:2]
            assert not peers.is_stranger(client, port)
            monkeypatch.setattr(os, "getuid", lambda: 4711)
            assert peers.is_stranger(client, port) == (os.geteuid() != 0)
            assert not peers.is_stranger(client, port + 1)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be somebody else")
def test_another_user_is_a_stranger():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        connect = f"exec 3<>/dev/tcp/127.0.0.1/{port}; read"
        with subprocess.Popen(["bash", "-c", connect], stdin=subprocess.PIPE, user=65534, cwd="/") as other:
            connection, client = server.accept()
            with connection:
                assert peers.is_stranger(client, port)
            other.stdin.close()


@pytest.mark.parametrize("client", [None, ("192.0.2.1", 4000)])
def test_others_are_no_matter_of_this_machine(client):
    assert not peers.is_stranger(client, 80)
