"""Local recoding: equal values may be generalized differently in different classes."""
