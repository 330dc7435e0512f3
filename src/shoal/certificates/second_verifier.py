"""The second verifier, tests/oracles/second_verifier, which repeats what a certificate says and is no part of shoal."""

# The SHA-256 of its sources one after the other, in the order of their names; a test holds it to them.
SOURCES = "daec331efb0497d0e4e00b584c5eea8bf9ca0c8783dcc7718869eb837069cc93"
