"""How a search went, and figures, in words."""

from __future__ import annotations

from typing import Any

CLIP = 90  # characters of a label
SHUFFLED = "shuffled at random, so that another run gives the same rows in another order"


def search_in_words(search: dict[str, Any] | None, *, figures: bool = True) -> dict[str, str]:
    """How a search through a lattice went; its figures tell of the values of suppressed rows, too."""
    if search is None:
        return {}
    levels = ", ".join(f"{clipped(name)} {level}" for name, level in search["node"].items())
    if not figures:
        stopped = f"stopped before its end ({search['stopped']})" if search["stopped"] else ""
        ended = stopped or ("complete: no other levels are better" if search["bound"] is not None else "")
        return {"levels": levels} | ({"search": ended} if ended else {})
    looked = f"{search['checked_nodes']:,} of {search['lattice_nodes']:,} nodes looked at"
    value, bound = search["value"], search["bound"]
    if search["stopped"]:
        done = search["closed_nodes"] / search["lattice_nodes"]
        looked += f"; stopped ({search['stopped']}) with {percent(done)} of them closed"
        looked += f": {search['objective']} is {value:.6g}, at best {bound:.6g} is possible"
    elif bound is not None:
        looked += f"; none is better ({search['objective']} {value:.6g})"
    return {"levels": levels, "search": looked}


def certificate_in_words(certificate: dict[str, Any] | None) -> dict[str, str]:
    """Say what is known of the best possible release."""
    if certificate is None:
        return {}
    ended = " The search was ended before its time." if certificate["interrupted"] else ""
    objective = certificate["objective"].replace("_", " ")
    measured = f"The {objective} is {certificate['loss']:.4f}. " if objective != "loss" else ""
    return {"best possible": f"{measured}{certificate['sentence']}{ended}"}


def percent(share: float) -> str:
    """A share for people: 100 %, > 99.9 %, 28.0 %, 0.012 %; the ends are told of nothing else."""
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    if share > 0.999:
        return "> 99.9 %"
    if share < 0.00001:
        return "< 0.001 %"
    return f"{100 * share:.1f} %" if share >= 0.00995 else f"{100 * share:.2g} %"


def three_digits(share: float) -> str:
    """A measure from 0 to 1 with three digits; the ends are told of nothing else."""
    if share in (0, 1) or 0.001 <= share <= 0.999:
        return f"{share:.3f}"
    return "< 0.001" if share < 0.001 else "> 0.999"


def clipped(text: str) -> str:
    """A text that is not too long, in one line, without signs that cannot be seen; in quotes where nothing is left."""
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    if not line.strip():
        line = f'"{line}"'
    return line if len(line) <= CLIP else line[: CLIP - 1] + "…"


def blocks_in_words(blocks: dict[str, Any] | None) -> dict[str, str]:
    """How a table was cut into blocks, and what that cost."""
    if blocks is None:
        return {}
    cut = f"{blocks['different_rows']:,} different rows were worked on in {blocks['blocks']:,} blocks"
    cost = blocks["estimated_loss_of_cutting"]
    told = "what the cuts cost is not known" if cost is None else f"the cuts cost about {cost:.4f} of the loss"
    return {"blocks": f"{cut}; {told}"}
