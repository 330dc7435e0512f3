"""Tables as stewards have them, with the columns in which people repeat."""

from __future__ import annotations

import random
import uuid
from datetime import date, timedelta
from typing import Any

FIRST = "Ada Ben Carla Dan Eva Finn Gül Hugo Ida Jan Kim Lea Max Nora Otto Pia Quentin Rosa Sven Tara".split()  # noqa: SIM905
LAST = "Abel Berg Conti Diaz Engel Frey Gomez Huber Ito Jensen Kaya Lopez Meier Novak Olsen Perez Ruiz Sato".split()  # noqa: SIM905
TOWNS = ["Bonn", "New York", "San José", "Bad Ems", "Ulm", "Graz", "Lyon", "Siena", "Cork", "Gent", "Oslo", "Vigo"]

ROWS = 2000
PEOPLE = 400


def visits() -> list[int]:
    """Return the number of the person of each row."""
    draw = random.Random(1)
    return [draw.randrange(PEOPLE) for _ in range(ROWS)]


def values(kind: str) -> list[Any]:
    """Return a column of this kind."""
    draw, people = random.Random(2), visits()
    unique: dict[str, Any] = {
        "code": [f"A-{1000 + at}" for at in range(PEOPLE)],
        "number": [7 * at + 13 for at in range(PEOPLE)],
        "long number": [10**9 + draw.randrange(10**8) for _ in range(PEOPLE)],
        "zeros": [f"{at:06}" for at in range(PEOPLE)],
        "e-mail": [f"{draw.choice(FIRST).lower()}.{at}@example.org" for at in range(PEOPLE)],
        "phone": [f"+49 {draw.randrange(100, 999)} {draw.randrange(10**6, 10**7)}" for _ in range(PEOPLE)],
        "uuid": [str(uuid.UUID(int=draw.getrandbits(128))) for _ in range(PEOPLE)],
        "hash": [f"{draw.getrandbits(128):032x}" for _ in range(PEOPLE)],
        "bytes of a hash": [draw.randbytes(16) for _ in range(PEOPLE)],
        "pictures": [draw.randbytes(40 + at % 9) for at in range(PEOPLE)],
        "ip": [f"10.{at // 250}.{at % 250}.7" for at in range(PEOPLE)],
        "ssn": [f"{at:03}-{at % 90 + 10}-{4000 + at}" for at in range(PEOPLE)],
        "full name": [f"{draw.choice(FIRST)} {at_name}" for at_name in _surnames(PEOPLE)],
        "letters": ["".join(draw.choices("abcdefghij", k=6)) for _ in range(PEOPLE)],
        "icd": [f"{draw.choice('ABCDEFGHIJ')}{draw.randrange(10, 99)}.{draw.randrange(10)}" for _ in range(PEOPLE)],
    }
    if kind in unique:
        return [unique[kind][person] for person in people]
    by_row: dict[str, Any] = {
        "row numbers": lambda at: at,
        "row codes": lambda at: f"A-{10_000 + at}",
        "few": lambda at: at % 5 + 1,
        "first names": lambda at: draw.choice(FIRST),
        "surnames": lambda at: draw.choice(LAST),
        "names of different people": lambda at: (
            f"{draw.choice(FIRST)} {draw.choice(LAST)}"
            if draw.random() < 0.3
            else f"{draw.choice(FIRST)} {_surname(at)}"
        ),
        "towns": lambda at: draw.choice(TOWNS),
        "streets": lambda at: f"{draw.choice(LAST)} Street {draw.randrange(1, 30)}",
        "departments": lambda at: draw.choice(["Human Resources", "Sales", "Research and Development"]),
        "ward codes": lambda at: f"W-{draw.randrange(100, 140)}",
        "dates": lambda at: date(2020, 1, 1) + timedelta(draw.randrange(300)),
        "dates as text": lambda at: (date(2020, 1, 1) + timedelta(draw.randrange(300))).strftime("%d.%m.%Y"),
        "dates as numbers": lambda at: int((date(2020, 1, 1) + timedelta(draw.randrange(300))).strftime("%Y%m%d")),
        "times": lambda at: f"{draw.randrange(7, 19):02}:{draw.randrange(60):02}:00",
        "sentences": lambda at: draw.choice(["came in with a cold", "feels better today", "no complaints so far"]),
        "area codes": lambda at: f"0{draw.randrange(200, 299)}",
        "booleans": lambda at: draw.random() < 0.3,
        "yes or no": lambda at: draw.choice(["yes", "no"]),
        "ages": lambda at: draw.randrange(18, 90),
        "salaries": lambda at: 500 * round(draw.lognormvariate(10.5, 0.5) / 500),
        "prices": lambda at: round(draw.lognormvariate(3, 1), 1),
        "weights": lambda at: round(draw.gauss(75, 12), 1),
        "postal codes": lambda at: f"{draw.randrange(10_000, 10_400)}",
    }
    return [by_row[kind](at) for at in range(ROWS)]


def _surnames(count: int) -> list[str]:
    return [_surname(at) for at in range(count)]


def _surname(at: int) -> str:
    """Return a surname that no other number has."""
    letters = "abcdefghij"
    return "M" + "".join(letters[int(digit)] for digit in f"{at:05}") + "er"


# name of the column, kind of values, role; (i)dentifying, (p)seudonymized or (n)one, but looked at and kept
REPEATED = [
    ("patient_id", "number", "i"),
    ("patient_id", "number", "n"),
    ("PatientID", "letters", "i"),
    ("mrn", "code", "i"),
    ("patient", "code", "n"),
    ("subject", "number", "n"),
    ("patient", "full name", "i"),
    ("customer", "letters", "i"),
    ("ssn", "ssn", "p"),
    ("policy number", "code", "i"),
    ("student no", "number", "p"),
    ("customer no", "long number", "n"),
    ("Versichertennummer", "code", "i"),
    ("Kundennr", "number", "i"),
    ("pid", "number", "n"),
    ("UTILITYID", "number", "i"),
    ("numéro client", "number", "i"),
    ("id_paciente", "number", "i"),
    ("n.º de asegurado (id)", "number", "i"),
    ("household_id", "number", "n"),
    ("ori_hid", "number", "n"),
    ("email", "e-mail", "i"),
    ("contact", "e-mail", "n"),
    ("phone", "phone", "i"),
    ("mobile", "long number", "i"),
    ("ip address", "ip", "n"),
    ("user name", "letters", "i"),
    ("username", "letters", "i"),
    ("key", "uuid", "n"),
    ("token", "hash", "i"),
    ("token", "bytes of a hash", "n"),
    ("chart", "code", "i"),
    ("chart", "zeros", "p"),
    ("x1", "code", "i"),
    ("x1", "long number", "i"),
    ("name", "full name", "i"),
    ("name", "first names", "p"),
]
NOT_REPEATED = [
    ("id", "row numbers", "i"),
    ("student", "yes or no", "i"),
    ("resident", "few", "n"),
    ("patient", "first names", "n"),
    ("patient", "names of different people", "i"),
    ("patient_id", "row codes", "i"),
    ("patient_id", "row numbers", "n"),
    ("first name", "first names", "i"),
    ("surname", "surnames", "i"),
    ("Nachname", "surnames", "i"),
    ("name", "first names", "i"),
    ("name", "names of different people", "i"),
    ("who", "first names", "i"),
    ("town", "towns", "i"),
    ("x2", "towns", "i"),
    ("street", "streets", "i"),
    ("address", "streets", "i"),
    ("country", "towns", "i"),
    ("department", "departments", "i"),
    ("ward", "ward codes", "i"),
    ("hospital_id", "few", "i"),
    ("doctor id", "number", "i"),
    ("product code", "code", "i"),
    ("type_id", "few", "n"),
    ("visit_id", "few", "n"),
    ("icd10", "icd", "n"),
    ("code", "icd", "n"),
    ("diagnosis", "icd", "i"),
    ("date of visit", "dates", "i"),
    ("when", "dates as text", "i"),
    ("day", "dates as numbers", "i"),
    ("at", "times", "n"),
    ("note", "sentences", "i"),
    ("photo", "pictures", "n"),
    ("note", "pictures", "i"),
    ("area code", "area codes", "i"),
    ("phone", "area codes", "i"),
    ("phone", "yes or no", "i"),
    ("smoker", "booleans", "i"),
    ("consent id", "booleans", "i"),
    ("age", "ages", "i"),
    ("hours", "ages", "i"),
    ("salary", "salaries", "i"),
    ("x3", "salaries", "i"),
    ("price", "prices", "i"),
    ("weight", "weights", "n"),
    ("education-num", "few", "i"),
    ("num_patients", "few", "n"),
    ("zip", "postal codes", "i"),
    ("thyroid", "few", "i"),
    ("paid", "salaries", "n"),
]
