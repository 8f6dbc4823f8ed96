"""Guesses in the database: replaced, compared, void, counted."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbem.core.game.game import Game
from pbem.core.game.guesses import weight_of
from pbem.core.game.journal import PLY, REPLACE, RESIGN, ROLLBACK, TAKEBACK
from pbem.core.game.state import State
from pbem.store import games, guesses
from pbem.store.erase import erase_player
from pbem.store.learning_tables import guesses as guess_rows
from tests.apps import ANNA, BILL, JOAO, Town, player

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


def guess(town: Town, who: str, move: str, ply: int = 3, choices: int = 4) -> None:
    with town.app.store.write() as db:
        guesses.store_guess(db, town.players[who], town.load(1), ply, move, choices, town.now)


def found(town: Town, who: str = ANNA) -> list[tuple[int, str, bool | None]]:
    with town.app.store.read() as db:
        return [(each.ply, each.move, each.right) for each in guesses.guesses_of(db, town.players[who], 1)]


def counted(town: Town) -> set[tuple[object, ...]]:
    """The table."""
    with town.app.store.read() as db:
        rows = [tuple(vars(row).values()) for row in guesses.guessers(db)]
    assert [player(town.app, str(name)).id for _, name, *_ in rows] == [id for id, *_ in rows]
    return {tuple(row[1:]) for row in rows}


def recounted(town: Town) -> set[tuple[object, ...]]:
    """The same from the guesses themselves."""
    rows = set()
    for each in ("Anna", "Carl"):
        with town.app.store.read() as db:
            own = [row for row in db.execute(select(guess_rows)).all() if row.right is not None]
            who = player(town.app, each)
        mine = [row for row in own if row.player_id == who.id]
        weights = [(weight_of(row.choices), row.right) for row in mine]
        right = sum(each for each, good in weights if good)
        if mine:
            rows.add((each, len(mine), sum(row.right for row in mine), sum(w for w, _ in weights), right))
    return rows


def legal(town: Town) -> tuple[str, str]:
    first, second, *_ = map(str, town.load(1).state.position.moves())
    return first, second


def test_a_guess_is_replaced_until_the_move_is_made_and_then_compared(town: Town, game: Game) -> None:
    right, wrong = legal(town)
    guess(town, ANNA, wrong)
    guess(town, ANNA, right)
    guess(town, "carl@example.org", wrong)
    assert [(3, right, None)] == found(town)
    with town.app.store.read() as db:
        assert [] == guesses.guessers(db)
        assert guesses.last_settled_at(db) is None
    add(town, (PLY, {"move": right}))
    assert [(3, right, True)] == found(town)
    with town.app.store.read() as db:
        rows = {
            row.name: (row.guesses, row.right, row.weight, row.right_weight) for row in guesses.guessers(db)
        }
        assert rows == {"Anna": (1, 1, 0.75, 0.75), "Carl": (1, 0, 0.75, 0.0)}
        assert len(guesses.guessers(db, "bipod")) == 2 and guesses.guessers(db, "bagel") == []
        assert guesses.last_settled_at(db) == town.now


@pytest.mark.parametrize("director", [False, True])
def test_a_move_taken_back_takes_its_guesses_along_and_those_after_it(
    town: Town, game: Game, director: bool
) -> None:
    right, wrong = legal(town)
    guess(town, ANNA, right)
    state = add(town, (PLY, {"move": right}))
    assert [(3, right, True)] == found(town)
    assert counted(town) == recounted(town) == {("Anna", 1, 1, 0.75, 0.75)}
    guess(town, ANNA, wrong, ply=4)
    entry = state.plies[-1].entry
    back = (ROLLBACK, {"ply": 2, "entry": entry - 1, "reason": "a slip"})
    add(town, back if director else (TAKEBACK, {"to": entry}))
    assert [] == found(town)
    assert set() == counted(town) == recounted(town)
    guess(town, ANNA, wrong)
    add(town, (PLY, {"move": wrong}))
    assert counted(town) == recounted(town) == {("Anna", 1, 1, 0.75, 0.75)}
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


def test_an_erased_player_has_no_guess_and_no_row_in_the_table(town: Town, game: Game) -> None:
    right, _ = legal(town)
    guess(town, ANNA, right)
    add(town, (PLY, {"move": right}))
    with town.app.store.write() as db:
        erase_player(db, town.players[ANNA], None)
        assert [] == guesses.guessers(db)
    assert [] == found(town)
