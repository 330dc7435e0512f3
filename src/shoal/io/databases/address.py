"""The address of a table in a database: `sqlite:///clinic.db#patients`, `postgresql://user@host/db#schema.table`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

from shoal.errors import InputError
from shoal.io.database_kinds import ELSEWHERE, FILE_KINDS, FORMS, KINDS
from shoal.system.atomic_files import check_name

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
SERVERS = "|".join(name for name, kind in KINDS.items() if kind not in FILE_KINDS)
# These may hold a password, so they are never taken for files.
MISTYPED = re.compile(rf"(?:jdbc\s*:\s*)?({SERVERS}|{'|'.join(ELSEWHERE)})\s*:", re.IGNORECASE)
# A password may hold any character but /, which is written as %2F.
SERVER = re.compile(
    r"(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^/]*?))?@)?(?P<hosts>[^@/?#]*)"
    r"(?:/(?P<database>[^@?#=]*))?(?:\?(?P<options>[^#@]*))?(?:#(?P<table>.*))?",
    re.DOTALL,
)
HOST = re.compile(r"(\[[^]]*\]|[^:]*)(?::([0-9]*))?")
# What a host may be: a name, an IP address, or the folder of a socket.
HOST_NAME = re.compile(r"[\w.-]*|[0-9A-Fa-f:.]*(?:%[\w.-]+)?|[/@][\w./@+~-]*")
# Connections with a password as other programs accept them: `host=h password=p`, `user:password@host`.
SECRET = re.compile(
    r"(?i)(?<![^\W_])(?:ssl)?(?:password|passwd|passphrase|pwd|client_secret|scram_\w+_key)\s*=\s*('[^']*'|\S*)"
)
KEYWORD = re.compile(r"\s*\w+\s*=")
# This excludes a Windows path (C:\x) and a hierarchy such as intervals:5,10@16.
NO_SCHEME = re.compile(r"(?![A-Za-z]:[\\/]|intervals:[^@/]*@[-+0-9.eE]*$)(?://)?[^/\\:@]*:.*@", re.DOTALL)
NAME = re.compile(r'"((?:[^"]|"")*)"(?=\.|$)|([^.]*)', re.DOTALL)
NO_NAME = re.compile("[\0\ud800-\udfff]")
SURROGATES = re.compile("[\ud800-\udfff]")  # what Python makes of bytes that are not text
# The options of a connection that are not secret; others, even unknown ones, are never shown.
SHOWN_OPTIONS = {
    "application_name", "ca_file", "channel_binding", "client_encoding", "connect_timeout", "encrypt",
    "fallback_application_name",
    "gssencmode", "host", "hostaddr", "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval",
    "krbsrvname", "load_balance_hosts", "port", "require_auth", "service", "socket", "ssl_ca",
    "ssl_max_protocol_version", "ssl_min_protocol_version", "ssl_mode", "sslmode", "sslnegotiation", "sslrootcert",
    "target_session_attrs", "tcp_user_timeout", "trust_server_certificate", "user",
}  # fmt: skip
OPTION = re.compile(r"([?&])([^\s?&#=]+)(=[^\s?&#]*)?")


@dataclass(frozen=True)
class Address:
    """The address of a table; as text it is shown without its password.

    `table` is the schema and the table, the table alone, or empty if a query takes its place. `file` is for SQLite and
    DuckDB; `options` are those of a connection to a server.
    """

    kind: str
    base: str
    table: tuple[str, ...] = ()
    file: Path | None = None
    options: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, text: Any) -> Address | None:
        """Parse an address; return None if the text is not one."""
        if isinstance(text, Address):
            return text
        scheme = SCHEME.match(text) if isinstance(text, str) else None
        if scheme is None:
            mistyped = MISTYPED.match(text) if isinstance(text, str) else None
            if mistyped is not None:
                name = mistyped[1].lower()
                raise _elsewhere(f"{name}:", name) if name in ELSEWHERE else _unreadable(f"{KINDS[name]}:")
            if isinstance(text, str) and (NO_SCHEME.match(text) or (KEYWORD.match(text) and SECRET.search(text))):
                raise InputError(
                    "The text given as a file or an address looks like a connection with a password, which is not "
                    f"shown. Write {FORMS}; write ./ before the name of a file."
                )
            return None
        kind = KINDS.get(scheme[1].lower())
        if kind is None:
            name = scheme[1].lower().partition("+")[0]
            if name in ELSEWHERE:
                raise _elsewhere(scheme[0], name)
            raise InputError(f"{scheme[0]}…: shoal cannot read such an address. Write {FORMS}.")
        rest = text[scheme.end() :]
        address = _file(kind, rest) if kind in FILE_KINDS else _server(kind, rest)
        if any(map(SECRET.search, (address.base, *address.table))):
            raise _unreadable(scheme[0])
        check_name(address.base)
        if not all(address.table) or len(address.table) > 2 or any(map(NO_NAME.search, address.table)):
            raise InputError(f"{address}: the part after # must be table or schema.table; a name with a dot is quoted.")
        return address

    def __str__(self) -> str:
        return self.base + ("#" + ".".join(map(_spelled, self.table)) if self.table else "")

    @property
    def name(self) -> str:
        """The name of the table, or "a query"."""
        return ".".join(self.table) or "a query"

    def with_table(self, name: str) -> Address:
        """Return the address of another table in the same schema."""
        return replace(self, table=(*self.table[:-1], name))


def beside(text: str, folder: Path) -> str:
    """Resolve the file in an address of SQLite or DuckDB relative to a folder."""
    address = Address.of(text)
    if address is None or address.file is None:
        return text
    return str(replace(address, base=f"{address.kind}:///{(folder / address.file).as_posix()}"))


def without_passwords(text: str) -> str:
    """Leave out the passwords of addresses in a text, such as a word of a command line."""
    scheme = re.search(rf"(?:{SERVERS})://", text, re.IGNORECASE)
    if scheme is None:
        return text
    try:
        shown = str(Address.of(text[scheme.start() :]))
    except InputError:
        shown = f"{scheme[0]}…"
    return text[: scheme.start()] + shown


def hide_passwords(text: str) -> str:
    """Leave out whatever may be a secret in an address, even a mistyped one, from a message.

    >>> hide_passwords("postgresql//me:secret@host/db?scram_client_key=secret&sslmode=require#t: no such file")
    'postgresql//me@host/db?…&sslmode=require#t: no such file'
    """
    text = re.sub(r"(/[^\s:/@]*):[^\s@]*@", r"\1@", text)
    address = re.search(rf"(?i)(?:{SERVERS})\S*", text)
    if address is not None:
        text = text[: address.start()] + OPTION.sub(_shown_option, text[address.start() :])
    return SECRET.sub(lambda found: found[0].partition("=")[0] + "=…", text)


def _shown_option(option: re.Match[str]) -> str:
    return option[0] if option[2] in SHOWN_OPTIONS else f"{option[1]}…"


def names_in(text: str) -> tuple[str, ...]:
    """Split `schema.table` into names; a name with a dot is in double quotes.

    >>> names_in('clinic.patients'), names_in('"a.b"'), names_in('select "x"')
    (('clinic', 'patients'), ('a.b',), ('select "x"',))
    """
    names, at = [], 0
    while True:
        part = NAME.match(text, at)
        assert part is not None  # noqa: S101  the pattern matches the empty text
        names.append(part[2] if part[1] is None else part[1].replace('""', '"'))
        at = part.end() + 1
        if part.end() == len(text):
            return tuple(names)


def _spelled(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if "." in name or name.startswith('"') else name


def _file(kind: str, rest: str) -> Address:
    place, hash_mark, table = rest.partition("#")
    place, optional, _ = place.partition("?")
    shown = "…" if "@" in place and not place.startswith("/") else place  # a user with a password
    if optional:
        raise InputError(
            f"{kind}://{shown}?…: an address of a file has no options. Leave out ? and what follows it, as in "
            f"{kind}:///clinic.db#patients; rename a file with ? in its name."
        )
    if not place.startswith("/") or place == "/":
        raise InputError(
            f"{kind}://{shown}: name the file of the database after three slashes if the path is relative, after "
            f"four if it is absolute, such as {kind}:///clinic.db#patients."
        )
    return Address(kind, f"{kind}://{place}", names_in(table) if hash_mark else (), Path(place[1:]))


def _server(kind: str, rest: str) -> Address:
    parts = SERVER.fullmatch(rest) if not SURROGATES.search(rest) else None
    hosts = [HOST.fullmatch(host) for host in parts["hosts"].split(",")] if parts else []
    if parts is None or None in hosts:
        raise _unreadable(f"{kind}://")
    names = [unquote(host[1].strip("[]")) for host in hosts if host]
    pairs = parse_qsl(parts["options"] or "", keep_blank_values=True)
    named = {
        "user": unquote(parts["user"] or ""),
        "password": unquote(parts["password"] or ""),
        "host": ",".join(names),
        "port": ",".join(host[2] or "" for host in hosts if host).strip(","),
        "dbname": unquote(parts["database"] or ""),
    }
    options = {name: value for name, value in named.items() if value} | dict(pairs)
    names += [name for key in ("host", "hostaddr") for name in options.get(key, "").split(",")]
    visible = [value for name, value in options.items() if name in SHOWN_OPTIONS or name == "dbname"]
    if not all(map(HOST_NAME.fullmatch, names)) or any(map(SECRET.search, visible)):
        raise _unreadable(f"{kind}://")
    shown = "&".join(f"{name}={quote(value, safe='/')}" for name, value in pairs if name in SHOWN_OPTIONS)
    base = f"{kind}://" + (f"{parts['user']}@" if parts["user"] else "") + parts["hosts"]
    base += f"/{parts['database']}" if parts["database"] is not None else ""
    table = names_in(parts["table"]) if parts["table"] is not None else ()
    return Address(kind, base + (f"?{shown}" if shown else ""), table, None, options)


def _elsewhere(begin: str, name: str) -> InputError:
    return InputError(
        f"{begin}…: shoal does not read or write tables of {ELSEWHERE[name]} by their address. Read the table into a "
        "frame, release the frame and write it back as docs/databases.md shows, or export the table as Parquet or CSV."
    )


def _unreadable(begin: str) -> InputError:
    return InputError(
        f"{begin}…: this address cannot be read. Write {FORMS}; / in a password is %2F, and @ in an option is %40."
    )
