"""Seasons of a league from sign-up to promotion, by mail and by the worker's beat."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from sqlalchemy import update

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.game.journal import TIMEOUT
from pbem.core.play import director
from pbem.duties.game_clock import check_due_games
from pbem.duties.leagues import withdraw
from pbem.inbox.director import decide_as_director
from pbem.store import events, games, players, rating_queries
from pbem.store.tables import players as player_table
from pbem.worker.events import check_events
from tests.amount import amount
from tests.apps import (
    ANNA,
    BILL,
    DAY,
    Clock,
    Town,
    advance,
    flat,
    last_letter,
    last_words,
    letters,
    load,
    moves,
    register,
    reply,
    writes,
)
from tests.apps import player as player_by_name
from tests.inbox.ladders import says
from tests.inbox.seasons import (
    a_league,
    address_of,
    all_games,
    begun,
    confirm,
    current,
    divisions,
    finish,
    going,
    rows_follow_from_the_journal,
)

pytestmark = pytest.mark.whole


def states(app: App, event: int) -> dict[int, str]:
    with app.store.read() as db:
        kinds = (*league.SIGNED_UP, league.PLAYING, league.STANDBY, league.ABSENT, league.LEFT)
        return {id: kind for kind in kinds for id in events.players_in(db, event, kind)}


@pytest.mark.each_database
def test_a_player_joins_confirms_and_gets_the_first_games_by_mail(app: App, clock: Clock) -> None:
    ids = a_league(app, clock, 5, at_once=2)
    welcome = register(app, BILL, "Bill")
    assert "done" == reply(app, BILL, welcome, "join bipod league")
    assert "you have joined the Bipod league, season 1" in last_words(app, BILL)
    clock.now += 8 * DAY
    check_events(app)
    asked = last_letter(app, BILL)
    assert "do you play in the Bipod league, season 1?" in asked.text
    assert "done" == reply(app, BILL, asked, "yes")
    assert "you play in the Bipod league" in last_words(app, BILL)
    confirm(app, *ids[:4])
    clock.now += 6 * DAY
    check_events(app)
    event, bill = current(app), player_by_name(app, "Bill").id
    assert (league.RUNNING, 1) == (event.state, event.divisions)
    assert {**dict.fromkeys([*ids[:4], bill], league.PLAYING), ids[4]: league.ABSENT} == states(app, event.id)
    texts = [flat(letter.text) for letter in letters(app, BILL)]
    assert [texts[-1]] == [text for text in texts if "season 1, begins." in text or "GAME" in text]
    assert "Bill, the Bipod league, season 1, begins." in texts[-1]
    assert all(game.state in (league.GOING, league.WAITING) for game in all_games(app, event.id))
    mine = [game for game in going(app, event.id, 1) if game.has(bill)]
    assert 2 == len(mine)
    assert all(f"GAME {each.game}, Bipod against" in texts[-1] for each in mine)
    with app.store.read() as db:
        stored = games.load_game(db, app.games_by_key, mine[0].game or 0)
    assert stored is not None and stored.rated and (stored.seats[0].id, stored.seats[1].id) == mine[0].pair


def test_the_letter_of_the_start_takes_a_move_for_each_board(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 8, size=8, at_once=7)
    games = {each.game or 0: each for each in going(app, 1, 1)}
    starts = [last_letter(app, address_of(n)) for n in range(1, 9)]
    for n, (id, start) in enumerate(zip(ids, starts, strict=True), 1):
        assert "Your first 7 games have begun" in flat(start.text)
        assert "2 more games have begun" in flat(start.text)
        assert 5 == start.text.count("\nGAME ")
        mine = [number for number, each in games.items() if each.first == id]
        words = "\n".join(f"game {number}\nf2" for number in mine)
        assert "done" == reply(app, address_of(n), start, words)
    assert all(["f2"] == moves(app, number) for number in games)


def test_a_bare_move_in_answer_to_the_start_finds_its_game_or_is_asked_about(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 4, at_once=3)
    games = going(app, 1, 1)
    starts = [last_letter(app, address_of(n)) for n in range(1, 5)]
    for n, (id, start) in enumerate(zip(ids, starts, strict=True), 1):
        mine = [each.game or 0 for each in games if each.first == id]
        reply(app, address_of(n), start, "f2")
        assert [len(mine) == 1] * len(mine) == [moves(app, number) == ["f2"] for number in mine]
        asked = f'such as "game {start.text.split("GAME ")[1].partition(",")[0]}" must come before each move'
        assert (asked in last_words(app, address_of(n))) == (len(mine) > 1)


def test_who_gets_no_letters_of_turns_gets_the_table_at_the_start(app: App, clock: Clock) -> None:
    ids = a_league(app, clock, 5)
    register(app, BILL, "Bill")
    for words in ("join bipod league", "stop turns"):
        writes(app, BILL, words)
    clock.now += 8 * DAY
    check_events(app)
    confirm(app, *ids, player_by_name(app, "Bill").id)
    clock.now += 7 * DAY
    check_events(app)
    text = flat(last_letter(app, BILL).text)
    assert "Bill, the Bipod league, season 1, begins." in text
    assert "GAME" not in text


def test_below_four_nothing_starts_and_everybody_is_told(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 3)
    event = current(app)
    assert (league.OPEN, False) == (event.state, event.asked)
    assert event.starts == clock.now + league.GAP
    assert "Only 3 have said yes, and a season takes four" in last_words(app, address_of(1))
    assert dict.fromkeys(ids, league.ENTERED) == states(app, event.id)


def test_silence_and_no_both_mean_no(app: App, clock: Clock) -> None:
    ids = a_league(app, clock, 6)
    clock.now += 8 * DAY
    check_events(app)
    assert "done" == reply(app, address_of(5), last_letter(app, address_of(5)), "no")
    confirm(app, *ids[:4])
    clock.now += 6 * DAY
    check_events(app)
    after = states(app, current(app).id)
    assert [league.ABSENT] * 2 == [after[id] for id in ids[4:]]


def test_the_result_letter_says_what_it_did_to_the_table(app: App, clock: Clock) -> None:
    begun(app, clock, 4, at_once=1)
    event = current(app)
    game = going(app, event.id, 1)[0]
    stored = load(app, game.game or 0)
    loser = stored.seats[0]
    assert "done" == writes(app, loser.address, "resign yes")
    told = last_words(app, stored.seats[1].address)
    assert "In the Bipod league, season 1, you are at place 1 of 4, with 1 point." in told
    finish(app, going(app, event.id, 1)[0].game or 0, 0)
    check_events(app)
    assert 2 == len(going(app, event.id, 1))


def test_three_losses_on_time_forfeit_the_rest_and_ratings_do_not_know(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 6, at_once=4, days=90)
    event = current(app)
    clock.now += 40 * DAY  # after the first third
    late = [game for game in going(app, event.id, 1) if game.has(ids[0])][:3]
    for game in late:
        finish(app, game.game or 0, 1 if game.first == ids[0] else 0, TIMEOUT)
    check_events(app)
    assert league.LEFT == states(app, event.id)[ids[0]]
    mine = [game for game in all_games(app, event.id) if game.has(ids[0])]
    assert 5 == len(mine)
    forfeits = [game for game in mine if game not in late and game.score in ("+", "-")]
    assert 2 == len(forfeits)
    assert all(game.score == ("-" if game.first == ids[0] else "+") for game in forfeits)
    ended = [load(app, game.game) for game in forfeits if game.game]
    assert ended and all(each.state.ending and each.state.ending.how == "void" for each in ended)
    with app.store.read() as db:
        assert not any(rating_queries.rating_changes_of(db, each.id) for each in ended)
    assert "You have lost three games on time" in last_words(app, address_of(1)) or any(
        "You have lost three games on time" in letter.text for letter in letters(app, address_of(1))
    )
    assert rows_follow_from_the_journal(app, event.id)


def test_whoever_never_plays_forfeits_though_the_game_is_void(app: App, clock: Clock) -> None:
    begun(app, clock, 4, at_once=3)
    event = current(app)
    for _ in range(12):
        clock.now += 6 * DAY
        check_due_games(app)
        check_events(app)
    there = all_games(app, event.id)
    assert {"-"} == {game.score for game in there}
    assert all(load(app, game.game or 0).state.ending.how == "void" for game in there)
    assert 6 == sum(line.points for line in divisions(app, event.id)[0].lines)
    assert rows_follow_from_the_journal(app, event.id)


def test_leaving_asks_once_and_the_standby_list_fills_the_place(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 4, at_once=2)
    event = current(app)
    welcome = register(app, BILL, "Bill")
    assert "done" == reply(app, BILL, welcome, "join the bipod league")
    assert "you are on the standby list" in last_words(app, BILL)
    bill = player_by_name(app, "Bill").id
    done = next(game for game in going(app, event.id, 1) if game.has(ids[0]))
    finish(app, done.game or 0, 0 if done.first == ids[0] else 1)
    check_events(app)
    assert "done" == reply(app, address_of(1), last_letter(app, address_of(1)), "leave bipod league")
    asked = last_letter(app, address_of(1))
    assert "do you leave the Bipod league, season 1?" in asked.text
    assert league.PLAYING == states(app, event.id)[ids[0]]
    assert "done" == reply(app, address_of(1), asked, "yes")
    check_events(app)
    assert (league.LEFT, league.PLAYING) == (states(app, event.id)[ids[0]], states(app, event.id)[bill])
    mine = [game for game in all_games(app, event.id) if game.has(bill)]
    assert 3 == len(mine)
    assert not any(game.has(ids[0]) for game in all_games(app, event.id))
    running = [load(app, game.game) for game in mine if game.state == league.GOING]
    assert running and all(game.seat_of(player_by_name(app, "Bill")) is not None for game in running)
    line = divisions(app, event.id)[0].line_of(bill)
    assert line is not None and 1 == line.points
    assert rows_follow_from_the_journal(app, event.id)


def test_the_place_of_whoever_lost_three_games_on_time_goes_on_without_these_losses(
    app: App, clock: Clock
) -> None:
    ids = begun(app, clock, 6, at_once=4)
    event, anna = current(app), register(app, ANNA, "Anna")
    assert "done" == reply(app, ANNA, anna, "join bipod league")
    for game in [game for game in going(app, event.id, 1) if game.has(ids[0])][:3]:
        finish(app, game.game or 0, 1 if game.first == ids[0] else 0, TIMEOUT)
    check_events(app)
    after, new = states(app, event.id), player_by_name(app, "Anna").id
    assert (league.LEFT, league.PLAYING) == (after[ids[0]], after[new])
    assert any("You have the place of P001" in letter.text for letter in letters(app, ANNA))
    assert rows_follow_from_the_journal(app, event.id)


def test_whoever_is_forgotten_forfeits_the_rest(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 4, at_once=1)
    event = current(app)
    with app.store.write() as db:
        db.execute(update(player_table).where(player_table.c.id == ids[0]).values(address=""))
    mine = next(game for game in going(app, event.id, 1) if game.has(ids[0]))
    finish(app, mine.game or 0, 1 if mine.first == ids[0] else 0)
    clock.now += 40 * DAY
    check_events(app)
    assert league.LEFT == states(app, event.id)[ids[0]]
    assert 3 == sum(game.score is not None for game in all_games(app, event.id) if game.has(ids[0]))


@pytest.mark.parametrize(
    ("plies", "left", "how"),
    [(4, True, "resignation"), (3, True, "void"), (4, False, "timeout"), (3, False, "void")],
)
def test_who_is_out_loses_rated_games_that_were_played_and_others_are_void(
    app: App, clock: Clock, plies: int, left: bool, how: str
) -> None:
    ids = begun(app, clock, 6, at_once=4, days=90)
    event = current(app)
    *late, last = [game for game in going(app, event.id, 1) if game.has(ids[0])]
    advance(app, last.game or 0, plies)
    if left:
        says(app, 1, "leave bipod league yes")
    else:
        for game in late[:3]:
            finish(app, game.game or 0, 1 if game.first == ids[0] else 0, TIMEOUT)
    check_events(app)
    assert league.LEFT == states(app, event.id)[ids[0]]
    ended = load(app, last.game or 0)
    assert (how, how != "void") == (ended.state.ending.how, ended.state.ending.winner is not None)
    with app.store.read() as db:
        rated = rating_queries.rating_changes_of(db, ended.id)
    if how != "void":
        assert ids[0] != ended.seats[ended.state.ending.winner or 0].id
        assert rated
    assert how != "void" or not rated
    other = ended.seats[1 if ended.seats[0].id == ids[0] else 0]
    assert any(f"#{ended.id}" in letter.header("Subject") for letter in letters(app, other.address))
    assert rows_follow_from_the_journal(app, event.id)


def test_many_are_asked_in_portions_and_each_once(app: App, clock: Clock) -> None:
    a_league(app, clock, 120)
    clock.now += 8 * DAY
    assert 4 == check_events(app)
    event = current(app)
    assert event.asked and {league.ASKED} == {*states(app, event.id).values()}
    assert all(1 == len(letters(app, address_of(number))) for number in (1, 50, 51, 101, 120))


def test_whoever_leaves_before_the_start_is_not_asked(app: App, clock: Clock) -> None:
    ids = a_league(app, clock, 4)
    check_events(app)
    clock.now += 8 * DAY
    check_events(app)
    assert "done" == reply(app, address_of(1), last_letter(app, address_of(1)), "leave bipod league")
    assert "you have left the Bipod league" in last_words(app, address_of(1))
    assert ids[0] not in states(app, current(app).id)


def test_leaving_with_yes_is_not_asked_about(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 5)
    address = address_of(1)
    assert "done" == reply(app, address, last_letter(app, address), "leave bipod league yes")
    assert "you are out of the Bipod league, season 1" in last_words(app, address)
    assert league.LEFT == states(app, current(app).id)[ids[0]]


def test_joining_again_says_yes_to_the_question(app: App, clock: Clock) -> None:
    ids = a_league(app, clock, 5)
    clock.now += 8 * DAY
    check_events(app)
    assert "done" == reply(app, address_of(2), last_letter(app, address_of(2)), "join bipod league")
    assert league.CONFIRMED == states(app, current(app).id)[ids[1]]
    with app.store.read() as db:
        assert ids == events.players_in(db, current(app).id, *league.SIGNED_UP)


def test_letters_of_a_game_lead_to_the_table_of_its_division(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 10, size=5, at_once=1)
    game = next(game for game in going(app, 1, 2))
    first, second = (address_of(1 + ids.index(player)) for player in game.pair)
    page = f"{app.config.site}/events/1?division=2"
    line = f"The table: Bipod league, season 1, division 2, {page}"
    start = last_letter(app, first)
    assert page in start.text
    assert "done" == reply(app, first, start, "f2")
    assert last_words(app, second).startswith("Your move")
    assert line in last_words(app, second)


@pytest.mark.each_database
def test_a_game_that_is_opened_again_counts_no_more(app: App, clock: Clock) -> None:
    begun(app, clock, 4)
    event = current(app)
    game = going(app, event.id, 1)[0].game or 0
    finish(app, game, 0)
    check_events(app)
    assert 1 == sum(row.points for row in divisions(app, event.id)[0].lines)
    decide_as_director(app, game, lambda found, now: director.rollback(found, 0, "A fault of ours.", now))
    check_events(app)
    assert 0 == sum(row.points for row in divisions(app, event.id)[0].lines)
    assert rows_follow_from_the_journal(app, event.id)


# Whole seasons.


def independent_table(app: App, event: int, division: int) -> list[int]:
    """The order of a division by definition, from the games themselves."""
    with app.store.read() as db:
        seats = events.division_players(db, event, division)
        pairs = events.division_games(db, event, division)
        won = {}
        for pair in pairs:
            if pair.score in ("+", "-"):
                won[pair.pair] = Fraction(int(pair.score == "+"))
            elif pair.game:
                stored = games.load_game(db, app.games_by_key, pair.game)
                assert stored is not None
                ending = stored.state.ending
                if ending is not None and ending.how != "void":
                    won[pair.pair] = Fraction(1, 2) if ending.winner is None else Fraction(1 - ending.winner)
        forfeits = {pair.pair for pair in pairs if pair.score in ("+", "-")}

    def got(one: int, other: int) -> Fraction:
        if (one, other) in won:
            return won[one, other]
        return 1 - won[other, one] if (other, one) in won else Fraction(0)

    points = {one: sum(got(one, other) for other in seats) for one in seats}
    berger = {one: sum(got(one, other) * points[other] for other in seats) for one in seats}

    def key(one: int) -> tuple:
        level = [each for each in seats if (points[each], berger[each]) == (points[one], berger[one])]
        direct = sum(got(one, other) for other in level)
        second = sum(1 for pair in won if pair[1] == one and won[pair] == 0 and pair not in forfeits)
        return -points[one], -berger[one], -direct, -second, seats.index(one)

    return sorted(seats, key=key)


def play_season(app: App, clock: Clock, event: int, chance: random.Random) -> None:
    """Play a season to its end: wins, draws, losses on time, withdrawals, games that nobody ends."""
    for _ in range(40):
        found = next(each for each in _all(app) if each.id == event)
        if found.state == league.OVER and found.next_at is None:
            return
        clock.now += 3 * DAY
        for division in range(1, found.divisions + 1):
            for game in going(app, event, division):
                if chance.random() < 0.5:
                    how = TIMEOUT if chance.random() < 0.2 else "resign"
                    winner = chance.choice([0, 1, 0, 1, None])
                    finish(app, game.game or 0, winner, how)
        if chance.random() < 0.25:
            _leave_somebody(app, event, chance)
        check_events(app)


def _all(app: App) -> list[Event]:
    with app.store.read() as db:
        return events.list_events(db)


def _leave_somebody(app: App, event: int, chance: random.Random) -> None:
    with app.store.write() as db:
        found = events.lock_event(db, event)
        playing = events.players_in(db, event, league.PLAYING)
        if found is not None and found.state == league.RUNNING and playing:
            leaver = players.player_by_id(db, chance.choice(playing))
            assert leaver is not None
            withdraw(db, found, leaver, "asked", app.now(), ())


def test_three_seasons_end_with_independent_tables_and_right_promotion(app: App, clock: Clock) -> None:
    chance = random.Random(7)
    ids = begun(app, clock, amount(12, 40), size=amount(4, 10), at_once=4, days=60)
    tables: list[list[int]] = []
    for season in range(1, 4):
        event = current(app)
        assert season == event.season
        shown = divisions(app, event.id)
        seated = [{line.player for line in each.lines} for each in shown]
        for upper in range(len(tables) - 1):
            stay = {*ids}
            best = [each for each in tables[upper + 1][:2] if each in stay and each in set().union(*seated)]
            assert {*best} <= set().union(*seated[: upper + 1])
        play_season(app, clock, event.id, chance)
        with app.store.read() as db:
            tables = events.final_tables(db, event.id)
        assert tables == [independent_table(app, event.id, n) for n in range(1, len(tables) + 1)]
        assert rows_follow_from_the_journal(app, event.id)
        assert "you are at place" in last_words(app, address_of(tables[0][0]))
        clock.now += 8 * DAY
        check_events(app)
        confirm(app, *[id for id, state in states(app, current(app).id).items() if state == league.ASKED])
        clock.now += 7 * DAY
        check_events(app)


def test_nothing_is_done_while_nothing_is_due(town: Town) -> None:
    begun(town.app, town.clock, 8)
    assert 0 == check_events(town.app)
    with town.app.store.read() as db:
        assert ([], []) == (events.due_events(db, town.now), events.divisions_to_do(db))
