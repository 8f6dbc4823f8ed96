"""A game: its journal, the fold over it, and the views of it."""
