"""The checks of a release, one after the other."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise

from .labels import KINDS, STYLE
from .matching import as_multiset
from .models import MODELS, OF_COLUMN, Group, exact, failing
from .people import check_unit, is_nobody, owners, unshared

TOLERANCE = Fraction(1, 10**9)
ROLES = ("quasi", "sensitive", "identifying", "pseudonymized")
KEYS = (*ROLES, "models", "max_suppressed", "suppressed", "tops", "missing", "drop_missing", "order", "match")
KEYS += ("class_column", "style", "escaped", "report", "unit", "matched")
SHOWN = 5  # problems of one kind that are told


def check_case(case, columns):
    """Refuse a case that asks for nothing, or for something that would not be looked at."""
    unknown = [key for key in case if key not in KEYS]
    if unknown or not case["quasi"]:
        raise ValueError(f"The case has {unknown}, which are not known, or no quasi: write {', '.join(KEYS)}.")
    unknown = [model["model"] for model in case["models"] if model["model"] not in MODELS]
    if unknown or not case["models"]:
        raise ValueError(f"The models {unknown} are not known, or none is asked for: write {', '.join(MODELS)}.")
    named = [name for role in ROLES for name in case.get(role, [])]
    strange = [name for name in named if name not in columns or named.count(name) > 1]
    if strange:
        raise ValueError(f"The columns {strange} are not in the original, or have two roles.")
    check_unit(case, columns)
    for model in case["models"]:
        own = [model["sensitive"]] if model.get("sensitive") else case.get("sensitive", [])
        if model["model"] in OF_COLUMN and not (own and set(own) <= set(case.get("sensitive", []))):
            raise ValueError(f"The model {model['model']} needs a sensitive column, and {own} is none.")


class Verifier:
    """The checks, one after the other; `checked` and `problems` are sentences."""

    def __init__(self, original, released, case, population=None):
        check_case(case, list(original[0]))
        self.case, self.released = case, released
        self.style = STYLE | case.get("style", {})
        self.quasi, self.sensitive = list(case["quasi"]), list(case.get("sensitive", []))
        self.checked, self.problems = [], []
        self.alike = None  # the fewest who share a set of rows, where rows can be linked
        self.columns = list(original[0])
        roles = [*self.quasi, *self.sensitive, *case.get("identifying", []), *case.get("pseudonymized", [])]
        self.others = [name for name in self.columns if name not in roles]
        self.missing = set(case.get("missing", []))
        looked_at = [*self.quasi, *self.sensitive]
        whole = [row for row in original if all(self.plain(row[name]) is not None for name in looked_at)]
        self.rows = whole if case.get("drop_missing") else original
        self.dropped = len(original) - len(self.rows)
        self.population = population or []
        self.unit = case.get("unit")
        self.owner, self.person = {}, {}  # of each row of the original, by its identity
        if self.unit is not None:
            whose = self.unit["group"] if self.unit["promise"] == "households" else self.unit["column"]
            for found, column in ((self.owner, whose), (self.person, self.unit["column"])):
                found.update(zip(map(id, self.rows), owners(self.rows, column, self.missing), strict=True))
        self.meanings = {name: self.meaning(name, how) for name, how in case["quasi"].items()}
        self.known = {}  # by meaning and label, what a cell has lost
        self.tops = {name: meaning.top for name, meaning in self.meanings.items()} | case.get("tops", {})

    def plain(self, value):
        """A value, None where it is missing."""
        return None if value in self.missing else value

    def meaning(self, name, how):
        """What the labels of a column mean among the values of the table, and of the population."""
        values = {self.plain(row[name]) for row in [*self.rows, *self.population]}
        return KINDS[how["kind"]](how, values, self.style)

    def problem(self, kind, sentence):
        """Note a problem, the first few of each kind."""
        if sum(one == kind for one, _ in self.problems) < SHOWN:
            self.problems.append((kind, sentence))

    def run(self):
        """All checks; the problems found."""
        if self.check_columns() and self.check_rows():
            self.check_pseudonyms()
            self.check_classes()
            self.check_report()
        return [f"{kind}: {sentence}" for kind, sentence in self.problems]

    def check_columns(self):
        """The columns in their order, identifying ones gone."""
        gone = set(self.case.get("identifying", []))
        new = [self.case["class_column"]] if self.case.get("class_column") else []
        wanted = [name for name in self.columns if name not in gone] + new
        shown = list(self.released[0]) if self.released else wanted
        if shown != wanted:
            self.problem("columns", f"the release has {shown} and should have {wanted}")
        if not self.released:
            self.problem("rows", "the release has no rows")
        self.checked.append(f"columns: {len(wanted)} in their order, {len(gone)} identifying gone")
        return not self.problems

    def fits(self, row, shown):
        """The first column in which a released row cannot be of an original one; None where it can."""
        for name in (*self.others, *self.sensitive):
            if shown[name] != row[name]:
                return name
        for name, meaning in self.meanings.items():
            if shown[name] is None or not meaning.covers(shown[name], self.plain(row[name])):
                return name
        return None

    def check_rows(self):
        """Every row once and in order: other columns equal, every label over its value."""
        drop = self.case.get("suppressed", "keep") == "drop"
        lost = len(self.rows) - len(self.released)
        if lost < 0 or (lost and not drop):
            self.problem("rows", f"the release has {len(self.released)} rows of {len(self.rows)}")
            return False
        if lost > int(self.case.get("max_suppressed", 0)):
            self.problem("suppression", f"{lost} rows are gone, {self.case.get('max_suppressed', 0)} may be")
        self.pairs = self.matched(drop)
        exact = {tuple(row[name] for name in (*self.others, *self.sensitive)) for row in self.rows}
        alone = self.how.startswith("by column") or (self.how == "in order" and not lost)
        self.sure = alone or len(exact) == len(self.rows)  # that no other way to match the rows is possible
        if not self.sure and self.unit is not None and self.unit["promise"] != "classes":
            raise ValueError(f"{self.unit['promise']} cannot be checked, as rows cannot be told apart.")
        if not self.sure and any(getattr(meaning, "means", False) for meaning in self.meanings.values()):
            raise ValueError("Means cannot be checked, as rows that are gone or in another order cannot be told apart.")
        for row, shown in self.pairs:
            name = self.fits(row, shown)
            if name is not None:
                self.problem("cells", f"column {name!r} shows {shown[name]!r} for {row[name]!r}")
        cells = len(self.pairs) * len(self.quasi)
        how = "in order" if self.case.get("order", "rows") == "rows" else f"matched {self.how}"
        self.checked.append(f"rows: {len(self.pairs)} of {len(self.rows)} once and {how}, {cells} labels cover")
        return not self.problems

    def matched(self, drop):
        """Each released row with its original one: in order, by a column that tells them apart, or as a multiset."""
        order, name = self.case.get("order", "rows"), self.case.get("match")
        self.how = "in order" if order == "rows" else f"by column {name!r}" if name else "as a multiset"
        if order not in ("rows", "classes", "shuffled"):
            raise ValueError(f"The order {order!r} is not known.")
        if order == "classes":
            self.check_pieces()
        if order == "rows":
            return self.in_order(drop)
        if "matched" in self.case:
            return self.as_told()
        return self.by_column() if name else self.as_a_multiset()

    def as_told(self):
        """Each released row with the original row that the case names: one of several ways, whose cells are checked."""
        numbers = [int(number) for number in self.case["matched"]]
        if len(numbers) != len(self.released) or len(set(numbers)) < len(numbers) or min(numbers) < 0:
            self.problem("rows", "the case does not name a row of the original of its own for each released row")
            return []
        return [(self.rows[number], shown) for number, shown in zip(numbers, self.released, strict=True)]

    def as_a_multiset(self):
        """Each released row with an original row of its own that it can be."""
        pairs = as_multiset(
            self.rows,
            self.released,
            [*self.others, *self.sensitive],
            self.quasi,
            lambda name, label, value: self.meanings[name].covers(label, self.plain(value)),
        )
        if pairs is None:
            self.problem("rows", "the released rows cannot each be a row of the original of its own")
        return pairs or []

    def check_pieces(self):
        """Each class stands in one piece."""
        shown = [self.key(row) for row in self.released]
        pieces = [key for key, before in zip(shown, [None, *shown], strict=False) if key != before]
        if len(set(pieces)) < len(pieces):
            self.problem("order", "a class stands at two places")

    def in_order(self, drop):
        """Each released row with its original one; where rows were left out, with the first that fits."""
        if not drop:
            return list(zip(self.rows, self.released, strict=True))
        pairs, left = [], iter(self.rows)
        for number, shown in enumerate(self.released, 1):
            row = next((row for row in left if self.fits(row, shown) is None), None)
            if row is None:
                self.problem("rows", f"row {number} of the release is none of the rows left of the original")
                return pairs
            pairs.append((row, shown))
        return pairs

    def by_column(self):
        """Each released row with its original one by a column that tells them apart; classes in their old order."""
        name = self.case["match"]
        place = {row[name]: number for number, row in enumerate(self.rows)}
        keys = [row[name] for row in self.released]
        if len(place) < len(self.rows) or len(set(keys)) < len(keys) or not set(keys) <= place.keys():
            self.problem("rows", f"column {name!r} does not tell each row of the release once")
            return []
        shown = [self.key(row) for row in self.released]
        ordered = self.case.get("order") == "classes"
        for (key, one), (other, following) in pairwise(zip(shown, keys, strict=True)):
            if ordered and key == other and place[one] > place[following]:
                self.problem("order", f"row {following!r} stands after row {one!r}, which it should precede")
        return [(self.rows[place[row[name]]], row) for row in self.released]

    def key(self, shown):
        """What tells the class of a released row."""
        names = [*self.quasi, self.case["class_column"]] if self.case.get("class_column") else self.quasi
        return tuple(shown[name] for name in names)

    def check_pseudonyms(self):
        """Pseudonyms are as different as the values, and none is a value."""
        for name in self.case.get("pseudonymized", []):
            if not self.sure:
                self.check_spread(name)
                continue
            named = self.unit is not None and name in (self.unit["column"], self.unit["group"])
            pairs = {
                (None if named and is_nobody(row[name], self.missing) else row[name], shown[name] or None)
                for row, shown in self.pairs
            }
            values, names = {value for value, _ in pairs}, {shown for _, shown in pairs}
            if not len(pairs) == len(values) == len(names) or (values & names) - {None, ""}:
                self.problem("pseudonyms", f"column {name!r} is not replaced value by value")

    def check_spread(self, name):
        """The same where equal rows cannot be told apart: values and pseudonyms are spread alike over them."""
        exact = [*self.others, *self.sensitive]
        values, names = defaultdict(list), defaultdict(list)
        for rows, found in ((self.rows, values), (self.released, names)):
            for row in rows:
                found[row[name]].append(tuple(row[one] for one in exact))
        alike = sorted(map(sorted, values.values())) == sorted(map(sorted, names.values()))
        if not (alike or len(self.released) < len(self.rows)) or (values.keys() & names.keys()) - {None, ""}:
            self.problem("pseudonyms", f"column {name!r} is not replaced value by value")

    def check_classes(self):
        """Every class satisfies every model; rows that show nothing may fail, as many as are allowed."""
        members, whose = defaultdict(list), defaultdict(list)
        for row, shown in self.pairs:
            members[self.key(shown)].append({name: self.plain(row[name]) for name in (*self.quasi, *self.sensitive)})
            whose[self.key(shown)].append(self.person.get(id(row)))
        keys, models, limit = list(members), self.case["models"], int(self.case.get("max_suppressed", 0))
        if len({key[: len(self.quasi)] for key in keys}) < len(keys):
            self.problem("classes", "rows that show the same have different class numbers")
        if name := self.case.get("class_column"):
            numbers = [key[-1] for key in keys if key[-1] != self.style["top"]]
            if sorted(numbers) != sorted(str(number) for number in range(1, len(numbers) + 1)):
                self.problem("classes", f"column {name!r} does not count the classes from 1")
        self.hidden = tuple(self.tops[name] for name in self.quasi)
        people = self.people(keys, models)
        whole = self.whole()
        groups = [
            Group(members[key], self.sensitive, count, whose[key] if self.unit else None)
            for key, count in zip(keys, people, strict=True)
        ]
        self.groups = dict(zip(keys, groups, strict=True))
        failed = failing(models, groups, whole, self.sensitive)
        tops = {place for place, key in enumerate(keys) if key[: len(self.quasi)] == self.hidden}
        keep = self.case.get("suppressed", "keep") == "keep"
        if failed and tops and keep and sum(groups[place].rows for place in tops) <= limit:
            kept = [place for place in range(len(keys)) if place not in tops]
            failed = {kept[at] for at in failing(models, [groups[at] for at in kept], whole, self.sensitive)}
        for place in sorted(failed):
            self.problem(
                "model", f"the class {keys[place]} of {groups[place].size} {'people' if self.unit else 'rows'} fails"
            )
        self.check_people(models, whole)
        self.check_means(members)
        asked = ", ".join(" ".join(str(one) for one in model.values() if not isinstance(one, dict)) for model in models)
        self.checked.append(f"classes: {len(keys)} by their labels against {asked}")

    def check_people(self, models, whole):
        """Nobody is missing where that is refused, and sets of rows that can be linked are shared by enough."""
        if self.unit is None:
            return
        absent = sum(kind == "row" for kind, _ in self.person.values())
        if absent and self.unit["column"] is not None and self.unit["missing"] == "refuse":
            self.problem("people", f"{absent} rows do not say whose they are")
        if self.unit["promise"] != "classes":
            linked = [
                (
                    self.owner[id(row)],
                    self.key(shown),
                    self.person[id(row)],
                    {n: self.plain(row[n]) for n in self.sensitive},
                )
                for row, shown in self.pairs
            ]
            few, sets, self.alike = unshared(models, linked, whole, self.sensitive)
            if few:
                self.problem("model", f"{few} of {sets} sets of rows that can be linked are shared by too few")
        number = len(set(self.person.values()))
        told = int(self.case.get("report", {}).get("people", number))
        if told != number:
            self.problem("report", f"people is {number}, and {told} was reported")
        self.checked.append(f"people: {number}, of {self.unit['promise']}, instead of rows")

    def whole(self):
        """The whole table, suppressed rows included, as one class."""
        rows = [{name: self.plain(row[name]) for name in self.sensitive} for row in self.rows]
        whose = [self.person[id(row)] for row in self.rows] if self.unit else None
        return Group(rows, self.sensitive, len(self.population), whose)

    def one_class_would_do(self):
        """Whether the table as one class satisfies the models."""
        return not failing(self.case["models"], [self.whole()], self.whole(), self.sensitive)

    def people(self, keys, models):
        """The people of the population that fit each class."""
        if not any(model["model"] in ("k-map", "delta-presence") for model in models):
            return [None] * len(keys)
        fitting = [set() for _ in self.population]
        for key in keys:
            labels = dict(zip(self.quasi, key, strict=False))
            for classes, person in zip(fitting, self.population, strict=True):
                if all(self.meanings[name].covers(label, self.plain(person[name])) for name, label in labels.items()):
                    classes.add(key)
        for model in models if any(model["model"] == "delta-presence" for model in models) else ():
            absent = sum(not classes for classes in fitting)
            if model["model"] == "delta-presence" and absent and exact(model["low"]) > 0:
                self.problem("model", f"{absent} people of the population are told that they are not in the table")
            if any(len(classes - {self.hidden}) > 1 for classes in fitting):
                self.problem("model", "a person of the population fits two classes")
        return [sum(key in classes for classes in fitting) for key in keys]

    def check_means(self, members):
        """A mean that is shown is that of its class, to seven digits."""
        for at, (name, meaning) in enumerate(self.meanings.items()):
            for key, rows in members.items() if getattr(meaning, "means", False) else ():
                if key[at] not in (meaning.top, meaning.mark):
                    mean, shown = sum(Fraction(row[name]) for row in rows) / len(rows), Fraction(key[at])
                    if abs(mean - shown) > Fraction(1, 10**7) * max(abs(mean), abs(shown)):
                        self.problem("cells", f"column {name!r} shows {key[at]} for the mean {float(mean)}")

    def check_report(self):
        """The figures that were reported."""
        report = self.case.get("report", {})
        hidden = [group.rows for key, group in self.groups.items() if key[: len(self.quasi)] == self.hidden]
        lost = len(self.rows) - len(self.released)
        gone = int(report.get("suppressed_rows", lost))
        drop = self.case.get("suppressed", "keep") == "drop"
        if gone > int(self.case.get("max_suppressed", 0)) or gone < lost or gone > (lost if drop else sum(hidden)):
            self.problem("suppression", f"{gone} suppressed rows are reported, {lost} are gone, {sum(hidden)} hidden")
        alone = not drop and gone and gone == sum(hidden)  # suppressed rows are no class by themselves
        sizes = [
            group.size for key, group in self.groups.items() if not (alone and key[: len(self.quasi)] == self.hidden)
        ]
        figures = {
            "k": min(sizes, default=0) if self.alike is None else self.alike,
            "classes": len(sizes),
            "rows": len(self.rows),
            "dropped_rows": self.dropped,
        }
        for name, figure in figures.items():
            if name == "k" and "matched" in self.case and int(report.get(name, 0)) <= figure:
                continue  # the rows can be matched in other ways, of which one has as many people as reported
            if name in report and int(report[name]) != figure:
                self.problem("report", f"{name} is {figure}, and {report[name]} was reported")
        by_attribute = {name: self.bounds(name, gone, lost, drop) for name in self.quasi}
        mean = [sum(bound[end] for bound in by_attribute.values()) / len(self.quasi) for end in (0, 1)]
        told = {"loss": (report.get("loss"), mean)}
        told |= {name: (report.get("loss_by_attribute", {}).get(name), bound) for name, bound in by_attribute.items()}
        for name, (given, (least, greatest)) in told.items():
            if given is not None and not least - TOLERANCE <= exact(given) <= greatest + TOLERANCE:
                self.problem("loss", f"of {name} is {float(least)} to {float(greatest)}, and {given} was reported")
        self.loss = mean
        self.checked.append(f"loss: {float(mean[0])}" + (f" to {float(mean[1])}" if mean[0] != mean[1] else ""))

    def bounds(self, name, gone, lost, drop):
        """The least and the most that a column can have lost on average; a suppressed cell loses 1."""
        meaning, total, hidden = self.meanings[name], [Fraction(lost), Fraction(lost)], 0 if drop else gone
        pairs = ((row, shown, tuple(shown[one] for one in self.quasi) == self.hidden) for row, shown in self.pairs)
        cells = [(*self.losses(meaning, shown[name], self.plain(row[name])), top) for row, shown, top in pairs]
        for end in (0, 1):
            total[end] += sum(cell[end] for cell in cells)
            # So many of the rows that show nothing lose all of it, whatever their labels alone would say.
            total[end] += sum(sorted((1 - cell[end] for cell in cells if cell[2]), reverse=bool(end))[:hidden])
        return [part / len(self.rows) for part in total]

    def losses(self, meaning, label, value):
        """The least and the most that a cell has lost; by any value that the label covers, where that is open."""
        if self.sure:
            return meaning.losses(label, value)
        if label not in (known := self.known.setdefault(meaning, {})):
            found = [meaning.losses(label, one) for one in meaning.values if meaning.covers(label, one)]
            known[label] = [min(low for low, _ in found), max(high for _, high in found)]
        return known[label]


def verify(original, released, case, population=None):
    """The problems of a release, as sentences; none where it keeps all promises. Rows are dictionaries of texts."""
    return Verifier(original, released, case, population).run()
