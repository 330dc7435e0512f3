"""The kinds of databases and the forms of their addresses; light to import, as --help shows them."""

from __future__ import annotations

KINDS = {  # by what stands before ://
    "postgresql": "postgresql",
    "postgres": "postgresql",
    "mysql": "mysql",
    "mariadb": "mysql",
    "mssql": "mssql",
    "sqlserver": "mssql",
    "sqlite": "sqlite",
    "duckdb": "duckdb",
}
ELSEWHERE = {"oracle": "Oracle"}  # not tested, so not supported
FILE_KINDS = ("sqlite", "duckdb")  # their addresses name a file after three slashes
FORMS = (
    "postgresql://user@host/database#table, mysql://user@host/database#table, mssql://user@host/database#table, "
    "sqlite:///file.db#table or duckdb:///file.duckdb#table"
)
