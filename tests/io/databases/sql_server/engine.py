"""T-SQL in SQLite: sqlglot parses each batch, and what SQLite lacks (types, the catalog, sp_rename) is made here."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass, field
from typing import Any

import sqlglot
from sqlglot import exp

from databases.sql_server.values import NEEDS_STYLE, TsqlError, base, converted

CATALOG = """
CREATE TABLE IF NOT EXISTS dbo."$objects" (object_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE UNIQUE,
    type TEXT, definition TEXT, target TEXT);
CREATE TABLE IF NOT EXISTS dbo."$columns" (object_id, ordinal, name, kind, collation);
CREATE TABLE IF NOT EXISTS dbo."$keys" (parent_object_id, referenced_object_id);
"""
VIEWS = """
CREATE TEMP VIEW sys_objects AS SELECT object_id, name, type, 1 AS schema_id FROM dbo."$objects";
CREATE TEMP VIEW sys_schemas AS SELECT 'dbo' AS name, 1 AS schema_id;
CREATE TEMP VIEW sys_sql_modules AS SELECT object_id, definition FROM dbo."$objects" WHERE type <> 'U' AND type <> 'SN';
CREATE TEMP VIEW sys_synonyms AS SELECT object_id, target AS base_object_name FROM dbo."$objects" WHERE type = 'SN';
CREATE TEMP VIEW sys_foreign_keys AS SELECT * FROM dbo."$keys";
CREATE TEMP VIEW sys_databases AS SELECT 5 AS database_id, 'clinic' AS name, 0 AS snapshot_isolation_state,
    '6F9619FF-8B86-D011-B42D-00C04FC964FF' AS service_broker_guid;
"""
SYNONYM = re.compile(r"CREATE SYNONYM (\w+) FOR (.+)|DROP SYNONYM \[(\w+)\]", re.IGNORECASE)
DESCRIBE = "dm_exec_describe_first_result_set"
DESCRIBED = ("name", "system_type_name", "collation_name", "error_message")
COLLATIONS = ("SQL_Latin1_General_CP1_CI_AS", "Latin1_General_CI_AS", "Latin1_General_BIN2")
CHARACTERS = ("char", "nchar", "varchar", "nvarchar")
SET_ON_OFF = re.compile(
    r"SET (ANSI_NULLS|ANSI_PADDING|ANSI_WARNINGS|ARITHABORT|QUOTED_IDENTIFIER|CONCAT_NULL_YIELDS_NULL"
    r"|NUMERIC_ROUNDABORT|IMPLICIT_TRANSACTIONS|XACT_ABORT) = (ON|OFF)|SET (ROWCOUNT|TEXTSIZE|LOCK_TIMEOUT) = -?\d+"
    r"|SET LANGUAGE = us_english|SET TRANSACTION ISOLATION LEVEL (SNAPSHOT|SERIALIZABLE)"
)


@dataclass(frozen=True)
class Column:
    name: str
    kind: str
    collation: str | None = None


@dataclass
class Result:
    columns: list[Column] = field(default_factory=list)
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    transaction: str = ""  # what began or ended


class Engine:
    """A session: a connection to the file of the database."""

    def __init__(self, file: str) -> None:
        self.raised: list[TsqlError] = []  # by a function of ours, of which SQLite tells nothing
        self.sqlite = sqlite3.connect(":memory:", isolation_level=None, timeout=2, check_same_thread=False)
        self.sqlite.execute("ATTACH ? AS dbo", (file,))
        self.sqlite.execute("PRAGMA dbo.journal_mode = WAL")
        self.sqlite.executescript(CATALOG + VIEWS)
        for name, size, function in (
            ("tsql_convert", 4, self._convert),
            ("tsql_object_id", 1, self._number_of),
            ("db_id", 0, lambda: 5),
            ("db_name", 0, lambda: "clinic"),
            ("collationproperty", 2, lambda name, _: 1252 if name in COLLATIONS else None),
        ):
            self.sqlite.create_function(name, size, function)

    def run(self, batch: str) -> list[Result]:
        """Run a batch; an error takes back the whole transaction, as with XACT_ABORT ON."""
        try:
            return self._run(batch)
        except sqlite3.Error as error:
            self._roll_back()
            text = str(error)
            if "locked" in text:
                raise TsqlError(1222, "Lock request time out period exceeded.") from error
            if "no such table" in text or "no such column" in text:
                raise TsqlError(208, f"Invalid object name '{text.rpartition(': ')[2]}'.") from error
            raise TsqlError(50000, text) from error
        except TsqlError:
            self._roll_back()
            raise
        except sqlglot.errors.SqlglotError as error:
            self._roll_back()
            raise TsqlError(102, f"Incorrect syntax: {error}") from error

    def _roll_back(self) -> None:
        if self.sqlite.in_transaction:
            self.sqlite.execute("ROLLBACK")

    def _run(self, batch: str) -> list[Result]:
        batch = re.sub(r"\\\r?\n", "", batch)  # a backslash before the end of a line
        synonym = SYNONYM.fullmatch(batch)
        if synonym:
            if synonym[3]:
                self._execute('DELETE FROM dbo."$objects" WHERE name = ?', (synonym[3],))
            else:
                self._add(synonym[1], "SN", target=synonym[2])
            return [Result()]
        return [self._statement(statement, batch) for statement in parsed(batch)]

    def _statement(self, statement: exp.Expression, batch: str) -> Result:
        if isinstance(statement, exp.IfBlock):
            if self.sqlite.in_transaction:
                return self._statement(statement.args["true"].expressions[0], batch)
            return Result()
        if isinstance(statement, exp.Transaction):
            self.sqlite.execute("BEGIN")
            return Result(transaction="begun")
        if isinstance(statement, (exp.Commit, exp.Rollback)):
            if not self.sqlite.in_transaction:
                raise TsqlError(3902, "The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.")
            self.sqlite.execute("COMMIT" if isinstance(statement, exp.Commit) else "ROLLBACK")
            return Result(transaction="committed" if isinstance(statement, exp.Commit) else "rolled back")
        if isinstance(statement, exp.Set):
            if not SET_ON_OFF.fullmatch(statement.sql()):
                raise TsqlError(195, f"{statement.sql()!r} is not a recognized SET option.")
            return Result()
        if isinstance(statement, exp.Create):
            self._create(statement, batch)
        elif isinstance(statement, exp.Drop):
            self._drop(statement)
        elif isinstance(statement, exp.Execute):
            self._rename(statement)
        elif isinstance(statement, exp.Insert):
            self._insert(statement)
        elif isinstance(statement, exp.Select) and statement.args.get("into"):
            self._select_into(statement)
        elif isinstance(statement, exp.Query):
            return self._query(statement)
        elif isinstance(statement, (exp.Update, exp.Delete)):
            self._execute(self._sqlite(statement))
        else:
            raise TsqlError(102, f"Incorrect syntax near {statement.sql()[:40]!r}.")
        return Result()

    def _query(self, query: exp.Query) -> Result:
        asked = next((one for one in query.find_all(exp.Anonymous) if one.this.lower() == DESCRIBE), None)
        if asked is not None:
            (inner,) = parsed(asked.expressions[0].this)
            names = [column.name for column in query.selects]
            found = [dict(zip(DESCRIBED, (*_of(one), None), strict=True)) for one in self.columns(inner)]
            rows = [tuple(row[name] for name in names) for row in found]
            return Result([Column(name, "nvarchar(128)") for name in names], rows)
        columns = self.columns(query)
        return Result(columns, self._execute(self._sqlite(query)))

    # What there is.

    def _add(self, name: str, kind: str, *, definition: str | None = None, target: str | None = None) -> int:
        try:
            made = self._execute(
                'INSERT INTO dbo."$objects" (name, type, definition, target) VALUES (?, ?, ?, ?) RETURNING object_id',
                (name, kind, definition, target),
            )
        except sqlite3.IntegrityError as error:
            raise TsqlError(2714, f"There is already an object named '{name}' in the database.") from error
        return made[0][0]

    def _number_of(self, text: str) -> int | None:
        (table,) = parsed(f"SELECT 1 FROM {text}")
        found = self._object(table.find(exp.Table))
        return found[0] if found else None

    def _object(self, table: exp.Table) -> tuple[Any, ...] | None:
        if table.db and table.db.lower() != "dbo":
            return None
        found = self._execute('SELECT object_id, name, type, definition, target FROM dbo."$objects" WHERE name = ?',
                              (table.name,))  # fmt: skip
        return found[0] if found else None

    def _create(self, statement: exp.Create, batch: str) -> None:
        if statement.kind == "VIEW":
            if len(parsed(batch)) > 1:
                raise TsqlError(111, "'CREATE VIEW' must be the first statement in a query batch.")
            name = statement.this.name
            self._add(name, "V", definition=batch)
            body = self._sqlite(statement.expression).replace('"dbo".', "").replace("dbo.", "")
            self._execute(f"CREATE VIEW dbo.{_quoted(name)} AS {body}")
            return
        table = statement.find(exp.Table)
        if table.db and table.db.lower() != "dbo":
            raise TsqlError(2760, f'The specified schema name "{table.db}" either does not exist or you do not have '
                                  "permission to use it.")  # fmt: skip
        columns = []
        for one in statement.find_all(exp.ColumnDef):
            collation = one.find(exp.CollateColumnConstraint)
            kind = spelled(one.args["kind"])
            default = COLLATIONS[0] if base(kind) in CHARACTERS else None
            columns.append(Column(one.name, kind, collation.this.name if collation else default))
        self._create_table(table.name, columns)
        reference = statement.find(exp.Reference)
        if reference:
            numbers = self._number_of(_bracketed(table.name)), self._object(reference.find(exp.Table))[0]
            self._execute('INSERT INTO dbo."$keys" VALUES (?, ?)', numbers)

    def _create_table(self, name: str, columns: list[Column]) -> None:
        number = self._add(name, "U")
        names = [column.name.lower() for column in columns]
        if len({*names}) < len(names):
            raise TsqlError(2705, "Column names in each table must be unique.")
        rows = [(number, at, *_of(column)) for at, column in enumerate(columns)]
        self.sqlite.executemany('INSERT INTO dbo."$columns" VALUES (?, ?, ?, ?, ?)', rows)
        self._execute(f"CREATE TABLE dbo.{_quoted(name)} ({', '.join(_quoted(column.name) for column in columns)})")

    def _drop(self, statement: exp.Drop) -> None:
        table = statement.this if isinstance(statement.this, exp.Table) else statement.find(exp.Table)
        found = self._object(table)
        if found is None or found[2] != {"TABLE": "U", "VIEW": "V"}[statement.kind]:
            raise TsqlError(3701, f"Cannot drop the table '{table.name}', because it does not exist.")
        if self._execute('SELECT 1 FROM dbo."$keys" WHERE referenced_object_id = ?', (found[0],)):
            raise TsqlError(3726, "Could not drop object because it is referenced by a FOREIGN KEY constraint.")
        self._execute(f"DROP {statement.kind} dbo.{_quoted(found[1])}")
        for place in ("objects", "columns"):
            self._execute(f'DELETE FROM dbo."${place}" WHERE object_id = ?', (found[0],))
        self._execute('DELETE FROM dbo."$keys" WHERE parent_object_id = ?', (found[0],))

    def _rename(self, statement: exp.Execute) -> None:
        if statement.this.name.lower() != "sp_rename":
            raise TsqlError(2812, f"Could not find stored procedure '{statement.this.name}'.")
        given = {one.this.this.name: self._constant(one.expression) for one in statement.expressions}
        (old,) = parsed(f"SELECT 1 FROM {given['objname']}")
        found = self._object(old.find(exp.Table))
        if found is None or given.get("objtype", "OBJECT") != "OBJECT":
            raise TsqlError(15225, f"No item by the name of '{given['objname']}' could be found.")
        new = given["newname"]
        if self._execute('SELECT 1 FROM dbo."$objects" WHERE name = ?', (new,)):
            raise TsqlError(15335, f"Error: The new name '{new}' is already in use as a OBJECT name.")
        self._execute(f"ALTER TABLE dbo.{_quoted(found[1])} RENAME TO {_quoted(new)}")
        self._execute('UPDATE dbo."$objects" SET name = ? WHERE object_id = ?', (new, found[0]))

    # Rows.

    def _insert(self, statement: exp.Insert) -> None:
        target = statement.find(exp.Table)
        found = self._object(target)
        if found is None or found[2] != "U":
            raise TsqlError(208, f"Invalid object name '{target.name}'.")
        columns = self._columns_of(found)
        if isinstance(statement.this, exp.Schema):
            named = [one.name.lower() for one in statement.this.expressions]
            columns = [next(one for one in columns if one.name.lower() == name) for name in named]
        self._fill(found[1], columns, self._execute(self._sqlite(statement.expression)))

    def _fill(self, name: str, columns: list[Column], rows: list[tuple[Any, ...]]) -> None:
        if any(len(row) != len(columns) for row in rows):
            raise TsqlError(213, "Column name or number of supplied values does not match table definition.")
        values = [tuple(_kept(value, column.kind) for value, column in zip(row, columns, strict=True)) for row in rows]
        names, marks = ", ".join(_quoted(one.name) for one in columns), ", ".join("?" * len(columns))
        self.sqlite.executemany(f"INSERT INTO dbo.{_quoted(name)} ({names}) VALUES ({marks})", values)

    def _select_into(self, statement: exp.Select) -> None:
        name = statement.args["into"].this.name
        query = statement.copy()
        query.set("into", None)
        columns = self.columns(query)
        rows = self._execute(self._sqlite(query))
        self._create_table(name, columns)
        self._fill(name, columns, rows)

    def _constant(self, node: exp.Expression) -> Any:
        return self._execute(f"SELECT {self._sqlite(node)}")[0][0]

    def _execute(self, statement: str, given: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        self.raised.clear()
        try:
            return self.sqlite.execute(statement, given).fetchall()
        except sqlite3.OperationalError as error:
            raise (self.raised or [error])[0] from error

    def _convert(self, value: Any, kind: str, style: int | None, source: str) -> Any:
        try:
            return converted(value, kind, style=style, source=source, cuts=True)
        except TsqlError as error:
            self.raised.append(error)
            raise

    # Types.

    def columns(self, query: exp.Expression) -> list[Column]:
        """Describe the columns of a query, and refuse what the server does not take as a table in a query."""
        query = query.unnest() if isinstance(query, exp.Subquery) else query
        if isinstance(query, exp.SetOperation):
            return self.columns(query.left)
        sources = self._sources(query)
        found: list[Column] = []
        for one in query.expressions:
            if isinstance(one, exp.Star) or (isinstance(one, exp.Column) and isinstance(one.this, exp.Star)):
                wanted = one.table if isinstance(one, exp.Column) else ""
                found += [column for name, columns in sources if wanted in ("", name) for column in columns]
            else:
                found.append(self._column(one, sources, query))
        return found

    def _sources(self, query: exp.Select) -> list[tuple[str, list[Column]]]:
        begin = query.args.get("from_") or query.args.get("from")
        tables = [begin.this] if begin else []
        tables += [join.this for join in query.args.get("joins") or []]
        return [(table.alias_or_name, self._table(table)) for table in tables]

    def _table(self, table: exp.Expression) -> list[Column]:
        if isinstance(table, exp.Subquery):
            if table.this.args.get("order") and not table.this.args.get("limit"):
                raise TsqlError(1033, "The ORDER BY clause is invalid in derived tables, unless TOP is also specified.")
            if table.this.args.get("with_") or table.this.args.get("with"):
                raise TsqlError(156, "Incorrect syntax near the keyword 'WITH'.")
            columns = self.columns(table.this)
            names = [column.name.lower() for column in columns]
            for at, name in enumerate(names):
                if not name:
                    raise TsqlError(8155, f"No column name was specified for column {at + 1} of '{table.alias}'.")
                if names.count(name) > 1:
                    raise TsqlError(8156, f"The column '{columns[at].name}' was specified multiple times for "
                                          f"'{table.alias}'.")  # fmt: skip
            return columns
        if isinstance(table, exp.Values):
            return [Column(name.name, "nvarchar(max)") for name in table.args["alias"].columns]
        if table.db.lower() == "sys":
            rows = self.sqlite.execute(f"PRAGMA table_info(sys_{table.name})").fetchall()
            return [
                Column(name, "int" if name.endswith(("_id", "_state")) else "nvarchar(128)") for _, name, *_ in rows
            ]
        found = self._object(table)
        if found is None:
            raise TsqlError(208, f"Invalid object name '{table.name}'.")
        return self._columns_of(found)

    def _columns_of(self, found: tuple[Any, ...]) -> list[Column]:
        number, _, kind, definition, target = found
        if kind == "V":
            return self.columns(parsed(definition)[0].expression)
        if kind == "SN":
            (query,) = parsed(f"SELECT * FROM {target}")
            return self.columns(query)
        rows = self._execute('SELECT name, kind, collation FROM dbo."$columns" WHERE object_id = ? ORDER BY ordinal',
                             (number,))  # fmt: skip
        return [Column(*row) for row in rows]

    def _column(self, node: exp.Expression, sources: list[tuple[str, list[Column]]], query: exp.Select) -> Column:
        name, inner = node.alias_or_name if isinstance(node, (exp.Alias, exp.Column)) else "", node.unalias()
        while isinstance(inner, exp.Paren):
            inner = inner.this
        if isinstance(inner, exp.Column):
            for source, columns in sources:
                for column in columns:
                    if inner.table in ("", source) and column.name.lower() == inner.name.lower():
                        return Column(name, column.kind, column.collation)
            raise TsqlError(207, f"Invalid column name '{inner.name}'.")
        if isinstance(inner, (exp.Convert, exp.Cast)):
            kind = spelled(inner.this if isinstance(inner, exp.Convert) else inner.args["to"])
            return Column(name, kind, COLLATIONS[0] if base(kind) in CHARACTERS else None)
        return Column(name, self._guessed(inner, query))

    def _guessed(self, node: exp.Expression, query: exp.Select) -> str:
        if isinstance(node, (exp.National, exp.Literal)) and not getattr(node, "is_number", False):
            return f"nvarchar({max(1, len(node.this))})"
        asked = query.copy()
        asked.set("expressions", [node.copy()])
        kinds = {type(value) for (value,) in self._execute(self._sqlite(asked)) if value is not None}
        return {int: "int", float: "float", bytes: "varbinary(max)", str: "nvarchar(4000)"}[
            kinds.pop() if len(kinds) == 1 else int
        ]

    def _sqlite(self, statement: exp.Expression) -> str:
        """Write a statement for SQLite."""

        def changed(node: exp.Expression) -> exp.Expression:
            if isinstance(node, exp.National):
                return exp.Literal.string(node.this)
            if isinstance(node, exp.ObjectId):
                return exp.Anonymous(this="tsql_object_id", expressions=[node.this.transform(changed)])
            if isinstance(node, exp.CurrentSchema):
                return exp.Literal.string("dbo")
            if isinstance(node, (exp.Convert, exp.Cast)):
                kind = node.this if isinstance(node, exp.Convert) else node.args["to"]
                value = node.expression if isinstance(node, exp.Convert) else node.this
                style = node.args.get("style") or exp.Null()
                source = exp.Literal.string(self._source_type(value, node))
                given = [value.transform(changed), exp.Literal.string(spelled(kind)), style, source]
                return exp.Anonymous(this="tsql_convert", expressions=given)
            if isinstance(node, exp.Values) and node.args.get("alias") and node.args["alias"].columns:
                names = node.args["alias"].columns
                inner = node.copy()
                inner.set("alias", None)
                rows = exp.Select(expressions=[
                    exp.alias_(exp.column(f"column{at + 1}"), name.name, quoted=True) for at, name in enumerate(names)
                ]).from_(f"({inner.transform(changed).sql('sqlite')})", dialect="sqlite")  # fmt: skip
                return exp.Subquery(this=rows, alias=exp.TableAlias(this=node.args["alias"].this))
            if isinstance(node, exp.Table) and node.db.lower() == "sys":
                return exp.Table(this=exp.to_identifier(f"sys_{node.name}"), alias=node.args.get("alias"))
            if isinstance(node, exp.Table) and node.name:
                node.set("catalog", None)  # there is one database only
                found = self._object(node)
                if found and found[2] == "SN":
                    target = parsed(f"SELECT 1 FROM {found[4]}")[0].find(exp.Table)
                    return exp.alias_(target.transform(changed), node.alias_or_name)
            return node

        return statement.copy().transform(changed).sql("sqlite")

    def _source_type(self, value: exp.Expression, node: exp.Expression) -> str:
        if isinstance(value, exp.HexString):
            return "varbinary(max)"
        query = node.find_ancestor(exp.Select)
        if not isinstance(value, exp.Column) or query is None:
            return "nvarchar(max)"
        return self._column(value, self._sources(query), query).kind


def parsed(batch: str) -> list[exp.Expression]:
    """Parse T-SQL; refuse what sqlglot passes through as plain text."""
    real = re.sub(r"(?<![\w\[])real(?![\w\]])", "float(24)", batch)  # which sqlglot takes for float
    statements = sqlglot.parse(real, read="tsql")
    for statement in statements:
        if statement is None or statement.find(exp.Command):
            raise TsqlError(102, f"Incorrect syntax near '{batch[:40]}'.")
    return statements


def spelled(kind: exp.DataType) -> str:
    """Name a type as the server does."""
    text = kind.sql("tsql").lower().replace(", ", ",")
    same = {"integer": "int", "float(24)": "real", "float(53)": "float"}
    return same.get(text, re.sub(r"^(numeric|decimal)", "decimal", text))


def _of(column: Column) -> tuple[str, str, str | None]:
    return column.name, column.kind, column.collation


def _kept(value: Any, kind: str) -> Any:
    """Convert a value on its way into a column."""
    if isinstance(value, str) and base(kind) in ("datetime", "smalldatetime"):
        return converted(value, kind, style=NEEDS_STYLE[base(kind)])
    if isinstance(value, str) and base(kind) in CHARACTERS:
        return converted(value, kind)
    return converted(value, kind, source="" if not isinstance(value, bytes) else "varbinary(max)")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _bracketed(name: str) -> str:
    return "[" + name.replace("]", "]]") + "]"
