"""A game: journal, fold and views. Preferences and kinds of letters are here too."""
