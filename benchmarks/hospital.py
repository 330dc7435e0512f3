"""Visits to a hospital, made up by code: the whole line from CSV to CSV with both reports, in CPU seconds per stage.

`hospital(rows, seed)` draws the table, the same on every machine: about two visits per patient, umlauts, 24,000 days of
birth, codes of mixed length, spellings of mixed kind and missing values. The line is that of the command line, in this
process, so that the second run of the smallest size is warm. Beside it stands another tool on the same rows and
columns where its environment is there; it knows no missing values, so it gets a value in their place.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

QUASI = ["birth_date", "postal_code", "sex", "admission"]
SENSITIVE = "diagnosis"
IDENTIFYING = ["patient", "name", "note"]
BIRTHDAYS = 24_000
K = 5

FIRST = (
    "Jürgen Björn Käthe Günther Zoë Özlem Łukasz André Søren Jörg Bärbel Renée Anna Peter Ute Hans Ines Max Olga Emil "
    "Lea Noah Mia Finn Ida Paul Ella Otto Rosa Karl Nina Toni"
).split()
LAST = (
    "Müller Schröder Weiß Köhler Jäger Groß Böhm Krüger Fuß Yılmaz Nuñez Ångström Schmidt Meier Fischer Weber Wagner "
    "Becker Hoffmann Koch Bauer Richter Klein Wolf Neumann Schwarz Braun Zimmer Hartmann Lange Werner Krause Lehmann "
    "Maier Walter Mayer Huber Kaiser Fuchs Peters Lang Scholz Möller Roth Beck Lorenz Vogel Frank Albrecht Simon"
).split()
SEX = ["w", "m", "W", "M", "weiblich", "männlich", "female", "male", "F", "Male", "d"]
WARDS = ["Chirurgie", "Innere Medizin", "Gynäkologie", "Pädiatrie", "HNO", "Neurologie", "Intensiv", "Urologie"]
COMPLAINTS = ["Schmerzen", "Fieber", "Übelkeit", "Schwindel", "Husten", "Atemnot", "Müdigkeit", "Ödeme"]
PLACES = ["Rücken", "Kopf", "Brust", "Bauch", "Knie", "Hüfte", "Schulter", "Füße"]


def hospital(rows: int, seed: int = 1) -> pa.Table:
    """So many visits to a hospital that never was; the same table for the same seed.

    Only whole numbers are drawn, from numpy's legacy generator, whose stream does not change.
    """
    random = np.random.RandomState(seed)
    patients = max(1, rows // 2)
    who = np.concatenate([np.arange(patients), _drawn(random, patients, rows - min(rows, patients))])[:rows]
    who = who[random.permutation(rows)]
    born = np.concatenate([random.permutation(BIRTHDAYS), _drawn(random, BIRTHDAYS, patients)])[:patients]
    first, last = _drawn(random, len(FIRST), patients), _drawn(random, len(LAST), patients)
    town, street = _drawn(random, 60, patients), _drawn(random, 40, patients)
    sex = _drawn(random, 2, patients)[who] + 2 * _drawn(random, 5, rows)
    sex = np.where(_drawn(random, 200, rows) == 0, len(SEX) - 1, sex)
    admitted = _drawn(random, 1461, rows)
    return pa.table(
        {
            "patient": _joined("P", _padded(who + 1, 8)),
            "name": _joined(_picked(FIRST, first[who]), " ", _picked(LAST, last[who])),
            "birth_date": _missing(_days("1932-05-17", born[who]), random, 250),
            "postal_code": _missing(_padded((town * town * 27 + 1067 + street)[who], 5), random, 60),
            "sex": _missing(_picked(SEX, sex), random, 40),
            "diagnosis": _diagnoses(random, rows),
            "admission": _days("2020-01-01", admitted),
            "cost": _missing(_cents(random, rows), random, 90),
            "ward": _picked(WARDS, np.minimum(_drawn(random, 8, rows), _drawn(random, 8, rows))),
            "note": _missing(_notes(random, rows), random, 3),
        }
    )


def _diagnoses(random: np.random.RandomState, rows: int) -> pa.Array:
    """Codes in the form of ICD-10, with none, one or two places after the dot, few of them frequent."""
    code = np.minimum(_drawn(random, 900, rows), _drawn(random, 900, rows))
    letters = _picked(list("IEJKMFCSGNRZ"), code % 12)
    places = _picked(["", ".0", ".9", ".1", ".01", ".20", ".89", ".4"], (code // 12) % 8)
    return _joined(letters, _padded(code % 97 + 1, 2), places)


def _cents(random: np.random.RandomState, rows: int) -> pa.Array:
    """Amounts with two places as doubles: many small ones and few large ones."""
    cents = (2_000 + _drawn(random, 88_000, rows)) * (1 + _drawn(random, 8, rows)) * (1 + _drawn(random, 4, rows))
    return pa.array(cents / 100)


def _notes(random: np.random.RandomState, rows: int) -> pa.Array:
    """Free text with commas, quotes, line breaks and umlauts."""
    days = (1 + _drawn(random, 89, rows)).astype(str)
    ends = ['.', ', sagt „es zieht".', ".\nKontrolle nötig.", '; Zitat: "geht so"']
    return _joined(
        _picked(COMPLAINTS, _drawn(random, 8, rows)),
        " (",
        _picked(PLACES, _drawn(random, 8, rows)),
        ") seit ",
        pa.array(days, pa.string()),
        " Tagen",
        _picked(ends, _drawn(random, 4, rows)),
    )


def _drawn(random: np.random.RandomState, below: int, size: int) -> np.ndarray:
    return random.randint(0, below, size, np.int64)  # the default differs between systems


def _picked(values: list[str], places: np.ndarray) -> pa.Array:
    return pa.array(values).take(pa.array(places))


def _padded(numbers: np.ndarray, width: int) -> pa.Array:
    return pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width, "0")


def _joined(*parts: pa.Array | str) -> pa.Array:
    return pc.binary_join_element_wise(*parts, "")


def _days(start: str, days: np.ndarray) -> pa.Array:
    return pa.array(np.datetime64(start) + days, pa.date32())


def _missing(values: pa.Array, random: np.random.RandomState, one_in: int) -> pa.Array:
    """The values, about one in so many missing."""
    return pc.if_else(pa.array(_drawn(random, one_in, len(values)) == 0), pa.scalar(None, values.type), values)
