"""Sample letters of every kind, for golden files, properties, and inspection."""

from __future__ import annotations

from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache
from html.parser import HTMLParser

import pytest

from pbem.core.letters.letter import Letter
from pbem.core.parsing.reply_text import MARKER
from pbem.core.preferences.letter_kinds import KINDS
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
from tests.mail.invitation_letters import letters_of_invitations
from tests.mail.player_letters import letters_of_the_lobby, letters_of_the_operator, letters_of_the_web
from tests.mail.sample_values import HOUSE, OUTAGES, TOKEN
from tests.people import HOST, NOON


def _written_at(letter: Letter) -> datetime:
    """The next day, or when what the letter tells of happened, if that is later."""
    usual = NOON + timedelta(days=1)
    if letter.view is None:
        return usual
    days_off = letter.told.get("days") if letter.kind == "flag" else 0
    fell = letter.told["until"] - timedelta(days=days_off) if days_off else usual
    return max(usual, letter.view.game.journal[-1].at, fell)


def sample_headers(letter: Letter, number: int = 1) -> LetterHeaders:
    """Return a sample's letter headers, with everything fixed."""
    game = letter.view
    place = f"g{game.game.id}.e{game.entry}.s{game.seat or 0}" if game else "m17"
    stops = bool(KINDS[letter.kind].stop or letter.told.get("never"))
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
            *letters_of_invitations(),
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

each_kind = pytest.mark.parametrize("kind", dict.fromkeys(letter.kind for letter in SAMPLES.values()))


def of_kind(kind: str) -> dict[str, Letter]:
    """Return the samples of a kind by name."""
    return {name: letter for name, letter in SAMPLES.items() if letter.kind == kind}


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


def first_words_of(raw: bytes) -> str:
    """Return the words of an HTML part above its marker, which lists of mails show."""
    return part_as_text(raw, "html").partition(MARKER)[0]


def letters_in(words: str) -> str:
    """Return the letters and digits alone, by which a marker knows the sentence above it."""
    return "".join(filter(str.isalnum, words.lower()))


class Page(HTMLParser):
    """The contents of a letter's HTML part: tags, links, board cells."""

    VOID = frozenset({"meta", "br", "col", "img"})
    LEFT_OUT = frozenset({"td", "th", "tr", "thead", "tbody"})
    """Elements whose end tags may be left out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open[-1] != tag and self.open[-1] in self.LEFT_OUT:
            self.open.pop()
        assert self.open.pop() == tag

    @property
    def links(self) -> list[str]:
        return [attrs["href"] or "" for tag, attrs in self.tags if tag == "a"]
