"""Names of people, by a small dictionary and by how names are written: Given Family; Family, Given; Dr. Family."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from shoal.release.review.name_lists import FAMILY, GIVEN, HAN_FAMILY, WORDS_TOO
from shoal.release.review.names import word_set

TITLES = word_set("""
    mr mrs ms miss mx dr prof sir dame lady rev herr frau hr fr mme mlle monsieur madame sr sra srta don dona sig
    signora dott ing capt col master the
""")
FORMS = TITLES - {"don", "the", "fr", "hr", "lady", "master", "miss", "ing", "col", "capt"}  # these tell a name alone
SUFFIXES = word_set("jr sr ii iii iv md phd esq rn")
PARTICLES = word_set(
    "de del della di da do dos das du la le van von der den zu zur ter ten y e bin ibn al el st abu mac mc"
)
# Words of firms, places, streets, schools, illnesses and things.
NO_NAMES = word_set("""
    inc ltd llc gmbh ag co corp company group bank and und et sons bros brothers partners holdings plc sa spa
    san santa saint st st. sankt sainte fort port mount lake new north south east west upper lower city county town
    beach island river valley park hill hills springs heights village falls creek harbor bay united republic islands
    street avenue road drive lane boulevard square university college school hospital clinic center centre institute
    church hotel restaurant cafe disease syndrome cancer disorder fracture pain virus acute chronic type stage
    department division office manager engineer nurse teacher worker officer assistant technician sales service
    class model series edition season team club league not no none other unknown yes with of for in on or
    doctor degree bachelor bachelors masters associate grade level
""")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
SEPARATED = re.compile(rf"{WORD.pattern}(?:(?:[ ,;_\u00a0\u200b]+|(?<=\.)){WORD.pattern})*[ ,;]*")
BESIDE = re.compile(r"[()\[\]\"]|(?<=[a-zà-ÿ]{2})(?=[A-ZÀ-Þ][a-zà-ÿ]{2})")  # as in Smith (Ann) and AnnSmith
HAN = re.compile(r"[\u4e00-\u9fff]{2,4}")
CYRILLIC = re.compile(r"[А-ЯЁ][а-яё-]+(?:(?:ов|ев|ин|ын|ова|ева|ина|ын|ский|ская|енко|вич|вна))")
MAX_WORDS = 5


def share_of_names(texts: Collection[str]) -> float:
    """Return the share of texts that are known as names of people; a name that is a word, too, counts beside another.

    >>> share_of_names(["Smith, John", "Maria da Silva", "Dr. Okonkwo", "Berlin", "Baker"])
    0.6
    >>> share_of_names(["Smith (John)", "MariaSmith", "MacBook", "YouTube"])
    0.5
    """
    return sum(map(is_name, texts)) / len(texts) if texts else 0.0


def is_name(text: str) -> bool:
    """Return whether a text is known as the name of a person, or a part of it."""
    text = BESIDE.sub(" ", text).strip()
    if HAN.fullmatch(text):
        return text[0] in HAN_FAMILY
    if len(text) > 60 or not SEPARATED.fullmatch(text):
        return False
    if any(CYRILLIC.fullmatch(part) for part in text.split()):
        return True
    words = [word.strip(".") for word in WORD.findall(plain(text))]
    titled = bool(words) and words[0] in FORMS and len(words) > 1
    words = [word for word in words if word not in TITLES and word not in SUFFIXES and word not in PARTICLES]
    if not 0 < len(words) <= MAX_WORDS or any(word in NO_NAMES for word in words):
        return False
    if not _is_written_as_a_name(text):
        return False
    if titled:
        return True
    parts = [part for word in words for part in (word, *(word.split("-") if "-" in word else ()))]
    known = [part for part in parts if part in GIVEN or part in FAMILY]
    sure = [part for part in known if part not in WORDS_TOO]
    return bool(sure) or (len(known) > 1 and len(words) > 1)


def has_the_form_of_a_name(text: str) -> bool:
    """Return whether a text could be the full name of a person: two to four words, each with a capital."""
    words = [word for word in WORD.findall(text) if plain(word).strip(".") not in PARTICLES | TITLES]
    known = any(plain(word).strip(".") in NO_NAMES for word in words)
    return bool(SEPARATED.fullmatch(text)) and 2 <= len(words) <= 4 and not known and _is_written_as_a_name(text)


def plain(text: str) -> str:
    """Return a text in lower case without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _is_written_as_a_name(text: str) -> bool:
    """Return whether each word begins with a capital, particles aside, or none does."""
    words = [word for word in WORD.findall(text) if plain(word).strip(".") not in PARTICLES]
    capitals = [word[0].isupper() for word in words]
    return all(capitals) or not any(capitals)
