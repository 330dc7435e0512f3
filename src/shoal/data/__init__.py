"""Tables, their columns and what stands in them."""
