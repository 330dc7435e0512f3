"""The steps from a request to a verified release, which every engine calls."""
