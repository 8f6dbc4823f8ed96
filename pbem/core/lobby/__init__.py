"""Challenges, seeks, addresses and limits before a game."""
