"""Versions of finished games: `/games/42/7.svg?v=0123456789` is for good, and nobody need ask for it twice.

A version is made of what the ETags of a game's files are made of, so it changes when the game is opened
again, when somebody in it is forgotten, and with the program that draws. An address with another version,
or with none, is no error: it has what is so now, to be checked each time.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol

from flask import request

from pbem.web.counter import edition

DIGITS = 10


class Fresh(Protocol):
    """What says how fresh a game is: its row in a list, or alone."""

    @property
    def tag(self) -> str: ...
    @property
    def ended(self) -> bool: ...


def version(id: int, fresh: Fresh) -> str:
    """The version of a finished game's files; nothing while the game runs."""
    if not fresh.ended:
        return ""
    return sha256(f"{edition()}-{id}.{fresh.tag}".encode()).hexdigest()[:DIGITS]


def pinned(version: str) -> str:
    """What to write behind the address of a file, if anything."""
    return f"?v={version}" if version else ""


def is_asked_for(version: str) -> bool:
    """Whether the address asked for names this very version."""
    return bool(version) and request.args.get("v") == version
