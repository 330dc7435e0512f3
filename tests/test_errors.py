"""Errors are sentences of one line each, in any process."""

from __future__ import annotations

import pickle

from shoal.errors import InputError, VerificationError


def test_a_value_with_a_line_end_stays_in_its_line():
    assert str(InputError("'a\nb' is odd.")) == r"'a\nb' is odd."


def test_several_sentences_have_a_line_each_here_and_in_another_process():
    error = VerificationError("One is wrong.", "Two\tis wrong.")
    copy = pickle.loads(pickle.dumps(error))
    assert str(error) == str(copy) == "One is wrong.\nTwo\\tis wrong. Nothing was released."
    assert error.reason == copy.reason == "One is wrong.\nTwo\\tis wrong."


def test_the_closing_sentence_of_a_failed_check_is_a_field_that_another_process_keeps():
    error = VerificationError("One is wrong.", closing="No certificate was made.")
    assert str(error) == str(pickle.loads(pickle.dumps(error))) == "One is wrong. No certificate was made."
    assert str(VerificationError("One is wrong.", closing="")) == "One is wrong."


def test_a_sentence_has_an_end():
    said = str(InputError(f"{'x' * 5000} is too long."))
    assert len(said) <= 1001
    assert said.endswith("is too long.")
