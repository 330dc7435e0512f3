"""The second verifier, tests/oracles/second_verifier, which repeats what a certificate says and is no part of shoal."""

# The SHA-256 of its sources one after the other, in the order of their names; a test holds it to them.
SOURCES = "0d1c0eb78248038d313838f136ab27b85d11645a9a776bbfd514c9b288f3ac5e"
