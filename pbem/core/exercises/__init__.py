"""Exercises: puzzles, lessons, moments of a finished game, and guesses at moves."""
