"""The shape of the values of a column: e-mail addresses, codes, numbers, full names and the like.

PATTERNS is the one list of patterns; CHECKS has the check digits that some of them have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from typing import Literal

import pyarrow as pa

from shoal.release.review.checksums import is_ip, is_social_security_number, luhn, mod_97
from shoal.release.review.sampling import Sample

Shape = Literal[
    "date", "card", "social security", "iban", "ip", "coordinates", "range", "measure", "number", "e-mail", "url",
    "handle", "uuid", "mac", "hash", "phone", "digits", "street", "code", "full name", "other", "none",
]  # fmt: skip
MIN_SHARE = 0.9  # of the values that have the shape
LONG_NUMBER = 8  # digits
LONGEST = 300  # characters of a value that is looked at; a longer one is a text
NAME = r"[^\W\d_][^\W\d_'’.-]*(?:['’.-][^\W\d_]*)*"
DAY = r"(0[1-9]|[12]\d|3[01])"
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|fév|avr|juin|aoû|déc|ene|abr|ago|dic"
DEGREES = r"[-+]?\d{1,3}\.\d{3,}°?"
STREETS = (
    r"street|st|avenue|ave|road|rd|drive|dr|lane|ln|boulevard|blvd|court|ct|place|pl|way|terrace|square|sq|circle|cir|"
    r"highway|hwy|parkway|pkwy|trail|crescent|close"
)
UNITS = r"[kmµunp]?g|[cm]?l|[ckm]?m|k?cal|mmhg|min|h|hrs?|hours?|days?|weeks?|months?|years?|yrs?|usd|eur|k"
CURRENCY = r"(?:(?:[$€£¥]|usd|eur|gbp|chf) ?)"
BLOOD_PRESSURE = r"([5-9]\d|[12]\d\d) ?/ ?([2-9]\d|1\d\d)"
# The first that fits counts.
PATTERNS: dict[Shape, str] = {
    "date": rf"\d{{4}}[-/.]\d\d?[-/.]\d\d?([T ].*)?|\d\d?[-/.]\d\d?[-/.](\d{{4}}|\d\d)( .*)?"
    rf"|(19|20)\d\d(0[1-9]|1[0-2]){DAY}(T?([01]\d|2[0-3])([0-5]\d){{1,2}})?|\d\d?:\d\d(:\d\d([.,]\d+)?)?( ?[ap]m)?"
    r"|(0?[1-9]|1[0-2])[/.-](19|20)\d\d|(19|20)\d\d[- ]?(W[0-5]\d|Q[1-4])|Q[1-4][- /]?(19|20)\d\d"
    rf"|({MONTHS})[a-z]*\.?,? '?((19|20)\d\d|\d\d)|\d\d? ({MONTHS})[a-z]*\.? (19|20)\d\d",
    "card": r"[3-6]\d{3}([ -]?)\d{4}\1\d{4}\1\d{4}|3[47]\d\d([ -]?)\d{6}\2\d{5}",
    "social security": r"(?=.{9,21}$)(?=(.*\d){6})[\da-z][\da-z .+-]+",
    "iban": r"[a-z]{2}\d\d([ -]?[\da-z]{4}){2,7}[ -]?[\da-z]{1,4}",
    "ip": r"(\d{1,3}\.){3}\d{1,3}(/\d\d?)?|(?=.*:.*:)[0-9a-f:]{3,39}(/\d{1,3})?",
    "coordinates": rf"\(?{DEGREES}[,; ]\s*{DEGREES}\)?|POINT ?Z? ?\(.*\)|\{{.*\"Point\".*\}}",
    "phone": r"(tel:)?(?=(?:\D*\d){7,15}\D*$)(\+\d[\d ()/.-]+|00[1-9]\d*[ ()/.-][\d ()/.-]+|\(\+?\d{1,5}\)[\d /.-]+"
    r"|0[1-9][\d ()/.-]*[ /.-][\d ()/.-]+|(1[ .-])?[2-9]\d\d[ .-]\d{3}[ .-]\d{4})( ?(x|ext\.?) ?\d+)?",
    "range": r"[<>≤≥=~]*\s*[$€£]?\d[\d.,]*\s*k?\s*([-–—]|to|bis|a|à)\s*[<]?[$€£]?\d[\d.,]*\s*k?"
    r"|(?!0)\d{4}[-/]\d{2,4}",
    "measure": rf"[-+]?{CURRENCY}?\d{{1,3}}([, ']\d{{3}})+(\.\d+)?|[-+]?\d{{1,3}}(\.\d{{3}}){{2,}}(,\d+)?"
    rf"|[-+]?{CURRENCY}?\d*[.,]\d+(e[-+]?\d+)?|-\d+|[-+]?{CURRENCY}\d+"
    rf"|[-+]?{CURRENCY}?\d+([.,]\d+)? ?([%€$£]|{UNITS})(/[a-zµ]{{1,3}}\d?)?|(\d+ ?({UNITS}),? ?){{2,}}"
    r"|1:\d{1,6}|[-+]?\d+([.,]\d+)? ?± ?\d+([.,]\d+)?"
    rf"|{BLOOD_PRESSURE}( ?mmhg)?",
    "number": r"\d+",
    "e-mail": r"(.*<)?[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+>?",
    "url": r"(https?|ftp)://\S+|www\.\S+\.\S+|[\w-]+(\.[\w-]+)*\.(com|org|net|io|de|uk|fr|es|it)/\S+",
    "handle": r"@[\w.]{2,30}",
    "uuid": r"\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?",
    "mac": r"([0-9a-f]{2}[:-]){5}[0-9a-f]{2}",
    "hash": r"(?=.*\d)[0-9a-f]{12,}",
    "digits": r"(?=(?:\D*\d){7,}\D*$)[\d ()/.-]+",
    "street": rf"\d+[a-z]?,? [\w .'’-]+? ({STREETS})\b\.?.*"
    r"|[^\W\d][\w .'’-]*(stra(ß|ss)e|str\.|gasse|weg|allee|platz) \d+.*"
    r"|(\d+( ?(bis|ter))?,? )?(rue|avenue|place|chemin|impasse|calle|avenida|plaza|via|viale|piazza) [^\d].*",
    "code": r"(?=.*\d)(?=.*[^\W\d_])\w[\w./:#-]{3,}",
    "full name": rf"{NAME},?(?: {NAME}){{1,3}}",
}
SHAPES = {shape: re.compile(pattern, re.IGNORECASE) for shape, pattern in PATTERNS.items()}
CHECKS: dict[Shape, Callable[[str], bool]] = {
    "card": luhn,
    "social security": is_social_security_number,
    "iban": mod_97,
    "ip": is_ip,
}


def sample_of(column: pa.ChunkedArray | pa.Array, missing: Collection[str]) -> list[str]:
    """Return some different values of a column as text, from rows all over it; none of a type that has no such text."""
    return list(Sample.of(column, missing).texts)


def has_shape(text: str, shape: Shape) -> bool:
    """Return whether a text has a shape, with its check digits."""
    return SHAPES[shape].fullmatch(text) is not None and (shape not in CHECKS or CHECKS[shape](text))


def shapes_of(sample: Collection[str]) -> Counter[Shape]:
    """Count the values of a sample by the first shape that fits."""
    return Counter(
        next((shape for shape in SHAPES if has_shape(text, shape)), "other") if len(text) <= LONGEST else "other"
        for text in sample
    )


def shape_of(sample: Collection[str]) -> Shape:
    """Return the shape that most values of a sample have."""
    if not sample:
        return "none"
    for shape in SHAPES:
        if sum(has_shape(text, shape) for text in sample) >= MIN_SHARE * len(sample):
            return shape
    return "other"


def are_long_numbers(sample: Collection[str]) -> bool:
    """Return whether whole numbers have the same, large number of digits, or zeros in front."""
    lengths = {len(text) for text in sample}
    zeros = any(text.startswith("0") and text.strip("0") for text in sample)
    return max(lengths) >= LONG_NUMBER - 2 * zeros and len(lengths) == 1
