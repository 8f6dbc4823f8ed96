"""Failures of one letter that hold up no other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update

from pbem.app import App
from pbem.core.game.journal import PLY
from pbem.duties.digest import send_digests
from pbem.duties.game_clock import check_due_games
from pbem.duties.seek_letters import send_seek_letters
from pbem.duties.signin import request_link, send_links
from pbem.duties.watch import send_watched, watch_new_games
from pbem.mail.addresses import Token
from pbem.mail.outbound.relay import LetterRefused
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.send import send_due
from pbem.store import bounces, inbox
from pbem.store.tables import journal
from tests.apps import BILL, JOAO, OPERATOR, Clock, Relay, begin, letters, mail, player, writes
from tests.returned import states

GONE = LetterRefused("550 5.1.1 no such mailbox")


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


@pytest.fixture
def app(app: App, relay: Relay) -> App:
    return replace(app, sender=relay)


def spoil(app: App, number: int) -> None:
    """Damage a game's journal, as a change of its rules might."""
    with app.store.write() as db:
        mine = (journal.c.game_id == number, journal.c.kind.in_((PLY, "start")))
        db.execute(update(journal).where(*mine).values(kind=PLY, seat=0, data={"move": "no move at all"}))


def mended(app: App, who: str = "Bill") -> None:
    """Resume letters to a player, as their next mail does."""
    with app.store.write() as db:
        bounces.lift_suspensions(db, player(app, who))
        bounces.release_held(db, player(app, who), app.now())


# A letter that is refused again.


def test_letters_refused_again_days_later_fail_again_and_the_opponent_hears_of_it_again(
    app: App, relay: Relay, clock: Clock
) -> None:
    begin(app, "none")
    writes(app, JOAO, "challenge Bill bipod second")
    writes(app, BILL, "accept")
    send_due(app)
    writes(app, JOAO, "say hello")
    writes(app, BILL, "game 1\nsay hello")
    for number in (1, 2):
        address = app.addressing.reply(Token("game", (number, 1, 1, 0)))
        mail(app, JOAO, new_mail(JOAO, address, f"say hello in {number}"), address)
    for times in (1, 2, 3):
        relay.answers[BILL] = GONE
        send_due(app)
        send_due(app)
        assert 0 == states(app, BILL)["queued"] == states(app, JOAO)["queued"]
        told = [each for each in letters(app, JOAO) if "comes back" in each.header("Subject")]
        assert times == len(told) == len({each.header("Message-ID") for each in told})
        clock.pass_by(days=2)
        mended(app)


def test_what_is_told_twice_of_one_cause_bears_two_message_ids(app: App, clock: Clock) -> None:
    from pbem.outbox.send import tell_operator
    from pbem.store.engine import Connection

    def tell(db: Connection, whom: str) -> None:
        changed = replace(app, config=replace(app.config, operator=whom))
        tell_operator(changed, db, "o17", "why", clock.now)

    with app.store.write() as db:
        tell(db, "one@example.org")
        tell(db, "two@example.org")
    (one,), (two,) = letters(app, "one@example.org"), letters(app, "two@example.org")
    assert one.header("Message-ID") != two.header("Message-ID")


# A game that cannot be read.


def test_a_reminder_of_a_game_that_cannot_be_read_is_sent_and_holds_up_no_letter(
    app: App, relay: Relay, clock: Clock
) -> None:
    begin(app, "10d/move", plies=1)
    send_due(app)
    clock.pass_by(days=5, minutes=10)
    check_due_games(app)
    with app.store.read() as db:
        assert {"queued": 1} == {
            k: n for k, n in inbox.count_by_state(db)["letters out"].items() if k != "sent"
        }
    spoil(app, 1)
    request_link(app, "Joao")
    send_links(app)
    assert 2 == send_due(app)
    assert "Sign in" in relay.to(JOAO)[-1].header("Subject")


def test_a_game_that_cannot_be_read_stops_no_reminder_of_the_players_other_games(
    app: App, relay: Relay, clock: Clock
) -> None:
    begin(app, "10d/move", plies=1)
    writes(app, JOAO, "challenge Bill bipod first 10d/move")
    writes(app, BILL, "accept")
    send_due(app)
    spoil(app, 2)
    before = len(letters(app, JOAO))
    clock.pass_by(days=5, minutes=10)
    check_due_games(app)
    assert before < len(letters(app, JOAO))


def test_a_game_that_cannot_be_read_stops_no_digest(app: App, clock: Clock) -> None:
    begin(app, "none", plies=1)
    writes(app, JOAO, "challenge Bill bipod first")
    writes(app, BILL, "accept")
    writes(app, JOAO, "digest 7")
    spoil(app, 2)
    clock.pass_by(days=1)
    assert 1 == send_digests(app)
    assert "your turn in one game" in letters(app, JOAO)[-1].text


# Rounds that end though no letter can be sent.


class Sabotaged(Exception):
    pass


@pytest.mark.parametrize(
    "round", [send_digests, send_watched, watch_new_games, send_seek_letters, send_links]
)
def test_a_round_that_cannot_even_take_anything_ends_and_comes_again(app: App, round: object) -> None:
    asked = []

    def refuses(*_: object) -> None:
        asked.append(1)
        if len(asked) == 5:
            pytest.fail("it goes round and round")
        raise Sabotaged

    from sqlalchemy import event

    event.listen(app.store.engine, "before_cursor_execute", refuses)
    try:
        assert 0 == round(app)  # type: ignore[operator]
    finally:
        event.remove(app.store.engine, "before_cursor_execute", refuses)
    assert 1 == len(asked)


def test_a_wish_to_sign_in_that_fails_holds_up_no_other_and_is_not_tried_for_ever(
    app: App, clock: Clock
) -> None:
    begin(app, "none")
    failing = ["Bill"]

    def step(name: str) -> None:
        if name == "signin" and failing:
            raise Sabotaged(failing.pop())

    request_link(app, "Bill")
    request_link(app, "Joao")
    assert 1 == send_links(replace(app, step=step))
    assert "Sign in" in letters(app, JOAO)[-1].header("Subject")
    clock.pass_by(minutes=16)
    assert 0 == send_links(app)
    assert not [each for each in letters(app, BILL) if "Sign in" in each.header("Subject")]
