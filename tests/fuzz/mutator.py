"""Random damage, the same for the same seed."""

from __future__ import annotations

import json
from copy import deepcopy

TOKENS = [
    *(b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\r", b"\n", b"\r\n", b"\t", b'"', b'""', b"'", b'"""', b"\\"),
    *(b",", b";", b"|", b":", b"/", b"#", b"@", b"%", b"=", b".", b"-", b"[", b"]", b"{", b"}", b"(", b")", b"*", b"?"),
    *(b"0", b"-1", b"1e999", b"-1e-999", b"9" * 40, b"9" * 5000, b"0x10", b"1_0", b"007", b"0.1", b"NaN", b"inf"),
    *(b"null", b"true", b"=cmd()", b"__proto__", b"%00", b"%2F", b"{low}", b"{high}", b"2024-02-30", b"\\u0000"),
    *(b"\xed\xa0\x80", b"\xc3", b"\xf4\x90\x80\x80", "\u202eevil".encode(), "e\u0301".encode(), "\u2028".encode()),
    *("é".encode(), "é".encode("latin-1"), "𝟛".encode(), "٣".encode(), "½".encode(), b"\x85", b"\x1b[31m", b"\xc2\xa0"),
    *(b"[" * 3000, b"{a=" * 1500, b'{"a":' * 3000, b"x" * 70_000, b"\t" * 50, b"," * 300, b"a.b." * 500, b"../"),
]  # fmt: skip
VALUES = [
    *(None, True, False, 0, 1, -1, 2**31, 2**63, 10**40, -0.0, 0.5, 1e308, float("inf"), float("nan"), "", "*", "?"),
    *("\0", "\ud800", "a\nb", "{low}", "intervals:0", "cuts:2,1", "x" * 3000, [], {}, [[]], ["a"], {"name": "k"}),
]  # fmt: skip


def mutated(rng, members):
    """Return a member of a corpus, usually damaged in a few places, sometimes spliced with another."""
    content = rng.choice(members)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 5, 9])):
        content = rng.choice(DAMAGES)(rng, content, members)
    return content


def _flipped(rng, content, members):
    if not content:
        return content
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def _inserted(rng, content, members):
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(TOKENS) + content[at:]


def _replaced(rng, content, members):
    start, end = _slice(rng, content)
    return content[:start] + rng.choice(TOKENS) + content[end:]


def _deleted(rng, content, members):
    start, end = _slice(rng, content)
    return content[:start] + content[end:]


def _doubled(rng, content, members):
    start, end = _slice(rng, content)
    return content[:end] + content[start:end] * rng.choice([1, 1, 2, 50]) + content[end:]


def _spliced(rng, content, members):
    other = rng.choice(members)
    return content[: rng.randrange(len(content) + 1)] + other[rng.randrange(len(other) + 1) :]


def _cut(rng, content, members):
    return content[: rng.randrange(len(content) + 1)]


def _lines(rng, content, members):
    """Remove, double or move a line, or take one from another member."""
    lines = content.split(b"\n")
    line = rng.choice([*lines, *rng.choice(members).split(b"\n")])
    if rng.random() < 0.5:
        lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def _encoded(rng, content, members):
    """Encode the text differently, with or without a byte order mark."""
    name = rng.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "utf-7"])
    return content.decode("utf-8", "replace").encode(name, "replace")


def _ends(rng, content, members):
    return content.replace(b"\r\n", b"\n").replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\n", b"\n\r"]))


DAMAGES = [_flipped, _inserted, _inserted, _replaced, _replaced, _deleted, _doubled, _spliced, _cut, _lines, _lines]
DAMAGES = [*DAMAGES * 3, _encoded, _ends]


def _slice(rng, content):
    start = rng.randrange(len(content) + 1)
    return start, min(len(content), start + rng.choice([1, 1, 2, 4, 16, 100]))


def changed(rng, plain):
    """Replace, double, move or remove a few plain values, as of JSON."""
    plain = json.loads(json.dumps(plain))
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        holders = [one for one in _holders(plain) if one]
        holder = rng.choice(holders)
        key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        others = rng.choice(holders)
        other = rng.choice(list(others.values()) if isinstance(others, dict) else others)
        act = rng.randrange(5)
        if act == 0:
            del holder[key]
        elif act == 1:
            holder[key] = json.loads(json.dumps(other))
        elif act == 2 and isinstance(holder, list):
            holder.insert(key, json.loads(json.dumps(holder[key])))
        elif act == 2:
            holder[rng.choice(["name", "", "x", "labels", "level", "values"])] = deepcopy(rng.choice(VALUES))
        else:
            holder[key] = deepcopy(rng.choice(VALUES))
        if not plain:
            break
    return plain


def _holders(plain):
    """Yield every dictionary and list within plain values."""
    found, waiting = [], [plain]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            found.append(one)
            waiting += one.values() if isinstance(one, dict) else one
    return found
