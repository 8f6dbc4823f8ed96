"""Ladders from the first player to idle ones, by mail and by the worker's beat."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import update

from pbem.app import App
from pbem.core.clock.vacation import Vacation
from pbem.core.events import ladder
from pbem.core.events.ladder import after_win
from pbem.core.play import director
from pbem.duties.game_clock import check_due_games
from pbem.inbox.director import decide_as_director
from pbem.inbox.process import work_through
from pbem.store import events, ladders, limits, players, rating_queries, vacations
from pbem.store.outages import add_outage
from pbem.store.tables import players as player_table
from pbem.worker.events import check_events
from tests.amount import amount
from tests.apps import (
    ANNA,
    BILL,
    DAY,
    JOAO,
    Clock,
    advance,
    ask,
    flat,
    last_letter,
    last_words,
    letters,
    load,
    register,
    reply,
    writes,
)
from tests.inbox.ladders import a_ladder, challenge, current, order, play, says, shown
from tests.inbox.seasons import address_of, begun, finish, rows_follow_from_the_journal


@pytest.mark.each_database
def test_three_play_on_a_ladder_by_mail_alone(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    told = ask(app, BILL, "ladder bipod")
    assert "Bill, you are on the Bipod ladder, at place 1." in told
    assert "You are first: the others challenge you." in told
    register(app, JOAO, "Joao")
    assert "You are not on the Bipod ladder yet." in ask(app, JOAO, "ladder bipod Bill")
    assert ["Bill"] == shown(app).order
    told = ask(app, JOAO, "join the bipod ladder")
    assert "at place 2." in told and "You can challenge Bill." in told
    register(app, ANNA, "Anna")
    told = ask(app, ANNA, "ladder bipod")
    assert "at place 3." in told and "You can challenge Bill or Joao." in told
    assert "you have challenged Bill on the Bipod ladder" in ask(app, ANNA, "ladder bipod")
    asked = last_letter(app, BILL)
    assert "Anna challenges you on the Bipod ladder" in asked.text
    assert "You are at place 1, Anna at place 3." in flat(asked.text)
    assert "done" == reply(app, BILL, asked, "accept")
    for who in (BILL, ANNA):
        assert "on the Bipod ladder begins." in flat(last_letter(app, who).text)
    game = load(app, 1)
    assert (game.rated, "Bill", "Anna") == (True, game.seats[0].name, game.seats[1].name)
    assert "3. Anna" in ask(app, JOAO, "table bipod ladder")
    start = next(each for each in letters(app, BILL) if "begins." in each.text)
    assert "done" == reply(app, BILL, start, "resign yes")
    assert "you two have changed places: you are at place 1 of 3 now, and were at place 3" in last_words(
        app, ANNA
    )
    assert ["Anna", "Joao", "Bill"] == shown(app).order
    check_events(app)
    assert ["Anna", "Joao", "Bill"] == shown(app).order
    assert rows_follow_from_the_journal(app, current(app).id)


def test_a_challenge_is_answered_without_its_letter(app: App, clock: Clock) -> None:
    a_ladder(app, 4)
    challenge(app, 3, 2)
    challenge(app, 4, 2)
    told = says(app, 2, "ladder bipod P001 yes")
    assert "No challenge of P001 on the Bipod ladder waits for your answer." in flat(told)
    assert "These wait for your answer: P003, P004." in flat(told)
    assert "on the Bipod ladder begins." in flat(says(app, 2, "ladder bipod p004 Yes"))
    assert ("P002", "P004") == tuple(seat.name for seat in load(app, 1).seats)
    says(app, 2, "ladder bipod P003 no")
    assert "1 3 2 4" == order(app)
    assert "waits for your answer" in flat(says(app, 2, "ladder bipod P003 no"))
    check_events(app)
    assert "1 3 2 4" == order(app) and rows_follow_from_the_journal(app, current(app).id)


@pytest.mark.parametrize("answer", ["no", "decline"])
def test_whoever_declines_gives_the_places_and_no_rating(app: App, clock: Clock, answer: str) -> None:
    ids = a_ladder(app, 3)
    challenge(app, 3, 1)
    assert "done" == writes(app, address_of(1), answer)
    assert "3 2 1" == order(app)
    assert "you have declined P003's challenge" in last_words(app, address_of(1))
    assert "P001 has declined your challenge" in last_words(app, address_of(3))
    assert "You are at place 1 of 3 now" in last_words(app, address_of(3))
    with app.store.read() as db:
        assert {} == rating_queries.standings_of_players(db, ids)
    check_events(app)
    assert rows_follow_from_the_journal(app, current(app).id)


@pytest.mark.parametrize("answer", ["not now please", "Not today", "later"])
def test_whoever_puts_it_off_keeps_their_place(app: App, answer: str) -> None:
    a_ladder(app, 3)
    challenge(app, 3, 1)
    assert "refused" == writes(app, address_of(1), answer)
    assert "1 2 3" == order(app)
    assert "done" == writes(app, address_of(1), "yes")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("accept\n\nHave fun!", 'write one of the two: "yes" alone'),
        ("yes\n\nHave fun!", 'answer this letter with the one word "yes"'),
    ],
)
def test_words_beside_an_answer_do_not_go_unnoticed(app: App, words: str, sentence: str) -> None:
    a_ladder(app, 2)
    challenge(app, 2, 1)
    assert "refused" == writes(app, address_of(1), words)
    assert sentence in last_words(app, address_of(1))
    assert "done" == writes(app, address_of(1), "yes")
    assert "begins." in last_letter(app, address_of(1)).text


def test_silence_gives_the_places_after_five_days_and_a_late_yes_does_nothing(app: App, clock: Clock) -> None:
    a_ladder(app, 3)
    challenge(app, 3, 2)
    asked = last_letter(app, address_of(2))
    assert "nothing until Friday 6 March" in flat(asked.text)
    clock.now += 5 * DAY
    assert 0 == check_events(app)
    assert "1 2 3" == order(app)
    clock.pass_by(hours=1)
    assert 2 == check_events(app)
    assert "1 3 2" == order(app)
    assert "you did not answer P003's challenge" in last_words(app, address_of(2))
    assert "P002 has not answered your challenge" in last_words(app, address_of(3))
    assert "refused" == reply(app, address_of(2), asked, "yes")
    assert "This challenge is closed" in last_words(app, address_of(2))
    assert () == shown(app).waiting
    assert rows_follow_from_the_journal(app, current(app).id)


def test_whoever_is_challenged_gets_the_time_of_an_outage_back(app: App, clock: Clock) -> None:
    a_ladder(app, 2)
    challenge(app, 2, 1)
    with app.store.write() as db:
        add_outage(db, app.now() + DAY, app.now() + 3 * DAY)
    clock.now += 6 * DAY
    assert 1 == check_events(app)
    assert "1 2" == order(app)
    assert [app.now() + DAY] == [each.until for each in shown(app).waiting]
    assert rows_follow_from_the_journal(app, current(app).id)
    clock.pass_by(days=1, hours=1)
    check_events(app)
    assert "2 1" == order(app)


def test_a_challenge_takes_the_highest_in_reach_who_may_be_challenged(app: App, clock: Clock) -> None:
    ids = a_ladder(app, 8)
    with app.store.write() as db:
        six, (three, four) = ids[5], ids[2:4]
        known = players.players_by_ids(db, ids)
        limits.block_player(db, known[three], known[six], app.now())
        vacations.store_vacation(db, four, Vacation(app.now(), app.now() + 9 * DAY))
    challenge(app, 5, 2)
    challenge(app, 4, 2)
    told = says(app, 6, "table bipod ladder")
    assert "You can challenge P005." in told
    assert "you have challenged P005" in says(app, 6, "ladder bipod")
    told = says(app, 6, "ladder bipod")
    assert "You can challenge nobody on the Bipod ladder now." in told
    for reason in (
        "P002 has 2 challenges to play already.",
        "No game of Bipod with P003 can begin at present",
        "P004 is on vacation until",
        "You have challenged P005 already.",
    ):
        assert reason in told


@pytest.mark.parametrize(
    ("number", "words", "sentence"),
    [
        (1, "ladder bipod", "You are first: the others challenge you."),
        (1, "ladder bipod P002", "On a ladder you challenge somebody one to 4 places above you."),
        (6, "ladder bipod P001", "one to 4 places above you. Now you can challenge P002 or P003 or P004"),
        (3, "ladder bipod P005", "one to 4 places above you. Now you can challenge P001 or P002."),
        (3, "ladder bipod P003", "That is your own name"),
        (3, "ladder bipod Nobody", "Nobody here is called Nobody."),
        (3, "ladder bipod Stranger", "Stranger is not on this ladder. Now you can challenge P001"),
        (3, "leave bagel ladder", "You are in no such ladder"),
        (3, "leave league", "You are in no such league"),
        (3, "join league", 'Write which league, such as "join bipod league".'),
        (3, "join match", 'Write which match, such as "join match 3".'),
        (3, "table ladder", 'Write which ladder, such as "table bipod ladder".'),
        (3, "join bagel league", "takes you onto its ladder."),
        (3, "table bipod league", "There is no league or ladder of Bipod yet."),
    ],
)
def test_refusals_say_what_is_possible(app: App, number: int, words: str, sentence: str) -> None:
    a_ladder(app, 6)
    with app.store.write() as db:
        players.add_player(db, "Stranger", "stranger@example.org", app.now())
    before = current(app).entries
    assert sentence in says(app, number, words)
    assert before == current(app).entries


def test_at_most_two_challenges_each_way(app: App, clock: Clock) -> None:
    a_ladder(app, 6)
    challenge(app, 6, 2)
    challenge(app, 6, 3)
    assert "You have 2 challenges on this ladder already." in says(app, 6, "ladder bipod")
    challenge(app, 5, 2)
    assert "P002 has 2 challenges to play already." in says(app, 4, "ladder bipod P002")
    assert "you have challenged P001" in says(app, 2, "ladder bipod")


def test_a_win_from_above_a_draw_and_a_void_game_change_nothing(app: App, clock: Clock) -> None:
    a_ladder(app, 4)
    finish(app, play(app, 4, 3), 0)
    finish(app, play(app, 3, 2), None)
    game = play(app, 2, 1)
    decide_as_director(app, game, lambda found, now: director.adjudicate(found, "void", "A fault.", now))
    check_events(app)
    assert "1 2 3 4" == order(app)
    assert 2 == len(shown(app).results)
    assert rows_follow_from_the_journal(app, current(app).id)


def test_whoever_accepts_and_never_moves_loses_the_places(app: App, clock: Clock) -> None:
    a_ladder(app, 2)
    game = play(app, 2, 1)
    for _ in range(12):
        clock.now += 6 * DAY
        check_due_games(app)
    ending = load(app, game).state.ending
    assert ending is not None and "void" == ending.how
    assert "2 1" == order(app)


def test_a_game_that_is_opened_again_or_decided_otherwise_changes_the_order_back(
    app: App, clock: Clock
) -> None:
    a_ladder(app, 3)
    game = play(app, 3, 1)
    clock.pass_by(hours=1)
    finish(app, game, 1)
    check_events(app)
    assert "3 2 1" == order(app)
    clock.pass_by(hours=1)
    finish(app, play(app, 2, 3), 1)
    assert "2 3 1" == order(app)
    decide_as_director(app, game, lambda found, now: director.rollback(found, 0, "A fault of ours.", now))
    check_events(app)
    assert "1 2 3" == order(app)  # the second game was one from above then
    assert rows_follow_from_the_journal(app, current(app).id)
    clock.pass_by(hours=1)
    decide_as_director(app, game, lambda found, now: director.adjudicate(found, "second", "So be it.", now))
    check_events(app)
    assert "3 2 1" == order(app)
    assert rows_follow_from_the_journal(app, current(app).id)


def test_the_same_two_may_meet_again(app: App, clock: Clock) -> None:
    a_ladder(app, 2)
    finish(app, play(app, 2, 1), 1)
    clock.pass_by(hours=1)
    assert "2 1" == order(app)
    finish(app, play(app, 1, 2), 1)
    clock.pass_by(hours=1)
    finish(app, play(app, 2, 1), 1)
    check_events(app)
    assert "2 1" == order(app)
    assert 3 == len(shown(app).results)
    assert rows_follow_from_the_journal(app, current(app).id)


def test_the_fourth_game_of_two_within_a_month_is_unrated(app: App, clock: Clock) -> None:
    a_ladder(app, 2)
    for number in range(1, 5):
        game = play(app, 2, 1)
        assert (number < 4) == load(app, game).rated
        advance(app, game, 4)
        finish(app, game, 0)
        clock.pass_by(hours=1)
    assert "no, you two have begun three rated ones in 30 days" in flat(
        next(each.text for each in letters(app, address_of(2))[::-1] if "begins." in each.text)
    )


def test_leaving_ends_open_challenges_and_leaves_games_as_ordinary_ones(app: App, clock: Clock) -> None:
    a_ladder(app, 4)
    game = play(app, 3, 2)
    challenge(app, 4, 2)
    asked = last_letter(app, address_of(2))
    assert "you have left the Bipod ladder" in says(app, 2, "leave bipod ladder")
    assert "P002 has left the ladder." in last_words(app, address_of(4))
    assert f"Game {game} goes on as an ordinary game." in last_words(app, address_of(3))
    assert "refused" == reply(app, address_of(2), asked, "yes")
    assert "wait until tomorrow" in says(app, 2, "ladder bipod")
    clock.pass_by(days=1)
    assert "at place 4." in says(app, 2, "ladder bipod")
    finish(app, game, 0)
    check_events(app)
    assert ("1 3 4 2", ()) == (order(app), shown(app).waiting)
    assert rows_follow_from_the_journal(app, current(app).id)


@pytest.mark.each_database
def test_whoever_is_forgotten_leaves_the_ladder(app: App, clock: Clock) -> None:
    a_ladder(app, 3)
    play(app, 3, 1)
    challenge(app, 2, 1)
    says(app, 1, "forget me")
    assert "done" == writes(app, address_of(1), "yes")
    check_events(app)
    assert "3 2" == order(app)  # the game was given up
    assert any("your challenge with P001" in flat(each.text) for each in letters(app, address_of(2)))
    assert rows_follow_from_the_journal(app, current(app).id)


def test_two_who_have_blocked_each_other_do_not_lose_places_by_it(app: App, clock: Clock) -> None:
    ids = a_ladder(app, 3)
    challenge(app, 3, 2)
    challenge(app, 2, 1)
    asked = last_letter(app, address_of(1))
    with app.store.write() as db:
        known = players.players_by_ids(db, ids)
        limits.block_player(db, known[ids[2]], known[ids[1]], app.now())
        limits.block_player(db, known[ids[1]], known[ids[0]], app.now())
    assert "done" == reply(app, address_of(1), asked, "yes")
    assert "You two cannot begin a game at present." in last_words(app, address_of(1))
    clock.pass_by(days=6)
    check_events(app)
    assert "You two cannot begin a game at present." in last_words(app, address_of(2))
    assert ("1 2 3", ()) == (order(app), shown(app).waiting)
    assert rows_follow_from_the_journal(app, current(app).id)


@pytest.mark.parametrize("answer", ["yes", "no", ""])
def test_nobody_keeps_a_place_by_blocking_the_challenger(app: App, clock: Clock, answer: str) -> None:
    a_ladder(app, 3)
    challenge(app, 3, 1)
    asked = last_letter(app, address_of(1))
    says(app, 1, "block P003")
    if answer:
        assert "done" == reply(app, address_of(1), asked, answer)
        says(app, 1, "unblock P003")
    clock.pass_by(days=6)
    check_events(app)
    assert ("3 2 1", ()) == (order(app), shown(app).waiting)


def test_a_yes_without_room_is_refused_and_the_challenge_waits_on(app: App, clock: Clock) -> None:
    a_ladder(app, 3)
    challenge(app, 3, 1)
    asked = last_letter(app, address_of(1))
    says(app, 1, "limit bipod 0")
    assert "refused" == reply(app, address_of(1), asked, "yes")
    told = last_words(app, address_of(1))
    assert "You want at most 0 games of Bipod at a time" in told
    assert "without an answer you lose the place" in told
    refused = last_letter(app, address_of(1))
    assert "You can still accept until" in says(app, 1, "ladder bipod P003 yes")
    assert 1 == len(shown(app).waiting)
    says(app, 1, "limit bipod none")
    assert "done" == reply(app, address_of(1), refused, "yes")
    assert {"P001", "P003"} == {seat.name for seat in load(app, 1).seats}


def test_nobody_keeps_a_place_by_a_limit(app: App, clock: Clock) -> None:
    a_ladder(app, 3)
    challenge(app, 3, 1)
    asked = last_letter(app, address_of(1))
    says(app, 1, "limit bipod 0")
    assert "refused" == reply(app, address_of(1), asked, "yes")
    clock.pass_by(days=6)
    check_events(app)
    assert ("3 2 1", ()) == (order(app), shown(app).waiting)


def test_a_challenger_without_room_reads_so_and_no_place_changes(app: App, clock: Clock) -> None:
    a_ladder(app, 3)
    challenge(app, 3, 1)
    asked = last_letter(app, address_of(1))
    says(app, 3, "limit bipod 0")
    assert "done" == reply(app, address_of(1), asked, "yes")
    told = last_words(app, address_of(3))
    assert "P001 has accepted it, but you have no room for the game." in told
    assert "You want at most 0 games of Bipod at a time" in told
    assert "limit" not in last_words(app, address_of(1))
    assert "You two cannot begin a game at present." in last_words(app, address_of(1))
    assert ("1 2 3", ()) == (order(app), shown(app).waiting)
    assert rows_follow_from_the_journal(app, current(app).id)


def test_an_answer_counts_as_long_as_the_challenge_stands(app: App, clock: Clock) -> None:
    a_ladder(app, 2)
    challenge(app, 2, 1)
    asked = last_letter(app, address_of(1))
    clock.pass_by(days=4)
    with app.store.write() as db:
        add_outage(db, clock.now - 4 * DAY, clock.now)
    clock.pass_by(days=1, hours=2)
    check_events(app)
    clock.pass_by(days=3)
    assert "done" == reply(app, address_of(1), asked, "yes")
    assert 2 == len(load(app, 1).seats)


def test_a_bare_leave_does_not_leave_a_ladder(app: App, clock: Clock) -> None:
    a_ladder(app, 2)
    assert "write `leave bipod ladder`" in says(app, 1, "leave").replace('"', "`")
    assert "1 2" == order(app)
    says(app, 1, "leave bipod ladder")
    assert "2" == order(app)


def test_whoever_is_barred_is_not_challenged(app: App, clock: Clock) -> None:
    ids = a_ladder(app, 3)
    with app.store.write() as db:
        db.execute(update(player_table).where(player_table.c.id == ids[0]).values(barred="rude"))
    assert "you have challenged P002" in says(app, 3, "ladder bipod")
    assert "1 2 3" == order(app)
    before = current(app).entries
    says(app, 1, "ladder bipod")
    assert before == current(app).entries


# Idle players.


def test_idle_players_sink_a_place_a_week_but_not_on_vacation(app: App, clock: Clock) -> None:
    ids = a_ladder(app, 5)
    with app.store.write() as db:
        vacations.store_vacation(db, ids[1], Vacation(app.now() + 20 * DAY, app.now() + 60 * DAY))
    clock.now += 28 * DAY
    check_events(app)
    assert "1 2 3 4 5" == order(app)
    play(app, 5, 4)  # both play now
    clock.now += 7 * DAY
    check_events(app)
    assert "2 1 4 3 5" == order(app)
    clock.now += 6 * DAY
    check_events(app)
    assert "2 1 4 3 5" == order(app)
    clock.now += DAY
    check_events(app)
    assert "2 4 1 5 3" == order(app)
    assert rows_follow_from_the_journal(app, current(app).id)


def test_silence_is_no_act_and_a_challenge_is_one(app: App, clock: Clock) -> None:
    ids = a_ladder(app, 4)
    clock.now += 29 * DAY
    challenge(app, 4, 1)
    challenge(app, 3, 2)
    assert "done" == writes(app, address_of(2), "no")
    clock.now += 4 * DAY
    with app.store.read() as db:
        active = ladders.active_players(db, current(app).id, app.now() - ladder.IDLE_AFTER)
    assert {*ids[1:]} == active


def test_nothing_is_done_while_nothing_is_due(app: App, clock: Clock) -> None:
    a_ladder(app, 4)
    game = play(app, 4, 3)
    finish(app, game, 1)
    assert 1 == check_events(app)
    before = current(app).entries
    clock.now += 6 * DAY
    assert 0 == check_events(app)
    with app.store.read() as db:
        assert ([], []) == (events.due_events(db, app.now()), events.divisions_to_do(db))
    clock.now += DAY
    assert (1, before + 1) == (check_events(app), current(app).entries)


def test_a_league_that_did_not_start_leads_to_the_ladder(app: App, clock: Clock) -> None:
    begun(app, clock, 3)
    assert 'Until then you can play on the ladder: answer "ladder bipod".' in last_words(app, address_of(1))
    assert "done" == writes(app, address_of(1), "ladder bipod")
    assert "1" == order(app)
    told = says(app, 1, "leave bipod")
    assert 'Write "leave bipod league" or "leave bipod ladder".' in told
    assert "you have left the Bipod ladder" in says(app, 1, "leave bipod ladder")
    assert "you have left the Bipod league" in says(app, 1, "leave bipod")


# Many games, and processes that die.


def test_many_games_by_chance_give_an_independent_order(app: App, clock: Clock) -> None:
    """Results and departures in their order, kept beside the ladder as by a person with a list on paper."""
    chance, paper = random.Random(5), [*range(1, 9)]
    a_ladder(app, 8)
    for turn in range(amount(8, 25)):
        clock.pass_by(hours=2)
        place = chance.randrange(1, 8)
        lower, upper = paper[place], paper[max(0, place - chance.randint(1, 4))]
        winner = chance.choice([0, 1, 1, None])
        game = play(app, lower, upper)
        if turn % 6 == 5:
            says(app, upper, "leave bipod ladder")
            clock.pass_by(days=1)
            says(app, upper, "ladder bipod")
            paper = [*(each for each in paper if each != upper), upper]
            winner = 1
        elif winner == 1:
            paper = after_win(paper, lower, upper)
        finish(app, game, winner)
        if chance.random() < 0.5:
            check_events(app)
        assert " ".join(map(str, paper)) == order(app)
    check_events(app)
    assert rows_follow_from_the_journal(app, current(app).id)
    assert " ".join(map(str, paper)) == order(app)


class Killed(BaseException):
    """The end of a process, which no handler catches."""


@pytest.mark.each_database
@pytest.mark.parametrize("step", ["write", "commit"])
def test_a_process_that_dies_leaves_the_ladder_as_before_or_after(app: App, clock: Clock, step: str) -> None:
    def die(reached: str) -> None:
        if reached in (step, "event"):
            raise Killed

    dying, done = replace(app, step=die), step == "commit"

    def dies(write: Callable[[App], object], entries: int) -> None:
        """Have a process die at a step of a mail that brings so many entries, and another handle it."""
        before = shown(app), current(app).entries
        with pytest.raises(Killed):
            write(dying)
        assert done == (before != (shown(app), current(app).entries))
        clock.pass_by(hours=1)
        work_through(app)
        assert before[1] + entries == current(app).entries

    a_ladder(app, 4)
    dies(lambda app: says(app, 4, "ladder bipod P002"), 1)
    dies(lambda app: says(app, 3, "ladder bipod P001"), 1)
    asked = last_letter(app, address_of(2))
    dies(lambda app: reply(app, address_of(2), asked, "yes"), 1)
    assert [True, False] == [each.game is not None for each in shown(app).waiting]
    for who in (address_of(2), address_of(4)):
        assert 1 == sum("begins." in each.text for each in letters(app, who))
    start = last_letter(app, address_of(2))
    dies(lambda app: reply(app, address_of(2), start, "resign yes"), 0)
    assert "1 4 3 2" == order(app)
    clock.pass_by(days=6)
    for _ in range(2):
        with pytest.raises(Killed):
            check_events(dying)
        assert "1 4 3 2" == order(app)
    assert 3 == check_events(app)  # the end of the game, the silence, and that result
    assert "3 4 1 2" == order(app)
    assert 1 == sum("has not answered" in flat(each.text) for each in letters(app, address_of(3)))
    clock.pass_by(days=40)
    with pytest.raises(Killed):
        check_events(dying)
    assert "3 4 1 2" == order(app)
    assert 1 == check_events(app)
    assert rows_follow_from_the_journal(app, current(app).id)
