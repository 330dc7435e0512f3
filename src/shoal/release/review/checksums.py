"""Check digits of numbers that belong to people: what only looks like such a number hardly ever has them right."""

from __future__ import annotations

import re
from ipaddress import ip_address


def _digits(text: str) -> list[int]:
    return [int(character) for character in text if character.isascii() and character.isdigit()]


def luhn(text: str) -> bool:
    """Return whether a number has the check digit of payment cards and devices (ISO/IEC 7812, Luhn 1960).

    >>> luhn("4111 1111 1111 1111"), luhn("4111 1111 1111 1112")
    (True, False)
    """
    digits = _digits(text)[::-1]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def mod_97(text: str) -> bool:
    """Return whether an IBAN has the right check digits (ISO 13616).

    >>> mod_97("DE89 3704 0044 0532 0130 00"), mod_97("DE89 3704 0044 0532 0130 01")
    (True, False)
    """
    plain = re.sub(r"[ -]", "", text).upper()
    return int("".join(str(int(character, 36)) for character in plain[4:] + plain[:4])) % 97 == 1


def is_ip(text: str) -> bool:
    """Return whether a text is an address of the internet protocol, version 4 or 6."""
    try:
        ip_address(text.partition("/")[0])
    except ValueError:
        return False
    return True


def is_social_security_number(text: str) -> bool:
    """Return whether a text has the form of a country's number for people, and its check digits if there are any.

    United States, United Kingdom, France, Spain, Italy, Germany, Switzerland, Sweden, Denmark and Brazil.

    >>> [is_social_security_number(text) for text in ("536-22-1234", "000-22-1234", "12345678Z", "12345678A")]
    [True, False, True, False]
    """
    return any(check(text) for form, check in COUNTRIES if form.fullmatch(text))


def _spanish(text: str) -> bool:
    number = text[:-1].replace("-", "").upper().translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == text[-1].upper()


def _french(text: str) -> bool:
    plain = text.replace(" ", "").upper().replace("2A", "19").replace("2B", "18")
    return 97 - int(plain[:13]) % 97 == int(plain[13:])


def _swiss(text: str) -> bool:
    digits = _digits(text)
    return (sum(digits[::2]) + 3 * sum(digits[1::2])) % 10 == 0


def _brazilian(text: str) -> bool:
    digits = _digits(text)

    def check(length: int) -> int:
        return (
            sum(digit * weight for digit, weight in zip(digits, range(length + 1, 1, -1), strict=False)) * 10 % 11 % 10
        )

    return len(set(digits)) > 1 and (check(9), check(10)) == (digits[9], digits[10])


def _always(text: str) -> bool:
    return True


BIRTH = r"\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"
COUNTRIES = tuple(
    (re.compile(form, re.IGNORECASE), check)
    for form, check in (
        (r"(?!000|666|9)\d{3}([- ])(?!00)\d\d\1(?!0000)\d{4}", _always),  # United States
        (r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]", _always),  # Britain
        (r"[12] ?\d\d ?(0[1-9]|1[0-2]|[2-9]\d) ?(\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d", _french),
        (r"(\d{8}|[XYZ]-?\d{7})-?[A-Z]", _spanish),
        (r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", _always),  # Italy
        (r"\d\d ?(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])\d\d ?[A-Z] ?\d{3}", _always),  # Germany
        (r"756\.?\d{4}\.?\d{4}\.?\d\d", _swiss),
        (rf"{BIRTH}[-+]\d{{4}}", luhn),  # Sweden
        (r"(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])\d\d-\d{4}", _always),  # Denmark
        (r"\d{3}\.\d{3}\.\d{3}-\d\d", _brazilian),
    )
)
