"""Mails to postmaster@ and abuse@: what reaches the operator, and what is held back."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.duties.operator_letters import OperatorLetters
from pbem.inbox.forwarding import FORWARDED_A_DAY, FORWARDED_OF_ONE
from pbem.mail.person.mailbox import new_mail
from tests.apps import BILL, OPERATOR, Clock, flat, letters, mail, register

ANN = "ann@example.com"


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def to(app: App, mailbox: str, who: str, words: str = "You spam me.") -> None:
    address = f"{mailbox}@localhost"
    assert "done" == mail(app, who, new_mail(who, address, words), address)


def flood(app: App, mailbox: str) -> None:
    for n in range(FORWARDED_A_DAY + 2):
        to(app, mailbox, f"p{n}@example.com", f"number {n}")


@pytest.mark.parametrize("mailbox", ["postmaster", "abuse"])
def test_the_operator_is_brought_what_people_write(app: App, mailbox: str) -> None:
    to(app, mailbox, ANN, "You spam me.\nresign")
    told = letters(app, OPERATOR)[-1]
    assert ANN in told.text
    assert "mail: You spam me." in told.text


def test_one_sender_uses_up_no_ration_of_others(app: App) -> None:
    for n in range(3 * FORWARDED_OF_ONE):
        to(app, "postmaster", ANN, f"again {n}")
    assert FORWARDED_OF_ONE == len(letters(app, OPERATOR))
    to(app, "postmaster", "carl@example.org")
    assert FORWARDED_OF_ONE + 1 == len(letters(app, OPERATOR))


def test_many_mails_to_postmaster_keep_no_complaint_to_abuse_away(app: App) -> None:
    flood(app, "postmaster")
    assert FORWARDED_A_DAY == len(letters(app, OPERATOR))
    to(app, "abuse", ANN)
    told = letters(app, OPERATOR)[-1]
    assert "Mail to abuse" in told.header("Subject")
    assert "to postmaster@localhost: 2" in told.text
    to(app, "abuse", "carl@example.org")
    assert "held back" not in letters(app, OPERATOR)[-1].text, "once is enough"


def test_a_player_is_never_held_back_by_strangers(app: App) -> None:
    register(app, BILL, "Bill")
    flood(app, "abuse")
    to(app, "abuse", BILL, "help me")
    assert "mail: help me" in letters(app, OPERATOR)[-1].text


def test_what_was_held_back_is_told_after_a_day_where_nothing_else_comes(app: App, clock: Clock) -> None:
    flood(app, "abuse")
    look = OperatorLetters(lambda _app: [])
    look(app)
    before = len(letters(app, OPERATOR))
    clock.pass_by(days=1, minutes=1)
    look(app)
    look(app)
    assert before + 1 == len(letters(app, OPERATOR))
    assert "2 mails to abuse@ were held back" in flat(letters(app, OPERATOR)[-1].text)
