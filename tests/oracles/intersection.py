"""What several releases reveal together, person by person in plain loops."""

from __future__ import annotations

from collections import Counter


def linked(releases, quasi, sensitive, people):
    """For each person, whose row in release i is people[person][i]: rows left, and values left together and alone."""
    shown = [[tuple(row[name] for name in quasi) for row in release] for release in releases]
    traces = [tuple(shown[i][row] for i, row in enumerate(rows)) for rows in people]
    found = []
    for trace in traces:
        alike = [other for other, same in zip(people, traces, strict=True) if same == trace]
        together = set.intersection(
            *({releases[i][other[i]][sensitive] for other in alike} for i in range(len(releases)))
        )
        alone = [
            {row[sensitive] for row, labels in zip(releases[i], shown[i], strict=True) if labels == trace[i]}
            for i in range(len(releases))
        ]
        found.append((len(alike), len(together), [len(values) for values in alone]))
    return found


def looked_up(releases, quasi, sensitive, people, covers):
    """For each person with rows in every release: the fewest rows, and values left together and alone."""
    found = []
    for person in people:
        candidates = [
            [row for row in release if all(covers(name, row[name], person[name]) for name in quasi)]
            for release in releases
        ]
        if all(candidates):
            values = [{row[sensitive] for row in rows} for rows in candidates]
            found.append((min(map(len, candidates)), len(set.intersection(*values)), [len(one) for one in values]))
    return found


def counted(found, k):
    """People below k, people by rows left, and for values: certain together, certain in the best release alone."""
    releases = len(found[0][2]) if found else 0
    return {
        "below": sum(rows < k for rows, _, _ in found),
        "sizes": dict(Counter(rows for rows, _, _ in found)),
        "certain": sum(values == 1 for _, values, _ in found),
        "none": sum(values == 0 for _, values, _ in found),
        "alone": max((sum(alone[i] == 1 for _, _, alone in found) for i in range(releases)), default=0),
    }
