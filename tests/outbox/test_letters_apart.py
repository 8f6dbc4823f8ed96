"""Failures of one letter that hold up no other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update

from pbem.actions.digest import send_digests
from pbem.actions.game_clock import tick
from pbem.actions.signin import ask, send_links
from pbem.actions.watch import send_watched
from pbem.app import Office
from pbem.core.game.journal import PLY
from pbem.mail.addresses import Token
from pbem.mail.outbound.relay import Never
from pbem.mail.person.mailbox import fresh
from pbem.outbox.send import send_due
from pbem.store import inbox
from pbem.store.tables import journal
from tests.apps import BILL, JOAO, OPERATOR, Clock, Relay, begin, letters, mail, player, writes
from tests.returned import states

GONE = Never("550 5.1.1 no such mailbox")


@pytest.fixture
def office_settings() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


@pytest.fixture
def office(office: Office, relay: Relay) -> Office:
    return replace(office, sender=relay)


def spoil(office: Office, number: int) -> None:
    """Damage a game's journal, as a change of its rules might."""
    with office.store.write() as db:
        mine = (journal.c.game_id == number, journal.c.kind.in_((PLY, "start")))
        db.execute(update(journal).where(*mine).values(kind=PLY, seat=0, data={"move": "no move at all"}))


def mended(office: Office, who: str = "Bill") -> None:
    """Resume letters to a player, as their next mail does."""
    from pbem.cli.lift import _lift

    with office.store.write() as db:
        _lift(db, player(office, who), office.now())


# A letter that is refused again.


def test_letters_refused_again_days_later_fail_again_and_the_opponent_hears_of_it_again(
    office: Office, relay: Relay, clock: Clock
) -> None:
    begin(office, "none")
    writes(office, JOAO, "challenge Bill bipod second")
    writes(office, BILL, "accept")
    send_due(office)
    writes(office, JOAO, "say hello")
    writes(office, BILL, "game 1\nsay hello")
    for number in (1, 2):
        address = office.addressing.reply(Token("game", (number, 1, 1, 0)))
        mail(office, JOAO, fresh(JOAO, address, f"say hello in {number}"), address)
    for times in (1, 2, 3):
        relay.answers[BILL] = GONE
        send_due(office)
        send_due(office)
        assert 0 == states(office, BILL)["queued"] == states(office, JOAO)["queued"]
        told = [each for each in letters(office, JOAO) if "comes back" in each.header("Subject")]
        assert times == len(told) == len({each.header("Message-ID") for each in told})
        clock.pass_by(days=2)
        mended(office)


def test_what_is_told_twice_of_one_cause_bears_two_message_ids(office: Office, clock: Clock) -> None:
    from pbem.outbox.send import tell_operator
    from pbem.store.engine import Connection

    def tell(db: Connection, whom: str) -> None:
        changed = replace(office, settings=replace(office.settings, operator=whom))
        tell_operator(changed, db, "o17", "why", clock.now)

    with office.store.write() as db:
        tell(db, "one@example.org")
        tell(db, "two@example.org")
    (one,), (two,) = letters(office, "one@example.org"), letters(office, "two@example.org")
    assert one.header("Message-ID") != two.header("Message-ID")


# A game that cannot be read.


def test_a_reminder_of_a_game_that_cannot_be_read_is_sent_and_holds_up_no_letter(
    office: Office, relay: Relay, clock: Clock
) -> None:
    begin(office, "10d/move", plies=1)
    send_due(office)
    clock.pass_by(days=5, minutes=10)
    tick(office)
    with office.store.read() as db:
        assert {"queued": 1} == {
            k: n for k, n in inbox.count_by_state(db)["letters out"].items() if k != "sent"
        }
    spoil(office, 1)
    ask(office, "Joao")
    send_links(office)
    assert 2 == send_due(office)
    assert "Sign in" in relay.to(JOAO)[-1].header("Subject")


def test_a_game_that_cannot_be_read_stops_no_reminder_of_the_players_other_games(
    office: Office, relay: Relay, clock: Clock
) -> None:
    begin(office, "10d/move", plies=1)
    writes(office, JOAO, "challenge Bill bipod first 10d/move")
    writes(office, BILL, "accept")
    send_due(office)
    spoil(office, 2)
    before = len(letters(office, JOAO))
    clock.pass_by(days=5, minutes=10)
    tick(office)
    assert before < len(letters(office, JOAO))


def test_a_game_that_cannot_be_read_stops_no_digest(office: Office, clock: Clock) -> None:
    begin(office, "none", plies=1)
    writes(office, JOAO, "challenge Bill bipod first")
    writes(office, BILL, "accept")
    writes(office, JOAO, "digest 7")
    spoil(office, 2)
    clock.pass_by(days=1)
    assert 1 == send_digests(office)
    assert "your turn in one game" in letters(office, JOAO)[-1].text


# Rounds that end though no letter can be sent.


class Sabotaged(Exception):
    pass


@pytest.mark.parametrize("round", [send_digests, send_watched, send_links])
def test_a_round_that_cannot_even_take_anything_ends_and_comes_again(office: Office, round: object) -> None:
    asked = []

    def refuses(*_: object) -> None:
        asked.append(1)
        if len(asked) == 5:
            pytest.fail("it goes round and round")
        raise Sabotaged

    from sqlalchemy import event

    event.listen(office.store.engine, "before_cursor_execute", refuses)
    try:
        assert 0 == round(office)  # type: ignore[operator]
    finally:
        event.remove(office.store.engine, "before_cursor_execute", refuses)
    assert 1 == len(asked)


def test_a_wish_to_sign_in_that_fails_holds_up_no_other_and_is_not_tried_for_ever(
    office: Office, clock: Clock
) -> None:
    begin(office, "none")
    failing = ["Bill"]

    def step(name: str) -> None:
        if name == "signin" and failing:
            raise Sabotaged(failing.pop())

    ask(office, "Bill")
    ask(office, "Joao")
    assert 1 == send_links(replace(office, step=step))
    assert "Sign in" in letters(office, JOAO)[-1].header("Subject")
    clock.pass_by(minutes=16)
    assert 0 == send_links(office)
    assert not [each for each in letters(office, BILL) if "Sign in" in each.header("Subject")]
