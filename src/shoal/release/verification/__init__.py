"""Verification: whether a release is what it says, told from what was released by code that did not make it.

What is shared with the code that makes releases is this and nothing else: the privacy models and what they may see of
classes (`Classes`), hierarchies and styles as they are given, the text of a value (`labels.text`,
`encoding.plain_values`), and the reading of tables (`Source`, `files`).
"""
