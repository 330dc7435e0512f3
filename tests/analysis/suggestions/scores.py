"""How well roles are guessed: recall and precision over labelled tables.

PYTHONPATH=tests python -m analysis.suggestions.scores
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field

from analysis.suggestions.labelled_tables import table, tables
from shoal import suggest_missing, suggest_roles

ROLES = ("identifying", "quasi", "sensitive", "other")


@dataclass
class Scores:
    """The columns by label and guess, and those that were guessed otherwise."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, title, data, labels):
        for one in suggest_roles(data, missing_values=suggest_missing(data)):
            label = labels[one.column]
            self.counts[label, one.role] += 1
            if label != one.role:
                self.wrong.append(f"{title}: {one.column} is {label}, guessed {one.role} ({one.why})")

    def recall(self, role):
        return self.counts[role, role] / sum(self.counts[role, guess] for guess in ROLES)

    def precision(self, role):
        return self.counts[role, role] / sum(self.counts[label, role] for label in ROLES)

    def __str__(self):
        lines = [f"{'role':12} {'columns':>7} {'recall':>7} {'precision':>9}"]
        for role in ROLES:
            columns = sum(self.counts[role, guess] for guess in ROLES)
            lines.append(f"{role:12} {columns:7} {self.recall(role):7.3f} {self.precision(role):9.3f}")
        return "\n".join(lines)


def scores(rows=500, seed=1, **lines):
    """Guess the roles of all labelled tables."""
    found = Scores()
    for title, columns in tables(**lines).items():
        found.add(title, table(columns, rows, seed), {name: role for name, (role, _) in columns.items()})
    return found


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    found = scores(rows)
    sys.stdout.write("\n".join([f"{len(tables())} tables of {rows:,} rows", str(found), *found.wrong, ""]))
