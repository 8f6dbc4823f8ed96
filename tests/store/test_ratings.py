"""Ratings follow from the archive, whatever happens in whatever order."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import select

from pbem.core.clock.time_control import NONE, read_pace
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import AGREE, FLAG, PLY, RESIGN, TAKEBACK, TIMEOUT, Entry
from pbem.core.lobby.challenges import opening_entry
from pbem.core.play import director
from pbem.core.players import Player
from pbem.core.ratings.glicko import NEWCOMER, Rating, update_rating
from pbem.core.ratings.results import is_short
from pbem.store import game_lists, games, ratings
from pbem.store import players as player_rows
from pbem.store import rating_queries as tables
from pbem.store.engine import Connection, Store, open_store
from pbem.store.game_search import GameQuery
from pbem.store.tables.ratings import rating_steps, results, summaries
from pbem.store.tables.ratings import ratings as standings
from rules import RULES
from rules.contract import Seat
from tests.amount import amount
from tests.apps import add_game
from tests.people import NOON

pytestmark = pytest.mark.each_database

SHELF = RULES
DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
TABLES = (results, rating_steps, standings, summaries)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    store = open_store(database_url)
    yield store
    store.close()


@pytest.fixture
def players(store: Store) -> list[Player]:
    with store.write() as db:
        return [
            player_rows.add_player(db, name, f"{name}@example.org", NOON)
            for name in ("Bill", "Joao", "Anna", "Mary")
        ]


def begin(
    db: Connection,
    seats: tuple[Player, Player],
    *,
    key: str = "bipod",
    rated: bool = True,
    pace: str = "3d/move",
    at: datetime = NOON,
    plies: int = 4,
) -> Game:
    """Begin a game with just enough plies to count, or with `plies`."""
    rules = RULES[key]
    game = add_game(db, rules, rules.start().options, 0, seats, rated, at, read_pace(pace))
    begun = game.with_entries([opening_entry(game)])
    games.append_entries(db, game, fold(begun), [opening_entry(game)])
    for _ in range(plies):
        begun = play(db, begun, at)
    return begun


def write(db: Connection, game: Game, kind: str, seat: Seat | None, at: datetime, **data: Any) -> Game:
    return keep(db, game, Entry(len(game.journal) + 1, at, kind, seat, data))


def keep(db: Connection, game: Game, entry: Entry) -> Game:
    after = game.with_entries([entry])
    games.append_entries(db, game, fold(after), [entry])
    return after


def play(db: Connection, game: Game, at: datetime) -> Game:
    seat = fold(game).to_play
    return write(db, game, PLY, seat, at, move=fold(game).position.examples()[0])


def resign(db: Connection, game: Game, seat: Seat, at: datetime) -> Game:
    return write(db, game, RESIGN, seat, at)


def lose_on_time(db: Connection, game: Game, seat: Seat, at: datetime) -> Game:
    """A flag falls at `at`; the clock is checked a little later."""
    return write(db, game, TIMEOUT, seat, at + timedelta(minutes=1), flag=at.isoformat())


def all_rows(db: Connection) -> dict[str, list[tuple[Any, ...]]]:
    found = {t.name: [tuple(row) for row in db.execute(select(t))] for t in TABLES}
    found["ratings"] = [row for row in found["ratings"] if any(row[8:])]  # without results, nothing is left
    return {name: sorted(rows, key=repr) for name, rows in found.items()}


def rating(db: Connection, player: Player, key: str = "bipod") -> Rating:
    row = db.execute(
        select(standings).where(standings.c.player_id == player.id, standings.c.rules == key)
    ).one()
    return ratings.standing_of(row).rating


def test_the_game_that_ends_is_rated_in_the_same_transaction(store: Store, players: list[Player]) -> None:
    bill, joao, *_ = players
    with store.write() as db:
        resign(db, begin(db, (bill, joao)), 1, NOON + DAY)
        won, lost = update_rating(NEWCOMER, [(NEWCOMER, 1.0)]), update_rating(NEWCOMER, [(NEWCOMER, 0.0)])
        assert (won, lost) == (rating(db, bill), rating(db, joao))


def test_ratings_are_of_one_kind_of_game(store: Store, players: list[Player]) -> None:
    bill, joao, *_ = players
    with store.write() as db:
        resign(db, begin(db, (bill, joao)), 1, NOON + DAY)
        resign(db, begin(db, (bill, joao), key="begird"), 0, NOON + DAY)
        assert rating(db, bill, "begird").value < 1500 < rating(db, bill, "bipod").value


def test_a_deviation_grows_between_games(store: Store, players: list[Player]) -> None:
    bill, joao, *_ = players
    with store.write() as db:
        resign(db, begin(db, (bill, joao)), 1, NOON)
        first = {player.id: rating(db, player) for player in (bill, joao)}
        resign(db, begin(db, (bill, joao)), 1, NOON + 10 * WEEK)
        other = first[joao.id].after(10)
        assert update_rating(first[bill.id], [(other, 1.0)], 10) == rating(db, bill)


@pytest.mark.parametrize("how", ["unrated", "void", "replaced", "too early to be lost"])
def test_no_game_is_rated_that_should_not_be(store: Store, players: list[Player], how: str) -> None:
    bill, joao, anna, _ = players
    with store.write() as db:
        game = begin(db, (bill, joao), rated=how != "unrated")
        if how == "replaced":
            game = keep(db, game, director.replace_seated(game, 1, anna, "gone", NOON + DAY))
            games.reseat(db, game, 1, anna)
            game = games.load_game(db, SHELF, game.id) or game
        if how == "void":
            keep(db, game, director.adjudicate(game, "void", "a mistake", NOON + DAY))
        elif how == "too early to be lost":
            write(db, game, TIMEOUT, 0, NOON + DAY, flag=(NOON + DAY).isoformat(), void=True)
        else:
            resign(db, game, 1, NOON + DAY)
        assert NEWCOMER == rating(db, bill)
        assert [] == db.execute(select(rating_steps)).all()


@pytest.mark.parametrize("way", ["resigned", "agreed", "lost on time", "decided"])
@pytest.mark.parametrize("plies", [0, 3])
def test_a_game_with_fewer_than_two_plies_a_side_moves_nothing_however_it_ended(
    store: Store, players: list[Player], plies: int, way: str
) -> None:
    bill, joao, *_ = players
    with store.write() as db:
        game = begin(db, (bill, joao), plies=plies)
        if way == "resigned":
            resign(db, game, 1, NOON + DAY)
        elif way == "agreed":
            write(db, game, AGREE, 0, NOON + DAY)
        elif way == "lost on time":
            lose_on_time(db, game, 1, NOON + DAY)
        else:
            keep(db, game, director.adjudicate(game, "first", "so it is", NOON + DAY))
        assert [] == db.execute(select(rating_steps)).all()
        assert [] == db.execute(select(summaries)).all()
        assert {bill.id: [], joao.id: []} == tables.careers(db, [bill.id, joao.id])
        assert 0 == games.count_finished_in_time(db, bill)
        (row,) = game_lists.page_of_games(db, SHELF, GameQuery(player=bill.id, order="ended")).games
        assert row.short and row.ended, "it is shown as a game all the same"


def test_a_draw_moves_the_stronger_down_and_the_weaker_up(store: Store, players: list[Player]) -> None:
    bill, joao, *_ = players
    with store.write() as db:
        resign(db, begin(db, (bill, joao)), 1, NOON + DAY)
        strong, weak = rating(db, bill), rating(db, joao)
        write(db, begin(db, (bill, joao)), AGREE, 0, NOON + 2 * DAY)
        assert weak.value < rating(db, joao).value < rating(db, bill).value < strong.value


def test_of_several_games_lost_on_time_within_a_fortnight_the_first_alone_is_rated(
    store: Store, players: list[Player]
) -> None:
    bill, *others = players
    with store.write() as db:
        ends = [NOON + days * DAY for days in (3, 5, 17)]
        for other, at in zip(others, ends, strict=True):
            lose_on_time(db, begin(db, (bill, other)), 0, at)
        once = update_rating(NEWCOMER, [(NEWCOMER, 0.0)])
        assert once == rating(db, bill)
        lose_on_time(db, begin(db, (bill, others[0])), 0, NOON + 18 * DAY)
        assert rating(db, bill).value < once.value


def test_whose_opponents_run_out_of_time_wins_every_game(store: Store, players: list[Player]) -> None:
    bill, *others = players
    with store.write() as db:
        for other in others:
            lose_on_time(db, begin(db, (bill, other)), 1, NOON + DAY)
        assert 3 == len(db.execute(select(rating_steps).where(rating_steps.c.player_id == bill.id)).all())


def test_a_game_that_a_director_opens_again_was_never_rated(store: Store, players: list[Player]) -> None:
    bill, joao, anna, _ = players
    with store.write() as db:
        game = resign(db, begin(db, (bill, joao)), 0, NOON + DAY)
        resign(db, begin(db, (bill, anna)), 1, NOON + 2 * DAY)
        back = keep(db, game, director.rollback(game, 4, "a misunderstanding", NOON + 3 * DAY))
        assert update_rating(NEWCOMER, [(NEWCOMER, 1.0)]) == rating(db, bill)
        assert NEWCOMER == rating(db, joao)
        resign(db, back, 1, NOON + 4 * DAY)
        assert rating(db, joao).value < 1500


def test_games_are_rated_in_the_order_in_which_they_ended_whenever_that_is_heard_of(
    store: Store, players: list[Player]
) -> None:
    bill, joao, anna, _ = players
    with store.write() as db:
        early, late = begin(db, (bill, joao)), begin(db, (bill, anna))
        resign(db, late, 0, NOON + 9 * DAY)
        lose_on_time(db, early, 1, NOON + 2 * DAY)
        first = update_rating(NEWCOMER, [(NEWCOMER, 1.0)])
        weeks = 1.0
        assert update_rating(first, [(NEWCOMER, 0.0)], weeks) == rating(db, bill)


def test_figures_count_every_result_but_void_ones(store: Store, players: list[Player]) -> None:
    bill, joao, *_ = players
    with store.write() as db:
        opened = begin(db, (bill, joao), plies=5)
        resign(db, opened, 1, NOON + DAY)
        resign(db, begin(db, (bill, joao), rated=False), 0, NOON + 40 * DAY)
        void = begin(db, (bill, joao))
        keep(db, void, director.adjudicate(void, "void", "a mistake", NOON + DAY))
        figures = {(row.what, row.label): row.n for row in db.execute(select(summaries))}
        opening = str(opened.state.plies[0].move)
        wins = {("result", "first"): 1, ("result", "second"): 1, ("opening", opening): 2}
        months = {("month", "2026-03"): 1, ("month", "2026-04"): 1}
        assert wins | months | {("length", "5"): 1, ("length", "4"): 1} == figures


def test_plies_taken_back_are_no_opening_and_flags_are_no_turns_in_time(
    store: Store, players: list[Player]
) -> None:
    bill, joao, *_ = players
    with store.write() as db:
        game = begin(db, (bill, joao), plies=0)
        first, second = game.state.position.examples()[:1] * 2
        game = write(db, game, PLY, 0, NOON, move=first)
        game = write(db, game, TAKEBACK, 1, NOON + DAY, to=2)
        game = write(db, game, PLY, 0, NOON + DAY, move=second)
        game = write(db, game, FLAG, 1, NOON + 2 * DAY, flag=NOON.isoformat())
        resign(db, game, 1, NOON + 3 * DAY)
        row = db.execute(select(results)).one()
        assert (1, 1, 0, 0, 1) == (
            row.plies,
            row.first_turns,
            row.second_turns,
            row.first_late,
            row.second_late,
        )


def turns_of_players(db: Connection) -> tuple[int, ...]:
    """Return both players' timely and late turns, from the only result."""
    row = db.execute(select(results)).one()
    return row.first_turns, row.second_turns, row.first_late, row.second_late


def test_a_ply_that_came_after_the_flag_is_one_turn_and_a_late_one(
    store: Store, players: list[Player]
) -> None:
    bill, joao, *_ = players
    with store.write() as db:
        game = begin(db, (bill, joao), plies=0)
        game = write(db, game, FLAG, 0, NOON + 4 * DAY, flag=NOON.isoformat())
        for n in range(3):
            move = str(game.state.position.read(game.state.position.examples()[0]))
            game = write(db, game, PLY, n % 2, NOON + (4 + n) * DAY, move=move)
        resign(db, game, 1, NOON + 9 * DAY)
        assert (1, 1, 1, 0) == turns_of_players(db)


def test_a_flag_that_the_director_took_back_never_fell(store: Store, players: list[Player]) -> None:
    bill, joao, *_ = players
    with store.write() as db:
        game = begin(db, (bill, joao), plies=1)
        game = write(db, game, TIMEOUT, 1, NOON + 4 * DAY, flag=NOON.isoformat())
        assert (1, 0, 0, 1) == turns_of_players(db)
        undone = director.rollback(game, 1, "The mail was lost.", NOON + 5 * DAY)
        game = write(db, game, undone.kind, undone.seat, undone.at, **undone.data)
        resign(db, game, 1, NOON + 6 * DAY)
        assert (1, 0, 0, 0) == turns_of_players(db)


class History:
    """Random events of games, with ends in any order."""

    def __init__(self, db: Connection, players: list[Player], seed: int) -> None:
        self.db, self.players, self.chance = db, players, random.Random(seed)
        self.running: list[Game] = []
        self.over: list[Game] = []

    def happen(self) -> None:
        step = self.chance.choice(
            (self._begin, self._begin, self._play, self._end, self._end, self._open_again)
        )
        step()

    def _when(self, game: Game) -> datetime:
        return game.journal[-1].at + timedelta(hours=self.chance.randrange(1, 600))

    def _begin(self) -> None:
        first, second = self.chance.sample(self.players, 2)
        key, rated = self.chance.choice(("bipod", "begird")), self.chance.random() < 0.8
        at = NOON + timedelta(hours=self.chance.randrange(2000))
        pace, plies = self.chance.choice(("3d/move", str(NONE))), self.chance.choice((3, *(4, 5) * 6))
        terms = {"key": key, "rated": rated, "pace": pace, "at": at, "plies": plies}
        self.running.append(begin(self.db, (first, second), **terms))

    def _play(self) -> None:
        if self.running:
            game = self.running.pop(0)
            self.running.append(play(self.db, game, self._when(game)))

    def _end(self) -> None:
        if not self.running:
            return
        game = self.running.pop(self.chance.randrange(len(self.running)))
        seat: Seat = self.chance.choice((0, 1))
        at = self._when(game)
        if self.chance.random() < 0.15:
            game = self._replaced(game, seat, at)
        way = self.chance.choice(("resign", "time", "time", "draw", "void", "decided"))
        if way == "resign":
            self.over.append(resign(self.db, game, seat, at))
        elif way == "time":
            self.over.append(lose_on_time(self.db, game, seat, at))
        elif way == "draw":
            self.over.append(write(self.db, game, AGREE, seat, at))
        else:
            word = "void" if way == "void" else "second"
            self.over.append(keep(self.db, game, director.adjudicate(game, word, "so it is", at)))

    def _replaced(self, game: Game, seat: Seat, at: datetime) -> Game:
        other = self.chance.choice([p for p in self.players if p not in game.seats])
        game = keep(self.db, game, director.replace_seated(game, seat, other, "gone", at))
        games.reseat(self.db, game, seat, other)
        found = games.load_game(self.db, SHELF, game.id)
        assert found is not None
        return found

    def _open_again(self) -> None:
        if self.over:
            game = self.over.pop(self.chance.randrange(len(self.over)))
            back = director.rollback(game, len(game.state.plies), "once more", self._when(game))
            self.running.append(keep(self.db, game, back))


HAPPENINGS = amount(80, 160)


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_ratings_made_again_of_the_archive_are_the_ones_that_were_kept(
    store: Store, players: list[Player], seed: int
) -> None:
    with store.write() as db:
        history = History(db, players, seed)
        for _ in range(HAPPENINGS):
            history.happen()
        kept = all_rows(db)
        assert len(kept["rating_steps"]) > HAPPENINGS // 8
        rebuilt = ratings.rebuild_ratings(db)
        assert kept == all_rows(db)
        assert (len(kept["results"]), len(kept["rating_steps"]) // 2) == rebuilt


@pytest.mark.parametrize("seed", amount((7,), (7, 8)))
def test_pages_read_what_counting_every_game_by_its_journal_gives(
    store: Store, players: list[Player], seed: int
) -> None:
    counted: dict[str, Counter[object]] = defaultdict(Counter)
    done: Counter[tuple[str, int, str]] = Counter()
    with store.write() as db:
        history = History(db, players, seed)
        for _ in range(HAPPENINGS):
            history.happen()
        for number in range(1, len(history.running) + len(history.over) + 1):
            game = games.load_game(db, SHELF, number)
            assert game is not None
            state, key = game.state, game.rules.key
            if state.ending is None or state.ending.how == "void" or is_short(state):
                continue
            winner = state.ending.winner
            counted[f"{key} result"]["draw" if winner is None else ("first", "second")[winner]] += 1
            counted[f"{key} length"][len(state.plies)] += 1
            counted[f"{key} month"][state.ending.at.isoformat()[:7]] += 1
            counted[f"{key} opening"].update(str(ply.move) for ply in state.plies[:1])
            for seat, player in enumerate(game.seats):
                done[key, player.id, "drawn" if winner is None else "won" if winner == seat else "lost"] += 1
        for key in ("bipod", "begird"):
            figures = tables.game_statistics(db, key)
            assert counted[f"{key} result"] == figures.results
            assert counted[f"{key} length"] == figures.lengths
            assert counted[f"{key} month"] == figures.months
            assert counted[f"{key} opening"] == dict(figures.openings)
        told: Counter[tuple[str, int, str]] = Counter()
        for career in chain(*tables.careers(db, [player.id for player in players]).values()):
            for share in ("won", "drawn", "lost"):
                told[career.rules, career.player, share] += getattr(career, share)
        assert done == told


def test_games_that_end_at_the_same_moment_are_rated_one_after_the_other(
    store: Store, players: list[Player]
) -> None:
    bill, *others = players
    with store.write() as db:
        begun = [begin(db, (bill, other)) for other in others]
    gate = Barrier(len(begun))

    def end(game: Game) -> None:
        gate.wait()
        with store.write() as db:
            resign(db, game, 1, NOON + DAY)

    threads = [Thread(target=end, args=(game,)) for game in begun]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.write() as db:
        kept = all_rows(db)
        assert 6 == len(kept["rating_steps"])
        ratings.rebuild_ratings(db)
        assert kept == all_rows(db)


def test_players_with_one_rating_have_places_one_after_the_other(store: Store, players: list[Player]) -> None:
    after_a_year = NOON + 365 * DAY
    row = {"rules": "bipod", "value": 1623.4, "deviation": 60.0, "volatility": 0.06, "at": NOON + 300 * DAY}
    sums = dict.fromkeys(("rated", "won", "drawn", "lost", "turns", "late"), 9)
    with store.write() as db:
        for player in players:
            until = None if player.name == "Anna" else NOON + 999 * DAY
            db.execute(standings.insert().values(player_id=player.id, sure_until=until, **row, **sums))
        table = tables.best_rated(db, "bipod", after_a_year, 9)
        assert ["Bill", "Joao", "Mary"] == [career.name for career in table]
        assert [1, 2, 3] == [tables.rank(db, career, after_a_year) for career in table]
        everybody = tables.careers(db, [player.id for player in players])
        below = [everybody[player.id][0] for player in players]
        assert [2, 3, 3, 4] == [tables.place_below(db, career, after_a_year) for career in below]
        assert "Mary" == tables.best_rated(db, "bipod", after_a_year, 1, below[1])[0].name
