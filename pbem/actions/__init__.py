"""Carries out what a command or the clock does, one module a noun."""
