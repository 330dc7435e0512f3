"""Verification: whether a release is what it claims to be, judged from the released table by code that did not make it.

It shares only this with the code that makes releases: the privacy models and what they may see of classes (`Classes`),
the caller's hierarchies and styles, the text of a value (`style.text`, `encoding.plain_values`), and the reading of
tables (`Source`, `files`).
"""
