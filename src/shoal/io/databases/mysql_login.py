"""How MySQL is reached: the address first, then the option files of MySQL's own programs, then MYSQL_PWD."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.io.databases.address import Address

IN_BOTH = ("socket", "ssl_mode", "ssl_ca", "ssl_cert", "ssl_key", "connect_timeout")
OPTIONS = (*IN_BOTH, "defaults_file")  # in an address, after ?
IN_ADDRESS = ("user", "password", "host", "port", "dbname", *OPTIONS)
IN_FILES = ("user", "password", "host", "port", *IN_BOTH)
OPTION_FILES = ("/etc/my.cnf", "/etc/mysql/my.cnf", "~/.my.cnf")  # later ones come first
GROUPS = ("client", "client-server", "client-mariadb")
SSL_MODES = ("disabled", "preferred", "required", "verify_ca", "verify_identity")
SOCKETS = ("/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock")  # noqa: S108  MySQL's own place
GROUP = re.compile(r"\s*\[(.*?)\]")
ENTRY = re.compile(r"""\s*([\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^#]*))?""")
ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "r": "\r", "s": " "}


def login(address: Address) -> dict[str, Any]:
    """Return the parameters of PyMySQL's connection, without its password, which may be in `password` as bytes."""
    given = dict(address.options)
    if not given.keys() <= {*IN_ADDRESS}:
        raise InputError(
            f"{address}: an option after ? is not one that shoal knows for MySQL; it is not shown. Leave it out, or "
            f"check its spelling: {', '.join(OPTIONS)}."
        )
    found = _from_files(address, given.get("defaults_file")) | given
    if "host" in given:
        found.pop("socket", None)  # of an option file; it would lead to another server
        found |= {"port": given.get("port", "3306")}
    found |= {name: given[name] for name in ("socket",) if name in given}
    password = found.get("password", os.environ.get("MYSQL_PWD", ""))
    parameters: dict[str, Any] = {
        "user": found.get("user"),
        "password": password.encode(),
        "database": found.get("dbname"),
    }
    parameters |= {"charset": "utf8mb4", "connect_timeout": _number(address, found, "connect_timeout", 10)}
    return parameters | _place(address, found) | _encryption(address, found)


def _place(address: Address, found: Mapping[str, str]) -> dict[str, Any]:
    """Return where the server is: a host and its port, or a socket on this machine."""
    host = found.get("host")
    if host is not None and "," in host:
        raise InputError(f"{address}: MySQL takes one host. Name one of them.")
    socket = found.get("socket") or (None if host else next(filter(os.path.exists, SOCKETS), None))
    if socket is not None:
        return {"unix_socket": socket}
    return {"host": host or "localhost", "port": _number(address, found, "port", 3306)}


def _encryption(address: Address, found: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameters for TLS, in the sense of MySQL's own --ssl-mode."""
    files = {name: found.get(name) for name in ("ssl_ca", "ssl_cert", "ssl_key")}
    default = "verify_ca" if files["ssl_ca"] else "required" if files["ssl_cert"] else "preferred"
    mode = found.get("ssl_mode", default).lower()
    if mode not in SSL_MODES:
        raise InputError(f"{address}: ssl_mode is one of {', '.join(SSL_MODES)}.")
    if mode in ("disabled", "preferred"):  # what PyMySQL does by itself
        return {"ssl_disabled": mode == "disabled"}
    try:
        context = ssl.create_default_context(cafile=files["ssl_ca"])
        if files["ssl_cert"]:
            context.load_cert_chain(files["ssl_cert"], files["ssl_key"])
    except OSError as error:
        raise InputError(f"{address}: a file of ssl_ca, ssl_cert or ssl_key cannot be read ({error}).") from error
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # which certificates that MySQL makes itself do not pass
    context.check_hostname = mode == "verify_identity"
    context.verify_mode = ssl.CERT_NONE if mode == "required" else ssl.CERT_REQUIRED
    return {"ssl": context}


def _number(address: Address, found: Mapping[str, str], name: str, default: int) -> int:
    text = found.get(name, str(default))
    if not re.fullmatch("[0-9]{1,5}", text) or not 0 < int(text) < 1 << 16:
        raise InputError(f"{address}: the {name} must be a number from 1 to 65535.")
    return int(text)


def _from_files(address: Address, only: str | None) -> dict[str, str]:
    """Return the entries of the option files, the same as MySQL's own programs read, or of one file instead."""
    found: dict[str, str] = {}
    for name in OPTION_FILES if only is None else [only]:
        path = Path(os.path.expanduser(name))
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            if only is None:
                continue  # most machines have none of them
            raise InputError(f"{address}: the defaults_file cannot be read ({error.strerror}).") from error
        except UnicodeDecodeError as error:
            raise InputError(f"{address}: {str(path)!r} is not text in UTF-8, and MySQL's option files are.") from error
        found |= entries(text.splitlines())
    return found


def entries(lines: Iterable[str]) -> dict[str, str]:
    """Parse an option file: what clients of MySQL are told.

    >>> entries(["[client]", "user = me  # you", 'password="a#b"', "[mysqld]", "port=3307"])
    {'user': 'me', 'password': 'a#b'}
    """
    found, group = {}, ""
    for line in lines:
        heading, entry = GROUP.match(line), ENTRY.match(line)
        if heading:
            group = heading[1].strip().lower()
        elif entry and group in GROUPS:
            name, value = entry[1].lower().replace("-", "_"), _value(entry[2] or "")
            if name in IN_FILES:
                found[name] = value
            elif name == "ssl_verify_server_cert" and value.lower() not in ("0", "off", "false"):
                found["ssl_mode"] = "verify_identity"  # in the words of MariaDB
    return found


def _value(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[1]), text)
