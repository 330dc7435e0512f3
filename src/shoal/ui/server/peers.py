"""The user at the other end of a local connection: other users of this machine are not admitted."""

from __future__ import annotations

import ipaddress
import os
import sys
from pathlib import Path

TABLES = {4: Path("/proc/net/tcp"), 6: Path("/proc/net/tcp6")}


def is_stranger(client: tuple[str, int] | None, port: int) -> bool:
    """Whether a local connection was made by another user except root; False if that cannot be determined.

    Linux lists the sockets of this machine with their owners: the browser's socket is the one whose local end is the
    client's address and whose remote end is the server's port.
    """
    if client is None or not hasattr(os, "getuid"):
        return False
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0])
    except ValueError:  # a socket with a name
        return False
    if not address.is_loopback:
        return False
    owner = _owner(address, client[1], port)
    return owner is not None and owner not in (0, os.getuid())


def _owner(address: ipaddress.IPv4Address | ipaddress.IPv6Address, client_port: int, server_port: int) -> int | None:
    """Find the user whose socket has these ends; IPv4 addresses may also be in the list of IPv6."""
    ends = {_written(address, client_port)}
    if address.version == 4:
        ends.add(_written(ipaddress.IPv6Address(f"::ffff:{address}"), client_port))
    for table in TABLES.values():
        try:
            lines = table.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[1] in ends and int(fields[2].rpartition(":")[2], 16) == server_port:
                return int(fields[7])
    return None


def _written(address: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int) -> str:
    """Write an address and port as the kernel does: each four bytes as a number in native byte order."""
    packed = address.packed
    words = [int.from_bytes(packed[at : at + 4], sys.byteorder) for at in range(0, len(packed), 4)]
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
