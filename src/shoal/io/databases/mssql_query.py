"""What a query of SQL Server may be: one SELECT, which is checked before it is sent in parentheses.

The server has no transactions that only read, and runs several statements without anything between them. In parentheses
after FROM it takes nothing but a query, as long as no parenthesis of the query closes them.
"""

from __future__ import annotations

import re

from shoal.errors import InputError
from shoal.io.databases.address import Address

# Texts and quoted names, each of them whole; whatever is left over of a quote is one that is never closed.
QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*\]""")
COMMENT = re.compile(r"--|/\*")
# Words that no SELECT needs, all of them reserved: what changes something, and what reads another place.
NOT_IN_SELECT = re.compile(
    r"(?i)(?<![\w@#$])(insert|update|delete|merge|into|create|alter|drop|truncate|exec|execute|commit|rollback|save|begin"
    r"|grant|revoke|deny|backup|restore|dbcc|kill|shutdown|waitfor|declare|use|go|openquery|openrowset|opendatasource"
    r"|openxml)(?![\w@#$])"
)


def inner(address: Address, query: str, *, own: bool) -> str:
    """Return a query without its semicolon; raise InputError if it may be more than one SELECT."""
    text = query.strip().rstrip("; \t\r\n")
    if own:
        return text
    plain = QUOTED.sub(" ", text)
    refused = NOT_IN_SELECT.search(plain)
    if refused:
        raise InputError(
            f"{address}: the query must be one SELECT of this database, without {refused[0].upper()}. Write a column "
            f"of that name as [{refused[0]}]."
        )
    if COMMENT.search(plain):
        raise InputError(f"{address}: the query has a comment. Leave it out.")
    if not re.match(r"(?i)select\b", plain.lstrip("( \t\r\n")):
        raise InputError(
            f"{address}: the query must begin with SELECT. Write what WITH names as a view, or in parentheses."
        )
    if ";" in plain or re.search(r"""['"\[\]]""", plain) or not _is_balanced(plain):
        raise InputError(f"{address}: the query must be one SELECT, with every quote and parenthesis closed.")
    return text


def _is_balanced(text: str) -> bool:
    depth = 0
    for mark in re.findall(r"[()]", text):
        depth += 1 if mark == "(" else -1
        if depth < 0:
            return False
    return depth == 0
