"""A game: its journal, the fold over it, the views of it; also preferences and the kinds of letters."""
