"""The discussion of a comparison, in sentences that are computed from its figures."""

from __future__ import annotations

from itertools import combinations, groupby, pairwise, takewhile
from math import floor, log10

from shoal.analysis.comparison.results import TIME, Cell, Results, released
from shoal.metrics import METRICS

SHORT_WAIT = 1.0  # seconds
MAX_NAMED = 4  # algorithms in an enumeration

Means = dict[int, dict[str, float]]  # by k, then by algorithm
Winners = dict[int, list[str]]  # by k the best algorithms


def discussion(results: Results) -> list[str]:
    """Describe which algorithm loses least, which is fastest, the effects of k, ℓ and repetition, and trade-offs."""
    costs = [measure for measure in results.measures if measure != TIME]
    timed = TIME in results.measures
    said: list[str] = []
    if costs:
        said += _least(results, costs[0]) + _changes(results, costs[0])
    for other in costs[1:]:
        said += _agreement(results, costs[0], other)
    if timed:
        said += _fastest(results)
    for measure in [*costs[:1], *([TIME] if timed else [])]:
        said += _growth(results, measure) + _diversity(results, measure)
    if costs and timed:
        said += _trade_off(results, costs[0])
    if costs:
        said += _spread(results, costs[0])
    return said + _failures(results)


def figure(value: float | None, deviation: float = 0.0) -> str:
    """Write a figure with three or four digits, and its deviation to the same decimal place."""
    if value is None:
        return "–"
    size = floor(log10(abs(value))) if value else 0
    if not -9 <= size < 12:
        return f"{value:.3g}"
    places = max(0, (3 if size >= 0 else 1 if deviation and size < -2 else 2) - size)
    text = f"{value:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if places and not deviation else text
    spread = f"{deviation:,.{places}f}"
    return f"{text} ± {spread}" if spread.strip("0.") else text


def rank(measure: str, value: float) -> float:
    """Return a number that is lower for a better value."""
    return -value if measure in METRICS and METRICS[measure].higher_is_better else value


def _short(measure: str) -> str:
    return "the time in seconds" if measure == TIME else METRICS[measure].short


def _means(results: Results, measure: str) -> Means:
    """Return the means by k, for those k at which two or more algorithms have one."""
    means: Means = {}
    for name, line in results.by_k.items():
        for k, cell in line:
            if (mean := cell.mean(measure)) is not None:
                means.setdefault(k, {})[name] = mean
    return {k: values for k, values in sorted(means.items()) if len(values) > 1}


def _winners(means: Means, measure: str) -> Winners:
    """Return the best algorithms for each k."""
    return {
        k: [name for name in values if rank(measure, values[name]) == min(rank(measure, v) for v in values.values())]
        for k, values in means.items()
    }


def _stretches(results: Results, winners: Winners) -> str:
    """Describe which algorithm is best where: `a at every k`, `a up to k = 8, b from k = 16 on`, or the k of each."""
    by_winner = groupby(winners, key=lambda k: " and ".join(winners[k]))
    stretches = [(winner, list(ks)) for winner, ks in by_winner]
    parts = [f"{winner} at k = {', '.join(map(str, ks))}" for winner, ks in stretches]
    every = sorted({k for line in results.by_k.values() for k, _ in line})
    if list(winners) != every or len(every) == 1:
        return ", ".join(parts)
    if len(stretches) == 1:
        return f"{stretches[0][0]} at every k"
    (first, first_ks), *_, (last, last_ks) = stretches
    return ", ".join([f"{first} up to k = {first_ks[-1]}", *parts[1:-1], f"{last} from k = {last_ks[0]} on"])


def _order(values: dict[str, float], measure: str) -> list[str]:
    return sorted(values, key=lambda name: rank(measure, values[name]))


def _few(parts: list[str]) -> str:
    return ", ".join(parts if len(parts) <= MAX_NAMED else [*parts[: MAX_NAMED - 1], "…", parts[-1]])


def _least(results: Results, main: str) -> list[str]:
    means = _means(results, main)
    if not means:
        return []
    said = [
        f"at k = {k} {_few([f'{name} {figure(means[k][name])}' for name in _order(means[k], main)])}"
        for k in sorted({min(means), max(means)})
    ]
    best = "Lowest" if rank(main, 1) > 0 else "Highest"
    return [f"{best} {_short(main)}: {_stretches(results, _winners(means, main))} ({'; '.join(said)})."]


def _changes(results: Results, main: str) -> list[str]:
    """Describe where one algorithm overtakes another by more than the spread of repeated runs."""
    cells = {name: dict(line) for name, line in results.by_k.items()}
    if len(_means(results, main)) < 2:
        return []
    said = []
    for one, other in combinations(cells, 2):
        shared = [k for k in cells[one] if k in cells[other]]
        clear = [(k, gap) for k in shared if (gap := _gap(cells[one][k], cells[other][k], main))]
        for (k, before), (next_k, after) in pairwise(clear):
            if before * after < 0:
                ahead, behind = (one, other) if after < 0 else (other, one)
                said.append((next_k, f"between k = {k} and {next_k} {ahead} overtakes {behind}"))
    if not said:
        return [f"By {_short(main)} no algorithm clearly overtakes another as k grows."]
    more = f"; and {len(said) - MAX_NAMED} more" if len(said) > MAX_NAMED else ""
    return [f"The order by {_short(main)} changes: {'; '.join(text for _, text in sorted(said)[:MAX_NAMED])}{more}."]


def _gap(one: Cell, other: Cell, measure: str) -> float:
    """Return how much worse one cell is than another; 0 if repeated runs differ as much, or one has no release."""
    if one.failure or other.failure:
        return 0.0
    gap = rank(measure, _mean(one, measure)) - rank(measure, _mean(other, measure))
    return gap if abs(gap) > one.spread(measure) + other.spread(measure) else 0.0


def _agreement(results: Results, main: str, other: str) -> list[str]:
    """Describe whether another measure ranks the algorithms the same."""
    first, second = _means(results, main), _means(results, other)
    if not first or _short(main) == _short(other):
        return []
    differ = [k for k in first if not _same_order(first[k], second[k], main, other)]
    if not differ:
        return [f"{_short(other)} ranks them in the same order as {_short(main)}."]
    order = _order(second[differ[-1]], other)
    example = " before ".join(order if len(order) <= MAX_NAMED else [*order[:3], "the others"])
    at = f"at k = {', '.join(map(str, differ[:-1]))} and at" if len(differ) > 1 else "at"
    return [f"{_short(other)} ranks them differently from {_short(main)} {at} k = {differ[-1]}: {example}."]


def _same_order(one: dict[str, float], other: dict[str, float], first: str, second: str) -> bool:
    return all(
        (rank(first, one[a]) - rank(first, one[b])) * (rank(second, other[a]) - rank(second, other[b])) >= 0
        for a, b in combinations(one, 2)
    )


def _fastest(results: Results) -> list[str]:
    means = _means(results, TIME)
    whole = [values for values in means.values() if len(values) == len(results.by_k)]
    if not whole:
        return []
    average = {name: sum(values[name] for values in whole) / len(whole) for name in results.by_k}
    *_, slowest = quickest, *_ = _order(average, TIME)
    said = f"Fastest: {_stretches(results, _winners(means, TIME))}."
    said += f" On average over k, {quickest} takes {figure(average[quickest])} s and the slowest, {slowest}, "
    return [said + f"{figure(average[slowest])} s{_times(average[slowest], average[quickest], ', {} as long')}."]


def _growth(results: Results, measure: str) -> list[str]:
    """Describe the effect of k on a measure."""
    ends = {}
    for name, line in results.by_k.items():
        if len(shown := released(line)) > 1:
            (first_k, first), *_, (last_k, last) = shown
            ends[name] = (first_k, last_k, _mean(first, measure), _mean(last, measure))
    if not ends:
        return []
    low, high = min(end[0] for end in ends.values()), max(end[1] for end in ends.values())
    parts = [f"{name} {figure(a)} → {figure(b)}" for name, (x, y, a, b) in ends.items() if (x, y) == (low, high)]
    return [f"From k = {low} to {high} {_short(measure)} goes: {_few(parts)}."] if parts else []


def _diversity(results: Results, measure: str) -> list[str]:
    """Describe the effect of ℓ on a measure at the fixed k."""
    parts = []
    for name, line in results.by_l.items():
        if len(shown := released(line)) < 2:
            continue
        (low, first), *_, (high, last) = shown
        before, after = _mean(first, measure), _mean(last, measure)
        same = list(takewhile(lambda point: point[1].mean(measure) == before, line))  # noqa: B023
        part = f"{name} from {figure(before)} at ℓ = {low} to {figure(after)} at {high}"
        if measure != TIME:
            part += f" ({100 * (after - before) / before:+.0f} %)" if before else ""
            part += f", nothing changes up to {same[-1][0]}" if len(same) > 1 else ""
        parts.append(part)
    said = "; ".join(parts[:MAX_NAMED]) + ("; …" if len(parts) > MAX_NAMED else "")
    return [f"At k = {results.fixed_k}, ℓ takes {_short(measure)} of {said}."] if parts else []


def _trade_off(results: Results, main: str) -> list[str]:
    """Describe which algorithms are beaten in both cost and time at a middle k, and the trade-off of the others."""
    costs, times = _means(results, main), _means(results, TIME)
    if not costs:
        return []
    k = list(costs)[len(costs) // 2]
    cost, time = costs[k], times[k]
    best = min(cost, key=lambda name: (rank(main, cost[name]), time[name]))
    quick = _order(time, TIME)[0]
    longest = dict.fromkeys(cost, 0.0)
    for cell in results.cells:
        if cell.setting.algorithm in longest:
            longest[cell.setting.algorithm] = max([longest[cell.setting.algorithm], *cell.values(TIME)])
    said = []
    if best == quick:
        said.append(
            f"At k = {k} there is nothing to trade: no algorithm has a {'lower' if rank(main, 1) > 0 else 'higher'} "
            f"{_short(main)} than {best}, the fastest."
        )
    else:
        said.append(
            f"The trade-off at k = {k}: {best} has {_short(main)} {figure(cost[best])}, {quick}, the fastest, "
            f"{figure(cost[quick])}; it takes {figure(time[best])} s against {figure(time[quick])} s"
            f"{_times(time[best], time[quick], ', {} the time')}."
        )
    beaten = [
        name
        for name in cost
        if any(rank(main, cost[other]) < rank(main, cost[name]) and time[other] < time[name] for other in cost)
    ]
    if beaten:
        said.append(f"There, others are both better and faster than {', '.join(beaten)}.")
    wait = f"{best} needs {figure(longest[best])} s at most here"
    quicker = [name for name in _order(cost, main) if longest[name] < longest[best] / 10]
    if longest[best] < SHORT_WAIT:
        wait += ", so time is no reason against it"
    elif quicker:
        wait += f"; if that is too long, {quicker[0]} ({_short(main)} {figure(cost[quicker[0]])} at k = {k}, "
        wait += f"{figure(longest[quicker[0]])} s at most)"
    return [*said, f"To keep the most of the data: {_stretches(results, _winners(costs, main))}. {wait}."]


def _spread(results: Results, main: str) -> list[str]:
    """Describe how much repeated runs differ in cost."""
    many = [cell for cell in results.cells if len(cell.values(main)) > 1]
    if not many:
        return []

    def relative(cell: Cell) -> float:
        mean = _mean(cell, main)
        return cell.spread(main) / abs(mean) if mean else 0.0

    most = max(many, key=relative)
    if relative(most) == 0:
        return [f"Repeated runs have the same {_short(main)}."]
    share = f"{100 * relative(most):.2g} %"
    return [f"Repeated runs differ in {_short(main)} by {share} at most (standard deviation, {most.setting})."]


def _failures(results: Results) -> list[str]:
    """Describe which settings have no release, each reason once."""
    reasons: dict[str, list[str]] = {}
    for cell in results.cells:
        if cell.failure:
            reasons.setdefault(cell.failure, []).append(str(cell.setting))
    return [
        f"No release: {'; '.join(where[:3])}{f' and {len(where) - 3} more' if len(where) > 3 else ''}. {why}"
        for why, where in reasons.items()
    ]


def _mean(cell: Cell, measure: str) -> float:
    mean = cell.mean(measure)
    assert mean is not None  # noqa: S101
    return mean


def _times(one: float, other: float, sentence: str) -> str:
    """Write the ratio of two figures into a sentence; nothing if the second is 0."""
    if not other:
        return ""
    factor = one / other
    return sentence.format(f"{factor:.2g} times" if factor < 100 else f"{factor:,.0f} times")
