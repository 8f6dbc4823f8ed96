"""What a mail is taken for, as JSON data: the same as `pbem try --json`."""

from __future__ import annotations

from typing import Any

from pbem.core.parsing.line import MoveReader
from pbem.mail.doctor.explain import mail_as_json, read_mail
from rules import RULES


def explain(raw: bytes, game: str | None = None) -> dict[str, Any]:
    """Return kind, reason, orders, comment and text; `game` names the rules whose notation counts."""
    return mail_as_json(*read_mail(raw, move_reader_of(game) if game else None))


def move_reader_of(game: str) -> MoveReader:
    return RULES[game].start().read
