"""shoal anonymize: make a release of a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import options
from shoal.cli.arguments import arguments_of, sensitive_hierarchies
from shoal.cli.config.file import Config
from shoal.cli.console import guarded, print_json, privacy_warnings, progress_bar, seconds_since
from shoal.cli.outputs import Outputs
from shoal.cli.provenance import definitions_of, with_command
from shoal.cli.reading import names_of_columns, note_nothing_missing, read_table
from shoal.cli.scale import Scale
from shoal.cli.values import key_in
from shoal.errors import InputError
from shoal.kernels.compilations import clock

if TYPE_CHECKING:
    from shoal.engines.finish import Written
    from shoal.release.release import Release


@guarded
def anonymize(
    context: typer.Context,
    data: options.Data,
    config: options.ConfigFile = None,
    query: options.Query = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    rows: options.Rows = None,
    sample: options.Sample = None,
    missing: options.Missing = None,
    drop_missing: options.DropMissing = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    identifying: Annotated[
        list[str] | None, options.roles("Columns to remove, comma-separated.", autocompletion=options.complete_column)
    ] = None,
    pseudonymize: Annotated[
        list[str] | None, options.roles("Columns to replace by a keyed hash, comma-separated.")
    ] = None,
    keep: options.Keep = None,
    key_file: options.KeyFile = None,
    unit: options.UnitColumn = None,
    group: Annotated[
        str | None,
        options.roles(
            "The column of people who are found together, such as a household.", autocompletion=options.complete_column
        ),
    ] = None,
    missing_units: options.MissingUnits = "refuse",
    shift_dates: Annotated[
        list[str] | None,
        options.roles("Columns of dates to move by a secret number of days for each person; needs --unit."),
    ] = None,
    rows_are_people: options.RowsArePeople = False,
    hierarchies: options.HierarchyFolder = None,
    hierarchy: options.ColumnHierarchies = None,
    k: Annotated[
        int | None, options.protection("k-anonymity: the fewest rows (with --unit: people) per class.")
    ] = None,
    l: Annotated[  # noqa: E741
        int | None, options.protection("Distinct l-diversity: the fewest different sensitive values per class.", "--l")
    ] = None,
    t: Annotated[
        float | None, options.protection("t-closeness: the largest distance of a class to the whole table.")
    ] = None,
    require: Annotated[
        list[str] | None,
        options.protection("Other models, such as 'entropy l>=3, beta<=1'; an unknown one is answered with the list."),
    ] = None,
    sensitive_hierarchy: options.SensitiveHierarchies = None,
    k_map: Annotated[int | None, options.protection("k-map: the fewest people of the population per class.")] = None,
    population: Annotated[str | None, options.protection("The population table for k-map and presence(…).")] = None,
    promise: Annotated[
        str | None,
        options.protection(
            "What people are promised: classes, profiles or households; by default as rows can be linked."
        ),
    ] = None,
    strict: Annotated[
        bool, options.protection("Let nobody have more than 1/k of the rows of a class; needs --unit.", "--strict")
    ] = False,
    range_ends: Annotated[
        str | None,
        options.protection(
            "Ranges of numbers and dates end at values of people (tight), at the cuts of Mondrian's cells (closed), or "
            "a secret step outside (stepped; needs --key-file, and with it is the default for k below 50)."
        ),
    ] = None,
    max_suppression: options.MaxSuppression = "0",
    accept: options.Accept = None,
    algorithm: Annotated[
        str, options.algorithm("auto picks one and says why; {algorithms}.", autocompletion=options.complete_algorithm)
    ] = "auto",
    effort: Annotated[
        str | None,
        options.algorithm("auto, local: how long to search: fast, balanced, best, or a number of seconds such as 2.5."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        options.algorithm(
            "A parameter of the algorithm: --set dimension=widest --set relaxed=true. full-domain: objective, one of "
            "{objectives}; target, the sensitive column for classification; suppression_factor, from 0 (suppression is "
            "free) over 0.5 to 1 (generalization is).",
            "--set",
        ),
    ] = None,
    weight: Annotated[
        list[str] | None,
        options.algorithm("full-domain, local: the weight of a column in the objective: age=3; may be repeated."),
    ] = None,
    levels: Annotated[
        list[str] | None,
        options.algorithm("full-domain: the level of a column, or its lowest and highest level: zip=2, age=1-3."),
    ] = None,
    seed: Annotated[int | None, options.algorithm("The seed of randomized algorithms, and of --sample.")] = None,
    output: options.FolderOrOutput = None,
    replace: Annotated[bool, options.output("Replace the database table if it exists.", "--replace")] = False,
    report: options.Reports = None,
    suppressed: Annotated[
        str | None,
        options.output(
            "Suppressed rows: keep them (all values hidden), the default, or drop them, the default of samarati."
        ),
    ] = None,
    order: Annotated[
        str | None,
        options.output(
            "The order of the rows: rows (as in the table, unless people are counted), classes or shuffled."
        ),
    ] = None,
    shuffle: Annotated[
        bool, options.output("The same as --order shuffled: a new random order each time.", "--shuffle")
    ] = False,
    class_column: Annotated[str | None, options.output("Add a column with the number of each row's class.")] = None,
    ranges: Annotated[str, options.output("The format of a range of numbers.")] = "{low}-{high}",
    missing_label: Annotated[str, options.output("The released label of a missing value.")] = "?",
    escape_formulas: options.EscapeFormulas = False,
    statistics: Annotated[
        Path | None,
        options.output("A text file: the size, the released labels and the sensitive values of each class."),
    ] = None,
    count_values: Annotated[
        bool,
        options.output(
            "With --statistics: count the original values under the labels, too; then the file is not for release.",
            "--count-values",
        ),
    ] = False,
    groups: Annotated[
        Path | None, options.output("An .html page of the classes with their original records; not for release.")
    ] = None,
    show_groups: Annotated[int, options.output("Print this many classes with their original records.", min=0)] = 0,
    nodes: Annotated[
        Path | None,
        options.output("Full-domain algorithms: the evaluated nodes as .csv, or the lattice as .png, .svg or .pdf."),
    ] = None,
    front: Annotated[
        Path | None, options.output("Full-domain algorithms: a plot of loss against suppressed rows.")
    ] = None,
    trade_off: Annotated[
        bool,
        options.output("Full-domain algorithms: print how the loss falls as more rows are suppressed.", "--trade-off"),
    ] = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
    memory: Annotated[
        str | None, options.scale("Read a file or a folder in parts, using at most this much memory: 4GB.")
    ] = None,
    block_rows: Annotated[
        int | None, options.scale("With --memory or Spark: the most distinct rows per block.")
    ] = None,
    engine: Annotated[
        str, options.scale("local, or spark: Spark does the work and the release is a folder.")
    ] = "local",
    master: Annotated[
        str | None,
        options.scale("With --engine spark: the cluster, spark://host:7077; by default all cores of this machine."),
    ] = None,
) -> None:
    """Make a release of a table and verify it.

    [bold]Examples[/bold]

      shoal anonymize patients.csv --quasi age,sex,zip --sensitive disease --identifying name --k 10 --l 3 -o safe.csv

      shoal anonymize iris.data --names length,width,petal-length,petal-width,kind --quasi length,width \\
        --sensitive kind --sample 100 --seed 1 --drop-missing all --missing "?" --k 5 -o safe.csv

      shoal anonymize t.csv --quasi age,zip --k 5 --hierarchy age=intervals:5,10,20 --hierarchy zip=prefix -o safe.csv

      shoal anonymize t.parquet --quasi age,sex --k 5 --hierarchies trees/ -o safe.parquet --report safe.html

      shoal anonymize t.csv --quasi age,zip --k 5 --effort 30 -o safe.csv

      shoal anonymize t.csv --quasi age,sex --sensitive disease --k 5 --t 0.2 --require "entropy l>=3" -o safe.csv

      shoal anonymize t.csv --quasi age,zip --k 5 --hierarchies trees/ --algorithm full-domain --max-suppression 0.02 \\
        --trade-off -o safe.csv

      shoal anonymize t.csv --quasi age,zip --k 5 --hierarchies trees/ --algorithm full-domain --weight age=3 \\
        --levels zip=1-2 --nodes nodes.csv --front front.png -o safe.csv

      shoal anonymize t.csv --quasi age,zip --sensitive income --k 5 --hierarchies trees/ --algorithm full-domain \\
        --set objective=classification --set target=income --max-suppression 0.05 -o safe.csv

      shoal anonymize t.csv --quasi age,zip --sensitive disease --k 5 --algorithm k-member --order classes \\
        --class-column cluster --statistics classes.txt --count-values --groups groups.html --show-groups 2 -o safe.csv

      shoal anonymize t.csv --quasi age,zip --sensitive disease --keep ward --accept range-ends --k 5 -o safe.csv

      shoal anonymize t.csv --quasi age,zip --k 5 --range-ends stepped --key-file secret.key -o safe.csv

      shoal anonymize visits.csv --quasi age,sex,month --unit patient_id --k 5 -o safe.csv

      shoal anonymize visits.csv --quasi age,sex --unit patient_id --pseudonymize patient_id --key-file secret.key \\
        --shift-dates admission --max-suppression 0.05 --k 5 -o safe.csv

      shoal anonymize people.csv --quasi age,sex,region --group household_id --max-suppression 0.05 --k 5 -o safe.csv

      shoal anonymize t.csv --quasi age,zip --k 5 --identifying name --shuffle --escape-formulas -o safe.csv

      shoal anonymize sample.csv --quasi age,sex --population everyone.csv --k-map 5 --algorithm samarati -o safe.csv

      shoal anonymize big.parquet --quasi age,zip --k 5 --memory 4GB -o safe/

      shoal anonymize 'visits-*.csv.gz' --quasi age,zip --k 5 -o safe.csv.gz

      zcat visits.csv.gz | shoal anonymize - --quasi age,zip --k 5 -o - | gzip > safe.csv.gz

      shoal anonymize big.parquet --quasi age,zip --k 5 --engine spark --master spark://host:7077 -o safe/

      shoal anonymize 'sqlite:///clinic.db#patients' --quasi age,zip --k 5 -o 'sqlite:///clinic.db#safe' --replace

      shoal anonymize postgresql://me@host/clinic --query "SELECT age, zip, disease FROM visits" --quasi age,zip \\
        --k 5 -o 'postgresql://me@host/clinic#public.safe'

      shoal anonymize --config shoal.toml

      shoal anonymize --config shoal.toml --k 10 -o safer.csv
    """
    from shoal import api

    start = clock()
    file: Config = context.obj or Config()
    if pseudonymize and key_file is None:
        raise InputError("--pseudonymize needs a secret key: name its file with --key-file.")
    arguments = arguments_of(context.params, file)
    guides = sensitive_hierarchies(context.params, file)
    outputs = Outputs(
        release=output,
        reports=tuple(report or ()),
        replace=replace,
        escape_formulas=escape_formulas,
        order=_order(context, order, shuffle=shuffle),
        class_column=class_column,
        statistics=statistics,
        count_values=count_values,
        groups=groups,
        show_groups=show_groups,
        nodes=nodes,
        front=front,
        trade_off=trade_off,
    )
    scale = Scale(engine=engine, master=master, memory=memory, block_rows=block_rows)
    scale.check()
    hierarchy_files = (*arguments["hierarchies"].values(), *guides.values())
    inputs = [key_file, population, config, *(guide for guide in hierarchy_files if isinstance(guide, str | Path))]
    in_files = scale.uses_files(data, output)
    if in_files:
        scale.check_in_files({"k_map": k_map, "rows": rows, "sample": sample} | outputs.in_memory_only)
        outputs.check_files(*inputs)
    else:
        scale.check_in_memory()
        outputs.check(algorithm, data, *inputs)
    arguments["key"] = key_in(key_file)
    definitions = definitions_of(key_file, guides, config, file)
    with privacy_warnings(quiet=quiet), progress_bar(quiet=quiet) as progress:
        if in_files:
            result: Written | Release = scale.anonymize(
                data,
                output,
                reports=outputs.reports,
                context=context,
                definitions=definitions,
                progress=progress,
                separator=separator,
                encoding=encoding,
                names=names_of_columns(named, header),
                **arguments,
            )
            limits: list[dict[str, Any]] = []
        else:
            progress("reading", 0)
            source = read_table(
                data,
                separator=separator,
                encoding=encoding,
                query=query,
                named=named,
                header=header,
                rows=rows,
                sample=sample,
                seed=seed,
                quiet=quiet or not as_json,  # the report has it
            )
            release = api.anonymize(
                source,
                order=outputs.order,  # type: ignore[arg-type]
                class_column=class_column,
                progress=progress,
                **arguments,
            )
            result = release = with_command(release, context, definitions)
            output, limits = outputs.write(release, progress)
    if not quiet:
        note_nothing_missing(arguments["drop_missing"], result.report.dropped_rows, arguments["missing_values"])
    if as_json:
        print_json(result.report.to_dict() | ({"trade_off": limits} if trade_off else {}))
    elif not quiet:
        from shoal.cli.show.release import show_classes, show_report, show_trade_off

        show_report(result.report, result.request, took=seconds_since(start), written=output, reports=report)
        if limits:
            show_trade_off(limits, result.report)
        if show_groups:
            show_classes(release.groups, show_groups)


def _order(context: typer.Context, order: str | None, *, shuffle: bool) -> str | None:
    """Return the order of the rows: --shuffle overrides a configuration file, but contradicts another --order."""
    source = context.get_parameter_source("order")
    if shuffle and order != "shuffled" and source is not None and source.name == "COMMANDLINE":
        raise InputError(f"--shuffle and --order {order} contradict each other: leave out one of the two.")
    return "shuffled" if shuffle else order
