"""An attack in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from shoal.cli.show.tables import bar, count_and_share, headed
from shoal.data.classes import PEOPLE, ROWS, Noun

if TYPE_CHECKING:
    from shoal.analysis.attack.attack import Attack
    from shoal.analysis.attack.criteria import Criteria
    from shoal.analysis.attack.experiment import Experiment
    from shoal.analysis.attack.findings import Findings

# The smallest number of matching rows, or people, of each bin.
BINS = {"1 {one}": 1, "2 to 4 {many}": 2, "5 to 9 {many}": 5, "10 to 99 {many}": 10, "100 {many} or more": 100}


def show_attack(attack: Attack) -> None:
    """Print who is found and what is learned, before and after anonymization if the original is given."""
    findings = [*([attack.original] if attack.original else []), attack.released]
    heads = ["before", "after"] if attack.original else ["found"]
    title = f"An attacker who knows {', '.join(attack.known)} of {attack.people:,} people"
    facts = headed(title, "", *heads, right=heads, box=None, padding=(0, 2))
    noun = PEOPLE if all(found.candidates == PEOPLE.many for found in findings) else ROWS
    if any(found.candidates == PEOPLE.many for found in findings) and noun == ROWS:
        noun = Noun("candidate", "candidates")  # rows in one of the tables, and people in the other
    several = attack.unit is not None
    for lines in zip(*(_facts(found, noun, attack.k, several=several) for found in findings), strict=True):
        facts.add_row(escape(lines[0][0]), *(value for _, value in lines))
    bins = headed(f"People by the number of {noun.many} that match them", "", *heads, box=None, padding=(0, 2))
    counts_by_bin = [_binned(table, noun) for table in findings]
    for name in counts_by_bin[0]:
        bins.add_row(name, *(f"{bar(counts[name] / attack.people)} {counts[name]:,}" for counts in counts_by_bin))
    console = Console()
    console.print(facts)
    console.print()
    console.print(bins)


def show_experiments(result: Experiment | Criteria) -> None:
    """Print how often each attack succeeds, on people of the release and on the control, and what it means."""
    from shoal.analysis.attack.criteria import Criteria
    from shoal.analysis.attack.experiment import WORDS, percent

    experiments = list(result.experiments.values()) if isinstance(result, Criteria) else [result]
    heads = ["tries", "right", "control", "risk", "interval"]
    known = ", ".join(experiments[0].known)
    table = headed(f"An attacker who knows {known}", "", "", *heads, right=heads, box=None, padding=(0, 1))
    table.columns[0].no_wrap = True
    for experiment in experiments:
        for one in experiment.comparisons:
            low, high = one.interval
            cells = (f"{one.attack.attacks:,}", f"{one.attack.rate:.1%}", f"{one.control.rate:.1%}", percent(one.risk))
            title = WORDS[experiment.kind].title
            table.add_row(title, escape(one.about), *cells, f"{percent(low)} – {percent(high)}")
    console = Console()
    console.print(table)
    console.print()
    if isinstance(result, Criteria):
        console.print(result.sentence, markup=False, highlight=False)
    for experiment in experiments:
        console.print(f"{WORDS[experiment.kind].title}: {experiment.sentence}", markup=False, highlight=False)
    if not any(one.held_out for experiment in experiments for one in experiment.comparisons):
        console.print("Nobody was held out: the control are guesses made without the release.", style="dim")


def _facts(findings: Findings, noun: Noun, k: int, *, several: bool) -> list[tuple[str, str]]:
    found = f"exactly one {noun.one} matches" if k == 2 else f"fewer than {k:,} {noun.many} match"
    facts = [(f"found: {found}", count_and_share(findings.linked, findings.people))]
    if several:
        facts.append(("  by one of their rows alone", count_and_share(findings.linked_by_one_row, findings.people)))
    facts += [
        (f"not found: no {noun.one} matches", count_and_share(findings.unmatched, findings.people)),
        (f"fewest {noun.many} that match a person", f"{findings.smallest:,}"),
        (f"{noun.many} that match a person, on average", f"{findings.average:,.1f}"),
    ]
    for name, learned in findings.learned.items():
        facts += [
            (f"{name} learned with certainty", count_and_share(learned.certain, findings.people)),
            (f"{name} guessed, average confidence", f"{learned.average_confidence:.1%}"),
            (f"{name} guessed, highest confidence", f"{learned.highest_confidence:.1%}"),
            ("  average gain over blind guessing", f"+{learned.average_gain:.1%}"),
            ("  highest gain over blind guessing", f"+{learned.highest_gain:.1%}"),
        ]
    return facts


def _binned(findings: Findings, noun: Noun) -> dict[str, int]:
    """Count the people by their number of matching rows, or people."""
    bins = {name.format(one=noun.one, many=noun.many): least for name, least in BINS.items()}
    counts = {f"no {noun.one}": findings.unmatched, **dict.fromkeys(bins, 0)}
    for size, people in findings.sizes.items():
        counts[next(name for name, least in reversed(bins.items()) if size >= least)] += people
    return counts
