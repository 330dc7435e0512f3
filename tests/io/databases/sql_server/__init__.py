"""A stand-in for SQL Server: it speaks the server's protocol to the real driver, and runs T-SQL in SQLite.

What is sent must be T-SQL to sqlglot, which is not ours. What the statements mean is written here after Microsoft's
documentation: types and their conversions in values.py, statements in engine.py, the protocol in server.py.
"""
