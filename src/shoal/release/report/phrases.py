"""How a search went, and figures, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.data.unit import WORDS
from shoal.metrics import METRICS

MAX_CHARACTERS = 90  # of a label
SHUFFLED = "shuffled at random: another run gives the same rows in another order"


def search_in_words(search: dict[str, Any] | None, *, figures: bool = True) -> dict[str, str]:
    """Describe a search through a lattice; leave out its figures if they would disclose values of suppressed rows."""
    if search is None:
        return {}
    levels = ", ".join(f"{clipped(name)} {level}" for name, level in search["node"].items())
    if not figures:
        stopped = f"stopped early ({search['stopped']})" if search["stopped"] else ""
        ended = stopped or ("complete: no other levels are better" if search["bound"] is not None else "")
        return {"levels": levels} | ({"search": ended} if ended else {})
    outcome = f"{search['checked_nodes']:,} of {search['lattice_nodes']:,} nodes looked at"
    value, bound = search["value"], search["bound"]
    if search["stopped"]:
        closed = search["closed_nodes"] / search["lattice_nodes"]
        outcome += f"; stopped ({search['stopped']}) with {percent(closed)} of them closed"
        outcome += f": {search['objective']} is {value:.6g}, at best {bound:.6g} is possible"
    elif bound is not None:
        outcome += f"; none is better ({search['objective']} {value:.6g})"
    elif search["objective"] in METRICS and search["objective"] != "loss":
        outcome += f"; {METRICS[search['objective']].title} {value:.6g}"
    return {"levels": levels, "search": outcome}


def certificate_in_words(certificate: dict[str, Any] | None) -> dict[str, str]:
    """Say what is known of the best possible release."""
    if certificate is None:
        return {}
    ended = " The search was ended before its time." if certificate["interrupted"] else ""
    objective = certificate["objective"].replace("_", " ")
    measured = f"The {objective} is {certificate['loss']:.4f}. " if objective != "loss" else ""
    return {"best possible": f"{measured}{certificate['sentence']}{ended}"}


def people_in_words(people: dict[str, Any] | None) -> dict[str, str]:
    """Say who was counted, what was promised to them, and which columns change from row to row."""
    if people is None:
        return {}
    each = people["rows_per_person"]
    whose = f"by {clipped(people['unit'])!r}" if people["unit"] is not None else "each row is one"
    words = {
        "people": f"{people['people']:,} ({whose}), {each:g} rows each on average, at most "
        f"{people['most_rows_of_a_person']:,}"
    }
    words["what is promised"] = WORDS[people["promise"]]
    words["largest share"] = (
        f"one person has at most {percent(people['largest_share_of_a_class'])} of the rows of a class"
    )
    if people["varying"]:
        changing = ", ".join(f"{clipped(name)} ({count:,} people)" for name, count in people["varying"].items())
        words["differs between rows of a person"] = changing
    if people.get("shifted_dates"):
        words["shifted dates"] = ", ".join(map(clipped, people["shifted_dates"]))
    return words


def ranges_in_words(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Say what the ends of ranges tell about people, if they were moved."""
    ranges = parameters.get("ranges")
    if ranges is None:
        return {}
    names = ", ".join(map(clipped, ranges["scales"]))
    if ranges["kind"] == "closed":
        return {
            "ranges": f"The ranges of {names} end where the table was cut into cells, not at the values of the people "
            f"in a class."
        }
    scales = "; ".join(
        f"{clipped(name)} by 0 to {scale['steps'] - 1} steps on the scale {', '.join(scale['first'])} … {scale['last']}"
        for name, scale in ranges["scales"].items()
    )
    stop = "at the cut of its cell" if ranges["stopped_at"] == "cuts" else "halfway to the nearest person outside"
    return {
        "ranges": f"The ranges of {names} do not end at the outermost values of their classes: each end was moved "
        f"outward by a secret number of steps, all of them equally likely, and stopped {stop} ({scales}). Whoever sees "
        f"an end that was not stopped cannot tell which of so many values the outermost person has."
    }


def percent(share: float) -> str:
    """Write a share as 100 %, > 99.9 %, 28.0 % or 0.012 %; only the exact ends are written as 0 % and 100 %."""
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    if share > 0.999:
        return "> 99.9 %"
    if share < 0.00001:
        return "< 0.001 %"
    return f"{100 * share:.1f} %" if share >= 0.00995 else f"{100 * share:.2g} %"


def four_digits(share: float) -> str:
    """Write a loss from 0 to 1 with four digits; only the exact ends are written as 0.0000 and 1.0000."""
    if share in (0, 1) or 0.0001 <= share <= 0.9999:
        return f"{share:.4f}"
    return "< 0.0001" if share < 0.0001 else "> 0.9999"


def loss_name(*, suppressed: int) -> str:
    """Return the name of a published loss: beside suppressed rows it is another figure than the loss (LM)."""
    return "loss (LM) by released values" if suppressed else "loss (LM)"


def clipped(text: str) -> str:
    """Shorten a text to one line of visible characters; put it in quotes if it is blank."""
    line = "".join(character if character.isprintable() else " " for character in text)
    if not line.strip():
        line = f'"{line}"'
    return line if len(line) <= MAX_CHARACTERS else line[: MAX_CHARACTERS - 1] + "…"


def blocks_in_words(blocks: dict[str, Any] | None) -> dict[str, str]:
    """Describe how a table was cut into blocks, and the loss that this caused."""
    if blocks is None:
        return {}
    cut = f"{blocks['different_rows']:,} distinct rows were processed in {blocks['blocks']:,} blocks"
    cost = blocks["estimated_loss_of_cutting"]
    effect = (
        "the loss caused by the cuts is unknown" if cost is None else f"the cuts caused about {cost:.4f} of the loss"
    )
    return {"blocks": f"{cut}; {effect}"}
