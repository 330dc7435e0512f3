"""The connection to SQL Server under its driver, encrypted by Python's own ssl.

python-tds encrypts through pyOpenSSL, whose newest versions no longer have what it checks the name of a host with. So
it is given an object in place of a socket that does it instead: the driver believes that nothing is encrypted.
"""

from __future__ import annotations

import socket
import ssl
import struct
import sys
from typing import Any

from shoal.errors import InputError
from shoal.io.databases.address import Address
from shoal.io.databases.mssql_login import Login

# The protocol of SQL Server (MS-TDS): the header of a packet, the first message and its option for encryption.
HEADER = struct.Struct(">BBHHBB")  # type, status, length, and what does not matter here
PRELOGIN, LAST = 18, 1
OPTION = struct.Struct(">BHH")  # number, offset, length
ENCRYPTION, END = 1, 255
ON, NOT_SUPPORTED, REQUIRED = 1, 2, 3
BLOCK = 1 << 16  # bytes received together


class Wire:
    """A connection that looks like a socket; what follows the first exchange with the server is encrypted.

    address  for messages
    login    where the server is, and whether and how to encrypt
    """

    def __init__(self, address: Address, login: Login) -> None:
        self.address, self.login = address, login
        self.socket = socket.create_connection((login.host, login.port), login.timeout)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls: ssl.SSLObject | None = None
        self.answer = b""  # of the server's first message, what the driver has not read yet
        self.is_ready = False
        self.outer = sys.exception()  # which the caller may be in the middle of handling

    def ready(self) -> None:
        """Note that the login is done; from now on the server may take its time."""
        self.socket.settimeout(None)
        self.is_ready = True

    def setsockopt(self, *given: Any) -> None:
        """Set an option of the socket."""
        self.socket.setsockopt(*given)

    def settimeout(self, seconds: float | None) -> None:
        """Keep the time limit of the login, whatever the driver wants."""

    def gettimeout(self) -> float | None:
        """Return the time limit."""
        return self.socket.gettimeout()

    def sendall(self, data: bytes | bytearray) -> None:
        """Send bytes; the first message also agrees with the server on how to encrypt."""
        if self.login.context is None:
            self.socket.sendall(data)
        elif self.tls is None:
            self._agree(bytes(data), self.login.context)
        else:
            self.tls.write(data)
            self.socket.sendall(self.outgoing.read())

    def recv_into(self, buffer: memoryview, size: int = 0) -> int:
        """Receive at most as many bytes as the buffer holds."""
        found = self.recv(size or len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def recv(self, size: int) -> bytes:
        """Receive some bytes; none if the server has closed the connection."""
        if self.answer:
            found, self.answer = self.answer[:size], self.answer[size:]
            return found
        if self.tls is None:
            return self.socket.recv(size)
        while True:
            try:
                return self.tls.read(size)
            except ssl.SSLWantReadError:
                more = self.socket.recv(BLOCK)
                if not more:
                    return b""
                self.incoming.write(more)

    def close(self) -> None:
        """Close the connection; refuse to follow a server that sends the login on to another one.

        The driver would connect there without encryption. It closes this connection first, and not because of an error.
        """
        self.socket.close()
        if not self.is_ready and sys.exception() is self.outer:
            raise InputError(
                f"{self.address}: this server sends connections on to another one, which shoal does not follow. Name "
                "the other one, or have this one set to Proxy."
            )

    def _agree(self, message: bytes, context: ssl.SSLContext) -> None:
        """Request encryption in the driver's first message, and answer the driver that it is off."""
        self.socket.sendall(_with_encryption(message, ON)[0])
        answer, offered = _with_encryption(self._message(), NOT_SUPPORTED)
        if offered not in (ON, REQUIRED):
            raise InputError(
                f"{self.address}: this server does not encrypt connections, so your password would be readable on the "
                "way. If nobody can listen, write ?encrypt=no."
            )
        tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname=self.login.host)
        is_done = False
        while not is_done:
            try:
                tls.do_handshake()
                is_done = True
            except ssl.SSLWantReadError:
                pass
            if self.outgoing.pending:
                content = self.outgoing.read()
                self.socket.sendall(HEADER.pack(PRELOGIN, LAST, HEADER.size + len(content), 0, 0, 0) + content)
            if not is_done:
                self.incoming.write(self._message()[HEADER.size :])
        self.tls, self.answer = tls, answer

    def _message(self) -> bytes:
        """Receive one whole message, with the header of its first packet."""
        first, content, status = b"", b"", 0
        while not status & LAST:
            header = self._exactly(HEADER.size)
            _, status, length, *_ = HEADER.unpack(header)
            first = first or header
            content += self._exactly(length - HEADER.size)
        return first + content

    def _exactly(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            more = self.socket.recv(size - len(found))
            if not more:
                raise OSError("the server closed the connection")
            found += more
        return found


def _with_encryption(message: bytes, value: int) -> tuple[bytes, int]:
    """Return a first message with another value for encryption, and the value that it had."""
    changed, at = bytearray(message), HEADER.size
    while at + OPTION.size <= len(message) and message[at] != END:
        number, offset, length = OPTION.unpack_from(message, at)
        place = HEADER.size + offset
        if number == ENCRYPTION and length and place < len(message):
            changed[place] = value
            return bytes(changed), message[place]
        at += OPTION.size
    return message, NOT_SUPPORTED
