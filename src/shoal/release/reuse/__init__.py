"""What the next delivery keeps of a release."""
