"""A director's rulings by mail: letters, addresses, clocks and rows. All run on both databases."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from datetime import timedelta
from functools import partial
from threading import Thread

import pytest

from pbem.app import App
from pbem.cli.migrate import check_game
from pbem.commands.directing import Decide
from pbem.core.clock.vacation import Vacation
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry
from pbem.core.play import director
from pbem.duties.game_clock import WORKER_DELAY, check_due_games
from pbem.duties.outages import record_heartbeat
from pbem.duties.watch import send_watched
from pbem.inbox.director import decide_as_director, tell_everybody
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
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


def rollback(app: App, ply: int) -> Game:
    return decide_as_director(app, 1, decides(director.rollback, ply))


def replace_player(app: App, seat: Seat, name: str) -> Game:
    with app.store.read() as db:
        newcomer = player_rows.player_by_name(db, name)
    assert newcomer is not None
    return decide_as_director(app, 1, decides(director.replace_seated, seat, newcomer))


def sound(app: App) -> Game:
    """Game 1, after a check of its row and next event."""
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 1)
        assert game is not None
        assert [] == check_game(game, games.stored_summary(db, 1))
        far = app.now() + 9000 * DAY
        assert ([1] if game.deadline else []) == games.due_game_ids(db, far, 9)
        if game.deadline:
            players = [game.seats[0], game.seats[1]]
            kept = {
                each.deadline
                for who in players
                for each in games.running_of_player(db, app.games_by_key, who)
            }
            assert {game.deadline} == kept
    return game


def moves(app: App) -> list[str]:
    return [ply.move for ply in sound(app).state.plies]


# Time and pauses.


def test_time_given_keeps_a_flag_from_falling_and_both_are_told(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    decide_as_director(app, 1, decides(director.extend, 2 * DAY, 0))
    for who in (BILL, JOAO):
        assert ("2 days" in last_letter(app, who).text, WHY in last_letter(app, who).text) == (
            True,
            True,
        )
    sound(app)
    clock.pass_by(days=2, hours=23)
    check_due_games(app)
    assert None is sound(app).state.ending
    assert "done" == reply(app, BILL, last_letter(app, BILL), "h4")
    assert 5 == len(moves(app))


def test_no_flag_falls_in_a_pause_and_the_clock_goes_on_where_it_stood(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    clock.pass_by(hours=20)
    decide_as_director(app, 1, decides(director.stop_clocks, None))
    assert None is sound(app).deadline
    clock.pass_by(days=40)
    assert 0 == check_due_games(app)
    decide_as_director(app, 1, lambda game, now: director.start_clocks(game, WHY, now))
    assert clock.now + timedelta(hours=4) == sound(app).deadline
    clock.now += timedelta(hours=4) + WORKER_DELAY
    assert 1 == check_due_games(app)
    assert "timeout" == sound(app).state.ending.how


def test_a_pause_with_an_end_ends_by_itself(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    decide_as_director(app, 1, decides(director.stop_clocks, clock.now + 3 * DAY))
    assert clock.now + 4 * DAY == sound(app).deadline
    clock.now += 4 * DAY + WORKER_DELAY
    check_due_games(app)
    assert "timeout" == sound(app).state.ending.how


# Rollback.


def test_a_rollback_makes_older_letters_stale_and_its_own_take_a_move(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    old = last_letter(app, BILL)
    rollback(app, 2)
    assert ["f2", "e5"] == moves(app)
    assert "taken this game back" in last_letter(app, JOAO).text
    new = last_letter(app, BILL)
    assert "refused" == reply(app, BILL, old, "h4")
    assert "taken the game back" in last_letter(app, BILL).text.replace("\n", " ")
    assert ["f2", "e5"] == moves(app)
    assert "done" == reply(app, BILL, old, "say What happened?")
    assert "done" == reply(app, BILL, new, "g3")
    assert ["f2", "e5", "g3"] == moves(app)
    assert "Your move" in last_letter(app, JOAO).text


def test_a_move_on_its_way_when_the_game_is_taken_back_is_not_played(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    turn = last_letter(app, BILL)
    (key,) = receive(app, reply_mail(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    rollback(app, 3)
    work_through(app)
    assert "refused" == state(app, key)
    assert 3 == len(moves(app))


def test_a_game_lost_on_time_is_opened_again_and_its_clock_runs(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    clock.now += DAY + WORKER_DELAY
    check_due_games(app)
    assert "timeout" == sound(app).state.ending.how
    clock.pass_by(days=5)
    rollback(app, 4)
    game = sound(app)
    assert (None, clock.now + DAY) == (game.state.ending, game.deadline)
    assert "It had ended, and goes on now" in last_letter(app, JOAO).text.replace("\n", " ")
    assert "done" == reply(app, BILL, last_letter(app, BILL), "h4")


def test_a_resignation_asked_about_before_a_rollback_is_not_carried_out_after_it(app: App) -> None:
    begin(app, "1d/move")
    play(app, 4)
    reply(app, BILL, last_letter(app, BILL), "resign")
    question = last_letter(app, BILL)
    rollback(app, 2)
    assert "refused" == reply(app, BILL, question, "confirm")
    assert None is sound(app).state.ending


def test_what_the_clock_had_to_do_is_done_before_a_decision(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    clock.pass_by(days=1)
    with pytest.raises(Refusal, match="is over: Bill ran out of time"):
        decide_as_director(app, 1, decides(director.extend, DAY, 0))
    assert "timeout" == sound(app).state.ending.how
    assert "Bill ran out of time" in last_letter(app, JOAO).text


def late_with_a_move_on_its_way(app: App, clock: Clock, words: str = "h4") -> str:
    """Game 1 after Bill's flag, with an earlier mail waiting; its key."""
    begin(app, "1d/move")
    play(app, 4)
    turn = last_letter(app, BILL)
    clock.pass_by(days=1, seconds=-1)
    (key,) = receive(app, reply_mail(turn, BILL, words), BILL, [turn.header("Reply-To")])
    clock.pass_by(hours=3)
    return key


DECISIONS = {
    "extend": decides(director.extend, DAY, 1),
    "pause": decides(director.stop_clocks, None),
    "adjudicate": decides(director.adjudicate, "second"),
    "rollback": decides(director.rollback, 4),
    "message": lambda game, now: director.notice(game, WHY, now),
}


@pytest.mark.parametrize("what", [*DECISIONS, "replace"])
def test_a_move_that_came_before_the_flag_and_waits_is_made_before_a_decision(
    app: App, clock: Clock, what: str
) -> None:
    register(app, ANNA, "Anna")
    key = late_with_a_move_on_its_way(app, clock)
    if what == "replace":
        replace_player(app, 1, "Anna")
    else:
        decide_as_director(app, 1, DECISIONS[what])
    game = sound(app)
    assert ("done", "h4") == (state(app, key), next(e.data["move"] for e in game.journal if e.n == 6))
    assert [what != "adjudicate", 4 if what == "rollback" else 5] == [
        game.state.ending is None,
        len(game.state.plies),
    ]
    ply = game.journal[5]
    assert (clock.now - timedelta(hours=3), clock.now) == (ply.effective_time, ply.at)


def test_a_flag_falls_before_a_decision_where_the_mail_from_before_it_holds_no_move(
    app: App, clock: Clock
) -> None:
    key = late_with_a_move_on_its_way(app, clock, "say I think about it.")
    with pytest.raises(Refusal, match="is over: Bill ran out of time"):
        decide_as_director(app, 1, DECISIONS["extend"])
    assert "done" == state(app, key)
    assert ("timeout", 1) == (sound(app).state.ending.how, sound(app).state.ending.winner)


def test_nothing_is_decided_while_mail_from_before_the_flag_is_in_trouble(app: App, clock: Clock) -> None:
    key = late_with_a_move_on_its_way(app, clock)
    assert 0 == work_through(replace(app, step=Broken(1)))  # it is retried later
    before = load(app), len(letters(app, BILL))
    with pytest.raises(Refusal, match=f"mail that waits, {key} the oldest"):
        decide_as_director(app, 1, DECISIONS["pause"])
    assert before == (load(app), len(letters(app, BILL)))
    clock.pass_by(minutes=1)
    decide_as_director(app, 1, DECISIONS["pause"])
    assert ("done", 5) == (state(app, key), len(moves(app)))


def test_mail_that_came_after_the_flag_holds_no_decision_up(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    turn = last_letter(app, BILL)
    clock.pass_by(days=1)
    (key,) = receive(app, reply_mail(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    decide_as_director(app, 1, DECISIONS["rollback"])  # to its last ply: the turn begins anew
    assert ("new", None) == (state(app, key), sound(app).state.ending)
    work_through(app)
    assert ("refused", 4) == (state(app, key), len(moves(app)))


def test_a_decision_made_before_the_worker_is_back_has_no_flag_fall_for_the_outage(
    app: App, clock: Clock
) -> None:
    begin(app, "1d/move")
    play(app, 4)
    record_heartbeat(app)
    turn = last_letter(app, BILL)
    clock.pass_by(days=5)
    (key,) = receive(app, reply_mail(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    clock.pass_by(days=5)
    decide_as_director(app, 1, DECISIONS["message"])
    assert None is sound(app).state.ending
    record_heartbeat(app)
    work_through(app)
    assert ("done", 5) == (state(app, key), len(moves(app)))


# Ends.


def test_an_adjudicated_game_is_told_as_the_directors_even_to_who_stopped_results(app: App) -> None:
    begin(app, "1d/move")
    play(app, 4)
    assert "done" == reply(app, BILL, last_letter(app, BILL), "stop results")
    decide_as_director(app, 1, decides(director.adjudicate, "second"))
    assert f"The director decided: {WHY}" in last_letter(app, BILL).text.replace("\n", " ")
    assert "You have won" in last_letter(app, JOAO).text
    ending = sound(app).state.ending
    assert ("director", 1) == (ending.how, ending.winner)


# Another player.


def with_anna(app: App) -> None:
    begin(app, "1d/move")
    play(app, 4)
    register(app, ANNA, "Anna")


def test_who_takes_a_seat_over_gets_the_board_and_plays_on_and_who_left_cannot(app: App) -> None:
    with_anna(app)
    old = last_letter(app, BILL)
    replace_player(app, 0, "Anna")
    assert "in the place of Bill" in last_letter(app, ANNA).text
    assert "from now on is Anna" in last_letter(app, JOAO).text
    assert "you do not play in it any more" in last_letter(app, BILL).text.replace("\n", " ")
    said = len(letters(app, JOAO))
    for words in ("h4", "resign yes", "say I am still here", "draw"):
        heard = len(letters(app, BILL))
        assert "refused" == reply(app, BILL, old, words)
        assert heard + 1 == len(letters(app, BILL)), words
        assert "do not play in game 1 any more" in last_letter(app, BILL).text.replace("\n", " ")
    assert said == len(letters(app, JOAO))
    assert "done" == reply(app, ANNA, last_letter(app, ANNA), "h4")
    assert ["Bill", "Anna"] == [
        sound(app).name_at(ply.seat, ply.entry) for ply in sound(app).state.plies if ply.n in (3, 5)
    ]
    assert "Anna" in last_letter(app, JOAO).text


def test_a_plan_of_who_left_answers_no_move_and_stands_in_no_letter_to_the_newcomer(app: App) -> None:
    with_anna(app)
    assert "done" == reply(app, JOAO, last_letter(app, JOAO), "if any then C3")
    replace_player(app, 1, "Anna")
    assert "C3" not in last_letter(app, ANNA).text
    assert "done" == reply(app, BILL, last_letter(app, BILL), "h4")
    assert 5 == len(moves(app))
    assert "done" == reply(app, ANNA, last_letter(app, ANNA), "plans")
    assert "C3" not in last_letter(app, ANNA).text


def test_who_watched_a_game_and_takes_a_seat_in_it_watches_no_more(app: App) -> None:
    with_anna(app)
    assert "done" == reply(app, ANNA, last_letter(app, ANNA), "watch 1")
    replace_player(app, 1, "Anna")
    assert "done" == reply(app, BILL, last_letter(app, BILL), "h4")
    assert 0 == send_watched(app)
    with app.store.read() as db:
        anna = player_rows.player_by_name(db, "Anna")
        assert anna is not None
        assert [] == watches.watched_by_player(db, anna)


def test_an_old_address_in_the_hands_of_the_newcomer_or_a_stranger_does_nothing(app: App) -> None:
    with_anna(app)
    old = last_letter(app, BILL)
    replace_player(app, 0, "Anna")
    before = [len(letters(app, who)) for who in (BILL, ANNA, JOAO)]
    assert "refused" == mail(app, ANNA, reply_mail(old, ANNA, "h4"), old.header("Reply-To"))
    assert "refused" == mail(
        app, "x@example.com", reply_mail(old, "x@example.com", "h4"), old.header("Reply-To")
    )
    assert before == [len(letters(app, who)) for who in (BILL, ANNA, JOAO)]
    assert 4 == len(moves(app))


def test_a_player_who_comes_back_plays_by_the_newest_letter(app: App) -> None:
    with_anna(app)
    replace_player(app, 0, "Anna")
    annas = last_letter(app, ANNA)
    replace_player(app, 0, "Bill")
    assert "refused" == reply(app, ANNA, annas, "h4")
    assert "done" == reply(app, BILL, last_letter(app, BILL), "h4")
    assert 5 == len(moves(app))


def test_a_resignation_asked_of_who_left_ends_nothing(app: App) -> None:
    with_anna(app)
    reply(app, BILL, last_letter(app, BILL), "resign")
    question = last_letter(app, BILL)
    replace_player(app, 0, "Anna")
    assert "refused" == reply(app, BILL, question, "confirm")
    assert None is sound(app).state.ending


def test_vacations_count_as_long_as_their_player_sits_there(app: App, clock: Clock) -> None:
    with_anna(app)
    started = clock.now
    with app.store.write() as db:
        vacations.store_vacation(db, 1, Vacation(started, started + 9 * DAY))  # Bill's
        vacations.store_vacation(db, 3, Vacation(started - 5 * DAY, started + 2 * DAY))  # Anna's
        game = games.load_game(db, app.games_by_key, 1, lock=True)
        assert game is not None
        games.reschedule(db, game)
    assert started + 10 * DAY == sound(app).deadline
    clock.pass_by(days=1)
    replace_player(app, 0, "Anna")
    game = sound(app)
    assert (started, started + 2 * DAY) == game.stops.vacation[0][-1]
    assert started + 3 * DAY == game.deadline


def test_a_seat_stored_otherwise_than_the_journal_says_is_found(app: App) -> None:
    with_anna(app)
    replace_player(app, 0, "Anna")
    game = sound(app)
    with app.store.write() as db:
        bill = player_rows.player_by_name(db, "Bill")
        assert bill is not None
        games.reseat(db, game, 0, bill)
        stored = games.stored_summary(db, 1)
        wrong = games.load_game(db, app.games_by_key, 1)
    assert wrong is not None
    assert ["game 1: player 1 is stored as first, the journal says 3"] == check_game(wrong, stored)


# Words, and refusals.


def test_a_message_goes_to_both_and_nothing_in_it_is_an_order_when_it_comes_back(app: App) -> None:
    begin(app, "1d/move")
    play(app, 4)
    words = "Please be kind.\nh4\nresign yes"
    decide_as_director(app, 1, lambda game, now: director.notice(game, words, now))
    letter = last_letter(app, BILL)
    assert "The director: Please be kind." in letter.text
    quoted = "\n".join(["Thank you", *(f"> {line}" for line in letter.text.split("\n"))])
    assert "refused" == reply(app, BILL, letter, quoted)
    assert (4, None) == (len(moves(app)), sound(app).state.ending)


def test_a_message_to_all_goes_once_to_everybody_with_a_game(app: App, clock: Clock) -> None:
    with_anna(app)
    before = len(letters(app, ANNA))
    assert 2 == tell_everybody(app, "The server moves on Sunday.")
    assert ("Sunday" in last_letter(app, BILL).text, "Sunday" in last_letter(app, JOAO).text) == (
        True,
        True,
    )
    assert before == len(letters(app, ANNA))
    with pytest.raises(Refusal, match="this very second"):
        tell_everybody(app, "The server moves on Sunday.")
    clock.pass_by(seconds=1)
    assert 2 == tell_everybody(app, "The server has moved.")
    assert "done" == reply(app, BILL, last_letter(app, BILL), "games")


def test_what_is_refused_changes_nothing_and_writes_to_nobody(app: App) -> None:
    begin(app, "1d/move")
    play(app, 4)
    before = len(letters(app, BILL)), len(sound(app).journal)
    with pytest.raises(Refusal, match="There is no game 7"):
        decide_as_director(app, 7, decides(director.rollback, 0))
    with pytest.raises(Refusal, match="none numbered 5"):
        rollback(app, 5)
    assert before == (len(letters(app, BILL)), len(sound(app).journal))


def test_each_decision_is_logged_in_one_line(app: App, caplog: pytest.LogCaptureFixture) -> None:
    begin(app, "1d/move")
    play(app, 4)
    with caplog.at_level(logging.INFO, "pbem.director"):
        rollback(app, 2)
    assert [f"game 1, entry 6: back to ply 2: {WHY}"] == [
        record.getMessage() for record in caplog.records if record.name == "pbem.director"
    ]


@pytest.mark.each_database
def test_decisions_and_moves_at_the_same_time_come_one_after_the_other(app: App) -> None:
    """Two directors and a player at once: every entry counts once."""
    begin(app, "7d")
    play(app, 4)
    turn = last_letter(app, BILL)
    give = partial(decide_as_director, app, 1, decides(director.extend, DAY, None))
    post = partial(reply, app, BILL, turn, "h4")
    threads = [Thread(target=task) for task in (give, post, give, give)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    game = sound(app)
    assert (5, 3) == (len(game.state.plies), len(game.state.rulings))
    assert 5 + 1 + 3 == len(game.journal)


@pytest.mark.parametrize("entry", ["extend", "rollback", "replace"])
def test_a_decision_that_cannot_be_written_leaves_everything_as_it_was(app: App, entry: str) -> None:
    with_anna(app)
    broken = replace(app, site=None)  # type: ignore[arg-type]
    before = sound(app), [len(letters(app, who)) for who in (BILL, ANNA, JOAO)]

    def decide(game: Game, now: object) -> Entry:
        if entry == "extend":
            return director.extend(game, DAY, None, WHY, app.now())
        if entry == "rollback":
            return director.rollback(game, 1, WHY, app.now())
        with app.store.read() as db:
            anna = player_rows.player_by_name(db, "Anna")
        assert anna is not None
        return director.replace_seated(game, 0, anna, WHY, app.now())

    with pytest.raises(AttributeError):
        decide_as_director(broken, 1, decide)
    assert before == (load(app), [len(letters(app, who)) for who in (BILL, ANNA, JOAO)])
    assert not re.search("director", last_letter(app, JOAO).text)
