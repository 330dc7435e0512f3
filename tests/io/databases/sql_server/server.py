"""The protocol of SQL Server (MS-TDS), as far as the driver uses it, on this machine only."""

from __future__ import annotations

import socket
import socketserver
import ssl
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from databases.sql_server.engine import Column, Engine, Result
from databases.sql_server.values import MONEY, TsqlError, base, sizes

HEADER = struct.Struct(">BBHHBB")
BATCH, REPLY, ATTENTION, LOGIN, PRELOGIN = 1, 4, 6, 16, 18
ON, NOT_SUPPORTED = 1, 2
INTEGERS = {"tinyint": 1, "smallint": 2, "int": 4, "bigint": 8}
COLLATION = bytes.fromhex("0904d00034")  # SQL_Latin1_General_CP1_CI_AS
PACKET = 4096


@dataclass
class Server:
    """A server, and how its administrator reaches it."""

    file: Path
    port: int
    password: str
    authority: Path
    context: ssl.SSLContext | None
    batches: list[str] = field(default_factory=list)
    redirects_to: str | None = None
    passwords: list[str] = field(default_factory=list)  # that came over the wire
    cut: Any = None  # a text in a batch at which the connection is cut


@contextmanager
def running(folder: Path, password: str) -> Iterator[Server]:
    """Run a server with an empty database."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
         "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = Server(folder / "clinic.db", 0, password, certificate, context)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            Conversation(server, self.request).hold()

    class Listener(socketserver.ThreadingTCPServer):
        allow_reuse_address = daemon_threads = True
        block_on_close = False

    with Listener(("127.0.0.1", 0), Handler) as listener:
        server.port = listener.server_address[1]
        thread = threading.Thread(target=listener.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listener.shutdown()
            thread.join()


class Conversation:
    """What one client and the server say to each other."""

    def __init__(self, server: Server, connection: socket.socket) -> None:
        self.server, self.socket = server, connection
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.tls: ssl.SSLObject | None = None
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.transaction, self.count = 0, 0
        self.engine: Engine | None = None

    def hold(self) -> None:
        try:
            while True:
                kind, content = self._receive()
                if kind == PRELOGIN:
                    self._prelogin(content)
                elif kind == LOGIN:
                    self._login(content)
                elif kind == ATTENTION:
                    self._send(_done(0x20))
                elif kind == BATCH:
                    self._batch(content)
                else:
                    return
        except (ConnectionError, ssl.SSLError, OSError):
            pass
        finally:
            if self.engine is not None:
                self.engine.sqlite.close()

    def _batch(self, content: bytes) -> None:
        headers, _, _, transaction = struct.unpack_from("<IIHQ", content)
        text = content[headers:].decode("utf-16-le")
        self.server.batches.append(text)
        if self.server.cut and self.server.cut in text:
            self.server.cut = None
            raise ConnectionAbortedError
        if transaction != self.transaction:
            self._send(_error(3989, "New request should come with valid transaction descriptor.") + _done(2))
            return
        reply = b""
        try:
            results = self.engine.run(text)
            for at, result in enumerate(results):
                reply += self._changed(result)
                more = at < len(results) - 1
                reply += _rows(result) if result.columns else _done(more)
                reply += _done(0x10 | more, len(result.rows)) if result.columns else b""
        except TsqlError as error:
            if self.transaction and not self.engine.sqlite.in_transaction:
                reply += self._changed(Result(transaction="rolled back"))
            reply += _error(error.number, str(error)) + _done(2)
        self._send(reply)

    def _changed(self, result: Result) -> bytes:
        """Tell of a transaction that began or ended."""
        if not result.transaction:
            return b""
        if result.transaction == "begun":
            self.count += 1
            self.transaction = self.count
            return _token(0xE3, b"\x08\x08" + struct.pack("<Q", self.transaction) + b"\0")
        old, self.transaction = self.transaction, 0
        kind = {"committed": 9, "rolled back": 10}[result.transaction]
        return _token(0xE3, bytes([kind, 0, 8]) + struct.pack("<Q", old))

    def _prelogin(self, content: bytes) -> None:
        wanted = ON if self._encryption_in(content) == ON and self.server.context else NOT_SUPPORTED
        body = struct.pack(">BHHBHHB", 0, 11, 6, 1, 17, 1, 255) + b"\x10\0\0\0\0\0" + bytes([wanted])
        self._send(body)
        if wanted == ON:
            tls = self.server.context.wrap_bio(self.incoming, self.outgoing, server_side=True)
            done = False
            while not done:
                try:
                    tls.do_handshake()
                    done = True
                except ssl.SSLWantReadError:
                    pass
                if self.outgoing.pending:
                    self._send(self.outgoing.read(), PRELOGIN)
                if not done:
                    self.incoming.write(self._receive()[1])
            self.tls = tls

    @staticmethod
    def _encryption_in(content: bytes) -> int:
        at = 0
        while content[at] != 255:
            number, offset, _ = struct.unpack_from(">BHH", content, at)
            if number == 1:
                return content[offset]
            at += 5
        return NOT_SUPPORTED

    def _login(self, content: bytes) -> None:
        def text(at: int) -> bytes:
            offset, length = struct.unpack_from("<HH", content, at)
            return content[offset : offset + 2 * length]

        user, database = text(40).decode("utf-16-le"), text(68).decode("utf-16-le")
        hidden = bytes((byte ^ 0xA5) for byte in text(44))
        password = bytes((byte >> 4 | byte << 4) & 255 for byte in hidden).decode("utf-16-le")
        self.server.passwords.append(password)
        if (user, password) != ("admin", self.server.password):
            self._send(_error(18456, f"Login failed for user '{user}'.") + _done(2))
            return
        if database not in ("", "clinic"):
            problem = f'Cannot open database "{database}" requested by the login. The login failed.'
            self._send(_error(4060, problem) + _error(18456, f"Login failed for user '{user}'.") + _done(2))
            return
        self.engine = Engine(str(self.server.file))
        name = "Microsoft SQL Server".encode("utf-16-le")
        reply = _token(0xE3, b"\x01\x06" + "clinic".encode("utf-16-le") + b"\0")
        reply += _token(0xAD, b"\1" + struct.pack(">I", 0x74000004) + bytes([len(name) // 2]) + name + b"\x10\0\0\0")
        if self.server.redirects_to:
            other = self.server.redirects_to.encode("utf-16-le")
            place = struct.pack("<BHH", 0, self.server.port, len(other) // 2) + other
            reply += _token(0xE3, b"\x14" + struct.pack("<H", len(place)) + place + b"\0\0")
        self._send(reply + _done(0))

    def _receive(self) -> tuple[int, bytes]:
        content, status = b"", 0
        while not status & 1:
            kind, status, length, *_ = HEADER.unpack(self._exactly(HEADER.size))
            content += self._exactly(length - HEADER.size)
        return kind, content

    def _exactly(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            found += self._some(size - len(found))
        return found

    def _some(self, size: int) -> bytes:
        while True:
            try:
                found = self.tls.read(size) if self.tls else self.socket.recv(size)
            except ssl.SSLWantReadError:
                more = self.socket.recv(1 << 16)
                if not more:
                    raise ConnectionResetError from None
                self.incoming.write(more)
                continue
            if not found:
                raise ConnectionResetError
            return found

    def _send(self, content: bytes, kind: int = REPLY) -> None:
        size = PACKET - HEADER.size
        parts = [content[at : at + size] for at in range(0, len(content), size)] or [b""]
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            packet = HEADER.pack(kind, last, HEADER.size + len(part), 51, number % 256, 0) + part
            if self.tls:
                self.tls.write(packet)
                packet = self.outgoing.read()
            self.socket.sendall(packet)


def _token(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + struct.pack("<H", len(content)) + content


def _done(status: int, rows: int = 0) -> bytes:
    return b"\xfd" + struct.pack("<HHQ", status, 0, rows)


def _error(number: int, text: str) -> bytes:
    said = text.encode("utf-16-le")
    body = struct.pack("<iBBH", number, 1, 16, len(said) // 2) + said + b"\0\0" + struct.pack("<I", 1)
    return _token(0xAA, body)


def _rows(result: Result) -> bytes:
    kinds = [base(column.kind) for column in result.columns]
    parts = [b"\x81", struct.pack("<H", len(kinds))]
    for column in result.columns:
        parts += [struct.pack("<IH", 0, 1), _type(column), bytes([len(column.name)]), column.name.encode("utf-16-le")]
    for row in result.rows:
        parts.append(b"\xd1")
        parts += [_value(value, column) for value, column in zip(row, result.columns, strict=True)]
    return b"".join(parts)


def _type(column: Column) -> bytes:
    kind = base(column.kind)
    if kind in INTEGERS:
        return bytes([0x26, INTEGERS[kind]])
    if kind == "bit":
        return b"\x68\x01"
    if kind in ("float", "real"):
        return bytes([0x6D, 8 if kind == "float" else 4])
    if kind in ("decimal", *MONEY):
        return bytes([0x6C, 17, *_digits(column)])
    return b"\xa5\xff\xff" if kind in ("binary", "varbinary", "image") else b"\xe7\xff\xff" + COLLATION


def _digits(column: Column) -> tuple[int, int]:
    if base(column.kind) in MONEY:
        return MONEY[base(column.kind)], 4
    digits, scale = map(int, sizes(column.kind))
    return digits, scale


def _value(value: Any, column: Column) -> bytes:
    kind = base(column.kind)
    if kind in INTEGERS or kind in ("bit", "float", "real", "decimal", *MONEY):
        if value is None:
            return b"\0"
        if kind in INTEGERS:
            content = int(value).to_bytes(INTEGERS[kind], "little", signed=kind != "tinyint")
        elif kind == "bit":
            content = bytes([value])
        elif kind in ("float", "real"):
            content = struct.pack("<d" if kind == "float" else "<f", value)
        else:
            number = int(str(value).replace(".", ""))  # every value has all the digits of its type
            content = bytes([number >= 0]) + abs(number).to_bytes(16, "little")
        return bytes([len(content)]) + content
    if value is None:
        return b"\xff" * 8
    content = value if isinstance(value, bytes) else str(value).encode("utf-16-le")
    return struct.pack("<Q", len(content)) + (struct.pack("<I", len(content)) + content if content else b"") + b"\0" * 4
