"""The COMP 430/530 assignment (Data Privacy and Security): its five functions, its files and its experiment."""

from shoal.comp430.functions import (
    bottom_up_anonymizer,
    bottomup_anonymizer,
    clustering_anonymizer,
    cost_LM,
    cost_MD,
    random_anonymizer,
)

__all__ = [
    "bottom_up_anonymizer",
    "bottomup_anonymizer",
    "clustering_anonymizer",
    "cost_LM",
    "cost_MD",
    "random_anonymizer",
]
