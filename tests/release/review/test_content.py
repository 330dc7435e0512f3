"""What the values of a column are: columns that must be found, and columns that must not."""

from __future__ import annotations

import pytest

from release.review.columns import MUST, MUST_NOT, arrow
from shoal.release.review.content import content_of


def test_the_lists_are_long_enough():
    assert len(MUST) >= 60
    assert len(MUST_NOT) >= 60


@pytest.mark.parametrize(("name", "values", "kind"), MUST)
def test_columns_that_identify_are_found(name, values, kind):
    found = content_of(name, arrow(values))
    assert found is not None
    assert found.kind == kind
    assert found.code == ("free-text" if kind == "free text" else "identifying-column")
    assert 0 < found.share <= 1


@pytest.mark.parametrize(("name", "values"), MUST_NOT)
def test_other_columns_do_not_alarm(name, values):
    assert content_of(name, arrow(values)) is None
