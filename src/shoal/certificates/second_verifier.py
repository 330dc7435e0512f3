"""The second verifier, tests/oracles/second_verifier, which repeats what a certificate says and is no part of shoal."""

# The SHA-256 of its sources one after the other, in the order of their names; a test holds it to them.
SOURCES = "46e080f37e29ee99f040242e8e02f91195ace8fccdb4a5ca49bc519198963125"
