"""One file a game, each defining `RULES`; `rules` finds them by listing this folder."""
