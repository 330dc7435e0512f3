"""The checksum of the second verifier, tests/oracles/second_verifier, which repeats the checks of a certificate."""

# The SHA-256 of its concatenated source files, in the order of their names; a test compares it with the files.
SOURCES = "daec331efb0497d0e4e00b584c5eea8bf9ca0c8783dcc7718869eb837069cc93"

# The models that it knows, by name; a test holds the list to its own.
KNOWN_MODELS = {
    "alpha-k",
    "average-risk",
    "beta-likeness",
    "delta-disclosure",
    "delta-presence",
    "distinct-l",
    "entropy-l",
    "frequency-l",
    "highest-risk",
    "k-anonymity",
    "k-map",
    "p-sensitive-k",
    "recursive-cl",
    "t-closeness",
}
