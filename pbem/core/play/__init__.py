"""Decide what each command does in a game."""
