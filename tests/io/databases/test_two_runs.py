"""Two runs that create the same database file: one wins, the other fails with a message, nothing is mixed."""

from __future__ import annotations

import threading

import pytest

import shoal
from shoal.io.databases import Address, check_output, opened

KINDS = ["sqlite", "duckdb"]
ASKED = {"quasi_identifiers": "age", "model": shoal.KAnonymity(2)}


@pytest.fixture(params=KINDS)
def address(request, tmp_path, monkeypatch):
    if request.param == "duckdb":
        pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_text("age\n" + "1\n" * 6)
    return f"{request.param}:///new.db"


def content(address):
    return shoal.read(address).to_arrow().num_rows


def test_a_check_in_vain_does_not_take_the_file_of_another_run(address, tmp_path):
    release = shoal.anonymize("in.csv", **ASKED)
    with opened(Address.of(f"{address}#other"), write=True):  # as a run that has just begun
        release.save(f"{address}#safe")
    assert content(f"{address}#safe") == 6
    check_output(Address.of(f"{address}#other"), replace=False, inputs=frozenset())
    assert content(f"{address}#safe") == 6
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "new.db"]


def test_of_two_runs_one_wins_and_one_ends_with_a_sentence(address, tmp_path, monkeypatch):
    release = shoal.anonymize("in.csv", **ASKED)
    ready, outcomes = threading.Barrier(2), []
    from shoal.io.databases import create

    def slow(*given, **options):
        create(*given, **options)
        ready.wait(30)  # both have filled their table, none has committed

    monkeypatch.setattr("shoal.io.databases.create", slow)

    def run(table):
        try:
            release.save(f"{address}#{table}")
            outcomes.append("made")
        except shoal.InputError as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=run, args=(table,)) for table in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome == "made" for outcome in outcomes) == [False, True]
    refused = next(outcome for outcome in outcomes if outcome != "made")
    assert refused.endswith("another run created this file meanwhile; it was left unchanged. Run again.")
    winner = "one" if "#two" in refused else "two"
    assert content(f"{address}#{winner}") == 6
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "new.db"]
