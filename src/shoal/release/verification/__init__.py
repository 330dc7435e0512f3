"""Verification: whether a release is what it claims to be, judged from the released table by code that did not make it.

It shares only this with the code that makes releases: the privacy models and what they may see of classes (`Classes`,
`Counts`, `Overall`, `people_covered`), the caller's roles, hierarchies and styles, the text of a value
(`data/style.py`, `data/arrow_text.py`, `plain_values`, `check_groupable`, `taken`), and the reading of tables (`io`).
The formulas of the models are thus the same; the second verifier of certificates has formulas of its own.
"""
