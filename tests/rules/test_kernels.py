"""Compiled playouts beside the plain rules: the same plies are legal and have the same outcome."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from benchmarks.bots import TINY
from rules import RULES
from rules.contract import Position
from rules.games.bagel import kernel as bagel
from rules.games.bagel import playing_on
from rules.games.bagel.position import BagelPosition
from rules.games.bagel.tiles import reserve
from rules.games.begird import kernel as begird
from rules.games.begird.playing_on import ground_of
from rules.games.bipod import kernel as bipod
from rules.games.bipod import paths
from rules.games.bipod.paths import BLOCK
from rules.games.bipod.playing_on import count_blocks, ease, runner_of
from rules.games.bipod.position import BipodPosition
from rules.games.bounders import kernel as bounders
from rules.games.gonnect import GonnectPosition
from rules.games.gonnect import kernel as gonnect
from rules.games.hadron import HadronPosition
from rules.games.hadron import kernel as hadron
from rules.games.hexthing import kernel as hexthing
from rules.games.hexthing.hexes import CARDS, HEXES
from rules.games.hexthing.playing_on import evaluate
from rules.games.hexthing.plies import PASS, STAY, Act
from rules.games.hexthing.state import ThingState
from rules.games.reversi import ReversiPosition
from rules.games.reversi import kernel as reversi
from rules.search import counts, think, tree
from rules.search.arrays import cells_around, near_cells, new_seed, seats
from rules.search.compiled import find_kernel
from rules.search.counts import NONE
from rules.search.tree import ROOT, Tree
from rules.stone_placement import OneStone
from rules.stone_reading import SWAP, Cells, one_cell
from tests.amount import amount, some

GAMES = amount(10, 1000)
"""Games of each setup; more than ten setups make more than ten thousand in a whole run."""


def some_position(key: str, options: Mapping[str, str], seed: int) -> Position:
    """A position of a random game, its start among them."""
    rng, position = Random(seed), RULES[key].start(options, seed)
    for _ in range(rng.choice((0, 1, 2, 5, 20, 60))):
        after = position.follow(position.sample(rng))
        if after.outcome is not None:
            break
        position = after
    return position


@pytest.mark.parametrize(
    "options", [{}, {"islands": "3"}, {"islands": "9", "side": "7"}, {"islands": "21"}], ids=str
)
def test_a_full_board_of_begird_has_the_winner_of_the_plain_rules(options) -> None:
    for seed in range(GAMES):
        position = some_position("begird", options, seed)
        assert isinstance(position, OneStone)
        start, ground = seats(position), ground_of(position)
        empty = np.nonzero(start < 0)[0]
        full = begird.fill(start, empty, position.seat(position.colour), new_seed(Random(seed)))
        facts = near_cells(position.board), begird.shore(ground), len(ground.islands), ground.needed
        won = [begird.wins(full, seat, *facts) for seat in (0, 1)]
        assert 1 == sum(won)
        for cell in empty:
            if position.outcome is None:
                position = position.play(one_cell(position.board.names[cell]))
        assert position.outcome
        assert won[position.outcome.winner or 0]


@pytest.mark.parametrize(
    "options",
    [{}, {"size": "4"}, {"size": "3", "pie": "no"}, {"size": "4", "scoring": "basic"}, {"scoring": "half"}],
    ids=str,
)
def test_a_game_of_bounders_is_legal_and_counted_as_by_the_plain_rules(options) -> None:
    for seed in range(GAMES):
        position = some_position("bounders", options, seed)
        assert isinstance(position, OneStone)
        cells, near, plies = seats(position), near_cells(position.board), np.empty(200, np.int64)
        count = bounders.play_out(cells, position.seat(position.colour), near, new_seed(Random(seed)), plies)
        value = bounders.score(cells, near, bounders.SCORINGS.index(position.options["scoring"]))
        for cell in plies[:count]:
            position = position.play(one_cell(position.board.names[cell]))
        assert position.outcome
        winner = position.outcome.winner
        assert value == (0.5 if winner is None else 1.0 - winner)


@pytest.mark.parametrize("options", [{}, {"size": "5"}, {"size": "9"}], ids=str)
def test_a_game_of_gonnect_is_legal_and_goes_as_by_the_plain_rules(options) -> None:
    """A playout that brings back an earlier board, which it does not look for, is cut short there."""
    cut = 0
    for seed in range(GAMES):
        position = some_position("gonnect", options, seed)
        assert isinstance(position, GonnectPosition)
        start, stones = seats(position), gonnect.new_stones(len(position.cells))
        plies = np.empty(3 * len(start), np.int64)
        board = near_cells(position.board), gonnect.edges(position.board)
        to_play = position.seat(position.colour)
        count, value = gonnect.play_out(start, to_play, *board, stones, new_seed(Random(seed)), plies)
        for cell in plies[:count]:
            move = one_cell(position.board.names[cell])
            if position.outcome or "earlier board" in (position.problem(move) or ""):
                cut += 1
                break
            position = position.play(move)
        else:
            assert isinstance(position, GonnectPosition)
            assert (seats(position) == stones.held).all()
            assert position.outcome
            assert value == 1.0 - (position.outcome.winner or 0)
    assert cut <= 0.2 * GAMES


@pytest.mark.parametrize("options", [{}, {"size": "7"}, {"size": "11"}], ids=str)
def test_a_game_of_hadron_is_won_by_who_laid_last_as_by_the_plain_rules(options) -> None:
    for seed in range(GAMES):
        position = some_position("hadron", options, seed)
        assert isinstance(position, HadronPosition)
        cells, near, plies = seats(position), near_cells(position.board), np.empty(200, np.int64)
        value = hadron.play_on(position, Random(seed), 1).value
        count = hadron.play_out(cells, position.colour, near, new_seed(Random(seed)), plies)
        for cell in plies[:count]:
            position = position.play(one_cell(position.board.names[cell]))
        assert position.outcome
        assert value == 1.0 - (position.outcome.winner or 0)


@pytest.mark.parametrize("options", [{}, {"size": "6"}, {"start": "free"}], ids=str)
def test_a_game_of_reversi_is_legal_and_counted_as_by_the_plain_rules(options) -> None:
    for seed in range(GAMES):
        position = some_position("reversi", options, seed)
        assert isinstance(position, ReversiPosition)
        cells, plies = seats(position), np.empty(len(position.cells), np.int64)
        around, middle = cells_around(position.board), reversi.open_middle(position)
        took = reversi.play_out(cells, position.due, around, middle, new_seed(Random(seed)), plies)
        for cell in plies[plies >= 0]:
            assert took[cell] == position.due
            position = position.play(one_cell(position.board.names[cell]))
        assert position.outcome
        assert (seats(position) == cells).all()
        winner = position.outcome.winner
        assert reversi.score(cells) == (0.5 if winner is None else 1.0 - winner)


@pytest.mark.parametrize("options", [{}, {"size": "5"}], ids=str)
def test_a_game_of_bagel_is_legal_and_counted_as_by_the_plain_rules(options) -> None:
    for seed in range(GAMES):
        position = some_position("bagel", options, seed)
        assert isinstance(position, BagelPosition)
        cells, mates = seats(position), bagel.mates_of(position.layout)
        to_play, names = position.seat(position.colour), position.board.names
        chance = new_seed(Random(seed))
        plies = bagel.play_out(cells, to_play, position.ply == 0, mates, reserve(len(cells)), chance)
        for ply in plies:
            position = position.play(Cells(tuple(sorted(names[tile] for tile in ply if tile >= 0))))
        assert position.outcome
        around, white = cells_around(position.board), position.seat(0)
        assert bagel.winner(cells, around, white) == position.outcome.winner
        assert (seats(position) == cells).all()


@pytest.mark.parametrize("options", [{}, {"size": "3", "rows": "3"}, {"size": "6", "middle": "2"}], ids=str)
def test_routes_of_bipod_are_left_just_where_the_plain_rules_find_them(options) -> None:
    for seed in range(GAMES):
        position = some_position("bipod", options, seed)
        assert isinstance(position, BipodPosition)
        ground, start = position.ground, bipod.contents(position)
        empty, runner = np.nonzero(start == 0)[0], runner_of(position)
        blocks = count_blocks(position, len(empty))
        cells, taken = bipod.block(start, empty, runner, blocks, new_seed(Random(seed)))
        drawn = [
            BLOCK if cell == 1 and not held else before
            for cell, held, before in zip(cells, start, position.cells, strict=True)
        ]
        board = cells_around(ground.board), bipod.short_sides(ground), ground.left, ground.right
        judged = paths.judge(ground, drawn, runner)
        assert bipod.runs(cells, *board) == (judged is None or judged.winner == runner)
        took = [np.sum(taken[start == 0] == seat) for seat in (runner, 1 - runner)]
        assert took[1] == blocks
        assert 0 <= took[0] - took[1] - 2 * round(ease(position) * len(empty)) + 1 <= 2


def spell_act(position: ThingState, verb: int, name: int, price: int) -> Act:
    """The ply that the kernel means."""
    if verb == hexthing.PUT_UP:
        return Act(lot=tuple(card for n, card in enumerate(CARDS) if name >> n & 1), call="bid", price=price)
    if verb == hexthing.PLAY:
        call = position.owed_by(CARDS[name]).replace("change", "")
        return Act(play=CARDS[name], call=call, price=price)
    if verb == hexthing.CALL:
        assert position.auction
        return Act(call=position.auction.trade.call, price=price)
    if verb == hexthing.NAME:
        return Act(naming=(position.due, HEXES[name]))
    return STAY if verb == hexthing.STAY else PASS


MAX_DRAWN = 0.02
"""The share of games that a repetition may draw before the kernel is done."""


@pytest.mark.parametrize("options", [{}, {"money": "3", "bids": "3"}, {"money": "200"}], ids=str)
def test_a_game_of_hexagonal_thing_is_legal_and_goes_as_by_the_plain_rules(options) -> None:
    plies, drawn = np.empty((60, 3), np.int64), 0
    for seed in range(GAMES):
        position = some_position("hexthing", options, seed)
        assert isinstance(position, ThingState)
        at, board = hexthing.contents(position), hexthing.board_of(position)
        count = hexthing.play_out(at, *board, new_seed(Random(seed)), plies)
        for ply in plies[:count].tolist():
            if position.outcome:  # by repetition, which the kernel does not look for
                assert position.outcome.winner is None
                drawn += 1
                break
            position = position.play(spell_act(position, *ply))
        else:
            assert (hexthing.contents(position) == at).all()
            assert count == 60 or position.outcome
            assert evaluate(position) == pytest.approx(hexthing.evaluate(at))
    assert drawn <= MAX_DRAWN * GAMES


def test_pairs_of_bagel_are_counted_where_a_seat_has_both_discs() -> None:
    position = some_position("bagel", {}, 3)
    assert isinstance(position, BagelPosition)
    found = bagel.play_on(position, Random(1), 1)
    moves = position.actions()
    marks = playing_on.marks(position, moves)
    numbers = bagel.number_marks(position, marks)
    assert [number < 0 for number in numbers] == [move == SWAP for move in moves]
    assert any(number >= 36 for number in numbers)
    for mark, number in zip(marks, numbers, strict=True):
        tiles = [n for n in range(36) if mark >> n & 1]
        for visits in found.visits:
            assert not tiles or visits[number] == all(visits[tile] for tile in tiles)


@pytest.mark.parametrize(
    "key", ["bagel", "begird", "bounders", "bipod", "gonnect", "hadron", "hexthing", "reversi"]
)
def test_playouts_of_a_kernel_are_worth_what_plain_ones_are(key: str) -> None:
    rules = RULES[key]
    kernel, playout = find_kernel(rules.knowledge.kernel), rules.knowledge.playout
    assert kernel
    assert playout
    for seed in range(amount(1, 3)):
        position = some_position(key, {}, seed)
        found = kernel.play_on(position, Random(1), 2000)
        rng = Random(1)
        plain = sum(playout(position, rng).value for _ in range(400)) / 400
        assert abs(found.value / 2000 - plain) < 0.12
        for visits, totals in zip(found.visits, found.totals, strict=True):
            assert all(0 <= total <= times <= 2000 for times, total in zip(visits, totals, strict=True))


def test_a_search_with_a_kernel_is_the_same_by_a_seed_and_counts_every_game() -> None:
    position = RULES["begird"].start({"islands": "9"})
    assert think(position, 5, seed=3, playouts=800) == think(position, 5, seed=3, playouts=800)
    search = Tree(position, Random(1), 16)
    for _ in range(20):
        search.step()
    held = search.counts
    first, size = held.first[ROOT], held.size[ROOT]
    children = [child for child in held.child[first : first + size] if child != NONE]
    assert 320 == search.visits == sum(held.visits[child] for child in children)
    assert max(held.rave_visits[first : first + size]) > 100


def search_twice(position: Position, steps: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Tree, Tree]:
    """Search with compiled loops and with plain ones; both must count the same."""
    compiled = Tree(position, Random(1), 1)
    with monkeypatch.context() as patched:
        patched.setattr(tree, "find_machine", lambda: counts)
        plain = Tree(position, Random(1), 1)
    for _ in range(steps):
        compiled.step()
        plain.step()
    assert isinstance(plain.counts.child, list)
    assert not isinstance(compiled.counts.child, list)
    assert plain.moves == compiled.moves
    for here, there in zip(compiled.counts, plain.counts, strict=True):
        assert list(here) == there
    return compiled, plain


@pytest.mark.parametrize("key", some(RULES, 2))
def test_compiled_loops_count_the_same_as_plain_ones(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree outgrows its first room."""
    for seed in range(amount(1, 2)):
        rng, position = Random(seed), RULES[key].start(TINY[key], seed)
        for _ in range(2 * seed):
            position = position.follow(position.sample(rng))
        _, plain = search_twice(position, amount(1500, 3000), monkeypatch)
        assert len(plain.counts.child) > tree.ROOM


@pytest.mark.parametrize("key", RULES)
def test_compiled_loops_prove_the_same_as_plain_ones(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some plies before the end of a game by chance."""
    proved = 0
    for seed in range(amount(2, 8)):
        rng, game = Random(seed), [RULES[key].start(TINY[key], seed)]
        while game[-1].outcome is None:
            game.append(game[-1].follow(game[-1].sample(rng)))
        _, plain = search_twice(game[max(0, len(game) - 5)], 300, monkeypatch)
        held = plain.counts
        proved += sum(held.proved[n] >= 0 and held.first[n] >= 0 for n in range(len(plain.positions)))
    assert proved


def test_without_a_kernel_games_are_played_on_one_by_one() -> None:
    assert find_kernel("") is None
    assert find_kernel("rules.games.nothing.kernel") is None
    assert Tree(RULES["begird"].start(), Random(1)).kernel is None


def test_pages_mail_and_workers_load_no_compiler() -> None:
    code = (
        "import sys, pbem.web, pbem.cli.serve, pbem.inbox.process, pbem.worker.worker, rules.search\n"
        "assert not {'numba', 'numpy'} & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_game_may_limit_the_games_from_one_leaf() -> None:
    """In Hexagonal Thing each playout has a leaf of its own, so that a level looks at as many positions."""
    assert 40 == think(RULES["hexthing"].start(), 3, seed=1, playouts=40).playouts
    assert 41 == think(RULES["hexthing"].start(), 3, seed=1, playouts=41).playouts
    assert 44 == think(RULES["begird"].start(), 3, seed=1, playouts=41).playouts


def test_leaves_get_more_games_where_a_game_keeps_no_more_leaves() -> None:
    rules = RULES["hexthing"]
    few = replace(rules, knowledge=replace(rules.knowledge, leaves=10))
    assert 45 == think(few.start(), 3, seed=1, playouts=41).playouts
