"""Tables from and to files, workbooks and databases."""
