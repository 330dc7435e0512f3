"""What an attacker learns who knows a few things about people."""
