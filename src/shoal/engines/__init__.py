"""The engines: one package for each kind of place that holds the rows; each counts, relabels and verifies them."""
