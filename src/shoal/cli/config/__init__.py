"""shoal.toml: its keys, its entries, the file as a whole, and the draft that shoal init writes."""
