"""Results, Glicko-2 ratings and statistics."""
