"""Range ends: ranges of numbers and dates that do not end at the values of people."""
