"""What the figures of a comparison say, in sentences that are computed from them."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.comparison.comparison import Cell, Comparison

SHORT = {"loss": "LM", "loss_rows": "LM", "loss_sum": "LM", "distortion": "MD", "certainty_penalty": "NCP"}
TIME = "time"
SOON = 1.0  # seconds that nobody minds to wait
SHOWN = 4  # algorithms in an enumeration

Means = dict[int, dict[str, float]]  # by k, then by algorithm


def discussion(found: Comparison) -> list[str]:
    """Who loses least, who is fastest, where the order changes, what k, ℓ and repeating do, and whom to prefer."""
    costs = [measure for measure in found.measures if measure != TIME]
    main = costs[0] if costs else None
    said: list[str] = []
    if main:
        said += _least(found, main) + _changes(found, main)
        said += [sentence for other in costs[1:] for sentence in _agreement(found, main, other)]
    if TIME in found.measures:
        said += _fastest(found)
    if main:
        said += _growth(found, main) + _diversity(found, main)
    if main and TIME in found.measures:
        said += _trade_off(found, main)
    if main:
        said += _spread(found, main)
    return said + _failures(found)


def figure(value: float | None, deviation: float = 0.0) -> str:
    """A figure as it is read, of three or four digits, and its deviation to the same places."""
    if value is None:
        return "–"
    size = floor(log10(abs(value))) if value else 0
    places = max(0, (3 if size >= 0 else 1 if deviation and size < -2 else 2) - size)
    text = f"{value:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if places and not deviation else text
    spread = f"{deviation:,.{places}f}"
    return f"{text} ± {spread}" if spread.strip("0.") else text


def short(measure: str) -> str:
    """A measure's name within a sentence."""
    return SHORT.get(measure, measure.replace("_", " "))


def rank(measure: str, value: float) -> float:
    """A number that is lower the better a value is."""
    from shoal.comparison.comparison import HIGHER_IS_BETTER

    return -value if measure in HIGHER_IS_BETTER else value


def _means(found: Comparison, measure: str) -> Means:
    """The means against k, for those k at which all algorithms have one."""
    means: Means = {}
    for name, line in found.by_k.items():
        for k, cell in line:
            mean = cell.mean(measure)
            if mean is not None:
                means.setdefault(k, {})[name] = mean
    return {k: values for k, values in sorted(means.items()) if len(values) == len(found.by_k)}


def _winners(means: Means, measure: str) -> list[tuple[int, str]]:
    """For each k the best algorithm."""
    return [(k, min(values, key=lambda name: rank(measure, values[name]))) for k, values in means.items()]


def _stretches(winners: list[tuple[int, str]]) -> str:
    """Who wins where: `a at every k`, or `a up to k = 8, b from k = 16 on`."""
    stretches: list[tuple[str, list[int]]] = []
    for k, name in winners:
        if stretches and stretches[-1][0] == name:
            stretches[-1][1].append(k)
        else:
            stretches.append((name, [k]))
    if len(stretches) == 1:
        return f"{stretches[0][0]} at every k" if len(winners) > 1 else f"{stretches[0][0]} at k = {winners[0][0]}"
    first, *middle, last = stretches
    parts = [f"{first[0]} up to k = {first[1][-1]}"]
    parts += [f"{name} at k = {', '.join(map(str, ks))}" for name, ks in middle]
    return ", ".join([*parts, f"{last[0]} from k = {last[1][0]} on"])


def _least(found: Comparison, main: str) -> list[str]:
    means = _means(found, main)
    if not means or len(found.by_k) < 2:
        return []
    said = []
    for k in (min(means), max(means))[: len(means)]:
        order = _order(means[k], main)
        parts = [f"{name} {figure(means[k][name])}" for name in order]
        said.append(f"at k = {k} " + ", ".join(parts if len(parts) <= SHOWN else [*parts[:3], "…", parts[-1]]))
    return [f"{_best(main)} {short(main)}: {_stretches(_winners(means, main))} ({'; '.join(said)})."]


def _best(measure: str) -> str:
    return "Lowest" if rank(measure, 1) > 0 else "Highest"


def _changes(found: Comparison, main: str) -> list[str]:
    """Where one algorithm overtakes another by more than repeating changes."""
    cells = {name: dict(line) for name, line in found.by_k.items()}
    ks = list(_means(found, main))
    if len(ks) < 2 or len(cells) < 2:
        return []
    said = []
    for one, other in combinations(cells, 2):
        clear = [(k, gap) for k in ks if (gap := _gap(cells[one][k], cells[other][k], main))]
        for (k, before), (next_k, after) in pairwise(clear):
            if before * after < 0:
                ahead, behind = (one, other) if after < 0 else (other, one)
                said.append((next_k, f"between k = {k} and {next_k} {ahead} overtakes {behind}"))
    if not said:
        return [f"By {short(main)} no algorithm clearly overtakes another as k grows."]
    return [f"The order by {short(main)} changes: {'; '.join(sentence for _, sentence in sorted(said)[:SHOWN])}."]


def _gap(one: Cell, other: Cell, measure: str) -> float:
    """How much worse one cell is than another; 0 where repeating makes as much difference."""
    gap = rank(measure, _mean(one, measure)) - rank(measure, _mean(other, measure))
    return gap if abs(gap) > one.spread(measure) + other.spread(measure) else 0.0


def _agreement(found: Comparison, main: str, other: str) -> list[str]:
    """Whether another measure puts the algorithms into the same order."""
    first, second = _means(found, main), _means(found, other)
    shared = [k for k in first if k in second]
    if not shared or len(found.by_k) < 2:
        return []
    differ = [k for k in shared if _order(first[k], main) != _order(second[k], other)]
    if not differ:
        return [f"{short(other)} puts them into the same order as {short(main)} at every k."]
    order = _order(second[differ[-1]], other)
    example = " before ".join(order if len(order) <= SHOWN else [*order[:3], "the others"])
    at = f"at k = {', '.join(map(str, differ[:-1]))} and at" if len(differ) > 1 else "at"
    return [f"{short(other)} sees another order than {short(main)} {at} k = {differ[-1]}: there it has {example}."]


def _order(values: dict[str, float], measure: str) -> list[str]:
    return sorted(values, key=lambda name: rank(measure, values[name]))


def _fastest(found: Comparison) -> list[str]:
    means = _means(found, TIME)
    if not means or len(found.by_k) < 2:
        return []
    average = {name: sum(values[name] for values in means.values()) / len(means) for name in found.by_k}
    slowest = max(average, key=lambda name: average[name])
    quickest = min(average, key=lambda name: average[name])
    return [
        f"Fastest: {_stretches(_winners(means, TIME))}. On average over k, {quickest} takes "
        f"{figure(average[quickest])} s and the slowest, {slowest}, {figure(average[slowest])} s, "
        f"{_times(average[slowest] / average[quickest])} as long."
    ]


def _growth(found: Comparison, main: str) -> list[str]:
    """What k does to the cost and to the time."""
    said = []
    for measure, subject in ((main, short(main)), (TIME, "the time in seconds")):
        means = _means(found, measure) if measure in found.measures else {}
        if len(means) < 2:
            continue
        low, high = min(means), max(means)
        names = _order(_means(found, main)[high], main)[:SHOWN] if high in _means(found, main) else list(found.by_k)
        parts = [f"{name} {figure(means[low][name])} → {figure(means[high][name])}" for name in names]
        said.append(f"From k = {low} to {high} {subject} goes: {', '.join(parts)}.")
    return said


def _diversity(found: Comparison, main: str) -> list[str]:
    """What ℓ does at the fixed k."""
    said, where = [], f"At k = {found.fixed_k},"
    for name, line in found.by_l.items():
        ends = [(l, cell) for l, cell in line if cell.failure is None]  # noqa: E741
        if len(ends) < 2:
            continue
        (low, first), (high, last) = ends[0], ends[-1]
        before, after = _mean(first, main), _mean(last, main)
        same = [l for l, cell in ends if _mean(cell, main) == before]  # noqa: E741
        if len(same) == len(ends):
            sentence = f"{where} ℓ up to {high} costs {name} nothing more ({short(main)} {figure(before)})"
        else:
            change = f" ({100 * (after - before) / before:+.0f} %)" if before else ""
            steps = f"from {figure(before)} to {figure(after)}{change}"
            sentence = f"{where} ℓ from {low} to {high} takes {short(main)} of {name} {steps}"
            sentence += f"; up to ℓ = {same[-1]} nothing changes" if len(same) > 1 else ""
        if TIME in found.measures:
            sentence += f"; the time from {figure(_mean(first, TIME))} to {figure(_mean(last, TIME))} s"
        said.append(sentence + ".")
    return said


def _trade_off(found: Comparison, main: str) -> list[str]:
    """Who is beaten in both cost and time at a middle k, and what the others trade."""
    costs, times = _means(found, main), _means(found, TIME)
    shared = [k for k in costs if k in times]
    if not shared or len(found.by_k) < 2:
        return []
    k = shared[len(shared) // 2]
    cost, time = costs[k], times[k]
    beaten = [
        name
        for name in cost
        if any(rank(main, cost[other]) < rank(main, cost[name]) and time[other] < time[name] for other in cost)
    ]
    best, quick = _order(cost, main)[0], _order(time, TIME)[0]
    said = []
    if best == quick:
        said.append(f"At k = {k} there is nothing to trade: {best} has the lowest {short(main)} and is the fastest.")
    else:
        share = 100 * (1 - cost[best] / cost[quick]) if main != "precision" and cost[quick] else 0.0
        said.append(
            f"The trade-off at k = {k}: {best} has {share:.0f} % less {short(main)} than {quick}, the fastest, for "
            f"{_times(time[best] / time[quick])} the time "
            f"({figure(time[best])} against {figure(time[quick])} s)."
        )
    if beaten:
        said.append(f"Others there are both better and faster than {', '.join(beaten)}.")
    longest = {name: max(values[name] for values in times.values()) for name in cost}
    wait = f"{best} needs {figure(longest[best])} s at most here"
    if longest[best] < SOON:
        wait += ", so time is no reason against it."
    elif quicker := [name for name in _order(cost, main) if longest[name] < longest[best] / 10]:
        wait += f"; where that is too long, {quicker[0]} ({short(main)} {figure(cost[quicker[0]])} at k = {k}, "
        wait += f"{figure(longest[quicker[0]])} s at most)."
    else:
        wait += "."
    said.append(f"To keep the most of the data: {_stretches(_winners(costs, main))}. {wait}")
    return said


def _spread(found: Comparison, main: str) -> list[str]:
    """How much repeating changes the cost."""
    many = [cell for cell in found.cells if len(cell.values(main)) > 1]
    if not many:
        return []

    def relative(cell: Cell) -> float:
        mean = _mean(cell, main)
        return cell.spread(main) / abs(mean) if mean else 0.0

    most = max(many, key=relative)
    if relative(most) == 0:
        return [f"Repeating changes no {short(main)}."]
    return [
        f"Repeating changes {short(main)} by {100 * relative(most):.2g} % at most (standard deviation, {most.setting})."
    ]


def _failures(found: Comparison) -> list[str]:
    """What could not be done, each reason once."""
    reasons: dict[str, list[str]] = {}
    for cell in found.cells:
        if cell.failure:
            reasons.setdefault(cell.failure, []).append(str(cell.setting))
    return [
        f"No release: {'; '.join(where[:3])}{' and more' * (len(where) > 3)}. {why}" for why, where in reasons.items()
    ]


def _mean(cell: Cell, measure: str) -> float:
    mean = cell.mean(measure)
    assert mean is not None  # noqa: S101
    return mean


def _times(factor: float) -> str:
    return f"{factor:.2g} times" if factor < 100 else f"{factor:,.0f} times"
