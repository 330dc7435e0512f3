"""Columns made up for tables of any size: each generator returns as many values as asked, alike at any number."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from datetime import date, datetime, timedelta
from hashlib import md5
from typing import Any

Generator = Callable[[random.Random, int], list[Any]]


def words(text: str) -> list[str]:
    return text.split()


GIVEN = words("""
    James Mary Robert Linda Wolfgang Heike Chiara Luca Zephyra Priya Björn Tallulah Mehmet Agnieszka Quill
    Naoko Sofía Mateo Élodie Thibault Ngozi Ife Ravi Wei Anjali Pekka Aino Rhys Saoirse Boaz
""")
FAMILY = words("""
    Smith Kowalski Zimmer Rossi Okonkwo Patel Lindqvist García Oyelaran Nguyen Brown Baker Müller Dubois
    Ferrari Haugen Ivanova Tanaka Cohen Silva Brandt Eriksen Farkas Quispe Adeyemi Kim Wójcik Laine Pritchard
    Moss
""")
TOWNS = words("""
    Springfield Berlin Lyon Austin Porto Leeds Graz Bergen Utrecht Jackson Salem Aurora Kyoto Parma Toledo
    Basel Reims Gdańsk Brno Turku
""")
SENTENCE = words("""
    patient was seen and has pain in the left knee since last week because of a fall at home he will come back
    she is well now but cannot sleep when it is cold
""")


def among(*values: Any) -> Generator:
    return lambda draw, rows: draw.choices(values, k=rows)


def text(values: str) -> Generator:
    return among(*(value.replace("_", " ") for value in values.split()))


def whole(low: int, high: int) -> Generator:
    return lambda draw, rows: [draw.randint(low, high) for _ in range(rows)]


def decimal(mean: float, spread: float, places: int) -> Generator:
    return lambda draw, rows: [round(abs(draw.gauss(mean, spread)), places) for _ in range(rows)]


def days(first: int, last: int, form: str = "%Y-%m-%d") -> Generator:
    start, end = date(first, 1, 1).toordinal(), date(last, 1, 1).toordinal()
    return lambda draw, rows: [format(date.fromordinal(draw.randrange(start, end)), form) for _ in range(rows)]


def typed_days(draw: random.Random, rows: int) -> list[date]:
    return [date.fromordinal(draw.randrange(735_000, 737_500)) for _ in range(rows)]


def moments(draw: random.Random, rows: int) -> list[datetime]:
    return [datetime(2015, 1, 1) + timedelta(seconds=draw.randrange(200_000_000)) for _ in range(rows)]


def pattern(form: str) -> Generator:
    """Draw a digit for each #, a capital letter for each ^."""
    drawn = {"#": "0123456789", "^": "ABCDEFGHJKLMNPRSTUVWXYZ"}
    return lambda draw, rows: ["".join(draw.choice(drawn.get(c, c)) for c in form) for _ in range(rows)]


def counted(form: str) -> Generator:
    """Number the rows in a random order."""
    return lambda draw, rows: [form.format(at) for at in draw.sample(range(rows), rows)]


def people(form: str, per_person: int = 3) -> Generator:
    """Number people who have several rows."""
    return lambda draw, rows: [form.format(draw.randrange(max(2, rows // per_person))) for _ in range(rows)]


def skewed(draw: random.Random, rows: int) -> list[int]:
    return [0 if draw.random() < 0.9 else draw.randrange(100, 99_999) for _ in range(rows)]


def names(form: str) -> Generator:
    def drawn(draw: random.Random, rows: int) -> list[str]:
        parts = [(draw.choice(GIVEN), draw.choice(FAMILY), draw.choice("ABCDEJM")) for _ in range(rows)]
        return [form.format(g=given, f=family, m=middle) for given, family, middle in parts]

    return drawn


def mails(draw: random.Random, rows: int) -> list[str]:
    return [
        f"{draw.choice(GIVEN)}.{at}@{draw.choice(['example.org', 'mail.example.com'])}".lower() for at in range(rows)
    ]


def notes(draw: random.Random, rows: int) -> list[str]:
    return [" ".join(draw.choices(SENTENCE, k=draw.randrange(8, 25))).capitalize() + "." for _ in range(rows)]


def uuids(draw: random.Random, rows: int) -> list[str]:
    return [str(uuid.UUID(int=draw.getrandbits(128))) for _ in range(rows)]


def hashes(draw: random.Random, rows: int) -> list[str]:
    return [md5(draw.randbytes(8), usedforsecurity=False).hexdigest() for _ in range(rows)]


def streets(draw: random.Random, rows: int) -> list[str]:
    return [
        f"{draw.randrange(1, 999)} {draw.choice(FAMILY)} {draw.choice(['Street', 'Ave', 'Road'])}" for _ in range(rows)
    ]


def german_streets(draw: random.Random, rows: int) -> list[str]:
    return [f"{draw.choice(FAMILY)}straße {draw.randrange(1, 99)}" for _ in range(rows)]


def addresses(draw: random.Random, rows: int) -> list[str]:
    return [f"10.{draw.randrange(255)}.{draw.randrange(255)}.{draw.randrange(255)}" for _ in range(rows)]


def degrees(middle: float) -> Generator:
    return lambda draw, rows: [round(middle + draw.gauss(0, 0.2), 6) for _ in range(rows)]


GENERATORS: dict[str, Generator] = {
    "address": streets, "adresse": german_streets,
    "age": whole(18, 90), "agegroup": text("18-24 25-34 35-44 45-54 65+"),
    "amount": decimal(900, 500, 2), "bday": days(1930, 2004), "bday-us": days(1930, 2004, "%m/%d/%Y"),
    "bday-de": days(1930, 2004, "%d.%m.%Y"), "big": whole(10_000, 1_500_000), "blood": text("A+ 0- B+ AB+"),
    "bracket": text("<=50K >50K"), "byear": whole(1930, 2004), "city": text(" ".join(TOWNS)), "code": whole(1, 9),
    "colour": text("Red Blue White Black Green"), "company": text("Acme_Inc Globex_Corp Müller_GmbH Initech_Ltd"),
    "country": text("Germany France Mexico India United-States"), "county": text("Lincoln Jackson Wayne Clay Monroe"),
    "date": days(2015, 2021), "datetime": moments, "day": typed_days, "dept": text("Sales Legal Research_Lab HR"),
    "diagnosis": text("flu asthma diabetes cancer hypertension"), "drug": text("Aspirin Metformin Ibuprofen Warfarin"),
    "edu": text("HS-grad Bachelors Masters Doctorate 11th"), "email": mails,
    "epoch": whole(1_400_000_000, 1_600_000_000),
    "family": lambda draw, rows: draw.choices(FAMILY, k=rows), "flag": among(0, 1), "float": decimal(0.5, 2, 6),
    "fullname": names("{g} {f}"), "given": lambda draw, rows: draw.choices(GIVEN, k=rows), "hash": hashes,
    "iban": pattern("DE## #### #### #### #### ##"), "ip": addresses,
    "icd": text("E11.9 I10 J45.909 C50.911 F32.1 Z00.00"),
    "job": text("Nurse Teacher Software_engineer Baker Driver Manager"),
    "lat": degrees(40.7), "lon": degrees(-73.9),
    "latlon": lambda draw, rows: [f"{52 + draw.random():.5f},{13 + draw.random():.5f}" for _ in range(rows)],
    "lang": text("English German Spanish French"), "letter": text("A B C D E F"), "listname": names("{f}, {g} {m}."),
    "longid": pattern("8#########"), "marital": text("Married Never-married Divorced Widowed"),
    "measure": decimal(120, 15, 1), "mf": text("M F"), "month": whole(1, 12), "mrn": pattern("#######"),
    "name": names("{g} {m}. {f}"), "nation": text("German Turkish Polish Italian Syrian"), "notes": notes,
    "npi": pattern("1#########"), "pcode": counted("P{:06}"), "percent": decimal(50, 20, 1), "person": people("{}"),
    "personcode": people("C{:05}"), "phone": pattern("+1 212-4##-####"), "phone-de": pattern("0171 #######"),
    "plate": pattern("^^^ ####"), "plz": pattern("1####"), "product": text("Desk_Lamp Office_Chair Blue_Pen Stapler"),
    "race": text("White Black Asian Other"), "rating": whole(1, 5), "region": text("North South East West"),
    "relation": text("Husband Wife Own-child Not-in-family"), "religion": text("Catholic Muslim Hindu none"),
    "room": whole(100, 480), "school": text("GP MS Lincoln_High Roosevelt"), "score": whole(300, 850),
    "seq": lambda draw, rows: draw.sample(range(1, rows + 1), rows), "sex": text("Male Female"), "sex12": among(1, 2),
    "skewed": skewed, "small": whole(0, 5), "ssn": pattern("4##-1#-2###"), "state": text("CA NY TX WA OH FL"),
    "text2": text("low medium high"), "time": pattern("1#:2#"), "url": lambda draw, rows:
    [f"https://example.org/u/{draw.randrange(10**9)}" for _ in range(rows)], "user": lambda draw, rows:
    [f"{draw.choice(GIVEN).lower()}{at}" for at in draw.sample(range(2 * rows), rows)], "uuid": uuids,
    "visitor": people("visitor{}"),
    "weekday": text("Mon Tue Wed Thu Fri"), "weight": decimal(900, 500, 4), "whole": whole(0, 99),
    "work": text("Private State-gov Self-emp Federal-gov"), "year": whole(2010, 2021), "yesno": text("yes no"),
    "zip": pattern("9####"), "zip3": pattern("9##"),
}  # fmt: skip
