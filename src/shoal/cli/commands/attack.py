"""shoal attack: what an attacker with some knowledge about people learns from a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from shoal.cli import options
from shoal.cli.console import guarded, print_json, progress_bar, show_warning
from shoal.cli.reading import read_release, read_table
from shoal.cli.standard_streams import from_standard_input
from shoal.cli.values import hierarchies_of, names
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.analysis.attack.attack import Attack
    from shoal.analysis.attack.criteria import Criteria
    from shoal.analysis.attack.experiment import Experiment


@guarded
def attack(
    data: options.Files,
    known: Annotated[
        str | None,
        options.table("A table of people whom the attacker knows, with raw values.", callback=from_standard_input),
    ] = None,
    original: Annotated[
        str | None,
        options.table("The table before it was anonymized, to compare before and after.", callback=from_standard_input),
    ] = None,
    control: Annotated[
        str | None,
        options.table(
            "People like those of --original who are not in the release, to compare with.", callback=from_standard_input
        ),
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
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
    sensitive: Annotated[
        list[str] | None,
        options.roles(
            "The columns that the attacker wants to learn, comma-separated.",
            "--sensitive",
            "--secret",
            autocompletion=options.complete_column,
        ),
    ] = None,
    side: Annotated[
        list[str] | None,
        options.roles("For linkability, the columns of one of two tables: --side age,sex --side zip,job.", "--side"),
    ] = None,
    unit: options.UnitColumn = None,
    hierarchies: options.HierarchyFolder = None,
    hierarchy: options.ColumnHierarchies = None,
    kind: Annotated[
        str,
        options.algorithm(
            "linking, singling-out, linkability, inference, membership, downcoding, or all of these for the three "
            "criteria of WP216."
        ),
    ] = "linking",
    attacks: Annotated[int, options.algorithm("The number of guesses, except for linking.")] = 1000,
    sample: Annotated[
        float | None, options.algorithm("The share of the people in --original to attack, drawn at random.")
    ] = None,
    seed: Annotated[int, options.algorithm("The seed that draws the people who are attacked.")] = 0,
    k: Annotated[
        int, options.protection("A person who is lost among fewer rows or people than this is found.", "--k")
    ] = 2,
    plot: Annotated[
        Path | None,
        options.output("A plot of the attacks and their controls: a .png, .svg or .pdf file; needs matplotlib."),
    ] = None,
    report: Annotated[
        Path | None, options.output("A page on the three criteria of WP216, for --kind all: an .html or .pdf file.")
    ] = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Attack a table with knowledge about people, and see who is found and what is learned.

    [bold]Examples[/bold]

      shoal attack safe.csv --known people.csv --sensitive disease --original patients.csv

      shoal attack safe.csv --original patients.csv --sample 0.1 --columns age,sex,zip --sensitive disease --seed 1

      shoal attack safe.csv --known people.csv --hierarchies trees/ --hierarchy zip=prefix

      shoal attack safe.csv --kind inference --original patients.csv --control others.csv --secret disease

      shoal attack safe.csv --kind all --original patients.csv --control others.csv --secret disease --report page.pdf

      shoal attack safe.csv --original visits.csv --sample 0.1 --columns age,sex,month --unit patient_id --k 5
    """
    from shoal.analysis.attack.attack import Attack, attack as attack_table
    from shoal.analysis.attack.unread import unread_labels
    from shoal.cli.show.attack import show_attack, show_experiments
    from shoal.data.style import Style

    _check_outputs(kind, plot, report, inputs=(data, known, original, control))
    with progress_bar(quiet=quiet) as progress:
        progress("reading", 0)
        released = read_release(data, separator=separator, encoding=encoding, header=header, several=True)
        people, before, others = (
            None
            if path is None
            else read_table(
                path,
                separator=separator,
                encoding=encoding,
                named=named,
                header=header,
                quiet=quiet or as_json,
                several=True,
            )
            for path in (known, original, control)
        )
        progress("linking", 0)
        shared = people or (before if kind != "linking" else None)
        chosen = names(columns) or (shared.columns if shared else [])
        result: Attack | Experiment | Criteria = attack_table(
            released,
            people,
            kind=kind,
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
            control=others,
            attacks=attacks,
            sides=[names([one]) for one in side] if side else None,
            progress=progress,
        )
        _write(result, plot, report)
    if not quiet and isinstance(result, Attack) and result.released.unmatched:
        for sentence in unread_labels(result.unread):
            show_warning(sentence)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        if isinstance(result, Attack):
            show_attack(result)
        else:
            show_experiments(result)


def _check_outputs(kind: str, plot: Path | None, report: Path | None, *, inputs: tuple[str | None, ...]) -> None:
    """Refuse files that cannot be written, or that this kind of attack does not make."""
    from shoal.analysis.attack.criteria import check_page
    from shoal.cli.outputs import check_places
    from shoal.documents.plots import check_plot

    if plot is not None and kind == "linking":
        raise InputError("--plot compares an attack with its control: name one with --kind, such as --kind inference.")
    if report is not None and kind != "all":
        raise InputError("--report is a page on the three criteria of WP216: give --kind all.")
    if plot is not None:
        check_plot(plot, *inputs)
    if report is not None:
        check_page(report)
    check_places((plot, report), *inputs)


def _write(result: Attack | Experiment | Criteria, plot: Path | None, report: Path | None) -> None:
    """Draw the plot and write the page, if they are asked for."""
    from shoal.analysis.attack.attack import Attack
    from shoal.analysis.attack.criteria import Criteria

    if plot is not None and not isinstance(result, Attack):
        result.plot(plot)
    if report is not None and isinstance(result, Criteria):
        result.save(report)
