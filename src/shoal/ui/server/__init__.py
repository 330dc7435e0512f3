"""The server of the workbench: access and responses."""
