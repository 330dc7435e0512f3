"""The pages of the workbench, one step per file."""
