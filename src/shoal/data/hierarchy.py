"""Hierarchy: the tree of one attribute, read from a file or built from its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Self

from shoal.data import hierarchies
from shoal.data.hierarchies import cuts, dates, frequency, intervals, nested, order, prefix
from shoal.data.hierarchies.paths import nodes_of
from shoal.data.style import distinct
from shoal.data.tree import Tree
from shoal.errors import HierarchyError


class Hierarchy(Tree):
    """A tree over the values of one attribute: the labels that may be shown in place of each value."""

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Self:
        """Read a hierarchy file in any of the three formats, which is inferred from its lines.

        path  a tab tree, `child,parent` pairs or a level table; UTF-8 text

        >>> import shoal, tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> path = shoal.Hierarchy.flat(["a", "b"]).save(folder / "letter.txt")
        >>> shoal.Hierarchy.from_file(path).leaves
        ('a', 'b')
        """
        return cls._from_format(path, hierarchies.detect(path))

    @classmethod
    def from_tab_tree(cls, path: str | PathLike[str]) -> Self:
        """Read an indented file: one label per line, its depth the number of leading tabs.

        path  the file; UTF-8 text

        >>> import shoal, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "letter.txt")
        >>> path.write_text("*\\n\\ta\\n\\tb\\n")
        8
        >>> shoal.Hierarchy.from_tab_tree(path).leaves
        ('a', 'b')
        """
        return cls._from_format(path, "tab-tree")

    @classmethod
    def from_pairs(cls, path: str | PathLike[str]) -> Self:
        """Read a file of `child,parent` lines, in any order.

        path  the file; UTF-8 text

        >>> import shoal, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "letter.csv")
        >>> path.write_text("a,*\\nb,*\\n")
        8
        >>> shoal.Hierarchy.from_pairs(path).leaves
        ('a', 'b')
        """
        return cls._from_format(path, "pairs")

    @classmethod
    def from_levels(cls, path: str | PathLike[str]) -> Self:
        """Read a level table: one line per value, `value;level 1;…;top`.

        path  the file; UTF-8 text

        >>> import shoal, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "age.csv")
        >>> path.write_text("17;<20;*\\n23;20+;*\\n")
        18
        >>> shoal.Hierarchy.from_levels(path).path("17")
        ('17', '<20', '*')
        """
        return cls._from_format(path, "levels")

    @classmethod
    def _from_format(cls, path: str | PathLike[str], name: str) -> Self:
        nodes = hierarchies.FORMATS[name].read(path)
        try:
            return cls.from_parents(*nodes)
        except HierarchyError as error:
            raise HierarchyError(f"{path}: {error}") from error

    @classmethod
    def from_folder(cls, folder: str | PathLike[str]) -> dict[str, Self]:
        """Read every `<attribute>.txt` or `<attribute>.csv` of a folder, by the name of the attribute.

        folder  a folder of hierarchy files, each in any of the three formats

        >>> import shoal, tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> path = shoal.Hierarchy.flat(["a", "b"]).save(folder / "letter.txt")
        >>> shoal.Hierarchy.from_folder(folder)
        {'letter': Hierarchy(2 values, height 1, root '*')}
        """
        return {name: cls.from_file(path) for name, path in hierarchies.in_folder(folder).items()}

    @classmethod
    def from_nested(cls, groups: Any, *, root: str = "*") -> Self:
        """Build the tree of nested dictionaries and lists; a single group that holds all values is the root.

        groups  a dictionary of group names and their members, which are lists of values or dictionaries again
        root    the label over all groups

        >>> import shoal
        >>> shoal.Hierarchy.from_nested({"Higher": ["BSc", "MSc"], "School": ["11th"]}).path("MSc")
        ('MSc', 'Higher', '*')
        """
        return cls.from_parents(*nested.build(groups, root=root))

    def save(self, path: str | PathLike[str], *, format: Literal["tab-tree", "pairs", "levels"] = "tab-tree") -> Path:  # noqa: A002
        """Write the tree to a file, completely or not at all; return its path.

        path    the file to write or replace
        format  "tab-tree" (can hold any tree), "pairs" or "levels"

        >>> import shoal, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "letter.csv")
        >>> shoal.Hierarchy.flat(["a", "b"]).save(path, format="pairs").read_text()
        'a,*\\nb,*\\n'
        """
        return hierarchies.write(self, path, format)

    @classmethod
    def intervals(
        cls, values: Iterable[object], *, widths: Sequence[float | str], origin: float | str = 0, style: str = ""
    ) -> Self:
        """Group numbers in intervals of growing widths.

        values  the numbers, as numbers or text
        widths  the width of the intervals at each level, each a multiple of the one before
        origin  where an interval starts
        style   the pattern of a label, with {low} and {high} (the first number after the interval) or {last} (its
                last whole number); by default whole numbers are written `20-24` and others `[20,25)`

        >>> import shoal
        >>> shoal.Hierarchy.intervals([17, 18, 23], widths=[5, 10]).path("17")
        ('17', '15-19', '10-19', '*')
        """
        return cls.from_parents(*intervals.build(values, widths=widths, origin=origin, style=style))

    @classmethod
    def cuts(cls, values: Iterable[object], *, bounds: Sequence[Sequence[float | str]], style: str = "") -> Self:
        """Group numbers between given bounds, level upon level.

        values  the numbers, as numbers or text
        bounds  the bounds of each level, ascending; the bounds of a level are among those of the level before
        style   the pattern of the labels with two ends, as for `intervals`

        >>> import shoal
        >>> shoal.Hierarchy.cuts([17, 18, 40, 70], bounds=[[18, 30, 45, 65], [30, 65]]).path("40")
        ('40', '30-44', '30-64', '*')
        """
        return cls.from_parents(*cuts.build(values, bounds=bounds, style=style))

    @classmethod
    def prefix(cls, values: Iterable[object], *, steps: Sequence[int] = (), mask: str = "*") -> Self:
        """Mask codes from the right, one more character per level or by the given numbers of characters.

        values  the codes, such as postal codes
        steps   how many characters each level masks; by default 1, 2, 3, …
        mask    what replaces a masked character

        >>> import shoal
        >>> shoal.Hierarchy.prefix(["13053", "13068"], steps=[2, 4]).path("13053")
        ('13053', '130**', '1****', '*****')
        """
        return cls.from_parents(*prefix.build(values, steps=steps, mask=mask))

    @classmethod
    def dates(
        cls,
        values: Iterable[object],
        *,
        levels: Sequence[str] = ("day", "month", "quarter", "year", "decade"),
        format: str = "",  # noqa: A002
    ) -> Self:
        """Group dates by day, month, quarter, year and decade, or by some of these.

        values  the dates, as dates or text
        levels  the levels to use, among the five
        format  the form of dates that are text, as for `datetime.strptime`; by default ISO form (2024-03-15)

        >>> import shoal
        >>> shoal.Hierarchy.dates(["2024-03-15"], levels=["month", "year"]).path("2024-03-15")
        ('2024-03-15', '2024-03', '2024', '*')
        """
        return cls.from_parents(*dates.build(values, levels=levels, format=format))

    @classmethod
    def by_order(cls, values: Iterable[object], *, fanout: int = 2) -> Self:
        """Group neighbours in the given order, level upon level.

        values  the values in their order
        fanout  how many neighbours a group joins

        >>> import shoal
        >>> shoal.Hierarchy.by_order(["low", "middle", "high"]).path("low")
        ('low', 'low - middle', '*')
        """
        return cls.from_parents(*order.build(values, fanout=fanout))

    @classmethod
    def by_frequency(cls, counts: Mapping[Any, int], *, fanout: int = 2) -> Self:
        """Group the rarest values first, as in Huffman's code, so that frequent ones stay exact longest.

        counts  the values with the number of rows of each
        fanout  how many groups are joined at each step

        >>> import shoal
        >>> shoal.Hierarchy.by_frequency({"cold": 90, "mumps": 4, "rabies": 1}).path("rabies")
        ('rabies', 'mumps | rabies', '*')
        """
        return cls.from_parents(*frequency.build(counts, fanout=fanout))

    @classmethod
    def flat(cls, values: Iterable[object], *, root: str = "*") -> Self:
        """Put each value directly under the root, so that it is shown unchanged or not at all.

        values  the values
        root    the label over all of them

        >>> import shoal
        >>> shoal.Hierarchy.flat(["F", "M"]).path("F")
        ('F', '*')
        """
        return cls.from_parents(*nodes_of(((label, []) for label in distinct(values)), root=root))
