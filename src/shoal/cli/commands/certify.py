"""shoal certify: a written release verified anew, and the certificate of that."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli.algorithms import algorithm_of
from shoal.cli.commands.anonymize import model_of, requirements_of
from shoal.cli.config.config import Config, read_config
from shoal.cli.console import check_places, guarded, guides_of, key_in, names, print_json, suppression_of, working
from shoal.cli.options import Json, Quiet
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.certificates import ReleaseCertificate

REPEATED = ("quasi", "sensitive", "identifying", "pseudonymize", "missing", "require", "report")


@guarded
def certify(
    release: Annotated[
        str | None,
        typer.Argument(help="The release; where none is named, the output of the configuration.", show_default=False),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="The original; where none is named, the data of the configuration.")
    ] = None,
    config: Annotated[
        Path, typer.Option(help="The shoal.toml that the release was made with.", show_default=False)
    ] = ...,  # type: ignore[assignment]
    report: Annotated[
        Path | None,
        typer.Option(help="The .json report whose figures are computed again; else the configuration's."),
    ] = None,
    population: Annotated[
        str | None, typer.Option(help="The population, where it is another file than the configuration names.")
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The certificate; its case goes beside it, as NAME.case.json.")
    ] = Path("certificate.json"),
    pdf: Annotated[Path | None, typer.Option(help="The certificate as a page to print, too.")] = None,
    key: Annotated[Path | None, typer.Option(help="The file with the secret key that signs the certificate.")] = None,
    date: Annotated[str | None, typer.Option(help="A date that stands in the certificate: 2026-11-16.")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Verify a written release against its original, both read anew, and write a certificate of what holds.

    An auditor repeats it without shoal, with the second verifier alone. Where anything is wrong, every failed check is
    told in a sentence, the exit code is 4 and nothing is written.

    [bold]Examples[/bold]

      shoal certify safe.csv --against patients.csv --config shoal.toml

      shoal certify safe.csv --against patients.csv --config shoal.toml --report safe.json --key secret.key
      -o certificate.json --pdf certificate.pdf --date 2026-11-16
    """
    from shoal.certificates import certify as certified
    from shoal.certificates.certificate import check_certificate

    file = read_config(config, REPEATED)
    given = file.defaults
    released, original = release or given.get("output"), against or given.get("data")
    if released is None or original is None:
        raise InputError("A release and its original are needed: shoal certify safe.csv --against patients.csv.")
    report = report or next((Path(name) for name in given.get("report", []) if name.endswith(".json")), None)
    case, page = check_certificate(output, pdf)
    asked = asked_in(file, population)
    used = [*asked["hierarchies"].values(), *file.sensitive_hierarchies.values(), given.get("key_file")]
    check_places((output, case, page), released, original, config, report, key, *used, *given.get("report", []))
    with working(quiet=quiet) as progress:
        progress("verifying", 0)
        trees = {name: tree for name, tree in file.sensitive_hierarchies.items() if isinstance(tree, Path)}
        made = certified(
            released,
            original,
            report=report,
            config=config,
            also={f"hierarchy of {name}": tree for name, tree in trees.items()},
            key=key_in(key),
            date=date,
            **asked,
        )
        made.save(output, pdf=page)
    if as_json:
        print_json(made.to_dict(case.name))
    elif not quiet:
        _show(made, output, case)


def asked_in(file: Config, population: str | None = None) -> dict[str, Any]:
    """What a configuration file asks of a release, as certify() takes it."""
    from shoal.data.style import Style

    given = file.defaults
    quasi, style = names(given.get("quasi")), {"numbers": given.get("ranges"), "missing": given.get("missing_label")}
    people = population or given.get("population")
    requirements = requirements_of(given.get("require"), given.get("sensitive"), None, file, people)
    return {
        "quasi_identifiers": quasi,
        "sensitive": names(given.get("sensitive")),
        "identifying": names(given.get("identifying")),
        "pseudonymize": names(given.get("pseudonymize")),
        "hierarchies": guides_of(_path(given.get("hierarchies")), {}, quasi, "quasi-identifiers", file.hierarchies),
        "model": model_of(given.get("k"), given.get("l"), given.get("t"), requirements, given.get("k_map"), people),
        "algorithm": algorithm_of(file.algorithm, file.parameters, given.get("seed"), file.weights, file.levels),
        "max_suppression": suppression_of(given.get("max_suppression", "0")),
        "suppressed": given.get("suppressed", "keep"),
        "order": "shuffled" if given.get("shuffle") else given.get("order", "rows"),
        "class_column": given.get("class_column"),
        "missing_values": given.get("missing", []),
        "drop_missing": given.get("drop_missing", False),
        "style": Style(**{name: value for name, value in style.items() if value is not None}),
        "escape_formulas": given.get("escape_formulas", False),
        "separator": given.get("separator"),
        "encoding": given.get("encoding", "utf-8"),
    }


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given)


def _show(made: ReleaseCertificate, output: Path, case: Path) -> None:
    from shoal.cli.show import release as show

    content = made.to_dict(case.name)
    again = content["repeatable"].get("reason", "by the second verifier alone")
    signature = {"hmac (SHA-256)": content["hmac_sha256"]} if made.key else {}
    checks = {check["check"]: check["sentence"] for check in content["checks"]}
    facts = {"can be repeated": again, "sha256": content["sha256"], **signature, "note": content["note"]}
    show.facts("Certificate", checks | facts | {"written": f"{output}, and {case} for those who hold the data"})
