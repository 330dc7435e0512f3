"""Households of a survey: counted anew from the released rows and the household of each, in plain Python."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict

import pytest

import shoal

OF_HOUSEHOLDS = ["urbrur", "roof", "walls", "water", "electcon"]
OF_MEMBERS = ["relat", "sex", "age", "hhcivil"]
KEY = "a secret of at least 16 bytes"


def shared_by(rows: list[dict[str, str]]) -> Counter:
    """Count the households that have each pair of household labels and multiset of member labels."""
    members, labels = defaultdict(list), {}
    for row in rows:
        own = tuple(row[name] for name in OF_HOUSEHOLDS)
        labels.setdefault(row["ori_hid"], set()).add(own)
        members[row["ori_hid"]].append((*own, *(row[name] for name in OF_MEMBERS)))
    return Counter((tuple(sorted(labels[one])), tuple(sorted(members[one]))) for one in members)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize(("k", "bar"), [(5, 0.1075), (10, 0.1776)])
def test_no_household_is_shared_by_fewer_than_k(reference_data, tmp_path, k, bar):
    source = reference_data / "sdc" / "testdata.csv"
    with source.open(newline="") as file:
        original = list(csv.DictReader(file))
    others = [name for name in original[0] if name not in (*OF_HOUSEHOLDS, *OF_MEMBERS, "ori_hid")]
    release = shoal.anonymize(
        source,
        quasi_identifiers=[*OF_HOUSEHOLDS, *OF_MEMBERS],
        identifying=others,
        group="ori_hid",
        pseudonymize="ori_hid",  # so that the households can be seen here
        key=KEY,
        model=shoal.KAnonymity(k),
        max_suppression=0.05,
    )
    release.save(tmp_path / "safe.csv")
    with (tmp_path / "safe.csv").open(newline="") as file:
        released = list(csv.DictReader(file))
    before, after = shared_by(original), shared_by(released)
    assert sum(count for count in before.values() if count < k) > 0.9 * sum(before.values())
    assert min(after.values()) >= k
    assert sum(after.values()) >= 0.95 * sum(before.values())
    assert len(released) >= 0.95 * len(original)
    assert release.report.metrics["loss"] <= bar
