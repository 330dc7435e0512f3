"""Every public way to a release: what went in and came out, as rows of texts, and what was reported."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pyarrow.parquet as pq
from typer.testing import CliRunner

import shoal
from shoal.cli.app import app
from soak import algorithms, models, traces
from soak.cases import COMMANDS, FILES, FRAMES, PARTS
from soak.tables import (
    arrow_of,
    damaged,
    frame_of,
    oddly,
    read_csv,
    read_output,
    rows_of,
    split,
    types_of,
    write_input,
)

KEY = "a secret of enough bytes"


@dataclass(frozen=True)
class Done:
    """A release that was made: the original and the released rows, the report, and the population's rows."""

    original: list[dict]
    released: list[dict]
    report: dict
    people: list[dict]


def run(case, folder, spark=None):
    """Make the release of a case; shoal's own errors come through."""
    if case.way in FRAMES:
        return by_frame(case, folder)
    if case.way in FILES:
        return by_files(case, folder)
    if case.way in COMMANDS or case.way == "command out of core":
        return by_command(case, folder)
    return by_parts(case, folder) if case.way in PARTS else by_spark(case, folder, spark)


def asked(case, folder, people=None):
    """The arguments that anonymize() and anonymize_files() share."""
    guides = {name: guide.given(folder, number) for number, (name, guide) in enumerate(case.guides.items())}
    return {
        "quasi_identifiers": list(case.quasi),
        "sensitive": list(case.sensitive),
        "identifying": list(case.identifying),
        "hierarchies": guides,
        "model": models.shoal_model(case.models, people),
        "algorithm": algorithms.algorithm_of(case.algorithm, case.parameters),
        "max_suppression": case.max_suppression,
        "suppressed": case.suppressed,
        "missing_values": list(case.missing),
        "drop_missing": case.drop_missing,
        "pseudonymize": list(case.pseudonymized),
        "keep": list(case.kept),
        "key": KEY if case.keyed else None,
        "style": shoal.Style(**case.style),
        **case.unit,
    }


def in_memory(case):
    """The arguments that anonymize() alone has."""
    return {"order": None if case.unit else case.order, "class_column": case.class_column}


def by_frame(case, folder):
    """anonymize() of a dataframe, which must be of the same kind and have its types afterwards."""
    frame = frame_of(case.columns, case.way, categorical=case.categorical)
    people = frame_of(case.people, case.way, categorical=case.categorical) if case.people else None
    before = rows_of(frame)
    made = shoal.anonymize(frame, **asked(case, folder, people), **in_memory(case))
    if type(made.frame) is not type(frame) or rows_of(frame) != before:
        raise AssertionError("the frame is of another kind, or the input was touched")
    kept = [column.name for column in case.columns if column.name not in (*case.quasi, *case.identifying)]
    if types_of(made.frame, kept, case) != types_of(frame, kept, case):
        raise AssertionError("a column that should be as it was has another type")
    check_saved(made, case, folder)
    if case.way != "pandas":
        table = made.frame if case.way == "pyarrow" else made.frame.to_arrow()
        traces.check_table(table, traces.gone(before, rows_of(made.frame)))
    return Done(before, rows_of(made.frame), made.report.to_dict(), rows_of(people) if case.people else [])


def check_saved(made, case, folder):
    """At times, save a release as a file and read that back."""
    released = rows_of(made.frame)
    if case.seed % 3 and not (case.seed % 3 == 1 and any(column.name == traces.DIARY for column in case.columns)):
        path = made.save(folder / f"saved.{'csv' if case.seed % 3 == 1 else 'parquet'}")
        again = read_csv(path, replace(case, separator=",")) if path.suffix == ".csv" else rows_of(pq.read_table(path))
        if path.suffix == ".csv":
            released = [{name: text or "" for name, text in row.items()} for row in released]
        if again != released:
            raise AssertionError("the saved file is not the frame")


def finished(case, path, output, report, people):
    """What a run by files has made."""
    population = read_output(people, case) if case.people else []
    before, after = read_output(path, case), read_output(output, case)
    if case.typed:
        traces.check_file(output, traces.gone(before, after))
    return Done(before, after, report, population)


def by_files(case, folder):
    """anonymize() of a file, saved as a file of the same kind."""
    path, people = write_input(case, folder, text=case.way == "csv")
    output = folder / f"safe{path.suffix}"
    source = shoal.read(path, separator=case.separator) if case.way == "csv" and case.seed % 2 else path
    made = shoal.anonymize(source, **asked(case, folder, people), **in_memory(case))
    made.save(output)
    return finished(case, path, output, made.report.to_dict(), people)


def by_parts(case, folder):
    """anonymize_files() of a file, or of a folder into a folder."""
    path, people = write_input(case, folder, text=case.way != "out of core parquet")
    output = folder / f"safe{path.suffix}"
    if case.way == "out of core folder":
        path, output = split(path, folder / "parts"), folder / "safe"
    made = shoal.anonymize_files(
        path, output, memory="1GB", block_rows=case.block_rows, separator=case.separator, **asked(case, folder)
    )
    return finished(case, path, output, made.report.to_dict(), people)


def by_command(case, folder):
    """`shoal anonymize` of a file into a file of the same kind."""
    path, people = write_input(case, folder, text=case.way != "command parquet")
    output = folder / f"safe{path.suffix}"
    done = CliRunner().invoke(app, words(case, folder, path, output, people), catch_exceptions=False)
    sentence = done.stderr.strip().removeprefix("shoal: ")
    if done.exit_code == 1:
        raise shoal.ReviewError(sentence, findings=[])
    if done.exit_code in (2, 3):
        raise (shoal.InputError(sentence) if done.exit_code == 2 else shoal.InfeasibleError(sentence, achievable=""))
    if done.exit_code:
        raise AssertionError(f"the command ended with {done.exit_code}: {sentence}")
    return finished(case, path, output, json.loads(done.stdout), people)


def words(case, folder, path, output, people):
    """The words of the command line."""
    said = models.options(case.models, folder, people, short=case.seed % 7 > 0)
    if said is None:
        raise UnsaidError
    named = {"--quasi": case.quasi, "--sensitive": case.sensitive, "--identifying": case.identifying}
    found = ["anonymize", str(path), "-o", str(output), "--json", "--quiet", *said]
    for option, names in (named | {"--pseudonymize": case.pseudonymized, "--keep": case.kept}).items():
        found += [option, ",".join(names)] if names else []
    for number, (name, guide) in enumerate(case.guides.items()):
        found += ["--hierarchy", f"{name}={guide.option(folder, number)}"]
    found += algorithms.options(case.algorithm, case.parameters)
    found += ["--max-suppression", str(case.max_suppression), "--suppressed", case.suppressed]
    found += [word for mark in case.missing for word in ("--missing", mark)]
    found += ["--drop-missing"] * case.drop_missing
    if case.keyed:
        (folder / "key").write_text(KEY)
        (folder / "key").chmod(0o600)
        found += ["--key-file", str(folder / "key")]
    found += ["--ranges", case.style["numbers"]] if "numbers" in case.style else []
    found += ["--missing-label", case.style["missing"]] if "missing" in case.style else []
    if case.way != "command parquet":
        found += ["--separator", case.separator]
    if case.way == "command out of core":
        found += ["--memory", "1GB", *(["--block-rows", str(case.block_rows)] if case.block_rows else [])]
    else:
        found += ["--order", case.order] if not case.unit or case.seed % 2 else []
        found += ["--class-column", case.class_column] if case.class_column else []
    for name, value in case.unit.items():
        found += [f"--{name.replace('_', '-')}", *([] if value is True else [value])] if value else []
    return found


class UnsaidError(Exception):
    """A command cannot say what the case asks for."""


def by_spark(case, folder, spark):
    """shoal.spark.release() of a frame, or anonymize_files() into a folder."""
    import shoal.spark as on_spark

    path, people = write_input(case, folder, text=case.way != "spark parquet")
    if case.way == "spark frame":
        frame = spark.createDataFrame(arrow_of(case.columns))
        made = on_spark.release(frame, block_rows=case.block_rows, **asked(case, folder))
        done = Done(rows_of(frame.toArrow()), rows_of(made.frame.toArrow()), made.report.to_dict(), [])
        made.unpersist()
        return done
    path, output = oddly(path, case), folder / f"safe [1] {case.seed % 10}%"
    given = asked(case, folder) | {"block_rows": case.block_rows, "separator": case.separator}
    if path.suffix == ".csv":
        check_refused_alike(damaged(path, case), case, lambda copy: on_spark.anonymize_files(copy, output, **given))
    made = on_spark.anonymize_files(path, output, **given)
    return finished(case, path, output, made.report.to_dict(), people)


def check_refused_alike(copy, case, make):
    """A damaged file is refused with the sentence of the reader in memory, where that reader refuses it."""
    try:
        shoal.read(copy, separator=case.separator)
    except shoal.InputError as error:
        wanted = str(error)
    else:
        return
    try:
        make(copy)
    except shoal.InputError as error:
        if str(error) != wanted and str(copy) in str(error):  # else what is asked for is refused before
            raise AssertionError(f"a damaged file is refused with {error!r} instead of {wanted!r}") from error
        return
    raise AssertionError(f"a damaged file is released: {wanted}")
