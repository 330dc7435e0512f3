"""assess(), check() and assess_columns(): how well a table protects the people in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shoal.analysis.assessment.assessment import Assessment, assessment_of, check_population
from shoal.analysis.assessment.columns import ColumnSet, column_sets
from shoal.analysis.assessment.kinds import Kinds
from shoal.analysis.assessment.requirements import Required, parse_requirements
from shoal.analysis.assessment.sensitive import Known
from shoal.analysis.assessment.verdicts import Verdict, verdicts
from shoal.data.encoding import encode
from shoal.data.grouping import Grouping
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.arguments import Hierarchies, Names, guides_of, texts_of


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
) -> Assessment:
    """How safe a table is as it stands: what each privacy model reaches, and the risk that a row is traced to a person.

    population  a table that the data is a part of: the journalist's and marketer's risks are those among its rows
    sampling_fraction  the share of its population that the data is: how many people are unique there is estimated
    require     what must hold, as text ("k>=5, t<=0.2") or models: `requirements` has the verdicts
    suppressed  the labels of suppressed rows: rows that show one for every quasi-identifier are in no class

    >>> import shoal
    >>> found = shoal.assess(shoal.datasets.adult(), quasi_identifiers=["age", "sex"], sensitive="occupation")
    >>> found.k, found.sensitive["occupation"].distinct_l
    (1, 1)
    """
    table, known = _assessed(data, quasi_identifiers, sensitive, sensitive_hierarchies, missing_values)
    requirements = parse_requirements(require, known)
    for requirement in requirements:
        check_population(requirement.text, requirement.model, population)
    return assessment_of(
        table,
        known,
        population=None if population is None else _people(Source.of(population), table.quasi, missing_values),
        given=population,
        sampling_fraction=sampling_fraction,
        threshold=threshold,
        suppressed=texts_of(suppressed),
        requirements=requirements,
    )


def check(
    data: Any,
    require: Required,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    sensitive_hierarchies: Hierarchies | None = None,
    suppressed: Names = (),
    missing_values: Names = (),
) -> tuple[Verdict, ...]:
    """For each requirement on a table whether it holds, and which class fails it where it does not.

    >>> import shoal
    >>> adult = shoal.datasets.adult()
    >>> [verdict.holds for verdict in check(adult, "k>=2, risk<=1", quasi_identifiers=["age", "sex"])]
    [False, True]
    """
    table, known = _assessed(data, quasi_identifiers, sensitive, sensitive_hierarchies, missing_values)
    requirements = parse_requirements(require, known)
    return verdicts(Kinds.of(Grouping.of(table, suppressed=texts_of(suppressed))), requirements)


def assess_columns(
    data: Any,
    *,
    columns: Names | None = None,
    size: int = 3,
    missing_values: Names = (),
    progress: Callable[[str, float], None] | None = None,
) -> list[ColumnSet]:
    """How well each set of up to `size` columns tells rows apart, to find the quasi-identifiers of a table.

    >>> import shoal
    >>> assess_columns(shoal.datasets.adult(), columns=["age", "sex", "race"], size=1)[0].columns
    ('age',)
    """
    source = Source.of(data)
    names = source.columns if columns is None else Roles.of(source.columns, quasi_identifiers=columns).quasi
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise InputError(f"size = {size!r} is no number of columns: give a whole number from 1.")
    return column_sets(source, names, texts_of(missing_values), size=size, progress=progress)


def _assessed(
    data: Any, quasi_identifiers: Names, sensitive: Names, hierarchies: Hierarchies | None, missing_values: Names
) -> tuple[Table, Known]:
    """The table to assess, and the orders and hierarchies of its sensitive attributes."""
    source = Source.of(data)
    roles = Roles.of(source.columns, quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    table = _table(source, roles.quasi, roles.sensitive, missing_values)
    return table, Known.of(table, guides_of(hierarchies, Roles(roles.sensitive), source.columns))


def _people(population: Source, quasi: Sequence[str], missing_values: Names) -> Table:
    for name in quasi:
        if name not in population.columns:
            raise InputError(f"The population has no column {name!r}, which is a quasi-identifier.")
    return _table(population, quasi, (), missing_values)


def _table(source: Source, quasi: Sequence[str], sensitive: Sequence[str], missing_values: Names) -> Table:
    return encode(
        {name: source.arrow(name) for name in (*quasi, *sensitive)},
        quasi=quasi,
        sensitive=sensitive,
        guides={},
        missing_values=texts_of(missing_values),
        style=Style(missing="(missing)"),
        ranges=False,
    )
