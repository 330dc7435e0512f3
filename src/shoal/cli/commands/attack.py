"""shoal attack: what an attacker with some knowledge about people learns from a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from shoal.cli import options
from shoal.cli.console import guarded, print_json, progress_bar, show_warning
from shoal.cli.values import hierarchies_of, names

if TYPE_CHECKING:
    from shoal.analysis.attack.attack import Attack


@guarded
def attack(
    data: options.Data,
    known: Annotated[str | None, options.table("A table of people whom the attacker knows, with raw values.")] = None,
    original: Annotated[
        str | None, options.table("The table before it was anonymized, to compare before and after.")
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    missing: options.Missing = None,
    ranges: options.ReleasedRanges = "{low}-{high}",
    columns: Annotated[
        list[str] | None,
        options.roles(
            "The columns that the attacker knows, comma-separated; by default all that both tables share.",
            "--columns",
            autocompletion=options.complete_column,
        ),
    ] = None,
    sensitive: options.Sensitive = None,
    unit: options.UnitColumn = None,
    hierarchies: options.HierarchyFolder = None,
    hierarchy: options.ColumnHierarchies = None,
    sample: Annotated[
        float | None, options.algorithm("The share of the people in --original to attack, drawn at random.")
    ] = None,
    seed: Annotated[int, options.algorithm("The seed of the sample.")] = 0,
    k: Annotated[
        int, options.protection("A person who is lost among fewer rows or people than this is found.", "--k")
    ] = 2,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Attack a table with knowledge about people, and see who is found and what is learned.

    [bold]Examples[/bold]

      shoal attack safe.csv --known people.csv --sensitive disease --original patients.csv

      shoal attack safe.csv --original patients.csv --sample 0.1 --columns age,sex,zip --sensitive disease --seed 1

      shoal attack safe.csv --known people.csv --hierarchies trees/ --hierarchy zip=prefix

      shoal attack safe.csv --original visits.csv --sample 0.1 --columns age,sex,month --unit patient_id --k 5
    """
    from shoal.analysis.attack.attack import attack as attack_table
    from shoal.data.style import Style
    from shoal.io.source import Source

    with progress_bar(quiet=quiet) as progress:
        progress("reading", 0)
        released, people, before = (
            None if path is None else Source.of(path, separator=separator, encoding=encoding)
            for path in (data, known, original)
        )
        progress("linking", 0)
        chosen = names(columns) or (people.columns if people else [])
        result = attack_table(
            released,
            people,
            known=names(columns) or None,
            sensitive=names(sensitive),
            original=before,
            sample=sample,
            seed=seed,
            hierarchies=hierarchies_of(hierarchies, hierarchy, chosen, role="known columns"),
            missing_values=missing or [],
            style=Style(numbers=ranges),
            unit=unit,
            k=k,
        )
    if not quiet and result.released.unmatched:
        for sentence in _unread_labels(result):
            show_warning(sentence)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        from shoal.cli.show.attack import show_attack

        show_attack(result)


def _unread_labels(result: Attack) -> Iterator[str]:
    for name, labels in result.unread.items():
        several = f"{len(labels)} labels, such as {labels[0]!r}, cover" if len(labels) > 1 else f"{labels[0]!r} covers"
        yield f"Column {name!r}: {several} no known value. Name the hierarchy if there is one."
