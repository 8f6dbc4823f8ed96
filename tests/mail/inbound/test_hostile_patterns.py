"""Eighty hostile mails of 200 kB are parsed and read fast."""

from __future__ import annotations

import pytest

from pbem.core.parsing.inbound import Envelope
from pbem.core.parsing.mail_orders import read_orders
from pbem.mail.inbound.parse import dedupe_keys, parse_mail
from rules import RULES
from tests.mail.hostile import MAILS, SIZE
from tests.quickness import quick

SENT = Envelope("bill@example.org", "play@games.example.org")


@pytest.mark.parametrize("name", MAILS)
def test_a_hostile_mail_takes_a_twentieth_of_a_second(name: str):
    raw = MAILS[name]
    reader = RULES["bipod"].start().read

    def take() -> None:
        inbound = parse_mail(raw, SENT)
        read_orders(inbound.words, marked=inbound.marked, reader=reader, reader_of=lambda _game: reader)
        dedupe_keys(raw, [SENT.recipient])

    quick(0.05, take)


def test_the_patterns_are_as_large_as_they_should_be():
    small = {name for name, raw in MAILS.items() if len(raw) < SIZE // 3}
    assert len(MAILS) - len(small) >= 60


@pytest.mark.parametrize("games", [1, 20])
def test_many_games_named_in_a_mail_ask_for_no_more_than_twenty(games: int):
    asked: list[int] = []
    words = "".join(f"game {n}\nf2 f4\n" for n in range(1, games + 1))
    read_orders(words, marked=True, reader_of=lambda game: asked.append(game))
    assert list(range(1, games + 1)) == asked
    read_orders(words * 30, marked=True, reader_of=lambda game: asked.append(game))
    assert games == len(asked)
