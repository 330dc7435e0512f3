"""The checksum of the second verifier, tests/oracles/second_verifier, which repeats the checks of a certificate."""

# The SHA-256 of its concatenated source files, in the order of their names; a test compares it with the files.
SOURCES = "be8b215459f46262fbd7c4b9af8d00c409069bac90b415f178d79902435d3c6a"

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
