"""Matches of two clubs, by mail and by the worker's beat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import update

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.league import Settings
from pbem.core.play import director
from pbem.duties.game_clock import check_due_games
from pbem.inbox.director import decide_as_director
from pbem.inbox.process import work_through
from pbem.store import event_entries, events, players, rating_queries
from pbem.store.tables import players as player_table
from pbem.worker.events import check_events
from tests.apps import (
    ANNA,
    BILL,
    DAY,
    JOAO,
    Clock,
    advance,
    ask,
    flat,
    last_words,
    letters,
    load,
    register,
    reply,
    writes,
)
from tests.inbox.ladders import says
from tests.inbox.matches import CLUBS, EVENT, a_match, begun, current, games_of, shown
from tests.inbox.seasons import address_of, finish, rows_follow_from_the_journal


def told(app: App, who: str, words: str) -> int:
    """The number of letters to somebody that have these words."""
    return sum(words in flat(each.text) for each in letters(app, who))


def test_two_clubs_meet_by_mail_alone(app: App, clock: Clock) -> None:
    a_match(app, 0, 0)
    for who, name in ((BILL, "Bill"), (JOAO, "Joao"), (ANNA, "Anna")):
        register(app, who, name)
    words = ask(app, BILL, "join Lisbon")
    assert "Bill, you play for Lisbon in the Bipod match of Lisbon and Oxford." in words
    assert "It begins on 8 March" in words and "Board 1 meets board 1" in words
    assert "you play for Oxford" in ask(app, JOAO, "join match 1 oxford")
    assert "you play for Oxford" in ask(app, ANNA, "join the match #1 Oxford")
    assert "Oxford: Joao, Anna." in ask(app, BILL, "table 1")
    assert "Bipod match of Lisbon and Oxford" in ask(app, BILL, "events")
    assert 0 == check_events(app)
    clock.now += 8 * DAY
    assert 3 == check_events(app)  # the boards, their games, the letters
    (board,) = shown(app).boards
    assert ("Bill", "Joao") == board.players
    assert "begins without a board for you" in last_words(app, ANNA)
    for who, other in ((BILL, "Joao"), (JOAO, "Bill")):
        assert 1 == told(app, who, f"on board 1: two games with {other}")
        assert 2 == told(app, who, f"your game with {other} in the Bipod match of Lisbon and Oxford begins.")
    one, two = (load(app, number) for number in games_of(app))
    assert ("Bill", "Joao", True) == (one.seats[0].name, two.seats[0].name, one.rated and two.rated)
    start = next(each for each in letters(app, JOAO) if f"#{one.id}" in each.header("Subject"))
    assert "done" == reply(app, JOAO, start, "resign yes")
    assert (
        "This gives Lisbon a point in the Bipod match of Lisbon and Oxford. Now it stands Lisbon 1, "
        "Oxford 0, with one game left." in last_words(app, BILL)
    )
    assert "1. Bill 1 . Joao" in " ".join(ask(app, ANNA, "table oxford").split())
    finish(app, two.id, None)
    assert 2 < check_events(app)
    assert (league.OVER, "Lisbon 1½, Oxford ½") == (current(app).state, shown(app).score)
    for who in (BILL, JOAO, ANNA):
        assert 1 == told(app, who, "Lisbon has won the Bipod match of Lisbon and Oxford.")
    assert "It is over: Lisbon has won." in ask(app, JOAO, "table 1")
    assert 0 == check_events(app)
    assert rows_follow_from_the_journal(app, EVENT)


@pytest.mark.each_database
def test_boards_go_by_rating_then_by_who_joined_first(app: App, clock: Clock) -> None:
    ids = a_match(app, 3, 4)
    with app.store.write() as db:
        other = event_entries.add_match(
            db, "bipod", Settings(clubs=("A" * 9, "B" * 9)), app.now() + DAY, app.now()
        )
        for id, club in ((ids[2], 1), (ids[5], 2)):
            same = {"players": [id], "state": league.ENTERED, "club": club}
            event_entries.append(db, other, "join", app.now(), **same)
    clock.now += 2 * DAY
    check_events(app)
    with app.store.read() as db:
        games = [each.game or 0 for each in events.division_games(db, other, 1)]
    for number, winner in zip(games, (1, 0), strict=True):
        advance(app, number, 4)
        finish(app, number, winner)  # P006 wins both
    check_events(app)
    clock.now += 7 * DAY
    check_events(app)
    assert [("P003", "P006"), ("P001", "P004"), ("P002", "P005")] == [
        each.players for each in shown(app).boards
    ]
    assert "no board" not in last_words(app, address_of(1))
    assert "begins without a board for you" in last_words(app, address_of(7))
    assert 6 == shown(app).games_left
    assert rows_follow_from_the_journal(app, EVENT)


def test_whoever_is_barred_or_forgotten_has_no_board(app: App, clock: Clock) -> None:
    ids = a_match(app, 3, 2)
    with app.store.write() as db:
        db.execute(update(player_table).where(player_table.c.id == ids[1]).values(barred="rude"))
    says(app, 1, "forget me")
    assert "done" == writes(app, address_of(1), "yes")
    assert (("P002", "P003"), ("P004", "P005")) == shown(app).members
    clock.now += 8 * DAY
    check_events(app)
    assert [("P003", "P004")] == [each.players for each in shown(app).boards]
    assert rows_follow_from_the_journal(app, EVENT)


def test_whoever_is_forgotten_in_a_match_loses_their_games(app: App, clock: Clock) -> None:
    begun(app, clock, 2, 2)
    says(app, 1, "forget me")
    assert "done" == writes(app, address_of(1), "yes")
    check_events(app)
    assert ("Lisbon 0, Oxford 2", 2) == (shown(app).score, shown(app).games_left)
    for number in games_of(app)[2:]:
        finish(app, number, None)
    check_events(app)
    assert league.OVER == current(app).state
    assert rows_follow_from_the_journal(app, EVENT)


@pytest.mark.parametrize(("first", "second"), [(0, 3), (2, 0)])
def test_without_a_board_all_are_told_and_it_is_closed(
    app: App, clock: Clock, first: int, second: int
) -> None:
    begun(app, clock, first, second)
    assert league.VOID == current(app).state
    for number in range(1, first + second + 1):
        words = last_words(app, address_of(number))
        assert "does not take place" in words and f"Lisbon had {first}, Oxford {second}." in words
    assert 0 == check_events(app)
    assert "There is no event 1" in says(app, 1, "table 1")
    assert rows_follow_from_the_journal(app, EVENT)


def test_an_empty_match_is_closed_too(app: App, clock: Clock) -> None:
    begun(app, clock, 0, 0)
    assert league.VOID == current(app).state


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("join Oxford", "You play for Lisbon, and nobody is in both clubs."),
        ("join match 1 Rome", "write `join match 1 Lisbon` or `join match 1 Oxford`"),
        ("join match 1", "write `join match 1 Lisbon` or `join match 1 Oxford`"),
        ("join match 7 Lisbon", "There is no match 7."),
        ("join Rome", "No game is called rome here."),
        ("leave match 7", "You are in no such match"),
        ("table 7", "There is no event 7."),
    ],
)
def test_refusals_say_what_is_possible(app: App, words: str, sentence: str) -> None:
    a_match(app, 1, 1)
    before = current(app).entries
    assert sentence.replace("`", '"') in says(app, 1, words)
    assert before == current(app).entries


def test_joining_twice_is_joining_once_and_leaving_is_free_before_the_start(app: App, clock: Clock) -> None:
    a_match(app, 2, 1)
    before = current(app).entries
    assert "you play for Lisbon" in says(app, 2, "join lisbon")
    assert before == current(app).entries
    assert "you have left the Bipod match" in says(app, 2, "leave match 1")
    assert "you play for Oxford" in says(app, 2, "join oxford")
    assert "you have left the Bipod match" in says(app, 2, "leave match")
    assert (("P001",), ("P003",)) == shown(app).members
    clock.now += 8 * DAY
    check_events(app)
    assert "Only the director can take you out of it now." in says(app, 1, "leave match 1")
    assert "Nobody can join the Bipod match of Lisbon and Oxford any more." in says(app, 2, "join oxford")
    assert rows_follow_from_the_journal(app, EVENT)


def test_a_club_in_several_matches_is_named_with_a_number(app: App, clock: Clock) -> None:
    a_match(app, 1, 0)
    with app.store.write() as db:
        event_entries.add_match(
            db, "bagel", Settings(clubs=("Rome", "Oxford")), app.now() + 7 * DAY, app.now()
        )
    assert 'Write "join match 2 Oxford" or "join match 1 Oxford".' in says(app, 1, "join oxford")
    assert 'Write "table 2" or "table 1".' in says(app, 1, "table oxford")
    assert "you play for Rome in the Bagel match" in says(app, 1, "join rome")
    several = says(app, 1, "leave match")
    assert '"leave match 1"' in several and '"leave match 2"' in several
    assert "you have left the Bagel match" in says(app, 1, "leave match 2")
    assert (("P001",), ()) == shown(app).members


@pytest.mark.each_database
def test_a_club_is_found_behind_many_newer_matches(app: App, clock: Clock) -> None:
    a_match(app, 1, 0)
    with app.store.write() as db:
        for _ in range(101):
            later = event_entries.add_event(db, "bipod", 1, Settings(), clock.now)
            event_entries.append(db, later, "open", clock.now, starts=clock.now + DAY)
            clubs = Settings(clubs=("Rome", "Turin"))
            event_entries.add_match(db, "bipod", clubs, clock.now + DAY, clock.now)
    assert "Bipod match of Lisbon and Oxford" in says(app, 1, "table LISBON")
    with app.store.read() as db:
        assert [EVENT] == [each.id for each in events.matches_of_club(db, "oxford", ["bipod"])]
        assert [] == events.matches_of_club(db, "oxford", ["bagel"])


def test_forfeits_and_void_games_count_as_in_leagues(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 2, 2)
    one, two, three, four = games_of(app)
    for _ in range(12):
        clock.now += 6 * DAY
        check_due_games(app)
    check_events(app)
    assert {"void"} == {load(app, each).state.ending.how for each in (one, two, three, four)}
    assert [("-", "+")] * 2 == [tuple(cell.sign for cell in each.cells) for each in shown(app).boards]
    assert (league.OVER, "Lisbon 2, Oxford 2") == (current(app).state, shown(app).score)
    assert 1 == told(app, address_of(1), "the Bipod match of Lisbon and Oxford is drawn.")
    with app.store.read() as db:
        assert {} == rating_queries.standings_of_players(db, ids)
    assert rows_follow_from_the_journal(app, EVENT)


def test_a_game_that_is_opened_again_lets_the_match_go_on(app: App, clock: Clock) -> None:
    begun(app, clock, 1, 1)
    one, two = games_of(app)
    finish(app, one, 0)
    finish(app, two, 0)
    with app.store.write() as db:
        event_entries.append(db, EVENT, "done", app.now(), next=app.now())
    decide_as_director(app, two, lambda found, now: director.rollback(found, 0, "A fault of ours.", now))
    check_events(app)
    assert (league.RUNNING, "Lisbon 1, Oxford 0") == (current(app).state, shown(app).score)
    decide_as_director(app, two, lambda found, now: director.adjudicate(found, "void", "So be it.", now))
    assert "This game counts for nobody in the Bipod match" in last_words(app, address_of(1))
    check_events(app)
    assert (league.OVER, "Lisbon 1, Oxford 0") == (current(app).state, shown(app).score)
    assert rows_follow_from_the_journal(app, EVENT)


def test_the_fourth_rated_game_of_two_within_a_month_is_unrated(app: App, clock: Clock) -> None:
    begun(app, clock, 1, 1)
    with app.store.write() as db:
        other = event_entries.add_match(db, "bipod", Settings(clubs=CLUBS), app.now() + DAY, app.now())
        for number, club in ((1, 1), (2, 2)):
            player = players.player_by_name(db, f"P00{number}")
            assert player is not None
            same = {"players": [player.id], "state": league.ENTERED, "club": club}
            event_entries.append(db, other, "join", app.now(), **same)
    clock.now += 2 * DAY
    check_events(app)
    with app.store.read() as db:
        rated = [load(app, each.game or 0).rated for each in events.division_games(db, other, 1)]
    assert [True, False] == rated
    assert 1 == told(app, address_of(1), "no, you two have begun three rated ones in 30 days")


class Killed(BaseException):
    """The end of a process, which no handler catches."""


@pytest.mark.parametrize("step", ["write", "commit"])
def test_a_process_that_dies_leaves_the_match_as_before_or_after(app: App, clock: Clock, step: str) -> None:
    def die(reached: str) -> None:
        if reached in (step, "event"):
            raise Killed

    dying = replace(app, step=die)

    def dies(write: Callable[[App], object]) -> None:
        with pytest.raises(Killed):
            write(dying)

    def beat(steps: int) -> None:
        """Have a process die at the next step again and again, and another do so many."""
        before = shown(app), current(app)
        for _ in range(2):
            dies(check_events)
            assert before == (shown(app), current(app))
        assert steps == check_events(app)

    a_match(app, 2, 3)
    dies(lambda app: says(app, 1, "leave match 1"))
    clock.pass_by(hours=1)
    work_through(app)
    assert (("P002",), ("P003", "P004", "P005")) == shown(app).members
    dies(lambda app: says(app, 1, "join Lisbon"))
    clock.pass_by(hours=1)
    work_through(app)
    assert (("P002", "P001"), ("P003", "P004", "P005")) == shown(app).members
    clock.now += 8 * DAY
    beat(5)  # the boards, the games of each, and the letters to each
    games = games_of(app)
    assert 4 == len({*games}) and 0 not in games
    for number, words in ((1, "on board 2"), (2, "on board 1"), (3, "on board 1"), (5, "without a board")):
        assert 1 == told(app, address_of(number), words)
    for number in games:
        finish(app, number, 0)
    beat(5)  # both boards, the end, and the letters to each
    assert (league.OVER, "Lisbon 2, Oxford 2") == (current(app).state, shown(app).score)
    for number in range(1, 6):
        assert 1 == told(app, address_of(number), "is drawn")
    assert rows_follow_from_the_journal(app, EVENT)


def test_nothing_is_done_while_nothing_is_due(app: App, clock: Clock) -> None:
    begun(app, clock, 2, 2)
    finish(app, games_of(app)[0], 0)
    assert 1 == check_events(app)
    clock.now += 5 * DAY
    assert 0 == check_events(app)
