"""shoal certify: a written release, verified again and certified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli import options
from shoal.cli.arguments import arguments_of
from shoal.cli.config.file import read_config
from shoal.cli.console import guarded, print_json, progress_bar
from shoal.cli.outputs import check_places
from shoal.cli.reading import names_of_columns
from shoal.cli.values import key_in
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.certificates import ReleaseCertificate


@guarded
def certify(
    release: Annotated[
        str | None, typer.Argument(help="The release; by default the output of the configuration.", show_default=False)
    ] = None,
    against: Annotated[str | None, options.table("The original; by default the data of the configuration.")] = None,
    config: Annotated[Path, options.table("The shoal.toml that the release was made with.", show_default=False)] = ...,  # type: ignore[assignment]
    report: Annotated[
        Path | None, options.table("The .json report whose figures are checked; by default that of the configuration.")
    ] = None,
    unit: Annotated[
        str | None,
        options.protection("The column of the people who are counted; by default that of the configuration."),
    ] = None,
    population: Annotated[
        str | None, options.protection("The population; by default that of the configuration.")
    ] = None,
    output: Annotated[
        Path, options.output("The certificate; its case is written beside it, as NAME.case.json.", "--output", "-o")
    ] = Path("certificate.json"),
    pdf: Annotated[Path | None, options.output("Also write the certificate as a page to print.")] = None,
    key: Annotated[Path | None, options.output("The file with the secret key that signs the certificate.")] = None,
    date: Annotated[str | None, options.output("The date of the certificate: 2026-11-16.")] = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Verify a written release against its original, both read again, and write a certificate of what holds.

    An auditor can repeat it without shoal, using only the second verifier.
    If checks fail, each is reported in a sentence, the exit code is 4 and
    nothing is written.

    [bold]Examples[/bold]

      shoal certify safe.csv --against patients.csv --config shoal.toml

      shoal certify safe.csv --against patients.csv --config shoal.toml --report safe.json --key secret.key \\
        -o certificate.json --pdf certificate.pdf --date 2026-11-16
    """
    from shoal.certificates import certify as certify_release
    from shoal.certificates.certificate import check_certificate

    file = read_config(config)
    settings = file.defaults
    released, original = release or settings.get("output"), against or settings.get("data")
    if released is None or original is None:
        raise InputError("A release and its original are needed: shoal certify safe.csv --against patients.csv.")
    reports = settings.get("report", [])
    report = report or next((Path(name) for name in reports if name.endswith(".json")), None)
    case, page = check_certificate(output, pdf)
    given = {"population": population, "unit": unit}
    settings = {**settings, **{name: value for name, value in given.items() if value is not None}}
    arguments = arguments_of(settings, file)
    guides = (*arguments["hierarchies"].values(), *file.sensitive_hierarchies.values())
    inputs = (released, original, config, report, key, settings.get("key_file"), *guides, *reports)
    check_places((output, case, page), *inputs)
    with progress_bar(quiet=quiet) as progress:
        progress("verifying", 0)
        files = {name: guide for name, guide in file.sensitive_hierarchies.items() if isinstance(guide, Path)}
        certificate = certify_release(
            released,
            original,
            report=report,
            config=config,
            also={f"hierarchy of {name}": path for name, path in files.items()},
            key=key_in(key),
            date=date,
            order="shuffled" if settings.get("shuffle") else settings.get("order"),
            class_column=settings.get("class_column"),
            escape_formulas=settings.get("escape_formulas", False),
            separator=settings.get("separator"),
            encoding=settings.get("encoding", "utf-8"),
            names=names_of_columns(settings.get("named"), settings.get("header")),
            rows=settings.get("rows"),
            sample=settings.get("sample"),
            seed=settings.get("seed") or 0,
            **arguments,
        )
        certificate.save(output, pdf=page)
    if as_json:
        print_json(certificate.to_dict(case.name))
    elif not quiet:
        _show(certificate, output, case)


def _show(certificate: ReleaseCertificate, output: Path, case: Path) -> None:
    from shoal.cli.show.tables import show_facts

    content = certificate.to_dict(case.name)
    signature = {"hmac (SHA-256)": content["hmac_sha256"]} if certificate.key else {}
    checks = {check["check"]: check["sentence"] for check in content["checks"]}
    facts = {
        "can be repeated": content["repeatable"].get("reason", "by the second verifier alone"),
        "sha256": content["sha256"],
        **signature,
        "note": content["note"],
        "written": f"{output}, and {case} for holders of the data",
    }
    show_facts("Certificate", checks | facts)
