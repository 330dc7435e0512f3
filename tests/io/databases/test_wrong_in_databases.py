"""Wrong tables in databases: what is read back is compared with the original before it is committed."""

from __future__ import annotations

from contextlib import closing

import pytest
from verification.wrong import ASKED, TABLE, TABLES

import shoal
from shoal import InputError, VerificationError
from shoal.io import databases

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


@pytest.mark.parametrize("kind", TABLES)
def test_a_wrong_table_is_not_committed(kind, clinic, monkeypatch):
    made = shoal.anonymize(TABLE, algorithm="mondrian", **ASKED)
    honest = databases.create

    def wrong(database, content, **options):
        honest(database, TABLES[kind](content), **options)

    monkeypatch.setattr(databases, "create", wrong)
    with pytest.raises(VerificationError) as refusal:
        made.save(clinic.url("safe"))
    assert str(refusal.value).endswith("Nothing was released.")
    with pytest.raises(InputError, match="there is no table"):
        shoal.read_database(clinic.url("safe"))


@pytest.mark.parametrize("statement", ["DELETE FROM {} WHERE ill = 'flu'", "UPDATE {} SET note = 'SECRET'"])
def test_a_table_that_changes_before_it_is_committed(statement, clinic, monkeypatch):
    made = shoal.anonymize(TABLE, algorithm="mondrian", **ASKED)
    honest = databases.create

    def wrong(database, content, **options):
        honest(database, content, **options)
        database.run(statement.format(database.quoted(*database.unfinished)))

    monkeypatch.setattr(databases, "create", wrong)
    with pytest.raises(VerificationError):
        made.save(clinic.url("safe"))


def test_the_right_table_is_committed(clinic):
    shoal.anonymize(TABLE, algorithm="mondrian", **ASKED).save(clinic.url("safe"))
    with closing(clinic.connect()) as connection:
        assert connection.execute("SELECT count(*) FROM safe").fetchone()[0] == TABLE.num_rows
