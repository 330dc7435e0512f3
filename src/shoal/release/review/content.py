"""Content: what the values of a column are, if they identify people or are free text.

The values decide; the name of the column is further evidence. docs/review_content.md says what is found and missed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import pyarrow as pa

from shoal.data.column_names import meanings_of, plain_words
from shoal.release.review import codes
from shoal.release.review.free_text import MIN_SENTENCES, is_free, share_of_sentences
from shoal.release.review.names import Says, says_whose, word_set
from shoal.release.review.person_names import has_the_form_of_a_name, share_of_names
from shoal.release.review.presidio import Analyzer, kind_of
from shoal.release.review.sampling import Sample
from shoal.release.review.shapes import Shape, shapes_of

Code = Literal["identifying-column", "free-text"]
IDENTIFYING: Code = "identifying-column"
FREE_TEXT: Code = "free-text"

# Shapes that identify, and the share of values from which on they do.
KINDS: dict[Shape, tuple[str, float]] = {
    "e-mail": ("e-mail addresses", 0.1),
    "iban": ("IBANs", 0.2),
    "social security": ("social security numbers", 0.2),
    "card": ("payment card numbers", 0.5),
    "url": ("URLs", 0.2),
    "handle": ("user names", 0.5),
    "ip": ("IP addresses", 0.5),
    "mac": ("device addresses", 0.5),
    "phone": ("telephone numbers", 0.5),
    "street": ("street addresses", 0.5),
    "coordinates": ("coordinates", 0.5),
    "uuid": (codes.KIND, 0.5),
    "hash": (codes.KIND, 0.5),
}
# Shapes of what many people can share, if it repeats: fewer different values, in fewer rows of their own.
SHARED: frozenset[Shape] = frozenset({"url", "ip", "mac", "phone", "street", "coordinates", "uuid", "hash"})
FEW_DIFFERENT, FEW_OWN = 5, 0.02
CONTACT = "a mail address, telephone number or device"
LATITUDE = word_set("lat latitude latitud latitudine breitengrad breite")
LONGITUDE = word_set("lon lng long longitude longitud longitudine langengrad lange")
PLACES = word_set("coordinates coordinate coord coords geo geom geometry point location position place gps home wkt")
FAR_OUT = 10  # degrees
NO_DEGREES = word_set("ms us ns sec seconds latency temp temperature duration time")
EXACT = re.compile(r"[-+]?\d{1,3}\.\d{3,}")  # degrees to about a hundred metres
DATES = word_set("date datum fecha data d")  # names that do not say which date it is
OF_THINGS = word_set("start end begin since until built construction founded hired contract opened closed valid expiry")
YEAR = re.compile(r"(?<!\d)(18[5-9]\d|19\d\d|20\d\d|21\d\d|22\d\d)")
MIN_SPAN, LATEST = 30, 2005  # years that dates of birth span, and the latest middle one
VARIED = 20  # rows of texts that nearly all differ


@dataclass(frozen=True)
class Content:
    """What the values of a column are: a kind in words, the code of the finding, and the share of values that are."""

    kind: str
    code: str
    share: float


@dataclass(frozen=True)
class Values:
    """The values of a column that are looked at, with what its name says."""

    name: str
    sample: Sample

    @cached_property
    def says(self) -> Says:
        """What the name says about whose rows they are."""
        return says_whose(self.name)

    @cached_property
    def means(self) -> frozenset[str]:
        """Everything that the name may mean."""
        return frozenset(meaning.what for meaning in meanings_of(self.name))

    @cached_property
    def shapes(self) -> Counter[Shape]:
        """The number of texts of each shape."""
        return shapes_of(self.sample.texts)

    def share(self, *shapes: Shape) -> float:
        """Return the share of texts that have one of the shapes."""
        return sum(self.shapes[shape] for shape in shapes) / len(self.sample.texts)


def content_of(
    name: str,
    column: pa.ChunkedArray | pa.Array,
    *,
    missing: Collection[str] = (),
    analyzer: Analyzer | None = None,
) -> Content | None:
    """Return what the values of a column are, if they identify people or are free text; otherwise None.

    At most 20,000 rows are looked at, all over the column. A type that has no texts, such as structs, has no content.

    analyzer  Presidio's analyzer, which is asked about texts of which nothing else is known

    >>> content_of("x", pa.array(["ann@example.org", "bob@example.org"]))
    Content(kind='e-mail addresses', code='identifying-column', share=1.0)
    """
    return content_of_sample(name, Sample.of(column, missing), analyzer)


def content_of_sample(name: str, sample: Sample, analyzer: Analyzer | None = None) -> Content | None:
    """Return what the values of a sample are: the first of FINDERS that fits, or what the analyzer finds."""
    if not sample.texts:
        return None
    values = Values(name, sample)
    found = next((found for find in FINDERS if (found := find(values))), None)
    if found is None and analyzer is not None and values.share("other", "full name") >= 0.5:
        kind = kind_of(sample.texts, analyzer)
        return None if kind is None else Content(kind[0], IDENTIFYING, kind[1])
    return found


def _by_shape(values: Values) -> Content | None:
    few = values.sample.different < FEW_DIFFERENT and values.sample.own < FEW_OWN
    for shape, share in values.shapes.most_common():
        if few and shape in SHARED:
            continue  # such as the servers, versions or sites of many rows
        if shape == "coordinates" and not _is_far_out(values):
            continue  # pairs of small numbers
        if shape == "phone" and values.says == "other" and CONTACT not in values.means:
            continue  # codes of drugs are written like telephone numbers
        if shape in KINDS and share >= KINDS[shape][1] * len(values.sample.texts):
            return Content(KINDS[shape][0], IDENTIFYING, share / len(values.sample.texts))
    if CONTACT in values.means:
        numbers = values.share("phone", "digits", "number", "range")
        long = sum(len(re.findall(r"\d", text)) >= 7 for text in values.sample.texts) / len(values.sample.texts)
        if numbers >= 0.5 and long >= 0.5:
            return Content("telephone numbers", IDENTIFYING, long)
    return None


def _is_far_out(values: Values) -> bool:
    """Return whether pairs of numbers can be places: their names say so, or they lie far from 0° N 0° E."""
    if {*plain_words(values.name)} & (LATITUDE | LONGITUDE | PLACES):
        return True
    pairs = [[abs(float(one)) for one in re.findall(r"\d+\.\d+", text)[:2]] for text in values.sample.texts]
    sizes = sorted(max(pair) for pair in pairs if len(pair) == 2)
    return not sizes or sizes[len(sizes) // 2] >= FAR_OUT


def _coordinates(values: Values) -> Content | None:
    words = {*plain_words(values.name)}
    if words & NO_DEGREES:
        return None
    limit = 90 if words & LATITUDE else 180 if words & LONGITUDE else 0
    texts = values.sample.texts
    exact = sum(EXACT.fullmatch(text) is not None and abs(float(text)) <= limit for text in texts) / len(texts)
    return Content("coordinates", IDENTIFYING, exact) if limit and exact >= 0.5 else None


def _births(values: Values) -> Content | None:
    """Find dates of birth by the name, or by years that span decades and lie decades back."""
    share = values.share("date")
    years = sorted(int(found[0]) for text in values.sample.texts if (found := YEAR.search(text)))
    if share < 0.8:
        return None
    if "a birth" in values.means:
        return Content("dates of birth", IDENTIFYING, share)
    words = {*plain_words(values.name)}
    if len(years) < 5 or words & OF_THINGS or (values.means and not words <= DATES):
        return None
    first, middle, last = (years[len(years) * percent // 100] for percent in (5, 50, 95))
    return Content("dates of birth", IDENTIFYING, share) if last - first >= MIN_SPAN and middle <= LATEST else None


def _people(values: Values) -> Content | None:
    """Find names of people: fewer of them need to be known if the column's name says that they are names."""
    texts = values.sample.texts
    if values.share("other", "full name", "code") < 0.8:
        return None
    known = share_of_names(texts)
    form = sum(map(has_the_form_of_a_name, texts)) / len(texts)
    if "the name of a person" in values.means and values.says == "name":
        letters = sum(any(map(str.isalpha, text)) for text in texts) / len(texts)
        return Content("names of people", IDENTIFYING, letters) if known or values.sample.different > 2 else None
    if values.says in ("name", "people"):
        enough = known >= 0.1 or (form >= 0.8 and known >= 0.02)
    elif values.says == "other":
        enough = known >= 0.5 and form >= 0.5
    else:
        enough = known >= (0.3 if form >= 0.5 else 0.4)
    return Content("names of people", IDENTIFYING, known) if enough else None


def _sentences(values: Values) -> Content | None:
    share = share_of_sentences(values.sample.texts)
    return Content("free text", FREE_TEXT, share) if share >= MIN_SENTENCES and is_free(values.sample) else None


def _varied(values: Values) -> Content | None:
    """Find texts of several words that nearly all differ, unless the name says that they are something else."""
    sample = values.sample
    if values.says == "other" or sample.seen < VARIED or sample.own < 0.9 or values.share("other", "full name") < 0.8:
        return None
    words = sum(len(text.split()) for text in sample.texts)
    return Content("free text", FREE_TEXT, 1.0) if words >= 2 * len(sample.texts) else None


def _codes(values: Values) -> Content | None:
    share = codes.share_of_codes(values.sample, values.shapes, values.says)
    return Content(codes.KIND, IDENTIFYING, share) if share else None


FINDERS: tuple[Callable[[Values], Content | None], ...] = (
    _by_shape,
    _coordinates,
    _births,
    _people,
    _sentences,
    _codes,
    _varied,
)
