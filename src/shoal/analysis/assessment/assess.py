"""assess(), check() and assess_columns(): how well a table protects the people in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shoal.analysis.assessment.assessment import Assessment, assessment_of, requirements_of
from shoal.analysis.assessment.columns import ColumnSet, column_sets
from shoal.analysis.assessment.kinds import Kinds
from shoal.analysis.assessment.requirements import Required, Verdict, parse_requirements, verdicts
from shoal.analysis.call_to_write import call_with_requirements
from shoal.analysis.units import units_of
from shoal.data.grouping import Grouping
from shoal.data.parameters import whole_number
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.data.unit import Missing
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.models import ModelContext
from shoal.release.arguments import Hierarchies, Names, guides_of, texts_of
from shoal.system.mistaken_arguments import answering_mistakes
from shoal.system.progress import Progress, showing


@answering_mistakes("shoal.assess", answer=call_with_requirements)
def assess(
    data: Any,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    sensitive_hierarchies: Hierarchies | None = None,
    population: Any = None,
    sampling_fraction: float | None = None,
    threshold: float = 0.2,
    require: Required = (),
    suppressed: Names = (),
    missing_values: Names = (),
    unit: str | None = None,
    missing_units: Missing = "refuse",
) -> Assessment:
    """Measure how well a table protects the people in it: what each privacy model reaches, and the risk of each row.

    data               a data frame, a file or a database address
    quasi_identifiers  the columns that an attacker may know; rows with the same values in them form a class
    sensitive          the columns whose values must not be inferred
    sensitive_hierarchies  the hierarchy or order of sensitive columns, as in `anonymize`, for t-closeness
    population         a table that contains the people of `data`: the journalist's and marketer's risks are measured
                       among its rows
    sampling_fraction  the share of its population that the data is: the number of people who are unique there is
                       estimated
    threshold          the risk above which a row counts as at risk
    require            requirements, as text ("k>=5, t<=0.2") or privacy models; `requirements` has the verdicts
    suppressed         the labels of suppressed rows: rows that show one for every quasi-identifier are in no class
    missing_values     texts that count as missing, such as "?"
    unit               the column that says whose row it is, if people have several: they are counted, not rows
    missing_units      "refuse" rows that lack a unit, or take each as a person of its "own"

    >>> import shoal
    >>> assessment = shoal.assess(shoal.datasets.adult(), quasi_identifiers=["age", "sex"], sensitive="occupation")
    >>> assessment.k, assessment.sensitive["occupation"].distinct_l
    (1, 1)
    """
    source = Source.of(data)
    table, context = _assessed(source, quasi_identifiers, sensitive, sensitive_hierarchies, missing_values, population)
    table = _of_people(table, source, unit, missing_values, missing_units)
    requirements = requirements_of(require, context, population)
    return assessment_of(
        table,
        context,
        population=None if population is None else _people(Source.of(population), table.quasi, missing_values),
        given=population,
        sampling_fraction=sampling_fraction,
        threshold=threshold,
        suppressed=texts_of(suppressed),
        requirements=requirements,
        unit=unit,
    )


@answering_mistakes("shoal.check", answer=call_with_requirements)
def check(
    data: Any,
    require: Required,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    sensitive_hierarchies: Hierarchies | None = None,
    suppressed: Names = (),
    missing_values: Names = (),
    unit: str | None = None,
    missing_units: Missing = "refuse",
) -> tuple[Verdict, ...]:
    """Check requirements on a table; the verdict on each names a class that fails it, if any.

    data               a data frame, a file or a database address
    require            the requirements, as text ("k>=5, t<=0.2") or privacy models
    quasi_identifiers  the columns that an attacker may know; rows with the same values in them form a class
    sensitive          the columns whose values must not be inferred
    sensitive_hierarchies  the hierarchy or order of sensitive columns, as in `anonymize`, for t-closeness
    suppressed         the labels of suppressed rows: rows that show one for every quasi-identifier are in no class
    missing_values     texts that count as missing, such as "?"
    unit               the column that says whose row it is, if people have several: they are counted, not rows
    missing_units      "refuse" rows that lack a unit, or take each as a person of its "own"

    >>> import shoal
    >>> adult = shoal.datasets.adult()
    >>> [verdict.holds for verdict in shoal.check(adult, "k>=2, risk<=1", quasi_identifiers=["age", "sex"])]
    [False, True]
    """
    source = Source.of(data)
    table, context = _assessed(source, quasi_identifiers, sensitive, sensitive_hierarchies, missing_values)
    table = _of_people(table, source, unit, missing_values, missing_units)
    requirements = parse_requirements(require, context)
    return verdicts(Kinds.of(Grouping.of(table, suppressed=texts_of(suppressed))), requirements)


@answering_mistakes("shoal.assess_columns")
def assess_columns(
    data: Any,
    *,
    columns: Names | None = None,
    size: int = 3,
    missing_values: Names = (),
    progress: Progress | bool | None = None,
) -> list[ColumnSet]:
    """Measure how well each set of columns distinguishes rows, to find the quasi-identifiers of a table.

    data            a data frame, a file or a database address
    columns         the columns to combine; by default all
    size            the largest number of columns in a set
    missing_values  texts that count as missing, such as "?"
    progress        as in `anonymize`

    >>> import shoal
    >>> shoal.assess_columns(shoal.datasets.adult(), columns=["age", "sex", "race"], size=1)[0].columns
    ('age',)
    """
    source = Source.of(data)
    names = source.columns if columns is None else Roles.of(source.columns, quasi_identifiers=columns).quasi
    size = whole_number("size", size, at_least=1)
    with showing(progress) as tell:
        return column_sets(source, names, texts_of(missing_values), size=size, tell=tell)


def _of_people(table: Table, source: Source, unit: str | None, missing_values: Names, missing_units: Missing) -> Table:
    """Let the table know whose rows they are, if a unit is named."""
    roles, missing = Roles(table.quasi, table.sensitive), texts_of(missing_values)
    return replace(table, units=units_of(source, roles, unit=unit, missing_values=missing, missing=missing_units))


def _assessed(
    source: Source,
    quasi_identifiers: Names,
    sensitive: Names,
    hierarchies: Hierarchies | None,
    missing_values: Names,
    population: Any = None,
) -> tuple[Table, ModelContext]:
    """Read the table to assess, and the orders and hierarchies of its sensitive attributes."""
    roles = Roles.of(source.columns, quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    table = _table(source, roles, missing_values)
    guides = guides_of(hierarchies, Roles(roles.sensitive), source.columns)
    return table, ModelContext.of(table, guides, population)


def _people(population: Source, quasi: tuple[str, ...], missing_values: Names) -> Table:
    for name in quasi:
        if name not in population.columns:
            raise InputError(f"The population has no column {name!r}, which is a quasi-identifier.")
    return _table(population, Roles(quasi), missing_values)


def _table(source: Source, roles: Roles, missing_values: Names) -> Table:
    missing, style = texts_of(missing_values), Style(missing="(missing)")
    return source.encode(roles, guides={}, missing_values=missing, style=style, ranges=False)
