"""The laboratory: bots play a game many times, and figures with intervals come of it."""
