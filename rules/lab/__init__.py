"""The laboratory: bots play a game many times, for figures with confidence intervals."""
