"""What an attacker with some knowledge about people learns from a table."""
