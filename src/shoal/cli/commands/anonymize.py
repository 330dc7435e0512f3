"""shoal anonymize: make a release of a table."""

from __future__ import annotations

import time
from functools import reduce
from operator import and_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli.algorithms import algorithm_of
from shoal.cli.commands.anonymize_files import (
    check_engine,
    check_in_memory,
    check_inputs,
    goes_by_files,
    run as run_by_files,
)
from shoal.cli.commands.lattice import LatticeOutputs
from shoal.cli.config.config import Config, ConfigFile
from shoal.cli.console import (
    cautioned,
    check_views,
    guarded,
    guides_of,
    key_in,
    names,
    pairs,
    print_json,
    seconds_since,
    suppression_of,
    working,
)
from shoal.cli.options import (
    Data,
    Encoding,
    EscapeFormulas,
    Folder,
    Json,
    Missing,
    Quasi,
    Query,
    Quiet,
    Ranges,
    Sensitive,
    Separator,
    Single,
    complete_algorithm,
    complete_column,
)
from shoal.cli.repeat import definitions_of, with_command
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.models import PrivacyModel


@guarded
def anonymize(
    context: typer.Context,
    data: Data,
    quasi: Quasi = None,
    config: ConfigFile = None,
    sensitive: Sensitive = None,
    identifying: Annotated[
        list[str] | None,
        typer.Option(help="Columns to remove, comma-separated.", autocompletion=complete_column),
    ] = None,
    k: Annotated[int | None, typer.Option("--k", help="k-anonymity: rows per class at least.")] = None,
    l: Annotated[  # noqa: E741
        int | None,
        typer.Option("--l", help="Distinct l-diversity: different sensitive values per class at least."),
    ] = None,
    t: Annotated[float | None, typer.Option("--t", help="t-closeness: distance to the whole table at most.")] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(help="Other models, such as 'entropy l>=3, beta<=1'; an unknown one is answered with the list."),
    ] = None,
    sensitive_hierarchy: Annotated[
        list[str] | None, typer.Option(help="For 'hierarchical t<=…': disease=diseases.txt; may be repeated.")
    ] = None,
    population: Annotated[str | None, typer.Option(help="A population table, for --k-map.")] = None,
    k_map: Annotated[int | None, typer.Option(help="k-map: people of the population per class at least.")] = None,
    hierarchies: Folder = None,
    hierarchy: Single = None,
    algorithm: Annotated[
        str,
        typer.Option(
            help="auto picks one and says why; {algorithms}.",
            autocompletion=complete_algorithm,
        ),
    ] = "auto",
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A parameter of the algorithm: --set dimension=widest --set relaxed=true."),
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(help="full-domain, local: what a column counts in the objective: age=3; may be repeated."),
    ] = None,
    levels: Annotated[
        list[str] | None,
        typer.Option(help="full-domain: the level of a column, or the lowest and highest: zip=2, age=1-3."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of algorithms that draw at random.")] = None,
    max_suppression: Annotated[
        str, typer.Option(help="Rows that may be suppressed: a share (0.02) or a number (100). auto needs few or none.")
    ] = "0",
    suppressed: Annotated[str, typer.Option(help="Suppressed rows: keep (all values hidden) or drop.")] = "keep",
    order: Annotated[
        str, typer.Option(help="The order of the rows: rows (as they are), classes, or shuffled.")
    ] = "rows",
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="The same as --order shuffled: another random order each time.")
    ] = False,
    class_column: Annotated[str | None, typer.Option(help="A new column with the number of each row's class.")] = None,
    missing: Missing = None,
    missing_label: Annotated[str, typer.Option(help="How a missing value is shown.")] = "?",
    drop_missing: Annotated[bool, typer.Option("--drop-missing", help="Leave out rows that miss a value.")] = False,
    pseudonymize: Annotated[
        list[str] | None, typer.Option(help="Columns to replace by a keyed hash, comma-separated.")
    ] = None,
    key_file: Annotated[Path | None, typer.Option(help="The file with the secret key for --pseudonymize.")] = None,
    ranges: Ranges = "{low}-{high}",
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", help="The release: a .csv or .parquet file, or a table such as sqlite:///a.db#t."
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the table in the database if there is one of this name.")
    ] = False,
    escape_formulas: EscapeFormulas = False,
    report: Annotated[
        list[Path] | None,
        typer.Option(help="A report beside the release: .html or .pdf to publish, .json to keep; may be repeated."),
    ] = None,
    statistics: Annotated[
        Path | None, typer.Option(help="A text file: the size of each class, what it shows, its sensitive values.")
    ] = None,
    groups: Annotated[
        Path | None, typer.Option(help="An .html page of each class with its original records, not for release.")
    ] = None,
    show_groups: Annotated[int, typer.Option(help="Print so many classes with their original records.", min=0)] = 0,
    nodes: Annotated[
        Path | None,
        typer.Option(help="Full-domain algorithms: the nodes looked at, as .csv, or the lattice as .png, .svg, .pdf."),
    ] = None,
    front: Annotated[
        Path | None, typer.Option(help="Full-domain algorithms: a plot of loss against suppressed rows.")
    ] = None,
    trade_off: Annotated[
        bool, typer.Option("--trade-off", help="Full-domain algorithms: what more suppressed rows would buy.")
    ] = False,
    memory: Annotated[
        str | None,
        typer.Option(help="Read the table part by part, in so much memory at most: 4GB. For one file or a folder."),
    ] = None,
    block_rows: Annotated[
        int | None, typer.Option(help="With --memory or Spark: different rows that are worked on at once, at most.")
    ] = None,
    engine: Annotated[
        str, typer.Option(help="local, or spark: the table is worked on by Spark, the release is a folder.")
    ] = "local",
    master: Annotated[
        str | None,
        typer.Option(help="With --engine spark: the cluster, spark://host:7077; all cores of this machine without it."),
    ] = None,
    query: Query = None,
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a release of a table and verify it.

    [bold]Examples[/bold]

      shoal anonymize patients.csv --quasi age,sex,zip --sensitive disease --identifying name --k 10 --l 3 -o safe.csv

      shoal anonymize t.csv --quasi age,zip --k 5 --hierarchy age=intervals:5,10,20 --hierarchy zip=prefix -o safe.csv

      shoal anonymize t.parquet --quasi age,sex --k 5 --hierarchies trees/ -o safe.parquet --report safe.html

      shoal anonymize t.csv --quasi age,sex --sensitive disease --k 5 --t 0.2 --require "entropy l>=3" -o safe.csv

      shoal anonymize t.csv --quasi age,zip --k 5 --hierarchies trees/ --algorithm full-domain --max-suppression 0.02
      --trade-off -o safe.csv

      shoal anonymize t.csv --quasi age,zip --k 5 --hierarchies trees/ --algorithm full-domain --weight age=3
      --levels zip=1-2 --nodes nodes.csv --front front.png -o safe.csv

      shoal anonymize t.csv --quasi age,zip --sensitive disease --k 5 --algorithm k-member --order classes
      --class-column cluster --statistics classes.txt --groups groups.html --show-groups 2 -o safe.csv

      shoal anonymize t.csv --quasi age,zip --k 5 --identifying name --shuffle --escape-formulas -o safe.csv

      shoal anonymize sample.csv --quasi age,sex --population everyone.csv --k-map 5 --algorithm samarati -o safe.csv

      shoal anonymize big.parquet --quasi age,zip --k 5 --memory 4GB -o safe/

      shoal anonymize big.parquet --quasi age,zip --k 5 --engine spark --master spark://host:7077 -o safe/

      shoal anonymize 'sqlite:///clinic.db#patients' --quasi age,zip --k 5 -o 'sqlite:///clinic.db#safe' --replace

      shoal anonymize postgresql://me@host/clinic --query "SELECT age, zip, disease FROM visits" --quasi age,zip --k 5
      -o 'postgresql://me@host/clinic#public.safe'

      shoal anonymize --config shoal.toml

      shoal anonymize --config shoal.toml --k 10 -o safer.csv
    """
    from shoal import api
    from shoal.data.style import Style
    from shoal.io.outputs import check_for_formulas, check_targets
    from shoal.io.source import Source
    from shoal.system.atomic_files import together

    start = time.perf_counter()
    if pseudonymize and key_file is None:
        raise InputError("--pseudonymize needs a secret key: name its file with --key-file.")
    file: Config = context.obj or Config()
    singles = pairs("--hierarchy", hierarchy)
    guides = guides_of(hierarchies, singles, names(quasi), "quasi-identifiers", file.hierarchies)
    secret = file.sensitive_hierarchies | pairs("--sensitive-hierarchy", sensitive_hierarchy)
    trees = [guide for guide in (*guides.values(), *secret.values()) if isinstance(guide, str | Path)]
    check_engine(engine, master, memory)
    order = _order(context, order, shuffle=shuffle)
    by_files = goes_by_files(data, output, memory, engine)
    if by_files:
        check_in_memory(
            k_map=k_map,
            shuffle=order == "shuffled",
            escape_formulas=escape_formulas,
            order=order if order != "rows" else None,
            class_column=class_column,
            statistics=statistics,
            groups=groups,
            show_groups=show_groups,
            nodes=nodes,
            front=front,
            trade_off=trade_off,
        )
        check_inputs(output, report, key_file, population, config, *trees)
    elif block_rows is not None:
        raise InputError("--block-rows goes with --memory: say how much memory may be used.")
    elif output is not None:
        check_targets(output, report, data, key_file, population, config, *trees, replace=replace)
    elif report:
        raise InputError("--report goes with -o: name the file of the release.")
    if escape_formulas:
        check_for_formulas(output)
    wanted = LatticeOutputs(nodes, front, trade_off)
    others = (data, key_file, population, config, output, *(report or []), *trees)
    wanted.check(algorithm, *others)
    check_views(statistics, groups, *others, nodes, front)
    own = file.of(algorithm)
    asked: dict[str, Any] = {
        "quasi_identifiers": names(quasi),
        "sensitive": names(sensitive),
        "identifying": names(identifying),
        "hierarchies": guides,
        "model": model_of(
            k, l, t, requirements_of(require, sensitive, sensitive_hierarchy, file, population), k_map, population
        ),
        "algorithm": algorithm_of(
            algorithm,
            own.parameters | pairs("--set", set_),
            seed,
            own.weights | pairs("--weight", weight),
            own.levels | pairs("--levels", levels),
        ),
        "max_suppression": suppression_of(max_suppression),
        "suppressed": suppressed,
        "missing_values": missing or [],
        "drop_missing": drop_missing,
        "pseudonymize": names(pseudonymize),
        "key": key_in(key_file),
        "style": Style(numbers=ranges, missing=missing_label),
    }
    if by_files:
        run_by_files(
            context,
            data,
            output,
            asked,
            engine=engine,
            master=master,
            memory=memory,
            block_rows=block_rows,
            report=report,
            separator=separator,
            encoding=encoding,
            definitions=definitions_of(key_file, sensitive_hierarchy, config, file),
            quiet=quiet,
            as_json=as_json,
        )
        return
    with cautioned(quiet=quiet), working(quiet=quiet) as progress:
        progress("reading", 0)
        source = Source.of(data, separator=separator, encoding=encoding, query=query)
        release = api.anonymize(
            source,
            order=order,  # type: ignore[arg-type]
            class_column=class_column,
            progress=progress,
            **asked,
        )
        defined = definitions_of(key_file, sensitive_hierarchy, config, file)
        release = with_command(release, context, defined)
        with together():  # the release last, so that where it is new all is
            if statistics is not None:
                release.groups.save_statistics(statistics)
            if groups is not None:
                release.groups.save_html(groups)
            bought = wanted.write(release.lattice, progress)
            if output is not None:
                progress("writing and verifying", 0)
                saved = release.save(output, report=report, replace=replace, escape_formulas=escape_formulas)
                output = str(saved)
    if as_json:
        print_json(release.report.to_dict() | ({"trade_off": bought} if trade_off else {}))
    elif not quiet:
        from shoal.cli.show import release as show

        show.report(release.report, release.request, took=seconds_since(start), written=output, reports=report)
        if bought:
            show.trade_off(bought, release.report)
        show.groups(release.groups, show_groups)


def _order(context: typer.Context, order: str, *, shuffle: bool) -> str:
    """The order that is asked for: --shuffle goes before a configuration file, and beside no other --order."""
    source = context.get_parameter_source("order")
    if shuffle and order != "shuffled" and source is not None and source.name == "COMMANDLINE":
        raise InputError(f"--shuffle and --order {order} do not go together: leave out one of the two.")
    return "shuffled" if shuffle else order


def model_of(
    k: int | None,
    l: int | None,  # noqa: E741
    t: float | None,
    require: list[PrivacyModel],
    k_map: int | None,
    population: str | None,
) -> PrivacyModel:
    """The model of the options, or of the keys of a configuration file."""
    from shoal.models import Closeness, DistinctDiversity, KAnonymity, KMap

    wanted: list[PrivacyModel] = []
    if k is not None:
        wanted.append(KAnonymity(k))
    if l is not None:
        wanted.append(DistinctDiversity(l))
    if t is not None:
        wanted.append(Closeness(t))
    wanted += require
    if k_map is not None:
        wanted.append(KMap(k_map, population))
    if (population is not None) != any(model.populations for model in wanted):
        raise InputError("--population is for --k-map and --require 'presence(…)': give both or neither.")
    if not wanted:
        raise InputError("No privacy model is asked for: give --k, --l, --t or --require, such as --k 10.")
    return reduce(and_, wanted)


def requirements_of(
    require: list[str] | None,
    sensitive: list[str] | None,
    hierarchies: list[str] | None,
    file: Config,
    population: str | None = None,
) -> list[PrivacyModel]:
    """The models of --require, with the trees of their columns."""
    from shoal.analysis.assessment.requirements import parse_requirements
    from shoal.data.hierarchy import Hierarchy
    from shoal.models import ModelContext

    columns = names(sensitive)
    singles = pairs("--sensitive-hierarchy", hierarchies)
    given = guides_of(None, singles, columns, "sensitive columns", file.sensitive_hierarchies)
    trees = {
        name: tree if isinstance(tree, Hierarchy) else Hierarchy.from_file(tree)
        for name, tree in given.items()
        if name in columns
    }
    context = ModelContext(tuple(columns), dict.fromkeys(columns), trees, population)
    return [requirement.model for requirement in parse_requirements(require or [], context)]
