"""The classes of a release applied to other rows, literally: which classes cover a row, by the labels they show."""

from __future__ import annotations


def classes_of(rows, quasi, tops):
    """The different label tuples of a release, without suppressed rows."""
    shown = dict.fromkeys(tuple(row[name] for name in quasi) for row in rows)
    return [labels for labels in shown if labels != tops]


def covering(row, classes, quasi, meanings):
    """The classes whose every label covers the raw value of a row."""
    return [
        labels
        for labels in classes
        if all(meanings[name].covers(label, row[name]) for name, label in zip(quasi, labels, strict=True))
    ]
