"""The bad input campaign: damaged files and texts by every public way, each a right result or one sentence."""
