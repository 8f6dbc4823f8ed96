"""Errors that name for a player what cannot be done."""

from __future__ import annotations


class Refusal(Exception):
    """A refused command; `str()` is one sentence for the person who asked."""
