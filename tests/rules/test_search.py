"""The search: legal plies, the same by a seed, proofs that the solver confirms, bounded memory."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable
from dataclasses import replace
from functools import _lru_cache_wrapper
from itertools import combinations, permutations
from random import Random

import pytest

from rules import RULES
from rules.contract import Knowledge, Position, Rules
from rules.games.bagel import playing_on as bagel
from rules.games.bagel.tiles import verdict
from rules.games.begird import playing_on as begird
from rules.games.bipod.moves import ADOPT, Stone
from rules.search import LEVELS, think, tree
from rules.search.joining import bit_board
from rules.search.tree import Tree
from rules.stone_reading import SWAP, Cells
from tests.amount import amount, some
from tests.rules.mutants import PEGS
from tests.rules.solver import Solver, late_position

SOLVED = [
    ("begird", {"islands": "3", "side": "4"}, 8),
    ("begird", {"islands": "3", "side": "5"}, amount(10, 12)),
    ("bounders", {"size": "3"}, amount(9, 12)),
    ("bipod", {"size": "3", "middle": "2", "rows": "3"}, amount(10, 12)),
    ("bagel", {}, amount(8, 10)),
]
"""Boards with the most empty cells from which the solver takes a moment."""


def some_positions(rules: Rules, seed: int = 1) -> list[Position]:
    rng, position = Random(seed), rules.start(seed=seed)
    found = []
    while position.outcome is None and position.ply < 60:
        found.append(position)
        position = position.follow(position.sample(rng))
    return found


@pytest.mark.parametrize("rules", [*RULES.values(), PEGS], ids=lambda rules: rules.key)
@pytest.mark.parametrize("level", [1, 2])
def test_every_level_finds_a_legal_move_in_every_game(rules: Rules, level: int) -> None:
    for position in some_positions(rules)[::9]:
        found = think(position, level, seed=1, playouts=40)
        assert position.problem(position.read(found.move)) is None
        assert 0 <= found.value <= 1
        assert found.move == found.line[0]


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.key)
def test_a_seed_and_a_number_of_playouts_find_the_same(rules: Rules) -> None:
    position = some_positions(rules)[3]
    assert think(position, 3, seed=5, playouts=80) == think(position, 3, seed=5, playouts=80)


@pytest.mark.parametrize(("key", "options", "empty"), some(SOLVED, 3))
def test_no_proved_win_is_given_away(key, options, empty) -> None:
    """From won positions on, the solver calls every position after a move of ours a win."""
    won = 0
    for seed in range(12):
        if won == amount(2, 5):
            break
        solver, position = Solver(), late_position(RULES[key], options, seed, empty)
        if position is None:
            continue
        seat = position.to_play
        win = 1.0 if seat == 0 else 0.0
        found = think(position, 5, seed=1, playouts=20_000)
        value = solver.value(position)
        if found.proved:
            assert found.proved == {win: "win", 0.5: "draw", 1 - win: "loss"}[value]
        if value != win:
            continue
        won += 1
        rng = Random(seed)
        while position.outcome is None:
            ours = position.to_play == seat
            text = think(position, 5, seed=1, playouts=20_000).move if ours else str(position.sample(rng))
            position = position.play(position.read(text))
            assert solver.value(position) == win, f"gives the win away by {text}, seed {seed}"
    assert won > 1


def test_begird_with_three_islands_and_side_4_is_solved_from_the_start() -> None:
    start = RULES["begird"].start({"islands": "3", "side": "4"})
    value = Solver().value(start)
    found = think(start, 5, seed=1, playouts=20_000)
    assert found.proved == ("win" if value == 1 else "loss")


def test_a_poor_end_of_hexagonal_thing_is_seen() -> None:
    """Who owes a Thing and has none loses, and who can win the fourth at once does."""
    rules = RULES["hexthing"]
    position = rules.start({"money": "0"})
    found = think(position, 5, seed=1, playouts=300)
    assert found.move != "stay"


@pytest.mark.parametrize(("key", "options"), [(key, options) for key, options, _ in SOLVED])
def test_actions_are_all_legal_moves_on_small_boards(key, options) -> None:
    """Of all that can be written at all, just what may be played is listed."""
    for seed in range(4):
        rng, position = Random(seed), RULES[key].start(options, seed)
        while position.outcome is None:
            if position.complete:
                names = position.board.names  # type: ignore[attr-defined]
                all_ = {Cells((name,)) for name in names} | {SWAP, ADOPT}
                all_ |= {Cells(tuple(sorted(pair))) for pair in combinations(names, 2)}
                all_ |= {Stone(name, colour) for name in names for colour in "oO"}
                legal = {str(move) for move in all_ if position.problem(move) is None}
                assert legal == set(map(str, position.actions()))
            position = position.follow(position.sample(rng))
        assert not position.actions()


def test_equal_positions_reached_in_another_order_have_one_key() -> None:
    start = RULES["begird"].start({"islands": "9"})
    keys = {
        start.play(Cells((a,))).play(Cells((x,))).play(Cells((b,))).key()
        for a, b in permutations(("a1", "c3"))
        for x in ("b2",)
    }
    assert len(keys) == 1
    assert start.key() != start.play(Cells(("a1",))).key()


def test_the_time_to_compile_a_kernel_is_no_time_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    step, compiled = Tree.step, list[bool]()

    def slow_at_first(search: Tree) -> None:
        if not compiled:
            compiled.append(True)
            time.sleep(0.6)
        step(search)

    monkeypatch.setattr(Tree, "step", slow_at_first)
    found = think(RULES["bounders"].start({"size": "3"}), 1, seed=1, seconds=0.5)
    assert found.playouts == LEVELS[1].playouts


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_NODES", 50)
    search = Tree(RULES["bounders"].start({"size": "4"}), Random(1))
    for _ in range(500):
        search.step()
    assert len(search.numbers) == 50
    assert search.visits == 500


def test_a_game_says_itself_how_many_positions_are_kept() -> None:
    rules = RULES["hexthing"]
    few = replace(rules, knowledge=replace(rules.knowledge, leaves=50))
    search = Tree(few.start({}), Random(1))
    for _ in range(500):
        search.step()
    assert len(search.numbers) == 50


def test_equal_plies_of_a_search_are_one_object() -> None:
    """Half of a search's memory were plies that are equal."""
    position = RULES["hexthing"].start({})
    first, second = position.actions(), position.actions()
    assert first and all(one is other for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("key", ["bagel", "hexthing"])
def test_caches_without_a_bound_do_not_grow_with_the_deals(key: str) -> None:
    """A process of bots sees a deal of its own in every game."""
    sizes = [_play_deals(key, deals) for deals in (range(3), range(3, 8))]
    assert sizes[0] == sizes[1]


def _play_deals(key: str, deals: Iterable[int]) -> dict[str, int]:
    """Think in games of these deals; return what caches without a bound hold after it."""
    for deal in deals:
        position = RULES[key].start({}, deal)
        position.picture()
        think(position, 3, seed=1, playouts=20)
    found = (each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper))
    return {
        f"{each.__module__}.{each.__qualname__}": each.cache_info().currsize
        for each in found
        if each.__module__.startswith("rules.") and each.cache_parameters()["maxsize"] is None
    }


def test_a_proved_win_is_played_and_a_proved_loss_avoided() -> None:
    start = RULES["begird"].start({"islands": "3", "side": "4"})
    position = start
    for name in ("a1", "g4", "b2", "c1"):
        if position.board.index.get(name) is None:  # type: ignore[attr-defined]
            continue
        position = position.play(Cells((name,)))
    found = think(position, 5, seed=1, playouts=3000)
    assert found.proved in ("win", "loss")
    assert found.value == (1.0 if found.proved == "win" else 0.0)


def test_nobody_thinks_after_the_end_or_at_level_6() -> None:
    start = RULES["bagel"].start()
    with pytest.raises(ValueError, match="level is 1 to 5"):
        think(start, max(LEVELS) + 1, seed=1)
    position, rng = start, Random(1)
    while position.outcome is None:
        position = position.follow(position.sample(rng))
    with pytest.raises(ValueError, match="over"):
        think(position, 1, seed=1)


@pytest.mark.parametrize("islands", ["3", "9", "15", "21", "27"])
def test_on_a_full_board_of_begird_just_one_colour_has_won(islands: str) -> None:
    """So the colour that a playout calls the winner is the one that wins ply by ply."""
    start, rng = RULES["begird"].start({"islands": islands}), Random(1)
    bits = bit_board(start.board).bit  # type: ignore[attr-defined]
    for _ in range(5):
        position, cells = start, list(start.board.names)  # type: ignore[attr-defined]
        rng.shuffle(cells)
        stones = [0, 0]
        for ply, name in enumerate(cells):
            stones[ply % 2] |= bits[start.board.index[name]]  # type: ignore[attr-defined]
            if position.outcome is None:
                position = position.follow(Cells((name,)))
        assert position.outcome is not None
        ground = begird.ground_of(start)  # type: ignore[arg-type]
        assert [position.outcome.winner == 0, position.outcome.winner == 1] == [
            begird.wins(ground, own) for own in stones
        ]


def test_bagel_is_counted_by_tables_as_by_its_rules() -> None:
    rng = Random(1)
    for tiles in (36, 60):
        board = RULES["bagel"].start({"size": "5"} if tiles == 60 else {}).board  # type: ignore[attr-defined]
        for _ in range(200):
            cells = "".join(rng.choice("OOXX.") for _ in range(tiles))
            white, black = (bagel.score(board, bagel.bits(cells, disc)) for disc in "OX")
            assert verdict(cells)[0] == ("White" if white > black else "Black")


def test_before_an_adoption_bipod_lists_few_blocks_and_adopt() -> None:
    rules = RULES["bipod"]
    large, small = rules.start(), rules.start({"size": "3", "middle": "2", "rows": "3", "stones": "1"})
    named = [str(move) for move in large.actions()]
    assert 12 <= len(named) - 1 <= 30 < len(large.playable()) and "adopt" == named[-1]
    assert not large.complete and large.play(large.read("adopt")).complete
    assert small.complete and {*map(str, small.actions())} == {*map(str, small.moves())}


@pytest.mark.parametrize("key", ["bagel", "begird", "bounders"])
def test_fast_playouts_are_worth_what_slow_ones_are(key: str) -> None:
    """Where few cells are left, both kinds of playouts go to the same winner about as often."""
    rules = RULES[key]
    options = {"begird": {"islands": "9"}, "bounders": {"size": "4"}}.get(key, {})
    playout = rules.knowledge.playout
    assert playout
    position = late_position(rules, options, 3, 8) or rules.start(options)
    rng, slow = Random(1), 0.0
    for _ in range(400):
        end = position
        while end.outcome is None:
            end = end.follow(end.sample(rng))
        slow += 0.5 if end.outcome.winner is None else 1 - end.outcome.winner
    fast = sum(playout(position, rng).value for _ in range(400))
    assert abs(fast - slow) / 400 < 0.12


def test_a_game_without_knowledge_is_searched_all_the_same() -> None:
    assert PEGS.knowledge == Knowledge()
    found = think(PEGS.start(), 2, seed=1, playouts=300)
    assert found.playouts >= 2
