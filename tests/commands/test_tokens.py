"""The command `set token`."""

from __future__ import annotations

import re

import pytest

from pbem.app import App
from pbem.duties.tokens import player_of_token
from pbem.mail.addresses import Token, days_since_1970
from pbem.mail.outbound.message import blank_secrets
from pbem.mail.person.mailbox import new_mail
from pbem.store import players
from tests.apps import BILL, NO_DEVELOPMENT, ask, last_letter, mail, player, register, writes

TOKEN = re.compile(r"token_\d+_[a-z2-7]{32}")


def owner(app: App, token: str) -> str | None:
    with app.store.read() as db:
        found = player_of_token(db, token)
    return found.name if found else None


def test_a_letter_brings_a_token_and_a_new_one_ends_the_one_before(app: App) -> None:
    register(app, BILL, "Bill")
    first, second = (TOKEN.findall(ask(app, BILL, f"set token{on}"))[0] for on in ("", " on"))
    assert (None, "Bill") == (owner(app, first), owner(app, second))
    assert "token is now off" in ask(app, BILL, "set token off")
    assert owner(app, second) is None


def test_of_the_letter_nothing_good_is_kept(app: App) -> None:
    register(app, BILL, "Bill")
    token = TOKEN.findall(ask(app, BILL, "set token"))[0]
    assert token.encode() not in blank_secrets(last_letter(app, BILL).raw)
    assert "token: on" in ask(app, BILL, "set all")


@pytest.mark.each_database
def test_a_forgotten_players_token_is_gone(app: App) -> None:
    register(app, BILL, "Bill")
    token = TOKEN.findall(ask(app, BILL, "set token"))[0]
    writes(app, BILL, "forget me")
    writes(app, BILL, "yes")
    assert owner(app, token) is None
    with app.store.read() as db:
        gone = players.player_by_id(db, 1)
    assert gone is not None and {} == gone.preferences.more


class TestWithoutProof:
    """A server that asks about what a mail without proof orders."""

    @pytest.fixture
    def app_config(self) -> dict[str, str]:
        return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": "mx.localhost"}

    def test_its_owner_is_asked_first(self, app: App) -> None:
        register(app, BILL, "Bill")
        who = player(app, "Bill")
        to = app.addressing.reply(Token("player", (who.id, 0, who.epoch, days_since_1970(app.now()))))
        mail(app, BILL, new_mail(BILL, to, "set token"), to)
        asked = last_letter(app, BILL).text
        assert "set token" in asked and not TOKEN.search(asked)
        writes(app, BILL, "yes")
        assert "Bill" == owner(app, TOKEN.findall(last_letter(app, BILL).text)[0])
