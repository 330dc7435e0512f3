"""The privacy models, class by class, in exact fractions; logarithms to 60 digits, and by whole numbers where near."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from decimal import Decimal, localcontext
from fractions import Fraction
from math import gcd, lcm


class Group:
    """Rows that show the same: how many they are, the sensitive values of each column, and the people they may be.

    Where rows have owners, the size is how many these are, and an owner counts once for each of their values.
    """

    def __init__(self, rows, sensitive, people=None, owners=None):
        owners = range(len(rows)) if owners is None else owners
        self.rows, self.most_rows = len(rows), max(Counter(owners).values(), default=0)
        self.size = len(set(owners))
        self.held = {name: defaultdict(set) for name in sensitive}
        for row, owner in zip(rows, owners, strict=True):
            for name in sensitive:
                self.held[name][owner].add(row[name])
        self.counts = {name: Counter(one for own in self.held[name].values() for one in own) for name in sensitive}
        self.people = people

    def shares(self, name):
        """The share of each value; they add up to more than 1 where an owner has several values."""
        return {value: Fraction(count, self.size) for value, count in self.counts[name].items()}

    def divided(self, name):
        """How much of its owners each value has, each divided evenly among their values, and how much there is."""
        one, parts = lcm(1, *map(len, self.held[name].values())), Counter()
        for own in self.held[name].values():
            for value in own:
                parts[value] += one // len(own)
        return parts, one * self.size

    def distribution(self, name):
        """The share of each value, where each owner is divided evenly among their values."""
        parts, whole = self.divided(name)
        return {value: Fraction(part, whole) for value, part in parts.items()}


def exact(value):
    """A parameter as it is written."""
    if not re.fullmatch(r"-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,3}|/\d{1,40})?", str(value)):
        raise ValueError(f"{value!r:.60} is no number of a model")
    return Fraction(str(value))


def logarithm(number):
    """ln of a fraction to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return (Decimal(number.numerator) / Decimal(number.denominator)).ln()


def surely_below(one, other):
    """Whether one number of 60 digits is below another beyond any doubt."""
    return other - one > Decimal("1e-40")


def decimal(number):
    """A fraction to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return Decimal(number.numerator) / Decimal(number.denominator)


def entropy(model, group, name, whole):
    """−Σ q ln q ≥ ln l: by logarithms where they tell, else by n^n = l^n Π c^c; and as many values as l."""
    bound, (counts, n) = exact(model["l"]), group.divided(name)
    if len(counts) < bound:
        return False
    powers = Counter({n: n})
    for base, power in [(bound.denominator, n), (bound.numerator, -n), *((c, -c) for c in counts.values())]:
        powers[base] += power
    with localcontext() as context:
        context.prec = 60
        more = sum((power * Decimal(base).ln() for base, power in powers.items()), Decimal(0)) / n
    return more > 0 if abs(more) > Decimal("1e-30") else is_one(powers) or more > 0


def is_one(powers):
    """Whether Π base^power is 1, which is so if no power is left once no two bases have a common factor."""
    found, waiting = {}, list(powers.items())
    while waiting:
        base, power = waiting.pop()
        other = next((one for one in found if gcd(one, base) > 1), None)
        if other == base or other is None:
            found[base] = found.get(base, 0) + power
        else:
            own, shared = found.pop(other), gcd(other, base)
            waiting += [(shared, own), (shared, power), (other // shared, own), (base // shared, power)]
    return not any(power for base, power in found.items() if base > 1)


def recursive(model, group, name, whole):
    """r₁ < c (r_l + … + r_m)."""
    down = sorted(group.divided(name)[0].values(), reverse=True)
    return down[0] < exact(model["c"]) * sum(down[int(model["l"]) - 1 :])


def closeness(model, group, name, whole):
    """Earth mover's distance to the whole ≤ t, by how much must cross each place of the order or edge of the tree."""
    distance = model.get("distance", "equal")
    q, p = (one.shares(name) if distance == "equal" else one.distribution(name) for one in (group, whole))
    extra = {value: q.get(value, 0) - share for value, share in p.items()}
    if distance == "equal":  # more is gained than lost, or the other way round, where owners have several values
        moved = max(sum(more for more in extra.values() if more > 0), -sum(more for more in extra.values() if more < 0))
    elif distance == "ordered":
        order = {value: place for place, value in enumerate(model["order"])} if model.get("order") else None
        place = order.get if order else lambda value: Fraction(value) if "/" in value else Decimal(value)
        first = [None] + [""] * (order is None or "" not in order)
        flow, moved, places = Fraction(0), Fraction(0), defaultdict(Fraction)
        for value, more in extra.items():  # 1.5 and 1.50 are one place
            places[value not in first, 0 if value in first else place(value)] += more
        for one in sorted(places):
            flow += places[one]
            moved += abs(flow)
        moved /= max(1, len(places) - 1)
    else:
        moved = _tree_distance(extra, {value: (value, *above) for value, above in model["paths"].items()})
    return moved <= exact(model["t"])


def _tree_distance(extra, paths):
    """Σ over the edges of a tree of (height above − height below) / 2 × what must cross, over the tree's height."""
    root = next(iter(paths.values()))[-1:]
    tall = max(1, *(len(path) - 1 for path in paths.values()))
    edges, heights = defaultdict(Fraction), Counter({root: 0})
    for path in [*paths.values(), *([(None, *root)] if None in extra else [])]:
        for at in range(len(path)):
            heights[path[at:]] = max(heights[path[at:]], at)
            edges[path[at:]] += extra.get(path[0], 0)
    crossing = ((heights[node[1:]] - heights[node]) * abs(held) for node, held in edges.items() if len(node) > 1)
    return sum(crossing, Fraction(0)) / 2 / tall


def likeness(model, group, name, whole):
    """(q − p) / p ≤ β where q > p; enhanced: and ≤ −ln p."""
    p = whole.shares(name)
    for value, q in group.shares(name).items():
        gain = q / p[value] - 1
        if gain > exact(model["beta"]):
            return False
        if model.get("enhanced") and gain > 0 and not surely_below(decimal(gain), -logarithm(p[value])):
            return False
    return True


def disclosure(model, group, name, whole):
    """|ln(q / p)| < δ for every value of the table."""
    q, bound = group.shares(name), decimal(exact(model["delta"]))
    return all(
        value in q and surely_below(abs(logarithm(q[value] / p)), bound) for value, p in whole.shares(name).items()
    )


def most(group, name):
    """The share of the most frequent value."""
    return max(group.shares(name).values())


# Models of one class: (model, class, whole) -> bool, and those of one sensitive column of it.
OF_CLASS = {
    "k-anonymity": lambda model, group, whole: group.size >= exact(model["k"]),
    "highest-risk": lambda model, group, whole: Fraction(1, group.size) <= exact(model["risk"]),
    "limited-contribution": lambda model, group, whole: group.rows >= exact(model["k"]) * group.most_rows,
    "k-map": lambda model, group, whole: group.people >= exact(model["k"]),
    "delta-presence": lambda model, group, whole: (
        group.people > 0 and exact(model["low"]) <= Fraction(group.size, group.people) <= exact(model["high"])
    ),
}
OF_COLUMN = {
    "distinct-l": lambda model, group, name, whole: len(group.counts[name]) >= exact(model["l"]),
    "frequency-l": lambda model, group, name, whole: most(group, name) <= 1 / exact(model["l"]),
    "entropy-l": entropy,
    "recursive-cl": recursive,
    "t-closeness": closeness,
    "alpha-k": lambda model, group, name, whole: (
        group.size >= exact(model["k"]) and most(group, name) <= exact(model["alpha"])
    ),
    "p-sensitive-k": lambda model, group, name, whole: (
        group.size >= exact(model["k"]) and len(group.counts[name]) >= exact(model["p"])
    ),
    "beta-likeness": likeness,
    "delta-disclosure": disclosure,
}
MODELS = (*OF_CLASS, *OF_COLUMN, "average-risk")  # a model of a column may name one as "sensitive": all, else


def failing(models, groups, whole, sensitive):
    """The classes that fail a model, as their places; average-risk is asked about all of them."""
    failed = set()
    for model in models:
        kind = model["model"]
        if kind == "average-risk":
            rows = sum(group.size for group in groups)
            failed |= set(range(len(groups))) if Fraction(len(groups), max(1, rows)) > exact(model["risk"]) else set()
        for place, group in enumerate(groups):
            if kind in OF_CLASS and not OF_CLASS[kind](model, group, whole):
                failed.add(place)
            names = [model["sensitive"]] if model.get("sensitive") else sensitive
            if kind in OF_COLUMN and not all(OF_COLUMN[kind](model, group, name, whole) for name in names):
                failed.add(place)
    return failed
