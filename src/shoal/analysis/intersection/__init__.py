"""What several releases of the same people reveal together."""
