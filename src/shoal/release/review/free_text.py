"""Free text: values of many words that hardly repeat, in which anything may be written."""

from __future__ import annotations

import re
from collections.abc import Collection

from shoal.release.review.names import word_set
from shoal.release.review.sampling import Sample

MANY_WORDS, LONG_TEXT = 6, 12  # words of a text that may be a sentence, and of one that is
MIN_SENTENCES = 0.3  # of the values are sentences
MIN_OWN = 0.3  # different values over rows; fewer are categories with long labels
MANY_VALUES = 300  # or so many different ones, however often they repeat
# Words of sentences that labels of categories seldom have.
SENTENCES = word_set("""
    the a an is are was were has have had will would he she they i we you my his her their our it this that there
    been be but when after because very did does don't not
    der die das ein eine ist war sind hat hatte wurde wird er sie ich wir ihr sein seine nicht dass nach sehr
    le la les un une est sont etait a il elle je nous vous son sa ses pas que qui tres apres
    el los las una es son era fue ha yo su sus que muy despues porque
    il lo gli e sono era ho ha lui lei suo sua che molto dopo perche
""")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
END = re.compile(r"[.!?…。！？]\s*$|[.!?]\s+[A-ZÄÖÜ]|[。！？]")
NO_BLANKS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{2}")  # two are a word


def share_of_sentences(texts: Collection[str]) -> float:
    """Return the share of texts that read as written by a person: long, or with the words or marks of sentences."""
    return sum(map(is_sentence, texts)) / len(texts) if texts else 0.0


def is_sentence(text: str) -> bool:
    """Return whether a text reads as a sentence rather than as a label.

    >>> is_sentence("Patient called, will come back on Monday."), is_sentence("Some college, no degree")
    (True, False)
    >>> is_sentence("患者表示他的妻子在学校工作，已经生病三天了。"), is_sentence("高血压")
    (True, False)
    """
    words = [word.casefold() for word in WORD.findall(NO_BLANKS.sub(r"\g<0> ", text[:2000]))]
    told = sum(word in SENTENCES for word in words) + (END.search(text[:2000]) is not None)
    return len(words) >= LONG_TEXT or (len(words) >= MANY_WORDS and told >= 1) or (len(words) >= 4 and told >= 2)


def is_free(sample: Sample) -> bool:
    """Return whether values hardly repeat, or are so many that they are no categories."""
    return sample.own >= MIN_OWN or sample.different >= MANY_VALUES
