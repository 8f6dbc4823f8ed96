"""One file a game, each defining `RULES`. They are found by `rules`, which lists this folder."""
