"""The games: each module or package in this folder defines `RULES`, and `rules` finds it here."""
