"""What happens when a run is killed, interrupted or runs out of something."""
