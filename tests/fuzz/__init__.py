"""The bad input campaign: mutated files and texts through every public way, each a right result or one clear sentence."""
