"""Challenges, seeks, preferences and limits before a game."""
