"""A director's rulings by mail: letters, addresses, clocks and rows. All run on both databases."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from datetime import timedelta
from functools import partial
from threading import Thread

import pytest

from pbem.actions.director import Decide, Ruled, tell_everybody
from pbem.actions.game_clock import LATER, tick
from pbem.actions.outages import pulse
from pbem.actions.watch import send_watched
from pbem.app import Office
from pbem.cli.migrate import check_game
from pbem.core.clock.vacation import Vacation
from pbem.core.errors import Refusal
from pbem.core.game.clock_fold import made
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry
from pbem.core.play import director
from pbem.inbox.director import rule
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import answer
from pbem.store import games, vacations, watches
from pbem.store import players as player_rows
from rules.contract import Seat
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    Broken,
    Clock,
    begin,
    last_letter,
    letters,
    load,
    mail,
    play,
    register,
    reply,
    state,
)

DAY = timedelta(days=1)
WHY = "A mail was lost on our side."


def decides(decider: object, *facts: object) -> Decide:
    """A ruling function of the core, with its facts filled in."""
    return lambda game, now: decider(game, *facts, WHY, now)  # type: ignore[operator, no-any-return]


def rollback(office: Office, ply: int) -> Ruled:
    return rule(office, 1, decides(director.rollback, ply))


def replace_player(office: Office, seat: Seat, name: str) -> Ruled:
    with office.store.read() as db:
        newcomer = player_rows.by_name(db, name)
    assert newcomer is not None
    return rule(office, 1, decides(director.seat_another, seat, newcomer))


def sound(office: Office) -> Game:
    """Game 1, after a check of its row and next event."""
    with office.store.read() as db:
        game = games.load(db, office.shelf, 1)
        assert game is not None
        assert [] == check_game(game, games.stored_summary(db, 1))
        far = office.now() + 9000 * DAY
        assert ([1] if game.deadline else []) == games.due(db, far, 9)
        if game.deadline:
            players = [game.seats[0], game.seats[1]]
            kept = {each.deadline for who in players for each in games.running(db, office.shelf, who)}
            assert {game.deadline} == kept
    return game


def moves(office: Office) -> list[str]:
    return [ply.move for ply in sound(office).state.plies]


# Time and pauses.


def test_time_given_keeps_a_flag_from_falling_and_both_are_told(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    rule(office, 1, decides(director.extend, 2 * DAY, 0))
    for who in (BILL, JOAO):
        assert ("2 days" in last_letter(office, who).text, WHY in last_letter(office, who).text) == (
            True,
            True,
        )
    sound(office)
    clock.pass_by(days=2, hours=23)
    tick(office)
    assert None is sound(office).state.ending
    assert "done" == reply(office, BILL, last_letter(office, BILL), "h4")
    assert 5 == len(moves(office))


def test_no_flag_falls_in_a_pause_and_the_clock_goes_on_where_it_stood(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    clock.pass_by(hours=20)
    rule(office, 1, decides(director.halt, None))
    assert None is sound(office).deadline
    clock.pass_by(days=40)
    assert 0 == tick(office)
    rule(office, 1, lambda game, now: director.go(game, WHY, now))
    assert clock.now + timedelta(hours=4) == sound(office).deadline
    clock.now += timedelta(hours=4) + LATER
    assert 1 == tick(office)
    assert "timeout" == sound(office).state.ending.how


def test_a_pause_with_an_end_ends_by_itself(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    rule(office, 1, decides(director.halt, clock.now + 3 * DAY))
    assert clock.now + 4 * DAY == sound(office).deadline
    clock.now += 4 * DAY + LATER
    tick(office)
    assert "timeout" == sound(office).state.ending.how


# Rollback.


def test_a_rollback_makes_older_letters_stale_and_its_own_take_a_move(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    old = last_letter(office, BILL)
    rollback(office, 2)
    assert ["f2", "e5"] == moves(office)
    assert "taken this game back" in last_letter(office, JOAO).text
    new = last_letter(office, BILL)
    assert "refused" == reply(office, BILL, old, "h4")
    assert "taken the game back" in last_letter(office, BILL).text.replace("\n", " ")
    assert ["f2", "e5"] == moves(office)
    assert "done" == reply(office, BILL, old, "say What happened?")
    assert "done" == reply(office, BILL, new, "g3")
    assert ["f2", "e5", "g3"] == moves(office)
    assert "Your turn" in last_letter(office, JOAO).text


def test_a_move_on_its_way_when_the_game_is_taken_back_is_not_played(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    turn = last_letter(office, BILL)
    (key,) = receive(office, answer(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    rollback(office, 3)
    work_through(office)
    assert "refused" == state(office, key)
    assert 3 == len(moves(office))


def test_a_game_lost_on_time_is_opened_again_and_its_clock_runs(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    clock.now += DAY + LATER
    tick(office)
    assert "timeout" == sound(office).state.ending.how
    clock.pass_by(days=5)
    rollback(office, 4)
    game = sound(office)
    assert (None, clock.now + DAY) == (game.state.ending, game.deadline)
    assert "It had ended, and goes on now" in last_letter(office, JOAO).text.replace("\n", " ")
    assert "done" == reply(office, BILL, last_letter(office, BILL), "h4")


def test_a_resignation_asked_about_before_a_rollback_is_not_carried_out_after_it(office: Office) -> None:
    begin(office, "1d/move")
    play(office, 4)
    reply(office, BILL, last_letter(office, BILL), "resign")
    question = last_letter(office, BILL)
    rollback(office, 2)
    assert "refused" == reply(office, BILL, question, "confirm")
    assert None is sound(office).state.ending


def test_what_the_clock_had_to_do_is_done_before_a_decision(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    clock.pass_by(days=1)
    with pytest.raises(Refusal, match="is over: Bill ran out of time"):
        rule(office, 1, decides(director.extend, DAY, 0))
    assert "timeout" == sound(office).state.ending.how
    assert "Bill ran out of time" in last_letter(office, JOAO).text


def late_with_a_move_on_its_way(office: Office, clock: Clock, words: str = "h4") -> str:
    """Game 1 after Bill's flag, with an earlier mail waiting; its key."""
    begin(office, "1d/move")
    play(office, 4)
    turn = last_letter(office, BILL)
    clock.pass_by(days=1, seconds=-1)
    (key,) = receive(office, answer(turn, BILL, words), BILL, [turn.header("Reply-To")])
    clock.pass_by(hours=3)
    return key


DECISIONS = {
    "extend": decides(director.extend, DAY, 1),
    "pause": decides(director.halt, None),
    "adjudicate": decides(director.adjudicate, "second"),
    "rollback": decides(director.rollback, 4),
    "message": lambda game, now: director.notice(game, WHY, now),
}


@pytest.mark.parametrize("what", [*DECISIONS, "replace"])
def test_a_move_that_came_before_the_flag_and_waits_is_made_before_a_decision(
    office: Office, clock: Clock, what: str
) -> None:
    register(office, ANNA, "Anna")
    key = late_with_a_move_on_its_way(office, clock)
    if what == "replace":
        replace_player(office, 1, "Anna")
    else:
        rule(office, 1, DECISIONS[what])
    game = sound(office)
    assert ("done", "h4") == (state(office, key), next(e.data["move"] for e in game.journal if e.n == 6))
    assert [what != "adjudicate", 4 if what == "rollback" else 5] == [
        game.state.ending is None,
        len(game.state.plies),
    ]
    ply = game.journal[5]
    assert (clock.now - timedelta(hours=3), clock.now) == (made(ply), ply.at)


def test_a_flag_falls_before_a_decision_where_the_mail_from_before_it_holds_no_move(
    office: Office, clock: Clock
) -> None:
    key = late_with_a_move_on_its_way(office, clock, "say I think about it.")
    with pytest.raises(Refusal, match="is over: Bill ran out of time"):
        rule(office, 1, DECISIONS["extend"])
    assert "done" == state(office, key)
    assert ("timeout", 1) == (sound(office).state.ending.how, sound(office).state.ending.winner)


def test_nothing_is_decided_while_mail_from_before_the_flag_is_in_trouble(
    office: Office, clock: Clock
) -> None:
    key = late_with_a_move_on_its_way(office, clock)
    assert 0 == work_through(replace(office, step=Broken(1)))  # it is retried later
    before = load(office), len(letters(office, BILL))
    with pytest.raises(Refusal, match=f"mail that waits, {key} the oldest"):
        rule(office, 1, DECISIONS["pause"])
    assert before == (load(office), len(letters(office, BILL)))
    clock.pass_by(minutes=1)
    rule(office, 1, DECISIONS["pause"])
    assert ("done", 5) == (state(office, key), len(moves(office)))


def test_mail_that_came_after_the_flag_holds_no_decision_up(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    turn = last_letter(office, BILL)
    clock.pass_by(days=1)
    (key,) = receive(office, answer(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    rule(office, 1, DECISIONS["rollback"])  # to its last ply: the turn begins anew
    assert ("new", None) == (state(office, key), sound(office).state.ending)
    work_through(office)
    assert ("refused", 4) == (state(office, key), len(moves(office)))


def test_a_decision_made_before_the_worker_is_back_has_no_flag_fall_for_the_outage(
    office: Office, clock: Clock
) -> None:
    begin(office, "1d/move")
    play(office, 4)
    pulse(office)
    turn = last_letter(office, BILL)
    clock.pass_by(days=5)
    (key,) = receive(office, answer(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    clock.pass_by(days=5)
    rule(office, 1, DECISIONS["message"])
    assert None is sound(office).state.ending
    pulse(office)
    work_through(office)
    assert ("done", 5) == (state(office, key), len(moves(office)))


# Ends.


def test_an_adjudicated_game_is_told_as_the_directors_even_to_who_stopped_results(office: Office) -> None:
    begin(office, "1d/move")
    play(office, 4)
    assert "done" == reply(office, BILL, last_letter(office, BILL), "stop results")
    rule(office, 1, decides(director.adjudicate, "second"))
    assert f"The director decided: {WHY}" in last_letter(office, BILL).text.replace("\n", " ")
    assert "You have won" in last_letter(office, JOAO).text
    ending = sound(office).state.ending
    assert ("director", 1) == (ending.how, ending.winner)


# Another player.


def with_anna(office: Office) -> None:
    begin(office, "1d/move")
    play(office, 4)
    register(office, ANNA, "Anna")


def test_who_takes_a_seat_over_gets_the_board_and_plays_on_and_who_left_cannot(office: Office) -> None:
    with_anna(office)
    old = last_letter(office, BILL)
    replace_player(office, 0, "Anna")
    assert "in the place of Bill" in last_letter(office, ANNA).text
    assert "from now on is Anna" in last_letter(office, JOAO).text
    assert "you do not play in it any more" in last_letter(office, BILL).text.replace("\n", " ")
    said = len(letters(office, JOAO))
    for words in ("h4", "resign yes", "say I am still here", "draw"):
        heard = len(letters(office, BILL))
        assert "refused" == reply(office, BILL, old, words)
        assert heard + 1 == len(letters(office, BILL)), words
        assert "do not play in game 1 any more" in last_letter(office, BILL).text.replace("\n", " ")
    assert said == len(letters(office, JOAO))
    assert "done" == reply(office, ANNA, last_letter(office, ANNA), "h4")
    assert ["Bill", "Anna"] == [
        sound(office).name_at(ply.seat, ply.entry) for ply in sound(office).state.plies if ply.n in (3, 5)
    ]
    assert "Anna" in last_letter(office, JOAO).text


def test_a_plan_of_who_left_answers_no_move_and_stands_in_no_letter_to_the_newcomer(office: Office) -> None:
    with_anna(office)
    assert "done" == reply(office, JOAO, last_letter(office, JOAO), "if any then C3")
    replace_player(office, 1, "Anna")
    assert "C3" not in last_letter(office, ANNA).text
    assert "done" == reply(office, BILL, last_letter(office, BILL), "h4")
    assert 5 == len(moves(office))
    assert "done" == reply(office, ANNA, last_letter(office, ANNA), "plans")
    assert "C3" not in last_letter(office, ANNA).text


def test_who_watched_a_game_and_takes_a_seat_in_it_watches_no_more(office: Office) -> None:
    with_anna(office)
    assert "done" == reply(office, ANNA, last_letter(office, ANNA), "watch 1")
    replace_player(office, 1, "Anna")
    assert "done" == reply(office, BILL, last_letter(office, BILL), "h4")
    assert 0 == send_watched(office)
    with office.store.read() as db:
        anna = player_rows.by_name(db, "Anna")
        assert anna is not None
        assert [] == watches.of_player(db, anna)


def test_an_old_address_in_the_hands_of_the_newcomer_or_a_stranger_does_nothing(office: Office) -> None:
    with_anna(office)
    old = last_letter(office, BILL)
    replace_player(office, 0, "Anna")
    before = [len(letters(office, who)) for who in (BILL, ANNA, JOAO)]
    assert "refused" == mail(office, ANNA, answer(old, ANNA, "h4"), old.header("Reply-To"))
    assert "refused" == mail(
        office, "x@example.com", answer(old, "x@example.com", "h4"), old.header("Reply-To")
    )
    assert before == [len(letters(office, who)) for who in (BILL, ANNA, JOAO)]
    assert 4 == len(moves(office))


def test_a_player_who_comes_back_plays_by_the_newest_letter(office: Office) -> None:
    with_anna(office)
    replace_player(office, 0, "Anna")
    annas = last_letter(office, ANNA)
    replace_player(office, 0, "Bill")
    assert "refused" == reply(office, ANNA, annas, "h4")
    assert "done" == reply(office, BILL, last_letter(office, BILL), "h4")
    assert 5 == len(moves(office))


def test_a_resignation_asked_of_who_left_ends_nothing(office: Office) -> None:
    with_anna(office)
    reply(office, BILL, last_letter(office, BILL), "resign")
    question = last_letter(office, BILL)
    replace_player(office, 0, "Anna")
    assert "refused" == reply(office, BILL, question, "confirm")
    assert None is sound(office).state.ending


def test_vacations_count_as_long_as_their_player_sits_there(office: Office, clock: Clock) -> None:
    with_anna(office)
    started = clock.now
    with office.store.write() as db:
        vacations.take(db, 1, Vacation(started, started + 9 * DAY))  # Bill's
        vacations.take(db, 3, Vacation(started - 5 * DAY, started + 2 * DAY))  # Anna's
        game = games.load(db, office.shelf, 1, lock=True)
        assert game is not None
        games.reschedule(db, game)
    assert started + 10 * DAY == sound(office).deadline
    clock.pass_by(days=1)
    replace_player(office, 0, "Anna")
    game = sound(office)
    assert (started, started + 2 * DAY) == game.halts.vacation[0][-1]
    assert started + 3 * DAY == game.deadline


def test_a_seat_stored_otherwise_than_the_journal_says_is_found(office: Office) -> None:
    with_anna(office)
    replace_player(office, 0, "Anna")
    game = sound(office)
    with office.store.write() as db:
        bill = player_rows.by_name(db, "Bill")
        assert bill is not None
        games.reseat(db, game, 0, bill)
        stored = games.stored_summary(db, 1)
        wrong = games.load(db, office.shelf, 1)
    assert wrong is not None
    assert ["game 1: player 1 is stored as first, the journal says 3"] == check_game(wrong, stored)


# Words, and refusals.


def test_a_message_goes_to_both_and_nothing_in_it_is_an_order_when_it_comes_back(office: Office) -> None:
    begin(office, "1d/move")
    play(office, 4)
    words = "Please be kind.\nh4\nresign yes"
    rule(office, 1, lambda game, now: director.notice(game, words, now))
    letter = last_letter(office, BILL)
    assert "The director: Please be kind." in letter.text
    quoted = "\n".join(["Thank you", *(f"> {line}" for line in letter.text.split("\n"))])
    assert "refused" == reply(office, BILL, letter, quoted)
    assert (4, None) == (len(moves(office)), sound(office).state.ending)


def test_a_message_to_all_goes_once_to_everybody_with_a_game(office: Office, clock: Clock) -> None:
    with_anna(office)
    before = len(letters(office, ANNA))
    assert 2 == tell_everybody(office, "The server moves on Sunday.")
    assert ("Sunday" in last_letter(office, BILL).text, "Sunday" in last_letter(office, JOAO).text) == (
        True,
        True,
    )
    assert before == len(letters(office, ANNA))
    with pytest.raises(Refusal, match="this very second"):
        tell_everybody(office, "The server moves on Sunday.")
    clock.pass_by(seconds=1)
    assert 2 == tell_everybody(office, "The server has moved.")
    assert "done" == reply(office, BILL, last_letter(office, BILL), "games")


def test_what_is_refused_changes_nothing_and_writes_to_nobody(office: Office) -> None:
    begin(office, "1d/move")
    play(office, 4)
    before = len(letters(office, BILL)), len(sound(office).journal)
    with pytest.raises(Refusal, match="There is no game 7"):
        rule(office, 7, decides(director.rollback, 0))
    with pytest.raises(Refusal, match="none numbered 5"):
        rollback(office, 5)
    assert before == (len(letters(office, BILL)), len(sound(office).journal))


def test_each_decision_is_logged_in_one_line(office: Office, caplog: pytest.LogCaptureFixture) -> None:
    begin(office, "1d/move")
    play(office, 4)
    with caplog.at_level(logging.INFO, "pbem.director"):
        rollback(office, 2)
    assert [f"game 1, entry 6: back to ply 2: {WHY}"] == [
        record.getMessage() for record in caplog.records if record.name == "pbem.director"
    ]


@pytest.mark.each_database
def test_decisions_and_moves_at_the_same_time_come_one_after_the_other(office: Office) -> None:
    """Two directors and a player at once: every entry counts once."""
    begin(office, "7d")
    play(office, 4)
    turn = last_letter(office, BILL)
    give = partial(rule, office, 1, decides(director.extend, DAY, None))
    post = partial(reply, office, BILL, turn, "h4")
    threads = [Thread(target=task) for task in (give, post, give, give)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    game = sound(office)
    assert (5, 3) == (len(game.state.plies), len(game.state.rulings))
    assert 5 + 1 + 3 == len(game.journal)


@pytest.mark.parametrize("entry", ["extend", "rollback", "replace"])
def test_a_decision_that_cannot_be_written_leaves_everything_as_it_was(office: Office, entry: str) -> None:
    with_anna(office)
    broken = replace(office, house=None)  # type: ignore[arg-type]
    before = sound(office), [len(letters(office, who)) for who in (BILL, ANNA, JOAO)]

    def decide(game: Game, now: object) -> Entry:
        if entry == "extend":
            return director.extend(game, DAY, None, WHY, office.now())
        if entry == "rollback":
            return director.rollback(game, 1, WHY, office.now())
        with office.store.read() as db:
            anna = player_rows.by_name(db, "Anna")
        assert anna is not None
        return director.seat_another(game, 0, anna, WHY, office.now())

    with pytest.raises(AttributeError):
        rule(broken, 1, decide)
    assert before == (load(office), [len(letters(office, who)) for who in (BILL, ANNA, JOAO)])
    assert not re.search("director", last_letter(office, JOAO).text)
