"""The second verifier, tests/oracles/second_verifier, which repeats what a certificate says and is no part of shoal."""

# The SHA-256 of its sources one after the other, in the order of their names; a test holds it to them.
SOURCES = "5217ac8634155f0fc35ac0c829c574556f9c00b280e132b99936a9044762e7be"
