"""The checksum of the second verifier, tests/oracles/second_verifier, which repeats the checks of a certificate."""

# The SHA-256 of its concatenated source files, in the order of their names; a test compares it with the files.
SOURCES = "daec331efb0497d0e4e00b584c5eea8bf9ca0c8783dcc7718869eb837069cc93"
