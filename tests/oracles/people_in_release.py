"""Who is in a release: people counted one by one at the rows that a release shows, and the models asked about them."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import ceil, lcm

from oracles.second_verifier.checks import Verifier
from oracles.second_verifier.models import OF_CLASS, OF_COLUMN, exact


class Members:
    """People with their rows: how many there are, and how many of them have each sensitive value."""

    def __init__(self, rows, sensitive):
        """Take rows as pairs of a person and the row."""
        self.rows, self.people = len(rows), Counter(person for person, _ in rows)
        self.size, self.most = len(self.people), max(self.people.values(), default=0)
        self.held = {name: defaultdict(set) for name in sensitive}
        for person, row in rows:
            for name in sensitive:
                self.held[name][person].add(row[name])
        self.counts = {name: Counter(v for own in held.values() for v in own) for name, held in self.held.items()}

    def shares(self, name):
        """The share of the people who have each value."""
        return {value: Fraction(count, self.size) for value, count in self.counts[name].items()}

    def evenly(self, name):
        """The same people, each divided evenly among their values."""
        return Evenly(name, list(self.held[name].values()))


class Evenly:
    """People of whom each is divided among their values, in parts of which equally many make a person."""

    def __init__(self, name, held):
        one, counts = lcm(1, *map(len, held)), Counter()
        for own in held:
            counts.update(dict.fromkeys(own, one // len(own)))
        self.size, self.counts = one * len(held), {name: counts}

    def shares(self, name):
        """The share of each value."""
        return {value: Fraction(count, self.size) for value, count in self.counts[name].items()}


def fewest(models):
    """How many people the models ask for, whatever the values are."""
    asked = {
        "highest-risk": lambda model: 1 / exact(model["risk"]),
        "alpha-k": lambda model: max(exact(model["k"]), 1 / exact(model["alpha"])),
        "p-sensitive-k": lambda model: max(exact(model["k"]), exact(model["p"])),
        "k-anonymity": lambda model: exact(model["k"]),
    }
    others = ("distinct-l", "frequency-l", "entropy-l", "recursive-cl")
    asked |= {name: lambda model: exact(model["l"]) for name in others}
    return max(ceil(asked[model["model"]](model)) if model["model"] in asked else 1 for model in models)


def holds(model, group, name, whole):
    """Whether people satisfy a model of a sensitive column."""
    kind = model["model"]
    if kind == "t-closeness" and model.get("distance", "equal") == "equal":
        changes = [group.shares(name).get(value, 0) - share for value, share in whole.shares(name).items()]
        gained, lost = sum(max(change, 0) for change in changes), sum(max(-change, 0) for change in changes)
        return max(gained, lost) <= exact(model["t"])
    if kind in ("entropy-l", "recursive-cl", "t-closeness"):
        return OF_COLUMN[kind](model, group.evenly(name), name, whole.evenly(name))
    return OF_COLUMN[kind](model, group, name, whole)


def failing(models, groups, whole, sensitive, *, strict=False):
    """The places of the groups of people that fail."""
    failed = {place for place, group in enumerate(groups) if group.size < fewest(models)}
    if strict:
        failed |= {place for place, group in enumerate(groups) if group.rows < fewest(models) * group.most}
    for model in models:
        if model["model"] == "average-risk":
            people = sum(group.size for group in groups)
            failed |= set(range(len(groups))) if Fraction(len(groups), people) > exact(model["risk"]) else set()
            continue
        names = [model["sensitive"]] if model.get("sensitive") else sensitive
        for place, group in enumerate(groups):
            if model["model"] in OF_CLASS:
                right = OF_CLASS[model["model"]](model, group, whole)
            else:
                right = all(holds(model, group, name, whole) for name in names)
            failed |= set() if right else {place}
    return failed


def profiles(rows):
    """The multiset of rows of each owner: {multiset: its owners}; rows are pairs of an owner and what a row shows."""
    shown = defaultdict(Counter)
    for owner, row in rows:
        shown[owner][row] += 1
    owners = defaultdict(set)
    for owner, multiset in shown.items():
        owners[frozenset(multiset.items())].add(owner)
    return owners


class PeopleVerifier(Verifier):
    """The second verifier of releases, counting people.

    unit     {"column": …, "group": …, "promise": "classes", "profiles" or "households", "strict": …}
    figures  what was reported about people
    """

    def __init__(self, original, released, case, unit, figures=None):
        self.unit, self.figures = unit, figures
        super().__init__(original, released, case)

    def owner(self, row, name):
        """Who owns a row; a row that does not say so is of somebody of its own."""
        if name is None or self.plain(row[name]) is None or not row[name].strip():
            return ("nobody", id(row))
        return row[name]

    def members(self, rows):
        """Rows of the original as people."""
        plain = [{name: self.plain(row[name]) for name in self.sensitive} for row in rows]
        people = [self.owner(row, self.unit["column"]) for row in rows]
        return Members(list(zip(people, plain, strict=True)), self.sensitive)

    def whole(self):
        """All people of the table."""
        return self.members(self.rows)

    def one_class_would_do(self):
        """Whether all people as one class satisfy the models."""
        whole = self.whole()
        return not failing(self.case["models"], [whole], whole, self.sensitive, strict=self.unit["strict"])

    def check_classes(self):
        """Every class has the people that it needs; where rows can be linked, every set of rows, too."""
        shown = defaultdict(list)
        for row, labels in self.pairs:
            shown[self.key(labels)].append(row)
        self.hidden = tuple(self.tops[name] for name in self.quasi)
        keys = list(shown)
        if len({key[: len(self.quasi)] for key in keys}) < len(keys):
            self.problem("classes", "rows that show the same have different class numbers")
        self.groups = {key: self.members(rows) for key, rows in shown.items()}
        self.judge_people(keys)
        if self.unit["promise"] != "classes":
            self.check_sets()
        self.check_means(shown)

    def judge_people(self, keys):
        """Ask the models about each class; suppressed rows may fail them, as many as are allowed."""
        models, strict, whole = self.case["models"], self.unit["strict"], self.whole()
        places = set(range(len(keys)))
        failed = failing(models, list(self.groups.values()), whole, self.sensitive, strict=strict)
        tops = {place for place in places if keys[place][: len(self.quasi)] == self.hidden}
        keep = self.case.get("suppressed", "keep") == "keep"
        hidden = sum(self.groups[keys[place]].rows for place in tops)
        if failed and tops and keep and hidden <= int(self.case["max_suppressed"]):
            kept = sorted(places - tops)
            some = [self.groups[keys[place]] for place in kept]
            failed = {kept[at] for at in failing(models, some, whole, self.sensitive, strict=strict)}
        for place in sorted(failed):
            group = self.groups[keys[place]]
            self.problem("model", f"the class {keys[place]} of {group.size} people with {group.rows} rows fails")

    def check_sets(self):
        """What can be linked is shared: the whole set of the rows of a person or household."""
        name = self.unit["group"] if self.unit["promise"] == "households" else self.unit["column"]
        owned = [(self.owner(row, name), self.key(labels)) for row, labels in self.pairs]
        self.alike = profiles(owned)
        models, whole = self.case["models"], self.whole()
        rows = defaultdict(list)
        for (owner, _), (row, _) in zip(owned, self.pairs, strict=True):
            rows[owner].append(row)
        for owners in self.alike.values():
            if len(owners) < fewest(models):
                self.problem("sets", f"{len(owners)} share a set of rows, and {fewest(models)} should")
            among = self.members([row for owner in owners for row in rows[owner]])
            if failing(models, [among], whole, self.sensitive):
                self.problem("sets", f"the {among.size} people who share a set of rows fail")
        if name in self.case.get("pseudonymized", []):
            self.check_linked(name)

    def check_linked(self, name):
        """Pseudonyms link the rows of one owner each."""
        shown = [(self.owner(row, name), labels[name] or ("nobody", id(row))) for row, labels in self.pairs]
        pairs = set(shown)
        if not len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs):
            self.problem("pseudonyms", f"column {name!r} links other rows than those of one owner")

    def check_report(self):
        """The figures: people where they are counted, else rows."""
        report = self.case["report"]
        rows = dict(report)
        told = rows.pop("k"), rows.pop("classes")
        people = self.groups
        self.groups = {key: _Rows(group.rows) for key, group in people.items()}
        self.case = self.case | {"report": rows}
        super().check_report()
        gone, drop = int(report["suppressed_rows"]), self.case.get("suppressed", "keep") == "drop"
        hidden = [group.rows for key, group in people.items() if key[: len(self.quasi)] == self.hidden]
        alone = not drop and gone and gone == sum(hidden)
        kept = [g for key, g in people.items() if not (alone and key[: len(self.quasi)] == self.hidden)]
        least = min(group.size for group in kept)
        if self.unit["promise"] != "classes":
            least = min(map(len, self.alike.values()))
        if told != (least, len(kept)):
            self.problem("report", f"k and classes are {(least, len(kept))}, and {told} were reported")
        whole, figures = self.whole(), self.figures
        largest = max(Fraction(group.most, group.rows) for group in kept)
        wanted = {"people": whole.size, "most_rows_of_a_person": whole.most}
        for name, figure in wanted.items():
            if figures[name] != figure:
                self.problem("report", f"{name} is {figure}, and {figures[name]} was reported")
        if abs(exact(figures["largest_share_of_a_class"]) - largest) > Fraction(1, 10**3):
            self.problem("report", f"one person has {float(largest)} of a class, and another share was reported")


class _Rows:
    """A class as so many rows."""

    def __init__(self, size):
        self.size = size
