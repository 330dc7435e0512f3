"""Criteria: the three questions of WP216 about a release, and two more attacks, on one page.

Article 29 Data Protection Working Party, Opinion 05/2014 on anonymisation techniques (WP216): a release is anonymous if
it allows neither singling out nor linkability nor inference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.analysis.attack.experiment import WORDS, Experiment
from shoal.analysis.attack.plots import plot
from shoal.analysis.attack.unread import unread_labels
from shoal.documents import html, pdf
from shoal.documents.document import Bars, Document, Grid, Line, Section, Text
from shoal.documents.html_page import Lines, Summary, figure
from shoal.documents.plots import matplotlib
from shoal.errors import InputError
from shoal.system.atomic_files import replace_whole

WP216 = ("singling-out", "linkability", "inference")


@dataclass(frozen=True, repr=False)
class Criteria(Summary):
    """The experiments of all kinds on one release, by kind."""

    experiments: dict[str, Experiment]

    def __getitem__(self, kind: str) -> Experiment:
        return self.experiments[kind]

    @property
    def sentence(self) -> str:
        """The verdict on the three criteria in words."""
        failed = [WORDS[kind].title.lower() for kind in WP216 if self.experiments[kind].leaks]
        others = [
            WORDS[kind].title.lower() for kind, one in self.experiments.items() if kind not in WP216 and one.leaks
        ]
        verdict = "None of the three attacks of WP216 did better on people of the release than chance explains."
        if failed:
            verdict = f"Attacks on people of the release did better than chance explains: {listed(failed)}."
        if others:
            verdict += (
                f" {'So' if failed else 'But'} did {'further attacks' if failed else 'others'}: {listed(others)}."
            )
        return " ".join([verdict, *unread_labels(self.experiments[WP216[0]].unread)])

    def _figures(self) -> dict[str, object]:
        return {kind: f"risk {figure(one.risk)}" for kind, one in self.experiments.items()}

    def _rows_shown(self) -> Lines:
        figures = [one._figures() for one in self.experiments.values()]
        return list(figures[0]), [[figure(value) for value in one.values()] for one in figures]

    def to_dict(self) -> dict[str, Any]:
        """Return the experiments as plain dictionaries, by kind."""
        return {
            "sentence": self.sentence,
            "experiments": {kind: one.to_dict() for kind, one in self.experiments.items()},
        }

    def plot(self, path: str | PathLike[str]) -> None:
        """Draw the rates of all attacks and controls into a .png, .svg or .pdf file."""
        plot([titled for one in self.experiments.values() for titled in one.titled()], path)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the page as an .html or .pdf file, completely or not at all; return its path."""
        target = check_page(path)
        page = self._document(target.name)
        if target.suffix.lower() == ".pdf":
            replace_whole({target: lambda file: pdf.write(page, file)})
        else:
            replace_whole({target: lambda file: file.write_text(html.html(page), encoding="utf-8")})
        return target

    def _document(self, name: str) -> Document:
        return Document("Three criteria of anonymity (WP216)", name, tuple(self._sections()))

    def _sections(self) -> Iterator[Section]:
        first = next(iter(self.experiments.values()))
        control = any(one.held_out for two in self.experiments.values() for one in two.comparisons)
        about = f"Attacks by someone who knows {', '.join(first.known)} and the release. " + (
            "Each is compared with the same attack on people who were held out of the release."
            if control
            else "No people were held out: each is compared with guesses made without the release, which cannot tell "
            "what is learned about these people from what is true of everybody."
        )
        yield Section("Result", (Text(self.sentence), self._grid(), Text(about, "note")))
        others = [kind for kind in self.experiments if kind not in WP216]
        for title, kinds in (("The three criteria", WP216), ("Two more attacks", others)):
            parts = [part for kind in kinds for part in self._parts(self.experiments[kind])]
            yield Section(title, tuple(parts))

    def _grid(self) -> Grid:
        head = ("attack", "right", "control", "risk", "95 % interval")
        rows = [
            (
                WORDS[kind].title,
                f"{one.rate:.1%}",
                f"{one.control_rate:.1%}",
                f"{one.risk:.1%}",
                f"{one.interval[0]:.1%} – {one.interval[1]:.1%}",
            )
            for kind, one in self.experiments.items()
        ]
        return Grid(head, tuple(rows))

    def _parts(self, one: Experiment) -> Iterator[Text | Bars]:
        worst = one.worst
        if worst is not None:
            yield Bars(
                f"{WORDS[one.kind].title}: {WORDS[one.kind].question}",
                (
                    Line("people of the release", worst.attack.rate, f"{worst.attack.rate:.1%}"),
                    Line("control", worst.control.rate, f"{worst.control.rate:.1%}"),
                ),
            )
        yield Text(one.sentence, "alarm" if one.leaks else "")


def listed(names: list[str]) -> str:
    """Write names as a list.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def check_page(path: str | PathLike[str]) -> Path:
    """Return the path of a page; raise InputError if it is neither .html nor .pdf."""
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise InputError(f"{target}: the page of an attack is an .html or a .pdf file.")
    if target.suffix.lower() == ".pdf":
        matplotlib("figure")
    return target
