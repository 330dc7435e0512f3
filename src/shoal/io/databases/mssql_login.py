"""How SQL Server is reached: the address first, then the variables of Microsoft's own sqlcmd."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field

from shoal.errors import InputError
from shoal.io.databases.address import Address

OPTIONS = ("encrypt", "trust_server_certificate", "ca_file", "connect_timeout")  # in an address, after ?
IN_ADDRESS = ("user", "password", "host", "port", "dbname", *OPTIONS)
PORT = 1433


@dataclass(frozen=True)
class Login:
    """Where a server is, who logs in, and how the connection is encrypted (None: not at all)."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    database: str
    timeout: int
    context: ssl.SSLContext | None

    @classmethod
    def of(cls, address: Address) -> Login:
        """Take what an address says, and the user and the password from the environment where it says nothing."""
        given = address.options
        if not given.keys() <= {*IN_ADDRESS}:
            raise InputError(
                f"{address}: an option after ? is not one that shoal knows for SQL Server; it is not shown. Leave it "
                f"out, or check its spelling: {', '.join(OPTIONS)}."
            )
        host = given.get("host", "localhost")
        if "," in host:
            raise InputError(f"{address}: SQL Server takes one host, and its port after a colon. Name one of them.")
        user = given.get("user", os.environ.get("SQLCMDUSER", ""))
        if not user:
            raise InputError(
                f"{address}: name the user, as in mssql://user@host/database#table. shoal logs in with a user of SQL "
                "Server and a password, not with an account of Windows."
            )
        return cls(
            host=host,
            port=_number(address, "port", PORT),
            user=user,
            password=given.get("password", os.environ.get("SQLCMDPASSWORD", "")),
            database=given.get("dbname", ""),
            timeout=_number(address, "connect_timeout", 10),
            context=_encryption(address, given),
        )


def _encryption(address: Address, given: Mapping[str, str]) -> ssl.SSLContext | None:
    """Return the rules for TLS: on, with the server's certificate checked, unless the address says otherwise."""
    encrypts = _switch(address, "encrypt", default=True)
    trusts = _switch(address, "trust_server_certificate", default=False)
    authorities = given.get("ca_file")
    if authorities is not None and (trusts or not encrypts):
        raise InputError(
            f"{address}: with ca_file the server's certificate is checked. Leave out trust_server_certificate=yes and "
            "encrypt=no, or ca_file."
        )
    if not encrypts:
        return None
    try:
        context = ssl.create_default_context(cafile=authorities)
    except OSError as error:
        raise InputError(f"{address}: the ca_file cannot be read ({error}).") from error
    context.maximum_version = ssl.TLSVersion.TLSv1_2  # the newest that fits into the packets of a login
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # which many a certificate of a company does not pass
    if trusts:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _switch(address: Address, name: str, *, default: bool) -> bool:
    text = address.options.get(name, "yes" if default else "no").lower()
    if text not in ("yes", "no"):
        raise InputError(f"{address}: {name} is yes or no.")
    return text == "yes"


def _number(address: Address, name: str, default: int) -> int:
    text = address.options.get(name, str(default))
    if not re.fullmatch("[0-9]{1,5}", text) or not 0 < int(text) < 1 << 16:
        raise InputError(f"{address}: the {name} must be a number from 1 to 65535.")
    return int(text)
