"""Questions that letters ask; the reply address takes the answer."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.core.letters.letter import ReplyTo
from pbem.core.lobby.challenges import CONFIRM_DAYS
from pbem.store import players
from pbem.store.engine import Connection

TRIAL = "trial"
"""The purpose of the letter of `pbem check --to`. Any mail answers it, and none is answered."""


def ask(
    db: Connection,
    purpose: str,
    address: str,
    data: Mapping[str, Any],
    now: datetime,
    days: int = CONFIRM_DAYS,
) -> ReplyTo:
    """Store a question to an address; returns its letter's reply address."""
    question = players.add_confirmation(db, purpose, address, data, now, now + timedelta(days=days))
    return ReplyTo("confirm", question.id)
