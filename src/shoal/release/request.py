"""Request: the arguments of a release, checked once for every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from shoal.algorithms import ALGORITHMS, Algorithm
from shoal.algorithms.algorithm import describe
from shoal.data.encoding import Guide
from shoal.data.roles import Roles, check_column, names_of
from shoal.data.style import Style
from shoal.data.unit import Unit
from shoal.errors import InputError
from shoal.models import PrivacyModel
from shoal.models.people import LimitedContribution, for_people
from shoal.release.arguments import Dropping, Hierarchies, Names, algorithm_of, dropping, guides_of, style_of, texts_of
from shoal.release.range_ends.kinds import RangeKind, check_kind, default_kind
from shoal.release.review.finding_codes import check_codes
from shoal.system.close_names import did_you_mean

ORDERS = ("rows", "classes", "shuffled")
TREATMENTS = ("keep", "drop")  # of suppressed rows


@dataclass(frozen=True, eq=False)
class Request:
    """A requested release: the roles of the columns, the model, the algorithm and the treatment of rows.

    hierarchies  as the caller gave them; `guides` has them resolved, by quasi-identifier
    algorithm    as the caller gave it, or the one that reproduces the release
    unit         whose rows they are, if people can have several
    accept       the codes of findings of the review that are accepted
    ranges       whether ranges of numbers and dates end at values of people: tight, closed or stepped
    key          the secret key for pseudonyms and the like, which a finished release no longer holds
    statements   what the report has to say about the request after the review
    command      the command line that made the call, if any
    definitions  lines of Python that define `data`, `key` and so on, for the script that reproduces the release
    drop_missing whether rows are dropped that miss a value in a column with a role; "all": in any column
    node         the node of the lattice that was applied afterwards
    files        the arguments that only anonymize_files() takes
    """

    roles: Roles
    hierarchies: Any
    guides: Mapping[str, Guide] = field(repr=False)
    model: PrivacyModel
    algorithm: Algorithm | str
    max_suppression: float | int
    suppressed: str
    order: str
    class_column: str | None
    missing_values: tuple[str, ...]
    drop_missing: Dropping
    style: Style
    unit: Unit | None = None
    rows_are_people: bool = False
    shift_dates: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()
    ranges: RangeKind = "tight"
    ranges_by_default: bool = False
    statements: tuple[str, ...] = ()
    key: bytes | str | None = field(default=None, repr=False)
    command: str | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)
    node: Mapping[str, int] | None = None
    files: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        *,
        quasi_identifiers: Names,
        sensitive: Names = (),
        identifying: Names = (),
        hierarchies: Hierarchies | None = None,
        model: PrivacyModel,
        algorithm: Algorithm | str = "auto",
        max_suppression: float | int = 0,
        suppressed: str | None = None,
        order: str | None = None,
        class_column: str | None = None,
        missing_values: Names = (),
        drop_missing: bool | str = False,
        pseudonymize: Names = (),
        keep: Names = (),
        accept: Names = (),
        key: bytes | str | None = None,
        style: Style | None = None,
        unit: str | None = None,
        group: str | None = None,
        promise: str | None = None,
        strict: bool = False,
        missing_units: str = "refuse",
        shift_dates: Names = (),
        rows_are_people: bool = False,
        ranges: str | None = None,
    ) -> Request:
        """Check the arguments of anonymize() against a table with these columns."""
        roles = Roles.of(
            columns,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            identifying=identifying,
            pseudonymize=pseudonymize,
            keep=keep,
        )
        people = Unit.of(columns, roles, unit=unit, group=group, promise=promise, strict=strict, missing=missing_units)
        _check_model(model, roles)
        if suppressed is None:
            suppressed = usual_suppressed(algorithm, model)
        if people is not None:
            if rows_are_people and unit is not None:
                raise InputError(f"unit = {unit!r} and rows_are_people contradict each other: choose one.")
            roles = _with_dates(names_of(shift_dates), people, _without(people, roles), columns)
            model = _of_people(model, people)
            suppressed = _linked_rows(people, suppressed)
        elif names_of(shift_dates):
            raise InputError("Dates are shifted by person: name the column that says whose row it is (unit=…, --unit).")
        order = _order(order, people, class_column)
        _check_rows(suppressed, order, model, max_suppression)
        _check_class_column(class_column, columns, model)
        algorithm_of(algorithm)
        if not isinstance(rows_are_people, bool):
            raise InputError(f"rows_are_people = {rows_are_people!r} is not known: choose True or False.")
        return cls(
            roles=roles,
            hierarchies=dict(hierarchies) if isinstance(hierarchies, Mapping) else hierarchies,
            guides=guides_of(hierarchies, roles, columns),
            model=model,
            algorithm=algorithm,
            max_suppression=max_suppression,
            suppressed=suppressed,
            order=order,
            class_column=class_column,
            missing_values=texts_of(missing_values),
            drop_missing=dropping(drop_missing),
            style=style_of(style, model),
            unit=people,
            shift_dates=names_of(shift_dates),
            rows_are_people=rows_are_people,
            accept=check_codes(accept),
            ranges=_ranges(ranges, keyed=key is not None, style=style_of(style, model), model=model, unit=people),
            ranges_by_default=ranges is None,
            key=key,
        )

    @property
    def all_at_once(self) -> str:
        """Why all rows must be in memory at once, so that engines that read a table in parts read all of it, or ""."""
        if self.unit is not None and self.unit.linked:
            return f"The promise of {self.unit.promise} matches all rows of {self.unit.owner!r}"
        return f"shift_dates = {list(self.shift_dates)!r} moves all dates of a person" if self.shift_dates else ""

    def check_rows_may_be_elsewhere(self) -> None:
        """Refuse options that need every row in memory, for engines that read a table in parts."""
        if self.order != "rows" and self.unit is None:
            raise InputError(
                f"order = {self.order!r} needs the whole table in memory: leave it out, and shuffle the table first, "
                f"or release it with shoal.anonymize()."
            )
        if self.class_column is not None:
            raise InputError(f"class_column = {self.class_column!r} needs the whole table in memory: leave it out.")
        if self.model.populations:
            raise InputError(
                f"{self.model} compares the table with a population, which needs both in memory: leave out the limit."
            )
        if self.drop_missing == "all":
            raise InputError(
                'drop_missing = "all" looks at every column, which needs the whole table in memory: drop rows by the '
                'columns with a role (drop_missing = "roles"), or clean the table first.'
            )
        algorithm = algorithm_of(self.algorithm)
        if not getattr(algorithm, "equal_rows_together", False):
            others = [name for name, kind in ALGORITHMS.items() if kind().equal_rows_together]
            raise InputError(
                f"{describe(algorithm)} treats every row individually, which needs the table in memory: choose from "
                f"{', '.join(others)}."
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The columns whose values distinguish rows: quasi-identifiers first, then sensitive ones."""
        return self.roles.quasi + self.roles.sensitive

    @property
    def drops_suppressed(self) -> bool:
        """Whether suppressed rows are left out of the release."""
        return self.suppressed == "drop"

    def finished(self, algorithm: Algorithm, **changes: Any) -> Request:
        """Return the request of a finished release: with the algorithm that reproduces it, and without the key."""
        same = algorithm == algorithm_of(self.algorithm) or (self.unit is not None and self.unit.linked)
        return replace(self, algorithm=self.algorithm if same else algorithm, key=None, **changes)

    def inputs(self, data: str | None) -> list[str | PathLike[str]]:
        """List all paths and addresses that are read: of the table, hierarchies, population and earlier release."""
        trees = self.hierarchies.values() if isinstance(self.hierarchies, Mapping) else ()
        earlier = getattr(self.algorithm, "origin", None)
        sources = (data, earlier, *trees, *self.model.populations)
        return [source for source in sources if isinstance(source, str | PathLike)]


def _ranges(kind: str | None, *, keyed: bool, style: Style, model: PrivacyModel, unit: Unit | None) -> RangeKind:
    """Return the kind of ranges that is asked for, or the default."""
    if kind is None:
        return default_kind(keyed=keyed, style=style, model=model, unit=unit)
    return check_kind(kind, style=style, model=model, unit=unit)


def usual_suppressed(algorithm: Algorithm | str, model: PrivacyModel) -> str:
    """Return what becomes of suppressed rows by default: a few algorithms drop them, if the model allows that."""
    drops = getattr(algorithm_of(algorithm), "drops_suppressed", False)
    return "drop" if drops and not any(part.hides_absence for part in model.parts) else "keep"


def _without(unit: Unit, roles: Roles) -> Roles:
    """Return the roles with the columns of people removed, unless they are pseudonymized."""
    hidden = (*roles.identifying, *roles.pseudonymized)
    return replace(roles, identifying=(*roles.identifying, *(name for name in unit.columns if name not in hidden)))


def _with_dates(names: tuple[str, ...], unit: Unit, roles: Roles, columns: Sequence[str]) -> Roles:
    """Return the roles with shifted dates as quasi-identifiers, if their intervals can be seen in linked rows."""
    if names and unit.column is None:
        raise InputError("Dates are shifted by person: name the column that says whose row it is (unit=…, --unit).")
    for name in names:
        check_column(name, columns)
        if any(name in others for others in vars(replace(roles, kept=())).values()):
            raise InputError(f"Column {name!r} has a role and is to be shifted: leave one of the two out.")
    return replace(roles, quasi=(*roles.quasi, *names)) if unit.linked else roles


def _of_people(model: PrivacyModel, unit: Unit) -> PrivacyModel:
    """Return what classes of people must satisfy; refuse a population, whose people are not those of the table."""
    if model.populations:
        raise InputError(f"{model} compares rows with a population and cannot count people: leave out the unit.")
    model = for_people(model)
    return model & LimitedContribution(model.smallest) if unit.strict else model


def _linked_rows(unit: Unit, suppressed: str) -> str:
    """Return how suppressed rows are treated: where rows can be linked, they are left out."""
    return "drop" if unit.linked and suppressed == "keep" else suppressed


def _order(order: str | None, unit: Unit | None, class_column: str | None) -> str:
    """Return the order of the rows; that of the table would link those of a person."""
    if unit is None:
        return "rows" if order is None else order
    if order not in (None, "shuffled"):
        raise InputError(
            f"order = {order!r} could link the rows of a person, who often stand together in the table: leave it out, "
            f"and the rows are shuffled."
        )
    if class_column is not None and unit.linked:
        raise InputError(f"class_column = {class_column!r} cannot number sets of rows: leave it out.")
    return "shuffled"


def _check_model(model: PrivacyModel, roles: Roles) -> None:
    """Refuse anything but a model, a model that protects nobody, or one that lacks its sensitive column."""
    if not isinstance(model, PrivacyModel):
        raise InputError(f"{model!r} is not a privacy model; {_model_to_write(model)}.")
    if model.trivial:
        raise InputError(f"{model} protects nobody: choose at least 2.")
    if model.uses_sensitive and not roles.sensitive:
        raise InputError(f"The model {model} needs a sensitive column and none is named.")


def _model_to_write(given: object) -> str:
    """Say what to give in place of what is no model."""
    if isinstance(given, list | tuple) and given and all(isinstance(one, PrivacyModel) for one in given):
        return "combine them with &, as in shoal.KAnonymity(10) & shoal.DistinctDiversity(3)"
    return "give one such as shoal.KAnonymity(10)"


def _check_rows(suppressed: str, order: str, model: PrivacyModel, max_suppression: float | int) -> None:
    """Refuse an unknown order or treatment of suppressed rows, or one that reveals who is not in the table."""
    if suppressed not in TREATMENTS:
        close = did_you_mean(suppressed, TREATMENTS)
        raise InputError(f"suppressed = {suppressed!r} is not known: choose keep or drop.{close}")
    hiding = [part for part in model.parts if part.hides_absence]
    if suppressed == "drop" and max_suppression and hiding:
        raise InputError(
            f"Dropped rows would tell people that they are not in the table, which {hiding[0]} does not allow: "
            f"keep suppressed rows, or suppress none."
        )
    if order not in ORDERS:
        close = did_you_mean(order, ORDERS)
        raise InputError(f"order = {order!r} is not known: choose rows, classes or shuffled.{close}")


def _check_class_column(name: str | None, columns: Sequence[str], model: PrivacyModel) -> None:
    """Refuse a name for the column of class numbers that is not a name or already taken."""
    if name is None:
        return
    if not isinstance(name, str) or not name:
        raise InputError(f"class_column = {name!r} must be the name of a new column.")
    if name in columns:
        raise InputError(f"The table already has a column {name!r}: choose another name for the class numbers.")
    if model.populations:
        raise InputError(f"Class numbers cannot be verified with {model}, which needs a population: leave them out.")
