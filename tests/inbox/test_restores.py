"""A restored backup: letters of the lost hours change nothing. None is mistaken for another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import delete, update

from pbem.app import App
from pbem.inbox.web_move import InvalidLink, read_compose_link
from pbem.mail.addresses import Token, days_since_1970
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from pbem.store import restores
from pbem.store.tables import games, journal
from tests.apps import (
    BILL,
    JOAO,
    PLAY,
    Clock,
    begin,
    flat,
    last_letter,
    letters,
    load,
    mail,
    moves,
    player,
    register,
    reply,
    writes,
)


def lose(app: App, entries: int) -> None:
    """Cut game 1's journal, as an old backup would have it."""
    game = load(app)
    with app.store.write() as db:
        db.execute(delete(journal).where(journal.c.game_id == 1, journal.c.n > entries))
        shorter = replace(game, journal=game.journal[:entries])
        state = shorter.state
        values = {"entries": entries, "plies": len(state.plies), "to_play": state.to_play}
        db.execute(
            update(games).where(games.c.id == 1).values(**values, changed_at=game.journal[entries - 1].at)
        )


def restored(app: App) -> int:
    with app.store.write() as db:
        return restores.record_restore(db, app.now())


def token_of(app: App, letter: ReceivedLetter) -> Token:
    token = app.addressing.read(letter.header("Reply-To")).token
    assert token is not None
    return token


def test_a_letter_of_the_lost_hours_gets_the_board_of_now_and_plays_nothing(app: App) -> None:
    begin(app, "none", plies=2)
    lost = last_letter(app, BILL)  # Joao's ply is lost
    lose(app, 2)
    for words in ("f6", "say hello", "resign yes"):
        assert "refused" == reply(app, BILL, lost, words)
    told = last_letter(app, BILL)
    assert "go back to a copy of some hours ago" in flat(told.text)
    assert "#1" in told.header("Subject")
    assert ["f2"] == moves(app)


def test_also_when_the_journal_has_grown_past_it_again(app: App, clock: Clock) -> None:
    begin(app, "none", plies=2)
    lost = last_letter(app, BILL)
    lose(app, 2)
    clock.pass_by(hours=1)
    restored(app)
    assert "refused" == writes(app, JOAO, "show")  # Joao's last letter is from the lost hours too
    assert "done" == writes(app, JOAO, "g1")
    assert ["f2", "g1"] == moves(app)
    assert "refused" == reply(app, BILL, lost, "f6")
    assert ["f2", "g1"] == moves(app)
    assert "done" == writes(app, BILL, "f6")  # an answer to the refusal, which shows the current board
    assert ["f2", "g1", "f6"] == moves(app)


def test_what_was_written_before_the_backup_is_good_still(app: App, clock: Clock) -> None:
    begin(app, "none", plies=1)
    before = last_letter(app, JOAO)
    clock.pass_by(hours=1)
    restored(app)
    assert "done" == reply(app, JOAO, before, "e5")
    assert ["f2", "e5"] == moves(app)


def test_no_letter_bears_a_message_id_of_the_lost_hours(app: App, clock: Clock) -> None:
    begin(app, "none", plies=2)
    lost = {each.header("Message-ID") for each in letters(app, BILL)}
    lose(app, 2)
    with app.store.write() as db:
        from pbem.store.tables import outbox

        db.execute(delete(outbox).where(outbox.c.game_id == 1, outbox.c.entry > 2))
    clock.pass_by(hours=1)
    epoch = restored(app)
    writes(app, JOAO, "show")
    assert "done" == writes(app, JOAO, "e5")
    again = last_letter(app, BILL)
    assert f".r{epoch}@" in again.header("Message-ID")
    assert again.header("Message-ID") not in lost
    assert epoch == token_of(app, again).restored
    assert "loop" == mail(app, JOAO, again.raw, PLAY)  # recognized as a game server's letter


def test_without_a_restore_nothing_of_it_stands_in_letters(app: App) -> None:
    begin(app, "none", plies=1)
    turn = last_letter(app, JOAO)
    assert "<g1.e2.s1.turn.1@localhost>" == turn.header("Message-ID")
    assert Token("game", (1, 1, 2, 0)) == token_of(app, turn)


def test_a_question_of_the_lost_hours_confirms_no_other_with_its_number(app: App, clock: Clock) -> None:
    begin(app, "none", plies=2)
    number = 99
    stale = app.addressing.reply(Token("confirm", (number,)))
    clock.pass_by(hours=1)
    restored(app)
    assert "done" == writes(app, BILL, "resign")  # the server asks for confirmation
    asked = token_of(app, last_letter(app, BILL))
    stale = app.addressing.reply(replace(asked, restored=0))
    assert "refused" == mail(app, BILL, new_mail(BILL, stale, "confirm"), stale)
    assert load(app).state.ending is None
    good = app.addressing.reply(asked)
    assert "done" == mail(app, BILL, new_mail(BILL, good, "confirm"), good)
    assert load(app).state.ending is not None


def test_a_challenge_of_the_lost_hours_accepts_no_other_with_its_number(app: App, clock: Clock) -> None:
    bills, joaos = register(app, BILL, "Bill"), register(app, JOAO, "Joao")
    clock.pass_by(hours=1)
    restored(app)
    reply(app, BILL, bills, "challenge Joao bipod")
    offered = token_of(app, last_letter(app, JOAO))
    stale = app.addressing.reply(replace(offered, restored=0))
    assert "refused" == mail(app, JOAO, new_mail(JOAO, stale, "accept"), stale)
    assert "done" == reply(app, JOAO, joaos, "games")  # lobby addresses name nothing that was lost
    good = app.addressing.reply(offered)
    assert "done" == mail(app, JOAO, new_mail(JOAO, good, "accept"), good)


def test_a_game_of_the_lost_hours_is_told_to_be_lost_once_a_day(app: App) -> None:
    register(app, BILL, "Bill")
    address = app.addressing.reply(Token("game", (7, 0, 3, 0)))
    before = len(letters(app, BILL))
    for move in ("f2", "f4"):
        assert "refused" == mail(app, BILL, new_mail(BILL, address, move), address)
    (told,) = letters(app, BILL)[before:]
    assert "go back to a copy of some hours ago" in flat(told.text)


def test_somebody_new_has_no_old_reply_address_of_whoever_had_the_number(app: App, clock: Clock) -> None:
    clock.pass_by(hours=1)
    restored(app)
    register(app, BILL, "Bill")
    bill = player(app, "Bill")
    old = app.addressing.reply(Token("player", (bill.id, 0, 0, days_since_1970(clock.now))))
    assert "refused" == mail(app, BILL, new_mail(BILL, old, "games"), old)
    assert "done" == writes(app, BILL, "games")


def test_a_link_to_the_board_of_the_lost_hours_opens_nothing(app: App, clock: Clock) -> None:
    begin(app, "none", plies=2)
    sealed = last_letter(app, BILL).header("Reply-To").partition("+")[2].partition("@")[0]
    with app.store.read() as db:
        assert 3 == read_compose_link(app, db, 1, sealed).since
    lose(app, 2)
    with app.store.read() as db, pytest.raises(InvalidLink):
        read_compose_link(app, db, 1, sealed)


def test_two_restores_of_one_backup_have_two_epochs(app: App, clock: Clock) -> None:
    clock.pass_by(hours=1)
    first = restored(app)
    with app.store.write() as db:
        db.execute(delete(restores.restores))
    clock.pass_by(seconds=1)
    assert first < restored(app) < restored(app)
