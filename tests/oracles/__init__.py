"""Slow and literal versions of what shoal does, in plain Python."""
