"""Accounts of players' own programs: `register Ada bot`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.app import App
from pbem.commands.partners import _wants_challenges
from pbem.core.lobby.newcomers import offered_name
from pbem.core.parsing.arguments import register as read_register
from pbem.core.players import is_program_name, shown_name
from pbem.mail.person.mailbox import new_mail
from pbem.web import create_app
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    PLAY,
    last_words,
    letters,
    load,
    mail,
    player,
    register,
    reply,
    writes,
)
from tests.people import BILL as A_PERSON


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Ada bot", "Ada-bot"),
        ("Ada Bot.", "Ada-bot"),
        ("Ada-bot", "Ada-bot"),
        ("as Ada bot", "Ada-bot"),
        ("Ada", "Ada"),
        ("Talbot", "Talbot"),
        ("Ada Lovelace bot", "Ada Lovelace bot"),
    ],
)
def test_a_name_with_bot_behind_it_is_a_programs(words: str, name: str) -> None:
    assert {"name": name} == read_register(words)
    assert name.endswith("-bot") == is_program_name(name)


def test_a_name_that_is_taken_or_too_long_leads_to_another_of_a_program() -> None:
    taken = {"Ada-bot", "Ada-bot2"}
    assert "Ada-bot3" == offered_name("Ada-bot", frozenset(), lambda name: name not in taken)
    long = offered_name(f"{'Ada' * 6}-bot", frozenset(), lambda name: True)
    assert 20 == len(long) and is_program_name(long)
    assert "Ada-bot2, computer" == shown_name("Ada-bot2")


def test_a_program_is_registered_marked_and_never_rated(app: App) -> None:
    register(app, BILL, "Bill")
    mail(app, JOAO, new_mail(JOAO, PLAY, "register Ada bot"))
    assert "Ada-bot" in last_words(app, JOAO)
    writes(app, JOAO, "yes")
    assert player(app, "Ada-bot").program
    writes(app, BILL, "challenge Ada-bot bipod 3d/move rated")
    asked = letters(app, JOAO)[-1]
    assert "Rated: no, a computer plays" in last_words(app, JOAO)
    assert "Rated: no, a computer plays" in last_words(app, BILL)
    reply(app, JOAO, asked, "accept")
    assert not load(app).rated
    client = create_app(app).test_client()
    told = client.get("/api/games/1").json or {}
    assert [True] == [each["computer"] for each in told["players"].values() if each["name"] == "Ada-bot"]
    assert (client.get("/api/players/Ada-bot").json or {})["computer"]
    assert "Ada-bot, computer" in client.get("/games/1").text
    assert "Its games are never rated." in client.get("/players/Ada-bot").text


def test_a_seek_of_or_taken_by_a_program_is_unrated_and_nobody_is_led_to_one(app: App) -> None:
    register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    register(app, ANNA, "Ada-bot")
    writes(app, BILL, "seek bipod 3d/move")
    writes(app, ANNA, "take 1")
    assert not load(app).rated
    assert _wants_challenges(A_PERSON)
    assert not _wants_challenges(replace(A_PERSON, name="Ada-bot"))
