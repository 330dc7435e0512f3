"""The lattice of a full-domain release: figures of nodes, front, trade-off, plots, and the release of any node."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from contract.lists import DEFINITIONS
from full_domain_tables import heights, judging, trees_only
from oracles import lattice as oracle
from shoal import InfeasibleError, InputError, KAnonymity
from shoal.algorithms import ALGORITHMS, FullDomain
from shoal.release.lattice_explorer import Solutions

QUASI = ["sex", "race", "marital-status", "age"]
FULL_DOMAIN = ["bottom-up", "datafly", "full-domain", "incognito", "samarati"]


def made(**options):
    """Return a release of part of Adult."""
    table = shoal.datasets.adult(drop_missing=True).select([*QUASI, "occupation"]).slice(0, 3000)
    return shoal.anonymize(
        table,
        quasi_identifiers=QUASI,
        sensitive="occupation",
        hierarchies={n: t for n, t in shoal.datasets.adult_hierarchies().items() if n in QUASI},
        **{"model": KAnonymity(5), "algorithm": "full-domain", "max_suppression": 0.02} | options,
    )


@given(table=trees_only(), pair=st.sampled_from(DEFINITIONS), budget=st.integers(0, 6))
@settings(max_examples=150, deadline=None)
def test_facts_are_those_of_brute_force(table, pair, budget):
    model, definition = pair
    try:
        found = FullDomain().recode(table, model, max_suppressed=budget)
    except InfeasibleError:
        assume(False)
    whole = Solutions.of(found, FullDomain(), lambda recoding: None).complete()
    verdict = judging(table, definition, len(table.weights))
    for one in whole.facts():
        expected = verdict(one.node)
        if expected is None:
            assert (one.classes, one.suppressed, one.loss, one.satisfied) == (0, len(table.weights), 1.0, False)
        else:
            assert (one.classes, one.suppressed) == (len(expected.groups), len(expected.suppressed))
            assert one.loss == float(expected.loss / (len(table.weights) * len(table.quasi)))
            assert one.satisfied == (len(expected.suppressed) <= budget)
    assert len(whole.facts()) == len(list(oracle.nodes([0] * len(table.quasi), heights(table))))
    front = whole.front()
    for one in whole.facts():
        assert not one.classes or any(f.loss <= one.loss and f.suppressed <= one.suppressed for f in front)
    for limit in whole.trade_off(range(len(table.weights) + 1)):
        losses = [one.loss for one in whole.facts() if one.classes and one.suppressed <= limit.limit]
        assert (limit.value is None) == (not losses)
        assert not losses or limit.value == pytest.approx(min(losses), abs=1e-12)


@pytest.mark.parametrize("algorithm", FULL_DOMAIN)
def test_every_full_domain_algorithm_tells_what_it_looked_at(algorithm):
    release = made(algorithm=algorithm)
    assert release.lattice.node == release.report.search["node"]
    assert release.report.search["lattice_nodes"] == release.lattice.size
    assert release.lattice.found.node in release.lattice.checked
    chosen = next(one for one in release.lattice.facts() if one.node == release.lattice.found.node)
    assert chosen.satisfied
    assert chosen.loss == pytest.approx(release.report.metrics["loss"], abs=1e-12)
    assert chosen.suppressed == release.report.suppressed_rows
    assert chosen.classes == release.report.classes
    assert release.report.search["value"] == pytest.approx(release.report.metrics["loss"], abs=1e-12)


def test_other_algorithms_have_none():
    release = made(algorithm="mondrian")
    assert release.lattice is None
    assert release.report.search is None
    assert set(FULL_DOMAIN) == {name for name, kind in ALGORITHMS.items() if kind().needs_hierarchies}


def test_any_solution_can_be_released(tmp_path):
    release = made()
    facts = release.lattice.complete().facts()
    for one in [one for one in facts if one.satisfied][::7]:
        other = release.lattice.apply(one.node)
        assert other.report.k >= 5
        assert other.report.metrics["loss"] == pytest.approx(one.loss, abs=1e-12)
        assert other.report.suppressed_rows == one.suppressed
        assert other.lattice.found.node == one.node
        assert other.report.search["node"] == dict(zip(QUASI, one.node, strict=True))
    by_name = release.lattice.apply(dict(reversed(release.lattice.node.items())))
    assert by_name.frame.equals(release.frame)
    by_name.save(tmp_path / "safe.csv")


def test_nodes_that_are_no_solutions_are_refused():
    lattice = made(max_suppression=0).lattice
    failing = next(one for one in lattice.complete().facts() if not one.satisfied)
    for node, message in [
        (failing.node, rf"does not satisfy k = 5: {failing.suppressed:,} rows are in classes that fail, 0 may be supp"),
        ((0, 0), "A node has a whole number for each of sex, race, marital-status, age"),
        ((0, 0, 0, "1"), "A node has a whole number for each of"),
        ((0, 0, 0, 99), "Column 'age' has levels 0 to"),
        ({"sex": 1}, "A node has a level for each of sex, race, marital-status, age: 'race' does not fit"),
        ({**lattice.node, "zip": 1}, "'zip' does not fit"),
    ]:
        with pytest.raises(InputError, match=message):
            lattice.apply(node)


def test_nodes_as_a_table_and_as_a_file(tmp_path):
    lattice = made().lattice
    looked = lattice.table()
    assert looked.column_names[:4] == [f"level {name}" for name in QUASI]
    assert looked.num_rows == len(lattice.checked) < lattice.size
    whole = lattice.complete()
    path = whole.to_csv(tmp_path / "nodes.csv")
    written = pyarrow.csv.read_csv(path)
    assert written.num_rows == lattice.size
    assert sum(written["chosen"].to_pylist()) == 1
    assert sum(written["checked"].to_pylist()) == looked.num_rows
    assert written.select(["loss", "suppressed", "satisfied"]).equals(
        whole.table().select(["loss", "suppressed", "satisfied"])
    )


def test_more_suppression_never_loses_more():
    lattice = made(max_suppression=0).lattice
    limits = lattice.trade_off()
    assert [limit.limit for limit in limits] == list(range(0, 301, 30))
    assert all(limit.suppressed <= limit.limit and limit.proven for limit in limits)
    values = [limit.value for limit in limits]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[-1]
    assert lattice.trade_off([0.5])[0].limit == 1500


def test_plots(tmp_path):
    lattice = made().lattice
    lattice.plot(tmp_path / "lattice.png")
    lattice.plot_front(tmp_path / "front.svg")
    assert (tmp_path / "lattice.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "front.svg").read_text()
    with pytest.raises(InputError, match=r"a plot is a \.png, \.svg or \.pdf file"):
        lattice.plot(tmp_path / "lattice.txt")


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_a_lattice_that_is_too_large_for_a_page(tmp_path):
    many = pa.table({f"q{j}": [str(row >> j & 1) for row in range(512)] for j in range(9)} | {"x": ["y"] * 512})
    release = shoal.anonymize(
        many, quasi_identifiers=[f"q{j}" for j in range(9)], model=KAnonymity(4), algorithm="full-domain"
    )
    assert release.report.k >= 4
    with pytest.raises(InputError, match="A lattice of 512 nodes does not fit on a page"):
        release.lattice.plot(tmp_path / "lattice.png")
    release.lattice.plot_front(tmp_path / "front.png")
