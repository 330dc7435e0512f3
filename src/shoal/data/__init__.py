"""Tables, their columns, hierarchies and labels."""
