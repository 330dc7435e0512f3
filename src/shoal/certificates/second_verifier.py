"""The second verifier, tests/oracles/second_verifier, which repeats what a certificate says and is no part of shoal."""

# The SHA-256 of its sources one after the other, in the order of their names; a test holds it to them.
SOURCES = "66c304ee169f4e82c33da1949f63ea9be4209ca24cf1c48fdc89fd36a39ea1a3"
