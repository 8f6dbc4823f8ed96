"""Sample letters of every kind, for golden files, properties, and inspection."""

from __future__ import annotations

from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache

import pytest

from pbem.core.game.letter_kinds import KINDS
from pbem.core.letters.letter import Letter
from pbem.mail.inbound.html_to_text import html_to_text
from pbem.mail.outbound.message import LetterHeaders, Site, write
from pbem.mail.person.mailbox import POLICY as READ_POLICY
from tests.amount import some
from tests.mail.director_letters import letters_of_directors
from tests.mail.game_letters import (
    letters_of_decisions,
    letters_of_every_game,
    letters_of_several_games,
    letters_of_the_game,
    letters_of_undoing,
)
from tests.mail.player_letters import letters_of_the_lobby, letters_of_the_operator, letters_of_the_web
from tests.mail.sample_values import HOUSE, OUTAGES, TOKEN
from tests.people import HOST, NOON


def _written_at(letter: Letter) -> datetime:
    """The next day, or when what the letter tells of happened, if that is later."""
    usual = NOON + timedelta(days=1)
    if letter.view is None:
        return usual
    days_off = letter.facts.get("days") if letter.kind == "flag" else 0
    fell = letter.facts["until"] - timedelta(days=days_off) if days_off else usual
    return max(usual, letter.view.game.journal[-1].at, fell)


def sample_headers(letter: Letter, number: int = 1) -> LetterHeaders:
    """Return a sample's letter headers, with everything fixed."""
    game = letter.view
    place = f"g{game.game.id}.e{game.entry}.s{game.seat or 0}" if game else "m17"
    stops = bool(KINDS[letter.kind].stop)
    return LetterHeaders(
        message_id=f"<{place}.{letter.kind}.{number}@{HOST}>",
        references=(f"<g42.e1.s0.start.1@{HOST}>", "<answer.7@mail.example.org>") if game else (),
        in_reply_to="<answer.7@mail.example.org>" if KINDS[letter.kind].answers else "",
        reply_to=f"play+{TOKEN}@{HOST}" if letter.reply.use else f"play@{HOST}",
        unsubscribe_mail=f"play+{TOKEN[::-1]}@{HOST}" if stops else "",
        unsubscribe_web=f"https://{HOST}/unsubscribe/{TOKEN[::-1]}" if stops else "",
        date=_written_at(letter),
        outages_to_tell=OUTAGES if game and game.game.stops.both else (),
    )


def samples() -> dict[str, Letter]:
    """Return sample letters by file name: every kind in all its variants."""
    return dict(
        [
            *letters_of_the_game(),
            *letters_of_decisions(),
            *letters_of_directors(),
            *letters_of_the_lobby(),
            *letters_of_the_operator(),
            *letters_of_the_web(),
            *letters_of_several_games(),
            *letters_of_undoing(),
            *letters_of_every_game(),
        ]
    )


SAMPLES = samples()
CHOSEN = dict(some(SAMPLES.items(), 110, lambda sample: sample[1].kind))
"""Samples of each kind, in a short run a part of them."""

every_sample = pytest.mark.parametrize("sample", SAMPLES.items(), ids=SAMPLES)

each_sample = pytest.mark.parametrize("sample", CHOSEN.items(), ids=CHOSEN)
"""Runs a test with the samples chosen, as (name, letter)."""

PARTS = {
    f"{name}-{subtype}": (letter, subtype)
    for name, letter in CHOSEN.items()
    for subtype, other in (("plain", "html"), ("html", "text"))
    if letter.player is None or letter.player.preferences.format != other
}

each_part = pytest.mark.parametrize(("letter", "subtype"), PARTS.values(), ids=PARTS)
"""Runs a test with each part of the samples chosen, by preferences."""

each_html = pytest.mark.parametrize(
    "letter", [letter for letter, subtype in PARTS.values() if subtype == "html"]
)

each_text = pytest.mark.parametrize(
    "letter", [letter for letter, subtype in PARTS.values() if subtype == "plain"]
)

POLICY = policy.SMTP.clone(max_line_length=998)
"""The standard library's policy for letters."""


def write_sample(letter: Letter, site: Site = HOUSE) -> bytes:
    return write(letter, sample_headers(letter), site)


_IDS = {id(letter) for letter in SAMPLES.values()}

_written: dict[int, bytes] = {}


def sample_bytes(letter: Letter) -> bytes:
    """Return a sample as `write_sample` writes it, written once in a run."""
    if id(letter) not in _IDS:
        return write_sample(letter)
    if id(letter) not in _written:
        _written[id(letter)] = write_sample(letter)
    return _written[id(letter)]


def parse_sample(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=READ_POLICY)
    assert isinstance(message, EmailMessage)
    return message


@lru_cache(maxsize=1000)
def part_as_text(raw: bytes, subtype: str) -> str:
    """Return a part as text: HTML as the poorest mail program would convert it."""
    return part_of_letter(raw, subtype) if subtype == "plain" else html_to_text(part_of_letter(raw, subtype))


@lru_cache(maxsize=1000)
def part_of_letter(raw: bytes, subtype: str) -> str:
    """Return the decoded `plain` or `html` part, "" if missing. Lines end in newlines."""
    body = parse_sample(raw).get_body((subtype,))
    if body is None:
        return ""
    return str(body.get_content()).replace("\r\n", "\n")


def headers_of(raw: bytes) -> dict[str, str]:
    return {name: str(value) for name, value in parse_sample(raw).items()}
