"""shoal.toml: its keys, its entries, and the text of a new one."""
