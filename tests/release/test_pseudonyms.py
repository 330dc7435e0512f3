"""Pseudonyms: a keyed hash of each identifier, the same for the same person and useless without the key."""

from __future__ import annotations

import hashlib
import hmac

import pyarrow as pa
import pytest

import shoal
from shoal import InputError, KAnonymity
from shoal.release.pseudonyms import pseudonyms

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

KEY = "sixteen bytes !!"


def hashed(values, key=KEY, name="id"):
    return pseudonyms(name, pa.chunked_array([pa.array(values)]), key).to_pylist()


def test_a_pseudonym_is_the_hmac_of_column_and_value():
    expected = hmac.new(KEY.encode(), b"id\0Ann", hashlib.sha256).hexdigest()[:32]
    assert hashed(["Ann"]) == [expected]


def test_equal_values_are_alike_and_others_are_not():
    first, second, third = hashed(["Ann", "Bob", "Ann"])
    assert first == third != second


def test_missing_stays_missing():
    assert hashed([None, "Ann"])[0] is None
    assert hashed(pa.nulls(2)) == [None, None]


def test_key_and_column_change_the_pseudonym():
    assert len({*hashed(["Ann"]), *hashed(["Ann"], key="another key of 16"), *hashed(["Ann"], name="mother")}) == 3


def test_a_number_has_the_pseudonym_of_its_text():
    assert hashed([7]) == hashed([7.0]) == hashed(["7"])
    assert hashed(["007"]) != hashed(["7"])


def test_a_key_is_bytes_or_text():
    assert hashed(["Ann"], key=KEY.encode()) == hashed(["Ann"])


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        (None, "Column 'id' can only be pseudonymized with a secret key: give key=… or --key-file."),
        ("short", "The key has 5 bytes: use a random one of at least 16."),
        (b"", "The key has 0 bytes: use a random one of at least 16."),
        (12345678901234567890, "The key must be bytes or text, not int."),
    ],
)
def test_a_key_that_protects_nothing_is_refused(key, sentence):
    with pytest.raises(InputError) as error:
        hashed(["Ann"], key=key)
    assert str(error.value) == sentence


def test_only_the_pseudonymized_column_changes():
    table = pa.table({"id": [1, 2], "age": [30, 30], "note": ["a", "b"]})
    release = shoal.anonymize(table, quasi_identifiers="age", model=KAnonymity(2), pseudonymize="id", key=KEY)
    assert release.frame.to_pydict() == {"id": hashed([1, 2]), "age": [30, 30], "note": ["a", "b"]}
    assert KEY not in release.report.to_json()


def test_a_release_does_not_hold_the_key():
    table = pa.table({"id": ["a", "b", "c", "d"], "zip": ["1", "1", "2", "2"]})
    release = shoal.anonymize(
        table, quasi_identifiers="zip", pseudonymize="id", key=KEY, model=KAnonymity(2), algorithm="full-domain"
    )
    counted = release.lattice.release_of.args[0]
    assert (release.request.key, counted.request.key) == (None, None)
    assert release.lattice.apply({"zip": 1}).frame["id"] == release.frame["id"]
