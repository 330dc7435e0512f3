"""Columns that must alarm and columns that must not, by the name that they might have in a table."""

from __future__ import annotations

import random
import uuid
from base64 import b64encode
from datetime import date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256

import pyarrow as pa

CODED = "codes that tell people apart"
DRAW = random.Random(5)


def some(values, rows=60):
    """Draw values at random, with repeats."""
    return DRAW.choices(values, k=rows)


def digits(pattern, rows=30):
    return ["".join(DRAW.choice("0123456789") if c == "#" else c for c in pattern) for _ in range(rows)]


def tokens(letters, length, rows=60):
    """Draw random codes."""
    return ["".join(DRAW.choices(letters, k=length)) for _ in range(rows)]


def number(low, high, rows=60):
    return [DRAW.randint(low, high) for _ in range(rows)]


def days(first, last, rows=60):
    return [
        date.fromordinal(DRAW.randint(date(first, 1, 1).toordinal(), date(last, 1, 1).toordinal())) for _ in range(rows)
    ]


def luhn_number(start, length):
    body = start + "".join(DRAW.choices("0123456789", k=length - len(start) - 1))
    total = sum(sum(divmod(2 * int(c), 10)) if at % 2 == 0 else int(c) for at, c in enumerate(reversed(body)))
    return body + str(-total % 10)


def iban(country, body):
    digits = "".join(str(int(c, 36)) for c in body + country + "00")
    return f"{country}{98 - int(digits) % 97:02}{body}"


GIVEN = [
    "James",
    "Mary",
    "Wolfgang",
    "Chiara",
    "Zephyra",
    "Priya",
    "Björn",
    "Tallulah",
    "Mehmet",
    "Agnieszka",
    "Quill",
    "Naoko",
]
FAMILY = [
    "Smith",
    "Kowalski",
    "Zimmer",
    "Rossi",
    "Okonkwo",
    "Patel",
    "Lindqvist",
    "García",
    "Oyelaran",
    "Nguyen",
    "Brown",
    "Baker",
]
FULL = [f"{given} {family}" for given in GIVEN for family in FAMILY]
NOTES = [
    "Patient was seen in the clinic and is doing well.",
    "She called because her daughter has the flu again.",
    "No change since last week; will come back on Monday.",
    "Lives with his brother near the old mill, drinks a lot.",
    "He said that the pain began after the accident at work.",
]
CODES = [f"{DRAW.choice('ABCDEFGH')}{DRAW.randint(10**5, 10**6 - 1)}" for _ in range(60)]

# (name of the column, its values, the kind that is found)
MUST = [
    ("name", FULL, "names of people"),
    ("name", some(FULL, 1000), "names of people"),
    ("x", FULL, "names of people"),
    ("x", [name.upper() for name in FULL], "names of people"),
    ("x", [name.lower() for name in FULL], "names of people"),
    ("Name", [f"{family}, {given}" for given in GIVEN for family in FAMILY], "names of people"),
    ("x", [f"{family}, {given[0]}." for given in GIVEN for family in FAMILY], "names of people"),
    ("passenger", ["Braund, Mr. Owen Harris", "Cumings, Mrs. John", "Heikkinen, Miss. Laina"], "names of people"),
    ("x", [f"Dr. {family}" for family in FAMILY], "names of people"),
    (
        "x",
        [f"{given} {middle}. {family}" for given, middle, family in zip(GIVEN, "ABCDEFGHIJKL", FAMILY, strict=True)],
        "names of people",
    ),
    ("first_name", some(GIVEN, 300), "names of people"),
    ("x", some(GIVEN, 300), "names of people"),
    ("Vorname", ["Karl", "Uwe", "Heike"] * 10, "names of people"),
    ("apellido", some(["García", "López", "Martínez", "Sánchez", "Pérez"]), "names of people"),
    ("nom de famille", some(["Dupont", "Durand", "Lefebvre", "Moreau", "Girard"]), "names of people"),
    ("cognome", some(["Rossi", "Russo", "Ferrari", "Esposito"]), "names of people"),
    ("last name", ["Tremblay-Lavoie", "Ngata", "Ōhashi", "Þórsdóttir"], "names of people"),
    (
        "contact person",
        ["Maria da Silva", "Jan van den Berg", "Ludwig von Beethoven", "José de la Cruz"],
        "names of people",
    ),
    ("姓名", ["王小明", "李雷", "张伟", "刘芳"], "names of people"),
    ("фамилия", ["Иванов", "Петрова", "Сидоренко"], "names of people"),
    ("doctor", [f"Dr. {given} {family}" for given, family in zip(GIVEN, FAMILY, strict=True)], "names of people"),
    ("name", ["John Smith"], "names of people"),
    ("email", [f"{given}.{at}@example.org".lower() for at, given in enumerate(GIVEN)], "e-mail addresses"),
    ("x", [f"user{at}@mail.example.com" for at in range(40)], "e-mail addresses"),
    ("x", ["a@b.de"], "e-mail addresses"),
    ("contact", [f"{name} <{name.split()[0]}@x.org>" for name in FULL], "e-mail addresses"),
    ("contact", [f"u{at}@x.org" for at in range(20)] + [f"n/a {at}" for at in range(60)], "e-mail addresses"),
    ("phone", [f"555-{DRAW.randint(1000, 9999)}" for _ in range(30)], "telephone numbers"),
    ("x", digits("(2##) 4##-####"), "telephone numbers"),
    ("x", digits("+49 30 #######"), "telephone numbers"),
    ("x", digits("06 ## ## ## ##"), "telephone numbers"),
    ("telefono", [str(DRAW.randint(600_000_000, 699_999_999)) for _ in range(30)], "telephone numbers"),
    ("mobile", [float(DRAW.randint(2 * 10**9, 9 * 10**9)) for _ in range(30)] + [None], "telephone numbers"),
    ("x", digits("4##-1#-2###"), "social security numbers"),
    ("nino", ["AB 12 34 56 C", "CE123456D"], "social security numbers"),
    ("x", ["12345678Z", "00000000T", "X1234567L"], "social security numbers"),
    ("cf", ["RSSMRA85T10A562S"], "social security numbers"),
    ("cpf", ["111.444.777-35", "529.982.247-25"], "social security numbers"),
    ("ahv", ["756.9217.0769.85"], "social security numbers"),
    ("x", [iban("DE", f"{DRAW.randint(10**17, 10**18 - 1)}") for _ in range(20)], "IBANs"),
    ("konto", ["DE89 3704 0044 0532 0130 00", "GB82 WEST 1234 5698 7654 32"], "IBANs"),
    ("x", [luhn_number("4", 16) for _ in range(20)], "payment card numbers"),
    ("card", ["4111 1111 1111 1111", "5500-0000-0000-0004"], "payment card numbers"),
    ("x", [f"10.{at}.7.{at * 3 % 250}" for at in range(40)], "IP addresses"),
    ("client", ["2001:db8::1", "2001:db8:0:1::5", "fe80::1"], "IP addresses"),
    ("x", ["00:1b:44:11:3a:b7", "00:1b:44:11:3a:b8"], "device addresses"),
    ("x", [f"https://example.org/people/{at}" for at in range(20)], "URLs"),
    ("profile", ["linkedin.com/in/ann-example", "www.example.org/bob"], "URLs"),
    ("twitter", ["@ann_x", "@bob.y", "@carl99"], "user names"),
    ("x", [str(uuid.UUID(int=DRAW.getrandbits(128))) for _ in range(20)], CODED),
    ("x", [sha256(bytes([at])).hexdigest() for at in range(20)] * 10, CODED),
    ("x", [sha256(bytes([at])).digest() for at in range(20)], CODED),
    ("x", CODES, CODED),
    ("patient_id", number(1, 40, 400), CODED),
    ("patient_id", [1, 2, 3], CODED),
    ("patient_id", [1.0, 2.0, None, 7.0], CODED),
    ("Kundennr", ["K1", "K2", "K3", "K1"], CODED),
    ("id", list(range(1000, 3000, 2)), CODED),
    ("x", list(range(1, 101)), CODED),
    ("x", [f"{DRAW.randint(0, 10**7 - 1):08}" for _ in range(50)], CODED),
    ("x", number(10**9 * 3, 10**10 - 1, 50), CODED),
    ("case number", [Decimal(at) for at in range(100, 150)], CODED),
    ("ticket", [f"PC {DRAW.randint(10000, 99999)}" for _ in range(50)], CODED),
    ("mrn", [f"{DRAW.randint(1000, 99999)}" for _ in range(50)], CODED),
    ("login", ["jdoe", "asmith", "bob", "jdoe"], CODED),
    ("dob", ["1950-03-04", "1971-12-31"], "dates of birth"),
    ("Geburtsdatum", ["04.03.1950", "31.12.1971"], "dates of birth"),
    ("x", days(1930, 2004), "dates of birth"),
    ("x", [f"{day:%m/%d/%Y}" for day in days(1930, 2004)], "dates of birth"),
    ("birth", [datetime(1950, 1, 1, 3) + timedelta(days=30 * at) for at in range(30)], "dates of birth"),
    ("lat", [52.52 + at / 1234 for at in range(20)], "coordinates"),
    ("longitude", [f"{13.4 + at / 1234:.6f}" for at in range(20)], "coordinates"),
    ("place", ["52.5200,13.4050", "48.1371, 11.5754"], "coordinates"),
    ("geom", ["POINT (13.4050 52.5200)", "POINT(11.5 48.1)"], "coordinates"),
    ("x", [f"{at} Main Street" for at in range(20)], "street addresses"),
    ("Anschrift", ["Hauptstraße 5", "Bahnhofstr. 12a, 10115 Berlin", "Goetheweg 3"], "street addresses"),
    ("adresse", ["12 rue de la Paix", "5 bis avenue Foch", "3, place du Marché"], "street addresses"),
    ("notes", NOTES, "free text"),
    ("x", [f"{note} {at}" for at, note in enumerate(NOTES * 20)], "free text"),
    ("comment", [f"{note} ({at})" for at, note in enumerate(NOTES * 80)] * 5, "free text"),
    ("Bemerkung", ["Der Patient ist sehr müde und hat nicht geschlafen.", "Sie war gestern hier."], "free text"),
    ("x", [["ann@example.org"], ["bob@example.org", "carl@example.org"]], "e-mail addresses"),
    ("x", tokens("abcdefghjkmnpqrstvwxyz", 7), CODED),
    ("x", tokens("23456789abcdefghjkmnpqrstuvwxyz", 6), CODED),
    ("x", tokens("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 8), CODED),
    ("x", [token[: 5 + at % 5] for at, token in enumerate(tokens("ABCDEFabcdefxyzXYZ019", 10))], CODED),
    ("x", [b64encode(token.encode()).decode() for token in tokens("abcdefghij", 7)], CODED),
    ("x", [DRAW.randrange(-(2**63), 2**63) for _ in range(60)], CODED),
    ("x", [DRAW.randrange(2**63) for _ in range(60)], CODED),
    ("x", [f"#{at}" for at in range(40)], CODED),
    ("npi", number(10**9, 2 * 10**9 - 1), CODED),
    ("x", [*tokens("ABCDEFGHJK0123456789", 9, 30), *["none"] * 170], CODED),
    ("comment", [*(f"{note} ({at})" for at, note in enumerate(NOTES * 20)), *["none"] * 1000], "free text"),
    (
        "note",
        ["患者表示" + token + "，已经生病三天了。" for token in tokens("他的妻子在学校工作没有发烧头痛咳嗽", 30)],
        "free text",
    ),
    ("x", [f"case {at}" for at in range(8, 48)], CODED),
]

# Columns without a finding.
MUST_NOT = [
    (
        "occupation",
        some(["Baker", "Carpenter", "Cook", "Butler", "Mason", "Teacher", "Nurse", "Engineer", "Clerk", "Farmer"]),
    ),
    ("occupation", some(["Exec-managerial", "Adm-clerical", "Craft-repair", "Prof-specialty", "Tech-support"])),
    ("job", some(["Software engineer", "Registered nurse", "Sales manager", "Truck driver", "Research Scientist"])),
    (
        "city",
        some(
            [
                "Jackson",
                "Houston",
                "Austin",
                "Charlotte",
                "Madison",
                "Lincoln",
                "Portland",
                "Florence",
                "Berlin",
                "Paris",
            ]
        ),
    ),
    (
        "x",
        some(
            [
                "Jackson",
                "Houston",
                "Austin",
                "Charlotte",
                "Madison",
                "Portland",
                "Florence",
                "Berlin",
                "Paris",
                "London",
            ]
        ),
    ),
    ("city", some(["San Jose", "San Antonio", "Santa Maria", "Saint Paul", "Fort Worth", "St. Louis", "New York"])),
    ("x", some(["San Jose, CA", "Austin, TX", "Jackson, MS", "Portland, OR", "Paris, France", "Lima, Peru"])),
    (
        "county",
        some(
            [
                "Washington",
                "Jefferson",
                "Jackson",
                "Lincoln",
                "Madison",
                "Montgomery",
                "Marion",
                "Monroe",
                "Wayne",
                "Scott",
                "Johnson",
            ]
        ),
    ),
    ("country", some(["United States", "Germany", "Chad", "Jordan", "Israel", "Georgia", "Costa Rica", "Sri Lanka"])),
    ("x", some(["Virginia", "Georgia", "North Carolina", "New York", "Texas", "Ohio", "Maine", "Utah"])),
    ("state", some(["VA", "GA", "NC", "NY", "TX", "OH", "ME", "UT"])),
    ("diagnosis", some(["Hodgkin lymphoma", "Crohn disease", "Parkinson disease", "Type 2 diabetes", "Asthma"])),
    ("x", some(["Hodgkin lymphoma", "Crohn disease", "Graves disease", "Down syndrome", "Asthma", "Influenza"])),
    ("icd", some(["E11.9", "I10", "J45.909", "C50.911", "Z00.00", "F32.1"])),
    (
        "icd title",
        some(
            [
                "Type 2 diabetes mellitus without complications",
                "Essential (primary) hypertension",
                "Major depressive disorder, single episode, moderate",
                "Malignant neoplasm of unspecified site of the breast",
            ]
        ),
    ),
    ("drug", some(["Aspirin", "Ibuprofen", "Metformin", "Lisinopril", "Atorvastatin", "Amoxicillin", "Warfarin"])),
    ("x", some(["Aspirin 100 mg", "Metformin 500 mg", "Ibuprofen 400 mg", "Lisinopril 10 mg"])),
    ("atc", some(["A10BA02", "C09AA03", "N02BE01", "B01AC06"])),
    ("product_name", some(["Desk Lamp", "Office Chair", "Paper A4", "Blue Pen", "Stapler Pro 2000", "Whiteboard"])),
    ("product", some(["iPhone 13", "Galaxy S21", "Pixel 6", "ThinkPad X1", "MacBook Air"])),
    ("company", some(["Johnson & Johnson", "Wells Fargo Bank", "Müller GmbH", "Smith and Sons Ltd", "Acme Inc"])),
    ("colour", some(["Brown", "White", "Black", "Green", "Gray", "Red", "Blue"])),
    ("x", some(["Brown", "White", "Black", "Green", "Gray"])),
    ("weekday", some(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"])),
    ("month", some(["January", "February", "March", "April", "May", "June", "July", "August"])),
    ("x", some(["April", "May", "June", "July", "August"])),
    ("class", some(["first class", "second class", "third class"])),
    ("x", some(["First Class", "Second Class", "Standard Class", "Same Day"])),
    ("education", some(["Bachelors", "Some-college", "11th", "HS-grad", "Prof-school", "Masters", "Doctorate"])),
    ("x", some(["Some college, no degree", "Bachelor's degree", "High school graduate", "Less than 9th grade"])),
    ("marital", some(["Married-civ-spouse", "Never-married", "Divorced", "Widowed"])),
    (
        "x",
        some(
            ["Married, spouse present", "Widowed, or divorced and not remarried", "He or she was never married at all"]
        ),
    ),
    ("department", some(["Human Resources", "Sales", "Research & Development", "Legal", "Customer Service"])),
    ("species", some(["Iris setosa", "Iris virginica", "Iris versicolor"])),
    ("species", some(["Quercus robur", "Homo sapiens", "Mus musculus", "Rosa canina", "Felis catus"])),
    ("car", some(["Toyota Corolla", "Honda Civic", "Aston Martin DB9", "Alfa Romeo Giulia", "Ford Fiesta", "Kia Rio"])),
    ("grade", some("ABCDEF")),
    ("x", some("SCQ")),
    ("price", [f"{DRAW.randint(100, 99999) / 100:.2f}" for _ in range(60)]),
    ("x", [f"${DRAW.randint(1, 99)},{DRAW.randint(100, 999)}.00" for _ in range(60)]),
    ("income", [DRAW.randint(10**6, 10**7) / 100 for _ in range(60)]),
    ("fnlwgt", number(12_285, 1_490_400)),
    ("x", number(12_285, 1_490_400, 500)),
    ("x", [DRAW.gauss(0, 1) for _ in range(60)]),
    ("x", [Decimal(DRAW.randint(10**6, 10**7)) / 100 for _ in range(60)]),
    ("age", number(17, 90)),
    ("x", number(17, 90)),
    ("x", [float(value) for value in number(17, 90)] + [None]),
    ("year", list(range(1960, 2021))),
    ("x", number(1930, 2005)),
    ("zip", some(["13053", "13068", "02139", "94110", "60614"])),
    ("x", [f"{DRAW.randint(501, 99950):05}" for _ in range(60)]),
    ("postcode", ["SW1A 1AA", "N1 9GU", "K1A 0B1", "1012 AB"]),
    ("admission", days(2015, 2021)),
    ("x", [datetime(2019, 1, 1) + timedelta(hours=at * 31) for at in range(60)]),
    ("hire date", days(1985, 2021)),
    ("time", [f"{at % 24:02}:{at:02}" for at in range(60)]),
    ("x", [f"{at % 24:02}:{at:02}:11" for at in range(60)]),
    ("income range", some(["0-50000", "50000-100000", "100000-150000", "150000-200000"])),
    ("x", some(["10,000 - 19,999", "20,000 - 29,999", "$30,000 to $39,999", ">=40,000"])),
    ("age group", some(["25-29", "30-34", "35-39", "85+"])),
    ("season", some(["2018-2019", "2019-2020", "2020/21"])),
    ("x", some(["(12.5K, 25K]", "(25K, 50K]", "<=50K", ">50K"])),
    ("dose", [f"{DRAW.randint(1, 999)} mg" for _ in range(60)]),
    ("blood pressure", [f"{DRAW.randint(100, 180)}/{DRAW.randint(60, 100)}" for _ in range(60)]),
    ("smoker", some([True, False])),
    ("phone", some(["yes", "no"])),
    ("mail", some(["opted in", "opted out"])),
    ("lat", [52.5, 48.1, 50.1]),
    ("language", some(["English", "German", "Spanish", "French", "Tagalog"])),
    ("religion", some(["Catholic", "Lutheran", "Muslim", "Jewish", "none"])),
    ("race", some(["White", "Black", "Asian-Pac-Islander", "American Indian or Alaska Native"])),
    ("relationship", some(["Not-in-family", "Husband", "Own-child", "Unmarried"])),
    ("insurance", some(["Medicare", "Medicaid", "Blue Cross", "Self Pay"])),
    ("hospital_id", number(1, 30)),
    ("product_id", number(1, 500)),
    ("type id", some([1, 2, 3, 4])),
    ("version", some(["1.2.3", "2.0.1", "10.4.0"])),
    ("timestamp", number(1_400_000_000, 1_600_000_000)),
    ("score", number(300, 850)),
    ("genre", some(["Science Fiction", "Romantic Comedy", "Film Noir", "Drama"])),
    ("sport", some(["Football", "Tennis", "Golf", "Hockey", "Swimming"])),
    ("price", [f"€ {cents / 100:.2f}" for cents in number(100, 9999)]),
    ("fee", [f"{kind} {euros}" for kind, euros in zip(some(["EUR"]), number(10, 9999), strict=True)]),
    ("ndc", digits("00##-####-##")),
    ("flight", digits("LH###")),
    ("atc_code", digits("N0#AX##")),
    ("nanoseconds", [1_700_000_000_000_000_000 + at for at in number(0, 10**17)]),
    ("server", some(["10.0.0.1", "10.0.0.2"], 1000)),
    ("source", some(["https://example.org/a", "https://example.org/b"], 1000)),
    ("version", some(["e86cdfc1a2b3", "4cc01229f8e7"], 1000)),
    ("temp_lat", [20 + at / 1000 for at in number(0, 9999)]),
    ("contract_start", days(1970, 2020)),
    ("built", days(1900, 2020)),
    ("capital gain", [*[0] * 300, *number(1000, 1050)]),
    ("x", some([12345678, 23456789, 34567890], 600)),
    ("x", some(["4006381333931", "4003994155486", "5449000000996"], 600)),
    ("x", [10**14] * 60),
    ("hotline", some(["+49 30 1234567", "+49 30 7654321"], 600)),
    ("x", pa.array(number(1, 2000), pa.duration("s"))),
    ("hemoglobin", [f"{tenths / 10:.1f} g/dL" for tenths in number(100, 180)]),
    ("speed", [f"{tenths / 10:.1f} km/h" for tenths in number(400, 1400)]),
    ("x", [f"{month:02}/{year}" for month, year in zip(number(1, 12), number(2015, 2023), strict=True)]),
    ("week", [f"2023-W{week:02}" for week in number(1, 52)]),
    ("quarter", [f"{year}Q{quarter}" for year, quarter in zip(number(2000, 2023), number(1, 4), strict=True)]),
    ("titre", [f"1:{dilution}" for dilution in number(1, 2560)]),
    ("x", [[at / 1000, at / 777] for at in number(-3000, 3000)]),
    ("x", [f"{at / 1000:.3f},{at / 777:.3f}" for at in number(2000, 6000)]),
    (
        "x",
        [
            f"202301{day:02}{hour:02}{minute:02}00"
            for day, hour, minute in zip(number(1, 28), number(0, 23), number(0, 59), strict=True)
        ],
    ),
    ("pregnancy", [f"{weeks} weeks {days} days" for weeks, days in zip(number(20, 41), number(0, 6), strict=True)]),
    ("result", [f"{tenths / 10} ± 0.9" for tenths in number(100, 200)]),
    ("town", ["Paris", "Tours", "Lille", "Brest", "Rouen", "Reims", "Dijon", "Nancy", "Arras", "Laval", "Melun"] * 3),
    ("brand", ["MacBook", "iPhone", "eBay", "YouTube", "LinkedIn", "GitHub", "OpenAI", "PayPal", "WhatsApp"] * 4),
    ("bp", [f"{top}/{low}" for top, low in zip(number(95, 180), number(55, 110), strict=True)]),
    ("blood type", some(["A+", "0-", "AB+", "B-"])),
    ("x", []),
    ("x", [None, None]),
    ("x", ["", "?", "NA"]),
    ("bytes", [b"\x00\x01\x02", b"\xff\xfe"]),
    ("struct", [{"a": 1}, {"a": 2}]),
    ("domain", some(["gmail.com", "yahoo.com", "web.de"])),
    (
        "industry",
        some(
            [
                "Transportation and warehousing, and utilities",
                "Arts, entertainment, and recreation, and food services",
                "Public administration",
            ]
        ),
    ),
]


def arrow(values):
    return pa.chunked_array([pa.array(values)])
