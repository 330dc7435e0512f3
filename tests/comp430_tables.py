"""The table of the COMP 430/530 assignment with its DGHs, as files."""

from __future__ import annotations

import csv
import io

import pytest

from shoal.comp430 import bottomup_anonymizer, clustering_anonymizer, cost_LM, cost_MD, random_anonymizer

ZIP = """Zip,Age,Nationality,Disease
13053,28,Russian,Heart
13068,29,American,Heart
13068,21,Japanese,Flu
13053,23,American,Flu
14853,50,Indian,Cancer
14853,55,Russian,Heart
14850,47,American,Flu
14850,59,American,Flu
"""
DGHS = {
    "Zip": "Any\n\t130**\n\t\t13053\n\t\t13068\n\t1485*\n\t\t14853\n\t\t14850\n",
    "Age": "Any\n\t<30\n\t\t21\n\t\t23\n\t\t28\n\t\t29\n\t>40\n\t\t47\n\t\t50\n\t\t55\n\t\t59\n",
    "Nationality": "*\n\tRussian\n\tAmerican\n\tJapanese\n\tIndian\n",
}
ANONYMIZERS = {
    "random": lambda raw, folder, out: random_anonymizer(raw, folder, 2, 1, out),
    "clustering": lambda raw, folder, out: clustering_anonymizer(raw, folder, 2, out),
    "bottomup": lambda raw, folder, out: bottomup_anonymizer(raw, folder, 2, 1, out),
}


class Files:
    """A folder with a raw table and its DGHs."""

    def __init__(self, place):
        self.place, self.raw, self.out, self.folder = place, place / "raw.csv", place / "out.csv", place / "DGHs"
        self.folder.mkdir()
        self.write(ZIP, DGHS)

    def write(self, table=None, trees=None):
        if table is not None:
            self.raw.write_bytes(table if isinstance(table, bytes) else table.encode())
        for name, tree in (trees or {}).items():
            (self.folder / f"{name}.txt").write_bytes(tree if isinstance(tree, bytes) else tree.encode())

    def only(self, trees):
        for file in self.folder.iterdir():
            file.unlink()
        self.write(None, trees)

    def costs(self):
        return cost_MD(self.raw, self.out, self.folder), cost_LM(self.raw, self.out, self.folder)

    def rows(self):
        with self.out.open(newline="", encoding="utf-8") as file:
            return list(csv.reader(file))


def as_csv(rows):
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def refusal(kind, call, *arguments):
    with pytest.raises(kind) as caught:
        call(*arguments)
    return str(caught.value)
