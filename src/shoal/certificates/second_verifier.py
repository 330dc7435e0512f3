"""The checksum of the second verifier, tests/oracles/second_verifier, which repeats the checks of a certificate."""

# The SHA-256 of its concatenated source files, in the order of their names; a test compares it with the files.
SOURCES = "828d1a84f6fd62cc78789139b83748df5933ff2107f5b1ccbda8f42a0b749fb5"

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
    "limited-contribution",
    "p-sensitive-k",
    "recursive-cl",
    "t-closeness",
}
