"""The checksum of the second verifier, tests/oracles/second_verifier, which repeats the checks of a certificate."""

# The SHA-256 of its concatenated source files, in the order of their names; a test compares it with the files.
SOURCES = "3ee99a14d10658bd1f5ef52910136a7b826abf079de96977a5430fd56594317c"

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
