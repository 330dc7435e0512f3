"""Charts of the workbench, as plain data for the browser."""
