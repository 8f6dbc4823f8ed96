"""Games, players and challenges are stored and read back unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError

from pbem.core.game.fingerprint import fingerprint
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, Entry
from pbem.core.lobby.challenges import Challenge, opening_entry
from pbem.core.players import Player
from pbem.store import challenges, games, players, tables
from pbem.store.engine import Store, open_store
from rules import RULES
from rules.contract import Rules
from tests.apps import add_game
from tests.people import NOON

pytestmark = pytest.mark.each_database

SHELF = RULES


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    store = open_store(database_url)
    yield store
    store.close()


def two_players(store: Store) -> tuple[Player, Player]:
    with store.write() as db:
        return (
            players.add_player(db, "Bill", "Bill@Example.org", NOON),
            players.add_player(db, "Joao", "joao@example.net", NOON),
        )


def begin(store: Store, seed: int = 2**53 - 1) -> Game:
    seats = two_players(store)
    rules = RULES["bipod"]
    with store.write() as db:
        game = add_game(db, rules, rules.start().options, seed, seats, True, NOON)
        begun = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(begun), [opening_entry(game)])
    return begun


def play(store: Store, game: Game, move: str) -> Game:
    entry = Entry(len(game.journal) + 1, NOON + timedelta(hours=1), PLY, fold(game).to_play, {"move": move})
    after = game.with_entries([entry])
    with store.write() as db:
        games.append_entries(db, game, fold(after), [entry])
    return after


def test_a_game_comes_back_as_it_was_kept(store: Store) -> None:
    game = play(store, begin(store), "f2 f4 g3")
    with store.read() as db:
        assert game == games.load_game(db, SHELF, game.id)
        assert games.load_game(db, SHELF, game.id + 1) is None


def test_the_games_row_follows_its_journal(store: Store) -> None:
    game = play(store, begin(store), "f2")
    with store.read() as db:
        assert games.row_summary(fold(game), game.open_entries) == games.stored_summary(db, game.id)


def test_two_who_decide_at_once_cannot_both_write_the_same_entry(store: Store) -> None:
    game = begin(store)
    play(store, game, "f2")
    with pytest.raises(IntegrityError):
        play(store, game, "g3")


def test_a_player_is_found_by_number_name_and_address_in_any_case(store: Store) -> None:
    bill, _ = two_players(store)
    with store.read() as db:
        assert bill == players.player_by_id(db, bill.id)
        assert bill == players.player_by_name(db, "bILL")
        assert bill == players.player_by_address(db, "BILL@example.ORG")
        assert players.player_by_name(db, "Nobody") is None
    assert "Bill@Example.org" == bill.address  # letters go to the address as written


def test_names_and_addresses_are_taken_once(store: Store) -> None:
    two_players(store)
    for name, address in (("BILL", "new@example.org"), ("William", "bill@example.org")):
        with pytest.raises(IntegrityError), store.write() as db:
            players.add_player(db, name, address, NOON)


def test_running_games_list_those_that_wait_for_the_player_first(store: Store) -> None:
    game = begin(store)
    bill, joao = game.seats
    with store.read() as db:
        assert [(game.id, "Joao", True)] == [
            (g.id, g.opponent, g.your_turn) for g in games.running_of_player(db, SHELF, bill)
        ]
        assert [(game.id, "Bill", False)] == [
            (g.id, g.opponent, g.your_turn) for g in games.running_of_player(db, SHELF, joao)
        ]
        assert (1, 0) == games.count_running(db, bill)


@pytest.mark.parametrize(
    ("how", "winner", "counted"),
    [
        ("rules", 0, (1, 1)),
        ("resignation", 1, (1, 1)),
        ("agreement", None, (1, 1)),
        ("director", 0, (1, 1)),
        ("timeout", 0, (1, 0)),
        ("timeout", 1, (0, 1)),
        ("void", None, (0, 0)),
        ("claim", None, (0, 0)),
        (None, None, (0, 0)),
    ],
)
def test_a_game_counts_as_finished_but_not_for_who_was_late(
    store: Store, how: str | None, winner: int | None, counted: tuple[int, int]
) -> None:
    game = begin(store)
    bill, joao = game.seats
    with store.write() as db:
        ended = None if how is None else NOON
        db.execute(update(tables.games).values(ended_by=how, winner=winner, ended_at=ended))
        assert counted == (games.count_finished_in_time(db, bill), games.count_finished_in_time(db, joao))


def a_challenge(store: Store) -> Challenge:
    bill, joao = two_players(store)
    rules = RULES["bipod"]
    wish = Challenge(
        0, bill, rules, rules.start().options, "random", True, NOON, NOON + timedelta(days=7), challenged=joao
    )
    with store.write() as db:
        return challenges.add_challenge(db, wish)


def test_a_challenge_waits_for_both_until_it_is_settled(store: Store) -> None:
    challenge = a_challenge(store)
    with store.write() as db:
        for player in challenge.pair:
            assert [challenge] == challenges.open_challenges(db, SHELF, player, NOON, lock=True)
        challenges.close_challenge(db, challenge.id, "declined")
        assert [] == challenges.open_challenges(db, SHELF, challenge.challenged, NOON)
        assert (challenge, "declined", None) == challenges.find_challenge(db, SHELF, challenge.id)


def test_a_challenge_expires(store: Store) -> None:
    challenge = a_challenge(store)
    with store.read() as db:
        assert [] == challenges.open_challenges(db, SHELF, challenge.challenged, NOON + timedelta(days=7))


def test_a_question_is_kept_and_used_once(store: Store) -> None:
    with store.write() as db:
        question = players.add_confirmation(
            db, "register", "x@example.org", {"name": "Xe"}, NOON, NOON + timedelta(days=7)
        )
        assert question == players.find_confirmation(db, question.id, lock=True)
        players.use_confirmation(db, question, NOON)
        assert replace(question, used_at=NOON) == players.find_confirmation(db, question.id, lock=True)
        before = NOON - timedelta(days=1)
        assert 1 == players.count_confirmations(db, "register", before, "x@example.org")
        assert 0 == players.count_confirmations(db, "resign", before)


def test_what_a_player_does_not_want_is_kept(store: Store) -> None:
    bill, _ = two_players(store)
    with store.write() as db:
        players.set_category_stopped(db, bill, "chat")
        assert replace(bill, stopped=frozenset({"chat"})) == players.player_by_id(db, bill.id)


NO_GAMES = {}
"""A server with every game's package removed."""


def test_games_and_challenges_whose_rules_are_gone_are_passed_over(store: Store) -> None:
    challenge = a_challenge(store)
    bill, joao = challenge.pair
    with store.write() as db:
        game = add_game(db, challenge.rules, challenge.options, 0, (bill, joao), True, NOON)
        assert games.load_game(db, NO_GAMES, game.id) is None
        assert [] == games.running_of_player(db, NO_GAMES, bill)
        assert [] == challenges.open_challenges(db, NO_GAMES, bill, NOON)
        assert challenges.find_challenge(db, NO_GAMES, challenge.id) is None
        assert "bipod" == games.rules_key_of(db, game.id)


def test_a_game_keeps_the_version_of_the_rules_it_was_begun_under(store: Store) -> None:
    game = begin(store)
    newer = {"bipod": a_newer_bipod()}
    with store.read() as db:
        loaded = games.load_game(db, newer, game.id)
    assert loaded is not None
    assert ("2", "1") == (loaded.rules.version, loaded.rules_version)
    assert fingerprint(game, (), "here") == fingerprint(loaded, (), "here")


def a_newer_bipod() -> Rules:
    return replace(RULES["bipod"], version="2")
