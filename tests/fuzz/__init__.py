"""The fuzzing campaign: damaged files and texts for every parser give a correct result or one clear message."""
