"""Small tables of many kinds, for guesses about tables that nobody has described."""

from __future__ import annotations

import random
from datetime import date, timedelta


def _column(values, count, seed):
    return random.Random(seed).choices(values, k=count)


def patients(rows=60):
    """An ordinary table, all as text."""
    days = [date(1950, 1, 1) + timedelta(days=197 * day) for day in range(100)]
    return {
        "patient id": [f"P{row:04}" for row in range(rows)],
        "Name": [f"person {row}" for row in range(rows)],
        "age": _column([str(age) for age in range(18, 90)], rows, 1),
        "sex": _column(["f", "m"], rows, 2),
        "zip": _column(["13053", "13068", "14850", "02139"], rows, 3),
        "birth_date": _column([day.isoformat() for day in days], rows, 4),
        "city": _column([f"town {number}" for number in range(40)], rows, 5),
        "marital status": _column(["single", "married", "widowed"], rows, 6),
        "height": _column([f"{1.5 + cm / 100:.2f}" for cm in range(20)], rows, 7),
        "smoker": _column(["true", "false"], rows, 8),
        "disease": _column(["flu", "cold", "asthma"], rows, 9),
        "notes": [f"free text number {row}, never the same" for row in range(rows)],
    }


# name: (the table, its quasi-identifiers)
ODD = {
    "one column": ({"age": ["30", "31", "30", "32", "33"] * 5}, ["age"]),
    "one column without a role": ({"x": ["1", "2"] * 10}, []),
    "all unique": ({"x": [str(row * 7919) for row in range(40)], "y": [f"t{row}" for row in range(40)]}, []),
    "200 columns": ({"sex": ["f", "m"] * 10} | {f"v{at}": ["a", "b"] * 10 for at in range(199)}, ["sex"]),
    "names in other letters": (
        {
            "Größe": ["1", "2"] * 6,
            "Straße": ["a", "b"] * 6,
            "prénom": ["é"] * 12,
            "年龄": ["1"] * 12,
            "Geschlecht": ["w", "m"] * 6,
        },
        ["Geschlecht"],
    ),
    "names to be quoted": (
        {
            'age "y", z': ["1", "2"] * 6,
            "a=b.c sex": ["f", "m"] * 6,
            "city\nname": ["x", "y"] * 6,
            "\x7f zip\\": ["12345", "12346"] * 6,
            "": ["1", "2"] * 6,
            "[region]": ["a", "#"] * 6,
        },
        ['age "y", z', "a=b.c sex", "city\nname", "\x7f zip\\", "[region]"],
    ),
    "a column named folder": ({"folder": ["a", "b"] * 6, "folder zip": ["12345", "12346"] * 6}, ["folder zip"]),
    "empty strings": (
        {
            "age": ["30", "", "31", "?", "NA", "32"] * 5,
            "disease": ["flu", "", "cold"] * 10,
            "city": ["", "a", "b"] * 10,
        },
        ["age", "city"],
    ),
    "only missing values": ({"age": [""] * 10, "sex": ["f", "m"] * 5, "disease": ["?"] * 10}, ["sex"]),
    "one value": ({"age": ["30"] * 10, "sex": ["f", "m"] * 5, "income": ["1"] * 10}, ["sex"]),
    "dates": (
        {
            "admission": ["2024-01-05", "2023-12-31", "1999-01-01"] * 8,
            "seen": ["2024-01-05T10:00:00", "2024-01-06T11:30:00"] * 12,
            "date": ["31.12.1990", "1/2/1991"] * 12,
        },
        ["admission", "seen", "date"],
    ),
    "booleans": ({"married": ["true", "false"] * 10, "phone": ["yes", "no"] * 10}, ["married"]),
    "floats": (
        {
            "latitude": [f"{at / 7:.5f}" for at in range(30)],
            "longitude": ["-1.5", "1e2", "0"] * 10,
            "age": ["1.50", "1.5", "2"] * 10,
        },
        ["latitude", "longitude", "age"],
    ),
    "codes": (
        {
            "postcode": ["SW1A 1AA", "N1 9GU"] * 10,
            "plz": ["01069", "80331"] * 10,
            "state": [f"{at:03}x" for at in range(30)][:20],
        },
        ["postcode", "plz", "state"],
    ),
    "huge numbers": ({"age": ["1", "123456789012345678901"] * 5, "region": ["1e300", "-1e300"] * 5}, ["age", "region"]),
    "numbers far apart": (
        {"age": ["0.0000001", "0.0000002", "0.0000005"] * 5, "county": ["1000000", "9000000"] * 7 + ["1"]},
        ["age", "county"],
    ),
}
