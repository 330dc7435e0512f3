"""An intersection of releases in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from shoal.cli.show.tables import bar, count_and_share, headed, show_facts

if TYPE_CHECKING:
    from shoal.analysis.intersection.intersection import Intersection

MAX_SIZES = 8  # numbers of candidate rows that are listed one by one


def show_intersection(intersection: Intersection) -> None:
    """Print what several releases reveal together."""

    def people(count: int) -> str:
        return count_and_share(count, intersection.people)

    facts = {
        "people in all releases": f"{intersection.people:,}",
        "smallest class of each release alone": ", ".join(f"{size:,}" for size in intersection.alone),
        "fewest candidate rows of a person": f"{intersection.smallest:,}",
        f"people with fewer than {intersection.k:,}": people(intersection.below),
    }
    for name, learned in intersection.learned.items():
        facts |= {
            f"{name} certain from one release alone": people(learned.alone),
            f"{name} certain from all together": people(learned.certain),
            f"fewest candidate values of {name}": f"{learned.fewest:,}",
            f"no common value of {name}": people(learned.none),
        }
    show_facts(f"What {len(intersection.alone)} releases reveal together", facts)
    table = headed("People by candidate rows", show_header=False, box=None)
    sizes = sorted(intersection.sizes.items())
    for size, count in sizes[:MAX_SIZES]:
        table.add_row(f"{size:,}", f"{bar(count / max(1, intersection.people))} {count:,}")
    if len(sizes) > MAX_SIZES:
        table.add_row("more", f"{sum(count for _, count in sizes[MAX_SIZES:]):,}")
    Console().print(table)
