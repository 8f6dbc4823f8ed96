"""The rules alone: plies a second over random full games, the slowest ply, and folds."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Iterator, Mapping
from random import Random

from rules import RULES
from rules.contract import Position, Rules, RulesError, replay
from rules.picture import text

GAMES = 60
FLOOR_LOOPS = 20_000
MAX_PLIES = 400
SETUPS: list[tuple[Rules, Mapping[str, str]]] = [(rules, {}) for rules in RULES.values()]
SETUPS.append(
    (RULES["begird"], {"islands": "3", "side": "13"})
)  # the board that a figure of others is known for


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    yield from _measure_plies()
    yield from _measure_drafts()
    yield from _measure_folds()


def _measure_plies() -> Iterator[tuple[str, str, str]]:
    """Reading, validating and playing random full games; then the slowest ply, drawing included."""
    gc.freeze()  # a collection of what other parts hold took longer than the plies of a game
    floor = _floor()
    yield "floor: a JSON round trip of 100 cells", f"{floor * 1e6:.1f} us", "the unit of the ratios below"
    for rules, chosen in SETUPS:
        games = [_random_game(rules, chosen, seed) for seed in range(GAMES)]
        plies, spent = 0, 0.0
        for seed, moves in enumerate(games):
            begin = time.process_time()
            replay(rules.start(chosen, seed), moves)
            spent += time.process_time() - begin
            plies += len(moves)
        each = spent / plies
        name = " ".join([rules.name, *(f"{option}={value}" for option, value in chosen.items())])
        yield f"{name}, plies a second", f"{1 / each:,.0f}", f"{each / floor:.1f} x the floor a ply"
        slowest = max(_slowest(rules.start(chosen, seed), games[seed]) for seed in range(20))
        yield f"{name}, slowest ply", f"{slowest * 1e3:.2f} ms", "goal: under 5 ms; read, play, judge, draw"


def _random_game(rules: Rules, chosen: Mapping[str, str], seed: int) -> list[str]:
    rng, position = Random(seed), rules.start(chosen, seed)
    moves: list[str] = []
    while position.outcome is None and len(moves) < MAX_PLIES:
        move = position.sample(rng)
        moves.append(str(move))
        position = position.play(move)
    return moves


def _slowest(position: Position, moves: list[str]) -> float:
    """Seconds of the slowest ply: read, judged, played, its cells listed and its board drawn."""
    worst = 0.0
    for move in moves:
        begin = time.perf_counter()
        position = position.play(position.read(move))
        position.playable()
        text(position.picture())
        worst = max(worst, time.perf_counter() - begin)
    return worst


def _measure_folds() -> Iterator[tuple[str, str, str]]:
    """From a journal's moves to the position, no move judged."""
    floor = _floor()
    for rules in RULES.values():
        seed, moves = max(((n, _random_game(rules, {}, n)) for n in range(20)), key=lambda game: len(game[1]))
        best = min(_fold(rules, seed, moves) for _ in range(5))
        yield (
            f"{rules.name}, fold of {len(moves)} plies",
            f"{best * 1e3:.2f} ms",
            f"{best / floor:.0f} x the floor",
        )


def _measure_drafts() -> Iterator[tuple[str, str, str]]:
    """A ply half made, as a click in the composer asks for it: at the start, and the slowest of ten games."""
    floor = _floor()
    for rules in RULES.values():
        start = rules.start(seed=0)
        first = min(_drafting(start, "") for _ in range(20))
        slowest = max(_slowest_draft(rules, seed) for seed in range(10))
        yield (
            f"{rules.name}, draft of an empty ply",
            f"{first * 1e3:.2f} ms",
            f"{first / floor:.1f} x the floor",
        )
        yield f"{rules.name}, slowest draft", f"{slowest * 1e3:.2f} ms", "goal: under 5 ms"


def _drafting(position: Position, text: str) -> float:
    begin = time.perf_counter()
    position.draft(text)
    return time.perf_counter() - begin


def _slowest_draft(rules: Rules, seed: int) -> float:
    """Seconds of the slowest draft on the way to the plies of one game, the best of three tries each."""
    position, worst = rules.start(seed=seed), 0.0
    for move in _random_game(rules, {}, seed):
        words = move.split()
        for begun in ("", words[0] if len(words) > 1 else "", move):
            try:
                worst = max(worst, min(_drafting(position, begun) for _ in range(3)))
            except RulesError:  # the first word alone begins no ply: `bid`
                continue
        position = position.play(position.read(move))
    return worst


def _fold(rules: Rules, seed: int, moves: list[str]) -> float:
    begin = time.perf_counter()
    position = rules.start(seed=seed)
    for move in moves:
        position = position.follow(position.read(move))
    return time.perf_counter() - begin


def _floor() -> float:
    cells = {f"c{n}": n % 3 for n in range(100)}
    begin = time.process_time()
    for _ in range(FLOOR_LOOPS):
        json.loads(json.dumps(cells))
    return (time.process_time() - begin) / FLOOR_LOOPS
