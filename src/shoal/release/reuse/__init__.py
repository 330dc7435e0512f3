"""The generalization of a release, kept for the next delivery."""
