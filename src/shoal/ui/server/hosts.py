"""The address of the server, and the host names that browsers may use for it."""

from __future__ import annotations

import errno
import ipaddress
import os
import re
import socket
from dataclasses import dataclass

import shoal

PORT = 8787
TRIES = 50  # ports from PORT on that are tried if none is named
HEADER = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")


@dataclass(frozen=True)
class Where:
    """An address and port, and the host names of the server."""

    host: str
    address: str
    port: int

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return ipaddress.ip_address(self.address).is_loopback

    @property
    def everywhere(self) -> bool:
        """Whether the server listens on all addresses of this machine."""
        return ipaddress.ip_address(self.address).is_unspecified

    @property
    def url(self) -> str:
        """The URL of the server."""
        name = socket.gethostname() if self.everywhere else self.host
        return f"http://[{name}]:{self.port}" if ":" in name else f"http://{name}:{self.port}"

    def is_own(self, header: str) -> bool:
        """Whether a Host header names this server; another name may be DNS rebinding.

        The port may differ, for example behind a tunnel. Numeric addresses cannot be rebound.
        """
        match = HEADER.fullmatch(header)
        if match is None:
            return False
        name = match[1].strip("[]").lower()
        names = {self.host.lower(), self.address}
        if self.loopback:
            names |= {"127.0.0.1", "::1", "localhost"}
        if self.everywhere:
            names |= {"localhost", socket.gethostname().lower()}
        return name in names or (self.everywhere and _is_address(name))


def listen(host: str, port: int | None) -> tuple[Where, socket.socket]:
    """Listen on a port; by default the first free one from 8787 on; 0 takes any free port."""
    try:
        addresses = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise shoal.InputError(f"--host {host!r} is not a name or address of this machine: try 127.0.0.1.") from error
    family, address = addresses[0][0], str(addresses[0][4][0])
    for tried in [port] if port is not None else range(PORT, PORT + TRIES):
        try:
            sock = _bound(family, address, tried)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            raise shoal.InputError(_why_not(error, host, tried)) from error
        return Where(host, address.partition("%")[0], sock.getsockname()[1]), sock
    raise shoal.InputError(f"The ports {PORT} to {PORT + TRIES - 1} are all in use: name a free one with --port.")


def _bound(family: int, address: str, port: int) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # on Windows this would share the port with another program
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        sock.listen(128)
    except OSError:
        sock.close()
        raise
    return sock


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"--port {port} is in use: name another one, or leave out --port to take the next free one."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host!r} is not a name or address of this machine: try 127.0.0.1."
    return f"--port {port} cannot be opened ({error.strerror or error}): name another one."


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
