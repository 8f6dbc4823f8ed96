"""Errors that name for a player what cannot be done."""


class Refusal(Exception):
    """A refused command; `str()` is one sentence for the person who asked."""
