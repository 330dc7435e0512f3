"""The soundness campaign: random requests through every public way, each release checked by the second verifier."""
