"""From a request to a verified release: what every engine calls."""
