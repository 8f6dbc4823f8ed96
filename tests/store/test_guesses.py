"""Guesses in the database: replaced, compared, void, counted."""

from __future__ import annotations

import pytest

from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, REPLACE, RESIGN, ROLLBACK, TAKEBACK
from pbem.core.game.state import State
from pbem.store import games, guesses
from pbem.store.erase import erase_player
from tests.apps import ANNA, BILL, JOAO, Town

pytestmark = pytest.mark.each_database


@pytest.fixture
def game(town: Town) -> Game:
    town.settle(Carl="carl@example.org")
    return town.game(BILL, JOAO, plies=2)


def add(town: Town, *entries: tuple[str, dict[str, object]], game: int = 1) -> State:
    """Write entries of the player to move into the journal, in one go."""
    with town.app.store.write() as db:
        before = games.load_game(db, town.app.games_by_key, game)
        assert before is not None
        after = before
        for kind, data in entries:
            seat = None if kind in (ROLLBACK, REPLACE) else after.state.to_play
            after = after.with_entries([after.next_entry(town.now, kind, seat, data)])
        new = after.journal[len(before.journal) :]
        games.append_entries(db, before, after.state, new)
    return after.state


def guess(town: Town, who: str, move: str, ply: int = 3) -> None:
    with town.app.store.write() as db:
        guesses.store_guess(db, town.players[who], town.load(1), ply, move, town.now)


def found(town: Town, who: str = ANNA) -> list[tuple[int, str, bool | None]]:
    with town.app.store.read() as db:
        return [(each.ply, each.move, each.right) for each in guesses.guesses_of(db, town.players[who], 1)]


def counted(town: Town) -> tuple[int, int]:
    with town.app.store.read() as db:
        return guesses.count_guesses(db, 1)


def legal(town: Town) -> tuple[str, str]:
    first, second, *_ = map(str, town.load(1).state.position.moves())
    return first, second


def test_a_guess_is_replaced_until_the_move_is_made_and_then_compared(town: Town, game: Game) -> None:
    right, wrong = legal(town)
    guess(town, ANNA, wrong)
    guess(town, ANNA, right)
    guess(town, "carl@example.org", wrong)
    assert [(3, right, None)] == found(town)
    assert (0, 0) == counted(town)
    add(town, (PLY, {"move": right}))
    assert [(3, right, True)] == found(town)
    assert (1, 2) == counted(town)


@pytest.mark.parametrize("director", [False, True])
def test_a_move_taken_back_takes_its_guesses_along_and_those_after_it(
    town: Town, game: Game, director: bool
) -> None:
    right, wrong = legal(town)
    guess(town, ANNA, right)
    state = add(town, (PLY, {"move": right}))
    assert [(3, right, True)] == found(town)
    assert (1, 1) == counted(town)
    guess(town, ANNA, wrong, ply=4)
    entry = state.plies[-1].entry
    back = (ROLLBACK, {"ply": 2, "entry": entry - 1, "reason": "a slip"})
    add(town, back if director else (TAKEBACK, {"to": entry}))
    assert [] == found(town)
    assert (0, 0) == counted(town)
    guess(town, ANNA, wrong)
    add(town, (PLY, {"move": wrong}))
    assert (1, 1) == counted(town)
    assert [(3, wrong, True)] == found(town)


def test_a_move_taken_back_and_made_anew_in_one_mail_is_compared_with_no_old_guess(
    town: Town, game: Game
) -> None:
    right, wrong = legal(town)
    guess(town, ANNA, right)
    state = add(town, (PLY, {"move": right}))
    add(town, (TAKEBACK, {"to": state.plies[-1].entry}), (PLY, {"move": wrong}))
    assert [] == found(town)


def test_the_end_of_the_game_drops_what_can_never_be_compared(town: Town, game: Game) -> None:
    right, _ = legal(town)
    guess(town, ANNA, right)
    add(town, (PLY, {"move": right}))
    guess(town, ANNA, right, ply=4)
    add(town, (RESIGN, {}))
    assert [(3, right, True)] == found(town)


def test_who_takes_a_seat_has_no_sealed_guess_there_any_more(town: Town, game: Game) -> None:
    right, _ = legal(town)
    guess(town, ANNA, right)
    guess(town, "carl@example.org", right)
    anna, bill = town.players[ANNA], town.players[BILL]
    data = {"player": anna.id, "name": "Anna", "was": bill.id, "old": "Bill", "turn": False, "reason": "gone"}
    add(town, (REPLACE, data))
    assert [] == found(town)
    assert [(3, right, None)] == found(town, "carl@example.org")


def test_a_guess_is_dropped_only_while_it_is_sealed(town: Town, game: Game) -> None:
    right, _ = legal(town)
    guess(town, ANNA, right)
    with town.app.store.write() as db:
        assert guesses.drop_guess(db, town.players[ANNA], 1, 3)
        assert not guesses.drop_guess(db, town.players[ANNA], 1, 3)
    guess(town, ANNA, right)
    add(town, (PLY, {"move": right}))
    with town.app.store.write() as db:
        assert not guesses.drop_guess(db, town.players[ANNA], 1, 3)


def test_an_erased_player_has_no_guess_and_none_is_counted(town: Town, game: Game) -> None:
    right, _ = legal(town)
    guess(town, ANNA, right)
    add(town, (PLY, {"move": right}))
    with town.app.store.write() as db:
        erase_player(db, town.players[ANNA], None)
    assert [] == found(town) and (0, 0) == counted(town)
