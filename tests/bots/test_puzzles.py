"""Puzzles: found in finished games and proved, given and answered by mail, one a day, counted."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pbem.app import App
from pbem.bots.jobs import do_one
from pbem.bots.puzzling import MIN_MOVES, MIN_PLY, NODES, find_puzzles
from pbem.core.exercises.answer import read_answer
from pbem.core.exercises.puzzle import Puzzle, ShownPuzzle, judge_answer, show_puzzle
from pbem.duties.puzzles import send_daily
from pbem.store import puzzles
from rules import RULES
from rules.contract import Position
from rules.search.proof import Proof
from rules.search.prove import Search
from tests.amount import amount
from tests.apps import (
    BILL,
    JOAO,
    Clock,
    last_letter,
    last_words,
    letters,
    load,
    player,
    register,
    reply,
    writes,
)
from tests.rules.solver import Solver
from tests.snapshots import once

MOVES = ["d1", "swap", "b1", "d4", "d3", "d2", "a1", "c2", "c1", "c3"]


def played(app: App, first: str = BILL, second: str = JOAO) -> None:
    """Game 1, or the next, a small Begird played by chance to its end."""
    one, other = (who.partition("@")[0].capitalize() for who in (first, second))
    welcome = register(app, first, one)
    register(app, second, other)
    reply(app, first, welcome, f"challenge {other} begird islands=3 side=4 first unrated none")
    assert "done" == writes(app, second, "accept")
    for n, move in enumerate(MOVES):
        assert "done" == writes(app, (first, second)[n % 2], move)


@pytest.fixture
def archive(app: App) -> App:
    """A server with one game over, and with the puzzles of it."""

    def make() -> None:
        played(app)
        while do_one(app):
            pass

    once(app, "puzzles", make)
    return app


def stored(app: App) -> list[Puzzle]:
    with app.store.read() as db:
        return puzzles.newest_puzzles(db, list(RULES), 20, None)


def shown(app: App, puzzle: Puzzle) -> ShownPuzzle:
    found = show_puzzle(puzzle, load(app))
    assert found is not None
    return found


def positions_of(key: str, options: dict[str, str], seed: int) -> list[Position]:
    rng, position = Random(seed), RULES[key].start(options, seed)
    found = [position]
    while position.outcome is None:
        found.append(position := position.follow(position.sample(rng)))
    return found


@pytest.mark.parametrize(
    ("key", "options"),
    [("begird", {"islands": "3", "side": "4"}), ("bounders", {"size": "3"}), ("bagel", {})],
)
def test_in_a_puzzle_one_move_wins_and_no_other(key: str, options: dict[str, str]) -> None:
    """As the exhaustive solver says, which shares nothing with the search for proofs."""
    count = 0
    for seed in range(amount(6, 60)):
        positions = positions_of(key, options, seed)
        late = positions[-9:]
        for found in find_puzzles(late, 60.0):
            count += 1
            position, solver = late[found.ply], Solver()
            wanted = 1.0 if position.to_play == 0 else 0.0
            winning = [
                str(move) for move in position.actions() if solver.value(position.follow(move)) == wanted
            ]
            assert winning == [found.line[0]]
            assert {str(move) for move in position.actions()} == {*winning, *found.replies}
            for text, answer in found.replies.items():
                after = position.play(position.read(text))
                if answer:
                    after = after.play(after.read(answer))
                assert solver.value(after) != wanted
    assert count > 0


def test_a_second_win_ends_the_search_of_a_position_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two moves win soon, no move is searched long."""
    given = list[int]()
    settle = Search.settle

    def note(search: Search, position: Position, max_nodes: int) -> Proof | None:
        given.append(max_nodes)
        return settle(search, position, max_nodes)

    monkeypatch.setattr(Search, "settle", note)
    games = (positions_of("begird", {"islands": "9"}, seed)[-12:] for seed in range(20))
    position = next(each for game in games for each in game if _has_two_wins(each))
    given.clear()
    assert [] == find_puzzles([position] * (MIN_PLY + 1), 60.0)
    assert {NODES[0]} == set(given)
    assert len(given) <= len(position.actions())


def _has_two_wins(position: Position) -> bool:
    if position.outcome or not MIN_MOVES <= len(position.actions()) <= 7:
        return False
    solver, wanted = Solver(), 1.0 if position.to_play == 0 else 0.0
    return sum(solver.value(position.follow(move)) == wanted for move in position.actions()) > 1


def test_puzzles_come_from_finished_games_once(archive: App) -> None:
    found = stored(archive)
    assert found
    assert not do_one(archive)
    for each in found:
        assert 1 == each.game_id
        assert each.answer == each.line[0]
        assert len(each.line) >= 3


def test_a_puzzle_is_answered_by_mail(archive: App) -> None:
    count, best = len(stored(archive)), stored(archive)[0]
    writes(archive, BILL, "puzzle begird")
    letter = last_letter(archive, BILL)
    assert f"Puzzle {best.id}:" in letter.header("Subject")
    assert "Bill and Joao came to this board in game 1" in last_words(archive, BILL)
    assert "done" == reply(archive, BILL, letter, f"Perhaps this one?\n{best.answer}\n\nBill")
    assert f"Right, Bill: {best.answer.upper()} wins." in last_words(archive, BILL).replace(
        best.answer, best.answer.upper()
    )
    assert " ".join(best.line) in last_words(archive, BILL)
    assert "You have solved 1 of 1 puzzle." in last_words(archive, BILL)
    assert (1, 1) == (stored(archive)[0].tried, stored(archive)[0].solved)
    for _ in range(count):
        writes(archive, BILL, "puzzle")
    assert "You have had every puzzle that there is." in last_words(archive, BILL)


def test_a_command_beside_a_puzzle_s_answer_is_carried_out(archive: App) -> None:
    best = stored(archive)[0]
    writes(archive, BILL, "puzzle begird")
    assert "done" == writes(archive, BILL, f"{best.answer}\nset puzzles daily")
    assert any("Right, Bill" in each.text for each in letters(archive, BILL)[-2:])
    assert "daily" == player(archive, "Bill").preferences.more["puzzles"]


def test_a_command_below_an_illegal_answer_is_carried_out(archive: App) -> None:
    writes(archive, BILL, "puzzle begird")
    assert "refused" == writes(archive, BILL, "z99\nset puzzles daily")
    assert any("Nothing was answered" in each.text for each in letters(archive, BILL)[-2:])
    assert "daily" == player(archive, "Bill").preferences.more["puzzles"]


def test_puzzles_of_one_s_own_games_come_last(archive: App) -> None:
    played(archive, "ann@example.org", "ben@example.org")
    while do_one(archive):
        pass
    newest = stored(archive)[0]
    assert 2 == newest.game_id
    with archive.store.write() as db:
        found = {
            name: puzzles.unseen_puzzle(db, player(archive, name), list(RULES)) for name in ("Bill", "Ann")
        }
        assert [2, 1] == [each.game_id for each in found.values() if each]
        for _ in stored(archive):
            puzzle = puzzles.unseen_puzzle(db, player(archive, "Ann"), list(RULES))
            assert puzzle is not None
            puzzles.give_puzzle(db, puzzle.id, player(archive, "Ann"), archive.now())
    assert 2 == puzzle.game_id


def test_puzzles_daily_is_told_the_words(archive: App) -> None:
    assert "refused" == writes(archive, BILL, "puzzles daily")
    assert 'write "set puzzles daily"' in last_words(archive, BILL)


def test_a_move_below_a_game_s_number_is_no_answer(archive: App) -> None:
    writes(archive, BILL, "challenge Joao begird islands=3 side=4 first unrated none")
    writes(archive, JOAO, "accept")
    writes(archive, BILL, "puzzle begird")
    assert "done" == writes(archive, BILL, "set puzzles daily\ngame 2\nc3\n\nHello")
    assert ["c3"] == [ply.move for ply in load(archive, 2).state.plies]
    assert "Hello" in last_letter(archive, JOAO).text
    assert (0, 0) == (stored(archive)[0].tried, stored(archive)[0].solved)


def test_a_hint_names_a_few_moves_and_the_second_the_one(archive: App) -> None:
    best = stored(archive)[0]
    writes(archive, BILL, "puzzle begird")
    assert "done" == writes(archive, BILL, "hint")
    assert "A hint, Bill: one of these moves wins." in last_words(archive, BILL)
    assert best.answer in last_words(archive, BILL)
    assert "done" == writes(archive, BILL, "hint")
    assert f"A hint, Bill: {best.answer} wins." in last_words(archive, BILL)
    writes(archive, BILL, best.answer)
    assert "Right, Bill" in last_words(archive, BILL)


def test_a_wrong_answer_brings_the_reply_and_the_line(archive: App) -> None:
    best = stored(archive)[0]
    writes(archive, BILL, "puzzle")
    letter, wrong = last_letter(archive, BILL), next(iter(best.replies))
    reply(archive, BILL, letter, wrong)
    for _ in range(2):
        assert "Not yet, Bill" in last_words(archive, BILL)
        assert "The one move" not in last_words(archive, BILL)
        writes(archive, BILL, wrong)
    assert "Not right, Bill" in last_words(archive, BILL)
    assert f"The one move that wins is {best.answer}" in last_words(archive, BILL).replace('"', "")
    reply(archive, BILL, letter, best.answer)
    assert "the first answer counts" in last_words(archive, BILL)
    assert (1, 0) == (stored(archive)[0].tried, stored(archive)[0].solved)


def test_an_answer_without_a_legal_move_leaves_the_puzzle_open(archive: App) -> None:
    best = stored(archive)[0]
    writes(archive, BILL, "puzzle")
    letter = last_letter(archive, BILL)
    reply(archive, BILL, letter, "z99")
    assert "refused" == reply(archive, BILL, letter, "I have no idea at all")
    assert "I found no move in your answer." in last_words(archive, BILL)
    assert "refused" == reply(archive, BILL, letter, f"I think it is {best.answer}, or not?")
    assert f'I see "{best.answer}" in your answer' in last_words(archive, BILL)
    writes(archive, BILL, best.answer)
    assert "Right, Bill" in last_words(archive, BILL)
    reply(archive, BILL, letter, "games")
    assert "Right" not in last_words(archive, BILL)


def test_where_there_is_none_it_is_said(app: App) -> None:
    register(app, BILL, "Bill")
    writes(app, BILL, "puzzle")
    said = last_words(app, BILL)
    assert "There is no puzzle yet: they come from games that end here." in said
    assert 'Until then, "learn bipod" brings boards to solve.' in said
    writes(app, BILL, "puzzle begird")
    assert 'Until then, "learn begird" brings boards to solve.' in last_words(app, BILL)


def test_where_there_is_none_of_a_game_another_is_named(archive: App) -> None:
    writes(archive, BILL, "puzzle bipod")
    assert "There is no puzzle of Bipod yet. Write" in last_words(archive, BILL)
    assert "puzzle begird" in last_words(archive, BILL)


def test_one_a_day_comes_after_the_quiet_hours(archive: App, clock: Clock) -> None:
    count = len(stored(archive))
    writes(archive, BILL, "set quiet 22-9")
    writes(archive, BILL, "set puzzles daily")
    assert 0 == send_daily(archive)
    clock.now = clock.now.replace(hour=8, minute=59) + (clock.now - clock.now)
    clock.pass_by(days=1)
    assert 0 == send_daily(archive)
    clock.pass_by(minutes=2)
    assert 1 == send_daily(archive)
    assert "set puzzles off" in last_letter(archive, BILL).text
    assert 0 == send_daily(archive)
    for _ in range(count + 2):
        clock.pass_by(days=1)
        send_daily(archive)
    daily = [each for each in letters(archive, BILL) if each.header("Subject").startswith("Puzzle")]
    assert count == len(daily)


def test_off_ends_it(archive: App, clock: Clock) -> None:
    writes(archive, BILL, "set puzzles daily")
    writes(archive, BILL, "set puzzles off")
    clock.pass_by(days=2)
    assert 0 == send_daily(archive)


def test_a_puzzle_whose_game_has_changed_is_given_to_nobody(archive: App) -> None:
    best, game = stored(archive)[0], load(archive)
    assert show_puzzle(best, replace(game, journal=game.journal[:-1])) is None or game.state.ending
    assert show_puzzle(replace(best, ply=best.ply + 1), game) is None


def test_the_same_move_in_other_words_is_right(archive: App) -> None:
    best = stored(archive)[0]
    board = shown(archive, best)
    for words in (best.answer.upper(), f"{best.answer}.", f" {best.answer}!!"):
        move = read_answer(board.position, words)
        assert move is not None and judge_answer(board, move).right
    assert read_answer(board.position, "hello there") is None


def test_counts_are_by_player(archive: App) -> None:
    best = stored(archive)[0]
    bill, joao = player(archive, "Bill"), player(archive, "Joao")
    with archive.store.write() as db:
        now = archive.now()
        assert puzzles.store_answer(db, best.id, bill, best.answer, now, right=True)
        assert not puzzles.store_answer(db, best.id, bill, "x", now, right=False)
        assert puzzles.store_answer(db, best.id, joao, "x", now, right=False)
        assert (1, 1, 1) == _numbers(puzzles.count_of_player(db, bill))
        assert (1, 1, 0) == _numbers(puzzles.count_of_player(db, joao))
        total = puzzles.count_by_rules(db)["begird"]
    assert (2, 1) == (total.tried, total.solved)


def _numbers(count: puzzles.PuzzleCount) -> tuple[int, int, int]:
    return count.puzzles, count.tried, count.solved
