"""One package for each place where rows can be; each counts, relabels and verifies."""
