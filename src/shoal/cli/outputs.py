"""The files that a command writes: checked before any work is done, and put in place together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.release.lattice_explorer import Solutions
    from shoal.release.release import Release


def check_places(targets: tuple[Path | None, ...], *inputs: object) -> None:
    """Refuse files that are also named for something else, or that cannot be written."""
    from shoal.io import files
    from shoal.io.outputs import check_target

    places = [files.file_of(path) for path in inputs if isinstance(path, str | Path)]
    taken = [place for place in places if place is not None]
    for path in targets:
        if path is None:
            continue
        if any(files.same(path, place) or path.resolve() == place.resolve() for place in taken):
            raise InputError(f"{path}: this file is already named for something else. Choose another one.")
        check_target(path, taken)
        taken.append(path)


def check_release(
    release: str | None,
    reports: Sequence[Path] | None,
    *inputs: Path | str | None,
    escape_formulas: bool,
    replace: bool = False,
) -> None:
    """Refuse a release and its reports that cannot be written, or that would replace an input."""
    from shoal.io.outputs import check_for_formulas, check_targets

    if release is not None:
        check_targets(release, reports, *inputs, replace=replace)
    elif reports:
        raise InputError("--report needs -o: name the file of the release.")
    if escape_formulas:
        check_for_formulas(release)


@dataclass(frozen=True)
class Outputs:
    """What shoal anonymize writes and prints, and how."""

    release: str | None
    reports: tuple[Path, ...]
    replace: bool
    escape_formulas: bool
    order: str | None
    class_column: str | None
    statistics: Path | None
    count_values: bool
    groups: Path | None
    show_groups: int
    nodes: Path | None
    front: Path | None
    trade_off: bool

    def check(self, algorithm: str, *inputs: Path | str | None) -> None:
        """Refuse what cannot be written, or not for this algorithm."""
        check_release(self.release, self.reports, *inputs, replace=self.replace, escape_formulas=self.escape_formulas)
        self._check_lattice(algorithm)
        if self.count_values and self.statistics is None:
            raise InputError("--count-values needs --statistics: name the file that is to hold the counts.")
        views = (self.nodes, self.front, self.statistics, self.groups)
        check_places(views, *inputs, self.release, *self.reports)
        self._check_endings()

    def check_files(self, *inputs: Path | str | None) -> None:
        """Refuse outputs of a release in files that are also inputs."""
        from shoal.io.outputs import check_target

        for place in (Path(path) for path in (self.release, *self.reports) if path is not None):
            if not place.is_dir():
                check_target(place, [Path(path) for path in inputs if path is not None])

    def _check_lattice(self, algorithm: str) -> None:
        from shoal.algorithms import ALGORITHMS

        needs_lattice = self.nodes or self.front or self.trade_off
        if needs_lattice and algorithm in ALGORITHMS and not ALGORITHMS[algorithm]().needs_hierarchies:
            raise InputError(
                f"--nodes, --front and --trade-off are for full-domain algorithms, not for {algorithm}: "
                "name one, such as --algorithm full-domain."
            )

    def _check_endings(self) -> None:
        from shoal.documents.plots import SUFFIXES, check_plot

        if self.nodes is not None and self.nodes.suffix.lower() != ".csv":
            if self.nodes.suffix.lower() not in SUFFIXES:
                raise InputError(f"{self.nodes}: the nodes are a .csv file, or a picture: {', '.join(SUFFIXES)}.")
            check_plot(self.nodes)
        if self.front is not None:
            check_plot(self.front)
        if self.groups is not None and self.groups.suffix.lower() not in (".html", ".htm"):
            raise InputError(f"{self.groups}: the page of the classes is an .html file.")

    @property
    def in_memory_only(self) -> dict[str, object]:
        """The options that need the whole table in memory, with their values; false values are not given."""
        return {
            "shuffle": self.order == "shuffled",
            "escape_formulas": self.escape_formulas,
            "order": self.order not in (None, "rows"),
            "class_column": self.class_column,
            "statistics": self.statistics,
            "count_values": self.count_values,
            "groups": self.groups,
            "show_groups": self.show_groups,
            "nodes": self.nodes,
            "front": self.front,
            "trade_off": self.trade_off,
        }

    def write(
        self, release: Release, progress: Callable[[str, float], None]
    ) -> tuple[str | None, list[dict[str, Any]]]:
        """Write all files; return where the release is, and the rows of the trade-off."""
        from shoal.system.atomic_files import together

        with together():  # the release is put in place last: if it is new, so are the other files
            if self.statistics is not None:
                release.groups.save_statistics(self.statistics, values=self.count_values)
            if self.groups is not None:
                release.groups.save_html(self.groups)
            trade_off = self._write_lattice(release.lattice, progress)
            if self.release is None:
                return None, trade_off
            progress("writing and verifying", 0)
            saved = release.save(
                self.release, report=self.reports, replace=self.replace, escape_formulas=self.escape_formulas
            )
            return str(saved), trade_off

    def _write_lattice(
        self, solutions: Solutions[Any] | None, progress: Callable[[str, float], None]
    ) -> list[dict[str, Any]]:
        """Write the files of the lattice; return the rows of the trade-off."""
        if solutions is None:
            return []
        from shoal.release.lattice_explorer import MAX_CHECKED_NODES

        if (self.nodes or self.front) and solutions.size <= MAX_CHECKED_NODES:
            solutions = solutions.complete(progress)
        if self.nodes is not None:
            (solutions.to_csv if self.nodes.suffix.lower() == ".csv" else solutions.plot)(self.nodes)
        if self.front is not None:
            solutions.plot_front(self.front)
        return [vars(limit) for limit in solutions.trade_off(progress=progress)] if self.trade_off else []
