"""A restored backup: letters of the lost hours change nothing. None is mistaken for another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import delete, update

from pbem.app import Office
from pbem.inbox.web_move import Void, ticket
from pbem.mail.addresses import Token, days
from pbem.mail.person.mailbox import Letter, fresh
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


def lose(office: Office, entries: int) -> None:
    """Cut game 1's journal, as an old backup would have it."""
    game = load(office)
    with office.store.write() as db:
        db.execute(delete(journal).where(journal.c.game_id == 1, journal.c.n > entries))
        shorter = replace(game, journal=game.journal[:entries])
        state = shorter.state
        values = {"entries": entries, "plies": len(state.plies), "to_play": state.to_play}
        db.execute(
            update(games).where(games.c.id == 1).values(**values, changed_at=game.journal[entries - 1].at)
        )


def restored(office: Office) -> int:
    with office.store.write() as db:
        return restores.note(db, office.now())


def token_of(office: Office, letter: Letter) -> Token:
    token = office.addressing.read(letter.header("Reply-To")).token
    assert token is not None
    return token


def test_a_letter_of_the_lost_hours_gets_the_board_of_now_and_plays_nothing(office: Office) -> None:
    begin(office, "none", plies=2)
    lost = last_letter(office, BILL)  # Joao's ply is lost
    lose(office, 2)
    for words in ("f6", "say hello", "resign yes"):
        assert "refused" == reply(office, BILL, lost, words)
    told = last_letter(office, BILL)
    assert "go back to a copy of some hours ago" in flat(told.text)
    assert "#1" in told.header("Subject")
    assert ["f2"] == moves(office)


def test_also_when_the_journal_has_grown_past_it_again(office: Office, clock: Clock) -> None:
    begin(office, "none", plies=2)
    lost = last_letter(office, BILL)
    lose(office, 2)
    clock.pass_by(hours=1)
    restored(office)
    assert "refused" == writes(office, JOAO, "show")  # Joao's last letter is from the lost hours too
    assert "done" == writes(office, JOAO, "g1")
    assert ["f2", "g1"] == moves(office)
    assert "refused" == reply(office, BILL, lost, "f6")
    assert ["f2", "g1"] == moves(office)
    assert "done" == writes(office, BILL, "f6")  # an answer to the refusal, which shows the current board
    assert ["f2", "g1", "f6"] == moves(office)


def test_what_was_written_before_the_backup_is_good_still(office: Office, clock: Clock) -> None:
    begin(office, "none", plies=1)
    before = last_letter(office, JOAO)
    clock.pass_by(hours=1)
    restored(office)
    assert "done" == reply(office, JOAO, before, "e5")
    assert ["f2", "e5"] == moves(office)


def test_no_letter_bears_a_message_id_of_the_lost_hours(office: Office, clock: Clock) -> None:
    begin(office, "none", plies=2)
    lost = {each.header("Message-ID") for each in letters(office, BILL)}
    lose(office, 2)
    with office.store.write() as db:
        from pbem.store.tables import outbox

        db.execute(delete(outbox).where(outbox.c.game_id == 1, outbox.c.entry > 2))
    clock.pass_by(hours=1)
    epoch = restored(office)
    writes(office, JOAO, "show")
    assert "done" == writes(office, JOAO, "e5")
    again = last_letter(office, BILL)
    assert f".r{epoch}@" in again.header("Message-ID")
    assert again.header("Message-ID") not in lost
    assert epoch == token_of(office, again).restored
    assert "loop" == mail(office, JOAO, again.raw, PLAY)  # recognized as a game server's letter


def test_without_a_restore_nothing_of_it_stands_in_letters(office: Office) -> None:
    begin(office, "none", plies=1)
    turn = last_letter(office, JOAO)
    assert "<g1.e2.s1.turn.1@localhost>" == turn.header("Message-ID")
    assert Token("game", (1, 1, 2, 0)) == token_of(office, turn)


def test_a_question_of_the_lost_hours_confirms_no_other_with_its_number(office: Office, clock: Clock) -> None:
    begin(office, "none", plies=2)
    number = 99
    stale = office.addressing.reply(Token("confirm", (number,)))
    clock.pass_by(hours=1)
    restored(office)
    assert "done" == writes(office, BILL, "resign")  # the server asks for confirmation
    asked = token_of(office, last_letter(office, BILL))
    stale = office.addressing.reply(replace(asked, restored=0))
    assert "refused" == mail(office, BILL, fresh(BILL, stale, "confirm"), stale)
    assert load(office).state.ending is None
    good = office.addressing.reply(asked)
    assert "done" == mail(office, BILL, fresh(BILL, good, "confirm"), good)
    assert load(office).state.ending is not None


def test_a_challenge_of_the_lost_hours_accepts_no_other_with_its_number(office: Office, clock: Clock) -> None:
    bills, joaos = register(office, BILL, "Bill"), register(office, JOAO, "Joao")
    clock.pass_by(hours=1)
    restored(office)
    reply(office, BILL, bills, "challenge Joao bipod")
    offered = token_of(office, last_letter(office, JOAO))
    stale = office.addressing.reply(replace(offered, restored=0))
    assert "refused" == mail(office, JOAO, fresh(JOAO, stale, "accept"), stale)
    assert "done" == reply(office, JOAO, joaos, "games")  # lobby addresses name nothing that was lost
    good = office.addressing.reply(offered)
    assert "done" == mail(office, JOAO, fresh(JOAO, good, "accept"), good)


def test_a_game_of_the_lost_hours_is_told_to_be_lost_once_a_day(office: Office) -> None:
    register(office, BILL, "Bill")
    address = office.addressing.reply(Token("game", (7, 0, 3, 0)))
    before = len(letters(office, BILL))
    for move in ("f2", "f4"):
        assert "refused" == mail(office, BILL, fresh(BILL, address, move), address)
    (told,) = letters(office, BILL)[before:]
    assert "go back to a copy of some hours ago" in flat(told.text)


def test_somebody_new_has_no_old_reply_address_of_whoever_had_the_number(
    office: Office, clock: Clock
) -> None:
    clock.pass_by(hours=1)
    restored(office)
    register(office, BILL, "Bill")
    bill = player(office, "Bill")
    old = office.addressing.reply(Token("player", (bill.id, 0, 0, days(clock.now))))
    assert "refused" == mail(office, BILL, fresh(BILL, old, "games"), old)
    assert "done" == writes(office, BILL, "games")


def test_a_link_to_the_board_of_the_lost_hours_opens_nothing(office: Office, clock: Clock) -> None:
    begin(office, "none", plies=2)
    sealed = last_letter(office, BILL).header("Reply-To").partition("+")[2].partition("@")[0]
    with office.store.read() as db:
        assert 3 == ticket(office, db, 1, sealed).since
    lose(office, 2)
    with office.store.read() as db, pytest.raises(Void):
        ticket(office, db, 1, sealed)


def test_two_restores_of_one_backup_have_two_epochs(office: Office, clock: Clock) -> None:
    clock.pass_by(hours=1)
    first = restored(office)
    with office.store.write() as db:
        db.execute(delete(restores.restores))
    clock.pass_by(seconds=1)
    assert first < restored(office) < restored(office)
