"""Random columns: each value as the text of a CSV file and as what a frame holds, which print alike."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
WORDS = ["red", "Blue", "green grass", "São Paulo", "Zürich", "東京", "naïve", "ab", "abc", "a-b", "10-19", "x;y"]
ODD = ["*", "?", "a | b", "a", "b", " lead", "O'Neil", 'say "hi"', "1,5", "low - high", "NaN", "null", "tab\there"]
NAMES = ["age", "zip code", "größe", "年龄", "marital-status", "sex", "Region", "q", "A b", "income€"]


@dataclass(frozen=True)
class Column:
    """A column: its values as text (None: missing), and the type that a frame has them in."""

    name: str
    texts: list[str | None]
    type: str  # a key of READ

    def typed(self):
        """The values as a frame holds them."""
        return [None if text is None else READ[self.type](text) for text in self.texts]

    def kind(self, texts, *, typed):
        """How shoal shows values without a hierarchy: those that are there, in a frame or in a text file."""
        if typed and self.type in ("int", "float", "decimal"):
            return "numbers"
        if typed and self.type in ("date", "time"):
            return "dates"
        return "numbers" if texts and all(NUMBER.fullmatch(text) for text in texts) else "sets"


READ = {
    "int": int,
    "float": float,
    "decimal": Decimal,
    "date": date.fromisoformat,
    "time": datetime.fromisoformat,
    "bool": lambda text: text == "true",
    "str": str,
    "list": lambda text: [text],
    "struct": lambda text: {"d": text},
}


def draw_column(rng, name, rows, *, quasi=True):
    """A column of one of many kinds, with few or many different values, some of them missing at times."""
    draw = rng.choice(DRAWS)
    kind, values = draw(rng)
    values = list(dict.fromkeys(values))
    few = rng.choice([1, 2, 3, 5, 8, 15, 40]) if rng.random() < 0.9 else 200
    chosen = rng.sample(values, min(few, len(values)))
    skewed = chosen + chosen[:1] * rng.choice([0, 0, 3, 20])
    texts = [rng.choice(skewed) for _ in range(rows)]
    if rng.random() < (0.25 if quasi else 0.15):
        share = rng.choice([0.05, 0.3, 0.9])
        texts = [None if rng.random() < share else text for text in texts]
    return Column(name, texts, kind)


def sensitive_column(rng, name, rows):
    """A column with few values, as the models on sensitive values need."""
    numbers = rng.random() < 0.4
    values = [str(rng.randint(-5, 60)) for _ in range(8)] if numbers else [*rng.sample(WORDS, 6), "?"]
    values = list(dict.fromkeys(values))[: rng.choice([1, 2, 3, 4, 6])]
    skewed = values + values[:1] * rng.choice([0, 0, 1, 4])
    texts = [rng.choice(skewed) for _ in range(rows)]
    if rng.random() < 0.15:
        texts = [None if rng.random() < 0.2 else text for text in texts]
    return Column(name, texts, "int" if numbers else "str")


def _ints(rng):
    low = rng.choice([-50, 0, 16, 1000, 10**6])
    width = rng.choice([3, 20, 90, 5000])
    return "int", [str(rng.randint(low, low + width)) for _ in range(60)]


def _floats(rng):
    digits = rng.choice([1, 2, 6])
    numbers = [round(rng.uniform(-3, 40) * 10 ** rng.choice([0, 0, 4]), digits) for _ in range(60)]
    return "float", [str(int(number)) if number.is_integer() else repr(number) for number in numbers]


def _spelled(rng):
    """Numbers in several spellings, which only text can hold."""
    return "str", [rng.choice(["{}", "{}.0", "{}.50", "{}.5"]).format(rng.randint(-9, 30)) for _ in range(40)]


def _dates(rng):
    days = rng.choice([40, 900, 20_000])
    start = date(rng.choice([1930, 1999, 2020]), 1, 1)
    return "date", [(start + timedelta(days=rng.randrange(days))).isoformat() for _ in range(60)]


def _times(rng):
    start, minutes = datetime(2020, 1, 1, 0, 1), [rng.randrange(10**4) * 7 for _ in range(40)]
    return "time", [str(start + timedelta(minutes=many)) for many in minutes if (many + 1) % 1440]


def _decimals(rng):
    return "decimal", [f"{rng.randint(-500, 4000) / 100:.2f}" for _ in range(40)]


def _codes(rng):
    return "str", [f"{rng.randrange(10**4 if rng.random() < 0.5 else 10**5):05}" for _ in range(40)]


def _ragged_codes(rng):
    return "str", ["".join(rng.choice("abc1") for _ in range(rng.randint(1, 4))) for _ in range(30)]


def _words(rng):
    return "str", rng.sample(WORDS, len(WORDS))


def _odd(rng):
    return "str", rng.sample([*WORDS, *ODD], len(WORDS))


def _bools(rng):
    return "bool", ["true", "false"]


DRAWS = [
    _ints,
    _ints,
    _floats,
    _decimals,
    _spelled,
    _dates,
    _times,
    _codes,
    _ragged_codes,
    _words,
    _words,
    _odd,
    _bools,
]
